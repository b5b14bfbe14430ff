"""Searches as methods of an experiment: honest, resumable, the same for any number of processes, failures recorded."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

from fsbench import registry
from fsbench.classifiers.nearest_scorer import subset_scorer
from fsbench.data import load
from fsbench.errors import UserError
from fsbench.evaluation.folds import stratified_splits
from fsbench.experiment.config import load_experiment
from fsbench.experiment.run import make_plan
from fsbench.searches.protocol import inner_splits, search_cv, search_nested

TEXT = """\
datasets: [a.arff, b.arff]
folds: {folds: 3}
rankers: ["TOYS:Spread"]
searches:
  - sfg
  - {method: pta, plus: 1, minus: 2, remainder: 0.8, label: PTA}
searching: {protocol: [search-cv, nested], folds: 4}
classifiers: [{method: 1nn, scale: none, ties: first}, "TOYS:Centroid"]
selections: [all, best]
"""
NN = "1nn(scale=none, ties=first)"
# Two data sets, two classifiers, two searches: one search-cv; in each of three folds a search and its test.
CELLS = 2 * 2 * 2 * (1 + 3 * 2)


def one(frame: pd.DataFrame, **wanted: object) -> pd.Series:
    for name, value in wanted.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


@pytest.mark.parametrize("judge", [NN, "Centroid"])
@pytest.mark.parametrize("label", ["sfg", "PTA"])
def test_both_protocols_are_those_of_the_searches_package(workshop, judge: str, label: str) -> None:
    workshop.run(TEXT)
    experiment = load_experiment(workshop.folder / "my.yaml")
    search, classifier = experiment.make_searches()[label], experiment.make_classifiers()[judge]
    data = load(workshop.folder / "a.arff")
    splits = stratified_splits(data.y, data.n_classes, 3, 1)
    names = [feature.name for feature in data.features]
    store = workshop.store()
    searches, traces = store.searches(), store.traces()

    found = search_cv(search, subset_scorer(classifier, data, splits))
    row = one(searches, dataset="a", classifier=judge, search=label, protocol="search-cv")
    assert (row.error, row.sigma) == pytest.approx((found.error, found.sigma), abs=1e-15)
    assert row.subset == [names[j] for j in found.subset]
    assert row.inclusion == [names[j] for j in found.trace.inclusion]
    assert row.exclusion == [names[j] for j in found.trace.exclusion]
    assert (row.evaluations, row.hits, row.stopped) == (found.trace.evaluations, found.trace.hits, "end")
    mine = traces.query("dataset == 'a' and classifier == @judge and search == @label and protocol == 'search-cv'")
    expected = pd.DataFrame(found.trace.rows(names)).astype({"remainder": float})
    pd.testing.assert_frame_equal(mine[expected.columns].reset_index(drop=True), expected, check_dtype=False)

    tested = search_nested(
        search, classifier, data, splits, partial(subset_scorer, classifier), partial(inner_splits, folds=4, seed=1)
    )
    for t in tested:
        place = {"dataset": "a", "classifier": judge, "fold": t.split.fold}
        row = one(searches, **place, search=label, protocol="nested")
        assert row.error == t.found.error
        assert row.subset == [names[j] for j in t.found.subset]
        cell = one(store.accuracies(), **place, ranker=label, selection="best")
        assert 1 - cell.accuracy == pytest.approx(t.error)
        assert (cell.estimate, cell.n_selected) == ("inner_cv", len(t.found.subset))
        predicted = store.predictions().query("ranker == @label and classifier == @judge and dataset == 'a'")
        labels = predicted[predicted.fold == t.split.fold].predicted.tolist()
        assert labels == [f"c{c}" for c in t.predicted]


def test_rankers_and_searches_stand_in_one_frame(workshop) -> None:
    progress = workshop.run(TEXT)
    assert set(progress.statuses) == {"ok"}
    frame = workshop.store().accuracies()
    best = frame[(frame.selection == "best") & (frame.estimate == "inner_cv")]
    assert best.groupby(["dataset", "classifier"]).ranker.unique().map(list).tolist() == [["Spread", "sfg", "PTA"]] * 4
    assert workshop.store().folds().fold.tolist() == [0, 1, 2] * 2


def test_a_search_never_meets_a_test_row(workshop) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 40)
    X = rng.normal(size=(40, 4)).round(1) + np.outer(y, [1, 0, 0.5, 0])
    numbers = np.arange(40) % 2
    (workshop.folder / "c.txt").write_text("\n".join(str(i + 1) for i in numbers))
    text = TEXT.replace("[a.arff, b.arff]", "[c.arff]").replace("{folds: 3}", '{scheme: file, file: "{dataset}.txt"}')
    seen = []
    for change in (False, True):
        if change:  # everything about the test rows of the first fold, classes included
            X[numbers == 0] = rng.normal(size=(20, 4)) * 50
            y[numbers == 0] = 1 - y[numbers == 0]
        workshop.data("c", X, y)
        output = f"out{change}"
        workshop.run(text, output)
        store = workshop.store(output)
        first = store.traces().query("protocol == 'nested' and fold == 0").drop(columns="seed")
        seen.append((first.to_csv(), store.selections().query("fold == 0 and ranker != ''").to_csv()))
        assert len(first)
    assert seen[0] == seen[1]


def test_a_second_run_computes_nothing_and_a_new_search_its_own_cells(workshop) -> None:
    first = workshop.run(TEXT)
    before = workshop.tables()
    again = workshop.run(TEXT)
    assert (again.cells, again.kept) == (0, first.cells)
    assert workshop.tables() == before
    more = TEXT.replace("  - sfg\n", "  - sbg\n  - sfg\n")
    assert workshop.run(more).cells == CELLS // 2
    workshop.run(more, "other")
    assert workshop.tables() == workshop.tables("other")


@pytest.mark.parametrize(("old", "new", "cells"), [
    ("remainder: 0.8", "remainder: 0.7", CELLS // 2),
    ("label: PTA", "label: other", 0),
    ("folds: 4}", "folds: 5}", CELLS * 6 // 7),  # the inner folds: all but search-cv
    ("[search-cv, nested]", "nested", 0),
    ("classifiers: [", "classifiers: [nb, ", CELLS // 2 + 2 * 3 * (1 + 3)),  # and the ranker's curves and tests
    ("[a.arff, b.arff]", "[a.arff, {path: b.arff, seeds: 3}]", 2 * 2 * 2),
])  # fmt: skip
def test_a_change_computes_its_own_cells_only(workshop, old: str, new: str, cells: int) -> None:
    workshop.run(TEXT)
    text = TEXT.replace(old, new)
    assert text != TEXT
    assert workshop.run(text).cells == cells
    workshop.run(text, "other")
    assert workshop.tables() == workshop.tables("other")


def test_one_and_two_processes_give_the_same_bytes(workshop) -> None:
    text = TEXT.replace("b.arff]", "{path: b.arff, seeds: 4}]")
    assert workshop.run(text, "one", jobs=1).statuses == workshop.run(text, "two", jobs=2).statuses
    assert workshop.tables("one") == workshop.tables("two")


def test_fold_seeds_are_those_of_the_searches_alone(workshop) -> None:
    workshop.run(TEXT.replace("b.arff]", "{path: b.arff, seeds: 3}]"))
    store = workshop.store()
    found = store.searches().query("protocol == 'search-cv' and dataset == 'b'")
    assert found.seed.tolist() == [1] * 4 + [2] * 4 + [3] * 4
    assert found.fold.isna().all()
    assert set(store.accuracies().repeat) == {0}
    # A classifier that draws draws anew: what a plain search with that seed gives.
    data = load(workshop.folder / "b.arff")
    judge = registry.make("classifier", {"method": "1nn", "scale": "none", "ties": "first", "seed": 3})
    plain = search_cv(registry.make("search", "sfg"), subset_scorer(judge, data, stratified_splits(data.y, 2, 3, 3)))
    row = one(found, seed=3, classifier=NN, search="sfg")
    assert row.error == plain.error
    assert row.inclusion == [data.features[j].name for j in plain.trace.inclusion]


def test_subsets_are_scored_once_for_all_searches(workshop) -> None:
    workshop.run(TEXT.replace("  - sfg\n", "  - sfg\n  - {method: sfg, remainder: 1.0, label: same}\n"))
    frame = workshop.store().searches()
    assert (frame.scored <= frame.evaluations).all()
    assert (frame[frame.search == "sfg"].scored == frame[frame.search == "sfg"].evaluations).all()
    assert (frame[frame.search == "same"].scored == 0).all()
    # The time is still that of the whole search.
    assert (frame[frame.search == "same"].seconds > 0).all()


def test_failures_are_recorded_and_tried_again(workshop) -> None:
    flag = workshop.folder / "flag"
    flag.touch()
    text = TEXT.replace('"TOYS:Centroid"', f'{{method: "TOYS:FailsOnPairs", flag: "{flag}", label: bad}}')
    text = text.replace("  - sfg\n", '  - sfg\n  - {method: "TOYS:EndsAtOnce", label: fifth}\n')
    progress = workshop.run(text)
    frame = workshop.store().searches()
    bad = frame[frame.classifier == "bad"]
    assert set(bad.status) == {"failed"}
    assert (
        bad[bad.search == "sfg"]
        .reason.str.contains("): failed with ValueError: two features (toys.py:", regex=False)
        .all()
    )
    status = frame[frame.classifier == NN].groupby(["dataset", "search"]).status.unique().map(list)
    assert status["b", "fifth"] == ["failed"]
    assert status.drop(("b", "fifth")).map(lambda s: s == ["ok"]).all()
    shown = "EndsAtOnce: it ended after 0 steps, at 0 features, without a subset of 1 to 4 features"
    assert shown in set(frame.reason)
    tests = workshop.store().accuracies()
    assert set(tests[(tests.classifier == "bad") & tests.ranker.isin(["sfg", "PTA"])].status) == {"failed"}
    failed = progress.statuses["failed"]
    flag.unlink()
    again = workshop.run(text)
    assert again.cells == failed
    assert again.statuses["failed"] == 2 * 7  # b, by two classifiers


@pytest.mark.parametrize(("params", "message"), [
    ("start: [a4]", "searches: mine: data set b: sfg: start names no feature 'a4'; valid: a0, a1, a2, a3"),
    ("start: [a0, 0]", "data set a: sfg: start names the feature 'a0' twice, by name and by index"),
    ("min_size: 5", "searches: mine: data set b: sfg: min_size is 5, but there are 4 features"),
    ("max_size: 6", "searches: mine: max_size is 6, but the widest data set has 5 features"),
    ("budget: 5", "data set a: sfg: a budget of 5 evaluations is spent before a subset of an allowed size"),
])  # fmt: skip
def test_what_could_only_fail_is_refused_before_anything_is_computed(workshop, params: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        workshop.run(TEXT.replace("  - sfg\n", f"  - {{method: sfg, {params}, label: mine}}\n"))
    assert not (workshop.folder / "out").exists()


def test_a_size_limit_may_be_for_the_wider_ones_of_the_data_sets(workshop) -> None:
    workshop.run(TEXT.replace("  - sfg\n", "  - {method: sfg, max_size: 5, label: mine}\n"))
    assert set(workshop.store().searches().status) == {"ok"}


@pytest.mark.parametrize(("name", "rows"), [
    ("one feature", [[1.0], [2.0], [3.0], [4.0], [1.5], [2.5]]),
    ("constant", [[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [4.0, 7.0], [1.5, 7.0], [2.5, 7.0]]),
    ("identical", [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [1.5, 1.5], [2.5, 2.5]]),
])  # fmt: skip
def test_little_data(workshop, name: str, rows: list[list[float]]) -> None:
    # The third class has fewer rows than there are folds.
    workshop.data("small", np.array(rows), np.array([0, 1, 0, 1, 0, 2]))
    text = TEXT.replace("[a.arff, b.arff]", "[small.arff]").replace("{folds: 3}", "{folds: 2}")
    progress = workshop.run(text)
    assert set(progress.statuses) == {"ok"}
    frame = workshop.store().searches()
    assert (frame.n_selected == 1).all()  # of what is equally good the smaller
    if name == "identical":  # of what is equal the first is taken: added by the one, removed by the other
        assert frame.subset.map(tuple).groupby(frame.search).unique().map(list).to_dict() == {
            "sfg": [("a0",)], "PTA": [("a1",)]
        }  # fmt: skip


def test_two_rows(workshop) -> None:
    workshop.data("two", np.array([[1.0], [2.0]]), np.array([0, 1]))
    text = TEXT.replace("[a.arff, b.arff]", "[two.arff]").replace("{folds: 3}", "{folds: 2}")
    workshop.run(text)
    frame = workshop.store().searches()
    assert (frame[frame.protocol == "search-cv"].error == 1.0).all()
    nested = frame[frame.protocol == "nested"]
    assert set(nested.status) == {"failed"}
    assert set(nested.reason) == {"an inner cross-validation needs at least 2 training rows, found 1"}
    with pytest.raises(UserError, match="3 folds"):
        workshop.run(text.replace("{folds: 2}", "{folds: 3}"))


def test_a_missing_set_is_named_and_the_others_computed(workshop) -> None:
    text = TEXT.replace("[a.arff, b.arff]", "[mammogram, {path: gone.arff, seeds: 3}, b.arff]")
    plan = make_plan(load_experiment(workshop.config(text)), fetch=False)
    assert [missing.label for missing in plan.missing] == ["mammogram", "gone"]
    assert set(workshop.run(text).statuses) == {"ok"}
    assert set(workshop.store().searches().dataset) == {"b"}


@pytest.mark.parametrize(("old", "new", "line", "message"), [
    ("  - sfg\n", "  - sfgg\n", 5, "searches[1]: unknown search 'sfgg'; did you mean 'sfg'?"),
    ("plus: 1", "plus: 2", 6, "searches[2]: pta: plus and minus are both 2, so the search would never end"),
    ("remainder: 0.8", "remainder: 1.8", 6, "parameter remainder must be"),
    ("label: PTA", "label: sfg", 6, "searches[2]: 'sfg' is given twice"),
    ("label: PTA", "label: Spread", 6, "searches[2]: 'Spread' is a ranker too; tell them apart by 'label'"),
    ("label: PTA", "rankers: [Spread]", 6, "searches[2].rankers: only a classifier says"),
    ("[search-cv, nested]", "[search-vc]", 7, "found 'search-vc'; did you mean 'search-cv'?"),
    ("[search-cv, nested]", "[]", 7, "searching.protocol: must be a list with at least one entry"),
    ("folds: 4}", "folds: 1}", 7, "searching.folds: must be at least 2, found 1"),
    ("folds: 4}", "fold: 4}", 7, "unknown key 'fold'; did you mean 'folds'?"),
    ("searches:", "search:", 4, "unknown key 'search'; did you mean 'searches'?"),
    ("b.arff]", "{path: b.arff, seeds: 0}]", 1, "datasets[2].seeds: must be at least 1, found 0"),
    ("[search-cv, nested]", "nested", 7, None),
])  # fmt: skip
def test_mistakes_in_the_file(workshop, old: str, new: str, line: int, message: str | None) -> None:
    text = TEXT.replace(old, new, 1)
    if message is None:
        text, line = text.replace("b.arff]", "{path: b.arff, seeds: 2}]"), 1
        message = "datasets[2].seeds: fold seeds are for 'searches' with the protocol search-cv"
    with pytest.raises(UserError) as caught:
        load_experiment(workshop.config(text))
    assert f"my.yaml:{line}:" in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "kind: multilabel\ndatasets: [emotions]\nclassifiers: [brknn]\nsearches: [sfg]\n",
            "my.yaml:4: searches: not for multi-label data: searches need one class",
        ),
        ("datasets: [a.arff]\nsearches: [sfg]\n", "my.yaml:2: searches: searches need a classifier"),
        (
            "datasets: [a.arff]\nclassifiers: [nb]\nsearching: {folds: 3}\n",
            "my.yaml:3: searching: there are no 'searches'",
        ),
    ],
)
def test_half_of_a_thing(workshop, text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        load_experiment(workshop.config(text))
    assert message in str(caught.value)


def test_a_classifier_meets_the_searches_that_it_names(workshop) -> None:
    text = TEXT.replace('"TOYS:Centroid"', "{method: nb, rankers: [PTA]}").replace(
        "ties: first}", "ties: first, rankers: []}"
    )
    workshop.run(text)
    assert set(workshop.store().searches().search) == {"PTA"}
    assert set(workshop.store().accuracies().ranker) == {"", "PTA"}


def test_a_search_of_the_users_and_a_classifier_of_scikit_learn(workshop) -> None:
    (workshop.folder / "mine.py").write_text(
        "from fsbench.searches import Search\n\n\nclass Ends(Search):\n"
        "    def steps(self, walk):\n        while not walk.arrived:\n            yield walk.best('add')\n"
    )
    text = TEXT.replace("  - sfg\n", "  - sfg\n  - {method: 'mine.py:Ends', remainder: 0.5}\n")
    text = text.replace('"TOYS:Centroid"', '"sklearn.neighbors:KNeighborsClassifier"') + "tests: {reference: sfg}\n"
    progress = workshop.run(text)
    assert set(progress.statuses) == {"ok"}
    traces = workshop.store().traces()
    assert set(traces.search) == {"sfg", "Ends(remainder=0.5)", "PTA"}
    assert workshop.run(text).cells == 0


def test_a_search_that_is_not_nested_is_no_reference(workshop) -> None:
    text = TEXT.replace("[search-cv, nested]", "search-cv") + "tests: {reference: sfg}\n"
    with pytest.raises(UserError, match=r"tests\.reference: no ranker or nested search 'sfg' above"):
        load_experiment(workshop.config(text))


@pytest.mark.shared
def test_the_shipped_plan_of_the_paper(shared, monkeypatch) -> None:
    monkeypatch.setenv("FSBENCH_DATA", str(shared / "datasets" / "single"))
    plan = make_plan(load_experiment("rsa2007"), fetch=False)
    assert [missing.label for missing in plan.missing] == ["mammogram"]
    cells = [cell for fold in plan.folds for cell in fold.cells]
    assert len({cell.key for cell in cells}) == len(cells)
    kinds = [(cell.kind, cell.estimate) for cell in cells]
    # 8 searches: on six sets once, on CorrAL's two under 100 seeds; nested in 8 x 5 folds, each with its test.
    assert kinds.count(("search", "search-cv")) == 8 * (6 + 2 * 100)
    assert kinds.count(("search", "nested")) == kinds.count(("result", "inner_cv")) == 8 * 8 * 5
    assert len(cells) == 1648 + 2 * 320 + 8 * 5
