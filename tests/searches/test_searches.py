"""Every search, step by step, against the plain loops; stop rules, ranges, starts, budgets; errors."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from fsbench.errors import MethodError
from fsbench.registry import METHODS, make
from fsbench.searches import Search, Step, Trace
from fsbench.searches.floating import SBFS, SFFS
from fsbench.searches.plus_l_take_away_r import SBG, SFG, PlusLTakeAwayR
from fsbench.searches.walk import Walk
from tests.naive import searches as naive


class Table:
    """J from a table of random grades; few grades make many ties."""

    def __init__(self, n: int, seed: int, grades: int) -> None:
        rng = np.random.default_rng(seed)
        keys = [frozenset(s) for size in range(n + 1) for s in itertools.combinations(range(n), size)]
        self.values = dict(zip(keys, (rng.integers(0, grades + 1, len(keys)) / grades).tolist(), strict=True))
        self.calls = 0

    def score(self, subset: frozenset[int]) -> float:
        self.calls += 1
        return self.values[subset]


class ManyTable(Table):
    """The same with `score_many`."""

    def score_many(self, current: frozenset[int], candidates: list[int]) -> list[float]:
        return [self.score(current ^ {c}) for c in candidates]


def walked(trace: Trace) -> list[naive.Met]:
    return [(s.action, s.feature, frozenset(s.subset)) for s in trace.steps]


GRADES = [2, 5, 1000]
KS = [None, 0.8, 0.5, 1.0, 0.0]


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("grades", GRADES)
@pytest.mark.parametrize("turn", [(1, 0), (0, 1), (2, 1), (1, 2), (3, 1), (2, 5), (5, 4)])
def test_plus_minus_is_the_plain_loop(turn: tuple[int, int], grades: int, k: float | None) -> None:
    for n, seed in itertools.product((1, 2, 3, 6, 7), range(4)):
        table = ManyTable(n, seed, grades)
        trace = PlusLTakeAwayR(plus=turn[0], minus=turn[1], remainder=k).run(table, n)
        calls = table.calls
        expected = naive.pta(table.score, n, *turn, k)
        assert walked(trace) == expected
        for step in trace.met:
            assert step.usefulness == table.values[frozenset(step.subset)]
            assert step.criterion == naive.criterion(table.score, frozenset(step.subset), n, k)
        start = frozenset(trace.start.subset)
        assert frozenset(trace.best.subset) == naive.best_met(table.score, [start, *(s for _, _, s in expected)])
        assert trace.evaluations == calls  # each subset once
        assert trace.stopped == "end"


@pytest.mark.parametrize("k", [None, 0.8])
@pytest.mark.parametrize("grades", GRADES)
@pytest.mark.parametrize("rule", ["pudil", "mlxtend"])
@pytest.mark.parametrize("kind", [SFFS, SBFS])
def test_floating_is_the_plain_loop(kind: type[Search], rule: str, grades: int, k: float | None) -> None:
    turned = 0
    for n, seed in itertools.product((1, 2, 3, 6, 8), range(6)):
        table = Table(n, seed, grades)
        trace = kind(rule=rule, remainder=k).run(table, n)
        expected = naive.floating(table.score, n, kind is SFFS, rule, k)
        assert walked(trace) == expected
        start = frozenset(trace.start.subset)
        assert frozenset(trace.best.subset) == naive.best_met(table.score, [start, *(s for _, _, s in expected)])
        turned += len({action for action, _, _ in expected}) == 2
    assert turned > 0  # some of these walks did step back


@pytest.mark.parametrize("k", KS)
def test_sfg_and_sbg_are_settings_of_pta(k: float | None) -> None:
    for seed in range(5):
        table = Table(6, seed, 4)
        assert walked(SFG(remainder=k).run(table, 6)) == naive.pta(table.score, 6, 1, 0, k)
        assert walked(SBG(remainder=k).run(table, 6)) == naive.pta(table.score, 6, 0, 1, k)


@pytest.mark.parametrize("turn", [t for t in itertools.product(range(6), repeat=2) if t[0] != t[1]])
def test_ends_for_all_turns_and_keeps_to_the_size_asked_for(turn: tuple[int, int]) -> None:
    plus, minus = turn
    for n, seed in itertools.product((1, 2, 5, 9), range(2)):
        table = ManyTable(n, seed, 3)
        for size in range(1, n + 1):
            search = PlusLTakeAwayR(plus=plus, minus=minus, max_size=size, remainder=0.8)
            trace = search.run(table, n)
            assert 1 <= trace.best.size <= size
            if plus > minus:
                assert max(s.size for s in trace.met) == size
            floor = PlusLTakeAwayR(plus=plus, minus=minus, min_size=size).run(table, n)
            assert floor.best.size >= size
            if minus > plus:
                assert min(s.size for s in floor.met) == size


def test_equal_turns_are_refused_with_the_reason() -> None:
    with pytest.raises(MethodError, match="plus and minus are both 3, so the search would never end"):
        PlusLTakeAwayR(plus=3, minus=3)


def test_ties_go_to_the_lowest_index_and_the_smaller_subset() -> None:
    class Same:
        def score(self, subset: frozenset[int]) -> float:
            return 0.5

    trace = SFG().run(Same(), 4)
    assert trace.inclusion == (0, 1, 2, 3)
    assert trace.best.subset == (0,)
    trace = SBG(remainder=0.8).run(Same(), 4)
    assert trace.exclusion == (0, 1, 2, 3)
    assert trace.best.subset == (3,)


class Peaks:
    """J by size alone: the first peak at two features, a higher one at five."""

    heights = (0.1, 0.5, 0.6, 0.55, 0.58, 0.7, 0.6)

    def score(self, subset: frozenset[int]) -> float:
        return self.heights[len(subset)]


def test_the_textbook_form_stops_at_the_first_step_without_a_gain() -> None:
    trace = SFG(textbook=True).run(Peaks(), 6)
    assert [s.size for s in trace.met] == [0, 1, 2, 3]
    assert (trace.best.size, trace.stopped) == (2, "early")
    trace = SBG(textbook=True).run(Peaks(), 6)
    assert [s.size for s in trace.met] == [6, 5, 4]
    assert (trace.best.size, trace.stopped) == (5, "early")


def test_the_textbook_form_returns_the_last_subset_if_the_last_step_was_a_gain() -> None:
    class Rising:
        def score(self, subset: frozenset[int]) -> float:
            return len(subset) / 10

    trace = SFG(textbook=True).run(Rising(), 3)
    assert (trace.best.size, trace.stopped) == (3, "end")


def test_the_textbook_form_goes_on_until_the_size_is_allowed() -> None:
    assert SFG(textbook=True, min_size=3).run(Peaks(), 6).best.size == 3
    assert SBG(textbook=True, max_size=3).run(Peaks(), 6).best.size == 3


def test_patience_and_tolerance() -> None:
    trace = SFG(patience=2).run(Peaks(), 6)
    assert [s.size for s in trace.steps] == [1, 2, 3, 4]
    assert (trace.best.size, trace.stopped) == (2, "patience")
    assert SFG(patience=3).run(Peaks(), 6).best.size == 5
    # A gain of 0.1 is none if 0.2 is asked for, though the better subset is still the one returned.
    trace = SFG(patience=1, tolerance=0.2).run(Peaks(), 6)
    assert ([s.size for s in trace.steps], trace.best.size) == ([1, 2], 2)


def test_the_budget_is_never_exceeded() -> None:
    for kind, k in itertools.product((SFG, SBG, SFFS, SBFS, PlusLTakeAwayR), (None, 0.8)):
        full = kind(remainder=k).run(ManyTable(6, 1, 5), 6)
        for budget in range(1, full.evaluations + 2):
            table = ManyTable(6, 1, 5)
            search = kind(remainder=k, budget=budget)
            if budget < least(full):
                with pytest.raises(MethodError, match=f"a budget of {budget} evaluations is spent before"):
                    search.run(table, 6)
                continue
            trace = search.run(table, 6)
            assert trace.evaluations == table.calls <= budget
            assert (trace.stopped == "end") == (budget >= full.evaluations)
            assert walked(trace) == walked(full)[: len(trace.steps)]


def least(trace: Trace) -> int:
    """Evaluations until a subset that may be returned is met."""
    return next(s.evaluations for s in trace.met if s.size > 0)


def test_a_start_set_by_name_or_index() -> None:
    table = Table(5, 3, 50)
    names = ["a", "b", "c", "d", "e"]
    trace = SFG(start=["d", 1]).run(table, 5, names)
    assert trace.start.subset == (1, 3)
    assert all({1, 3} <= set(s.subset) for s in trace.steps)
    assert trace.steps[-1].size == 5
    assert SBG(start=(0, 2, 4)).run(table, 5).steps[-1].subset == ()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"start": ["z"]}, "start names no feature 'z'; valid: a, b, c"),
        ({"start": [3]}, "start must hold feature names or indices from 0 to 2, found 3"),
        ({"start": [True]}, "start must be a list of feature names or indices from 0, found [True]"),
        ({"start": [-1]}, "start must be a list of feature names or indices from 0, found [-1]"),
        ({"start": 1}, "start must be a list of feature names or indices from 0, found 1"),
        ({"start": ["a", "a"]}, "start names the feature 'a' twice"),
        ({"start": ["b", 1]}, "start names the feature 'b' twice, by name and by index"),
        ({"budget": 2**70}, "budget must be a whole number of at least 1 or none, below 2^63, found"),
        ({"budget": 3}, "a budget of 3 evaluations is spent before a subset of an allowed size is met; at least 4 are"),
        ({"start": [0, 1], "max_size": 1}, "start holds 2 features, more than max_size 1"),
        ({"min_size": 4}, "min_size is 4, but there are 3 features"),
        ({"min_size": 3, "max_size": 2}, "min_size 3 exceeds max_size 2"),
        ({"remainder": 1.5}, "remainder must be a number from 0 to 1 or none, found 1.5"),
        ({"patience": 0}, "patience must be a whole number of at least 1 or none, found 0"),
        ({"max_size": 0}, "max_size must be a whole number of at least 1 or none, found 0"),
    ],
)
def test_what_does_not_fit_is_one_line(params: dict[str, object], message: str) -> None:
    with pytest.raises(MethodError) as caught:
        SFG.from_params(params).run(Table(3, 0, 3), 3, ["a", "b", "c"])
    assert message in str(caught.value)


def test_a_backward_search_must_have_something_to_remove() -> None:
    with pytest.raises(MethodError, match="start holds 1 features, fewer than the 2 to end with"):
        SBG(start=[1], min_size=2).run(Table(3, 0, 3), 3)


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("kind", [SFG, SBG, SFFS, SBFS, PlusLTakeAwayR])
def test_a_budget_is_refused_beforehand_only_if_the_search_cannot_do_with_it(
    kind: type[Search], k: float | None
) -> None:
    told = 0
    for n, lowest, highest in itertools.product(range(1, 7), range(1, 4), range(3, 7)):
        if lowest > n:
            continue
        table = ManyTable(n, 1, 5)
        full = kind(remainder=k, min_size=lowest, max_size=highest).run(table, n)
        needed = next(s.evaluations for s in full.met if lowest <= s.size <= highest)
        for budget in range(1, needed + 1):
            search = kind(remainder=k, min_size=lowest, max_size=highest, budget=budget)
            try:
                search.check(n)
            except MethodError:
                told += 1
                assert budget < needed
            else:
                # On the straight way the number needed is known beforehand, unless subsets and remainders meet.
                assert budget == needed or kind is PlusLTakeAwayR or k not in (None, 1.0) or kind in (SFFS, SBFS)
    assert told > 0


def own(steps: Callable[[Search, Walk], object], **more: object) -> Search:
    """Return a search of a user's."""
    return type("Own", (Search,), {"steps": steps, "__module__": "mine", **more})()


def in_circles(_: Search, walk: Walk) -> Iterator[Step | None]:
    while True:
        yield walk.best("add")
        yield walk.best("remove")


def twice(_: Search, walk: Walk) -> Iterator[Step | None]:
    step = walk.best("add")
    yield step
    yield step


RIGHT = "; yield what walk.best('add') or walk.best('remove') has just returned, or None to end"


@pytest.mark.parametrize(("steps", "message"), [
    (lambda _, walk: iter([3]), f"Own: steps yielded 3{RIGHT}"),
    (lambda _, walk: iter(["add"]), f"Own: steps yielded 'add'{RIGHT}"),
    (lambda _, walk: iter([walk.best("add").subset]), f"Own: steps yielded (0,){RIGHT}"),
    (lambda _, walk: iter([Step("add", 9, (9,), 1.0, None, 1.0, 1)]),
     f"Own: steps yielded a step with feature 9, but there are the features 0 to 2{RIGHT}"),
    (lambda _, walk: iter([Step("add", 1, (1,), 1.0, None, 1.0, 1)]),
     f"Own: steps yielded a step ('add' feature 1) that is none from where it stands{RIGHT}"),
    (twice, f"Own: steps yielded a step ('add' feature 0) that is none from where it stands{RIGHT}"),
    (lambda _, walk: None, "Own: steps must yield one step after the other, found nothing"),
    (lambda _, walk: 7, "Own: steps must yield one step after the other, found 7"),
    (lambda _, walk: iter([walk.best("ad")]),
     "Own: steps failed with ValueError: walk.best takes 'add' or 'remove', found 'ad' (walk.py:"),
    (lambda _, walk: iter([{}["x"]]), "Own: steps failed with KeyError: 'x' (test_searches.py:"),
    (lambda _, walk: iter([walk.best("remove")]),
     "Own: it ended after 0 steps, at 0 features, without a subset of 1 to 3 features"),
    (in_circles, "Own: 10000 steps in a row led to subsets that were met before: let steps end, or yield None to end"),
])  # fmt: skip
def test_a_search_of_a_users_that_misbehaves(steps: Callable[[Search, Walk], object], message: str) -> None:
    with pytest.raises(MethodError) as caught:
        own(steps).run(Table(3, 0, 3), 3)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("found", "shown"), [(None, "nothing"), (3, "3"), ([(1,)], "(1,)")])
def test_a_search_of_a_users_that_would_return_what_it_did_not_meet(found: object, shown: str) -> None:
    search = own(lambda _, walk: iter([walk.best("add")]), considered=lambda *_: found)
    with pytest.raises(
        MethodError, match=re.escape(f"Own: considered must return some of the steps met, found {shown}")
    ):
        search.run(Table(3, 0, 3), 3)


def fails(*_: object) -> Any:
    raise KeyError("gone")


@pytest.mark.parametrize(("part", "message"), [
    ({"considered": fails}, "Own: considered failed with KeyError: 'gone' (test_searches.py:"),
    ({"goes_forward": property(fails)}, "Own: failed with KeyError: 'gone' (test_searches.py:"),
    ({"allows": fails}, "Own: failed with KeyError: 'gone' (test_searches.py:"),
])  # fmt: skip
def test_a_search_of_a_users_of_which_another_part_fails(part: dict[str, object], message: str) -> None:
    search = own(lambda _, walk: iter([walk.best("add")]), **part)
    with pytest.raises(MethodError) as caught:
        search.run(Table(3, 0, 3), 3)
    assert str(caught.value).startswith(message)


def test_a_search_of_a_users_that_cannot_be_checked_or_made() -> None:
    search = own(lambda _, walk: iter([]), goes_forward=property(fails))
    with pytest.raises(MethodError, match="Own: failed with KeyError: 'gone'"):
        search.check(3)
    made = type("Own", (Search,), {"steps": fails, "__post_init__": fails, "__module__": "mine"})
    with pytest.raises(MethodError, match="Own: cannot be made: KeyError: 'gone'"):
        made.from_params({})


def test_no_features() -> None:
    with pytest.raises(MethodError, match="there is no feature to choose from"):
        SFG().run(Table(0, 0, 3), 0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 1.5, -0.1])
def test_a_scorer_must_return_a_usefulness(bad: float) -> None:
    class Odd:
        def score(self, subset: frozenset[int]) -> float:
            return bad if subset else 0.5

    with pytest.raises(MethodError, match="the usefulness of a subset must be a number from 0 to 1"):
        SFG(remainder=0.8).run(Odd(), 2)


def test_any_finite_usefulness_serves_without_a_remainder() -> None:
    class Loss:
        def score(self, subset: frozenset[int]) -> float:
            return -abs(len(subset) - 2) * 10.0

    assert SFG().run(Loss(), 4).best.size == 2


def test_weight_one_asks_for_no_remainder() -> None:
    plain, aware = Table(5, 1, 9), Table(5, 1, 9)
    assert SFG().run(plain, 5).steps == SFG(remainder=1.0).run(aware, 5).steps
    assert plain.calls == aware.calls


def test_a_weight_that_varies_with_the_size_of_the_remainder() -> None:
    table = Table(5, 2, 30)
    trace = SFG(remainder=0.6, weighting="size").run(table, 5)
    for step in trace.met:
        k = 1 - 0.4 * (5 - step.size) / 5
        assert step.criterion == pytest.approx(step.usefulness**k * (1 - step.remainder) ** (1 - k), rel=1e-12)


def test_the_trace_tells_the_whole_story() -> None:
    table = Table(4, 5, 40)
    trace = PlusLTakeAwayR(remainder=0.8).run(table, 4)
    rows = trace.rows(["a", "b", "c", "d"])
    assert [r["step"] for r in rows] == list(range(len(trace.steps) + 1))
    assert [r["action"] for r in rows[:4]] == ["start", "add", "add", "remove"]
    assert rows[1]["subset"] == [rows[1]["feature"]]
    assert sum(r["best"] for r in rows) == 1
    counts = [r["evaluations"] for r in rows]
    assert counts == sorted(counts)
    assert counts[0] == 2
    assert counts[-1] == trace.evaluations
    for size, step in trace.best_by_size().items():
        assert step.usefulness == max(s.usefulness for s in trace.met if s.size == size)


def test_every_search_is_registered() -> None:
    assert list(METHODS["search"]) == ["pta", "sfg", "sbg", "sffs", "sbfs"]
    for name in METHODS["search"]:
        search = make("search", name)
        assert isinstance(search, Search)
        assert search.name == name
    assert make("search", {"method": "pta", "plus": "1", "minus": "2"}).label == "pta(plus=1, minus=2)"
