"""What a run has to compile, told without compiling."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsbench import warming
from fsbench.rankers import relieff_fast
from fsbench.registry import make
from fsbench.warming import Shape, Step, chains, cold, compile_steps, needed, steps, undone

NUMERIC, SMALL = Shape(), Shape(size="small")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(warming, "notes_folder", lambda: tmp_path / "notes")
    return tmp_path / "notes"


def methods(**specs: object) -> dict[str, dict[str, object]]:
    return {kind: {"": make(kind, spec)} for kind, spec in specs.items()}  # type: ignore[arg-type]


@pytest.mark.parametrize(("facts", "shape"), [
    ((5000, 40, 40, False), Shape()), ((3190, 0, 60, False), Shape("nominal")),
    ((898, 6, 38, True), Shape("mixed", True)), ((150, 4, 4, False), SMALL),
    ((1000, 1000, 1000, False), Shape(size="wide")),
])  # fmt: skip
def test_shapes(facts: tuple[int, int, int, bool], shape: Shape) -> None:
    assert Shape.of(*facts) == shape


def test_rankers_alone_do_few_rows_without_kernels() -> None:
    ranker = methods(ranker="nlc")
    assert needed(ranker, [SMALL]) == []
    both = needed({**ranker, **methods(classifier="nb")}, [SMALL, SMALL])
    assert [(step.kind, step.shape) for step in both] == [("ranker", SMALL), ("classifier", NUMERIC)]


def test_relieff_of_few_rows_is_compiled_where_the_compiler_is_loaded_anyhow() -> None:
    found = needed(methods(ranker="relieff", classifier="nb"), [SMALL])
    assert [(step.kind, step.shape) for step in found] == [("ranker", SMALL), ("classifier", NUMERIC)]


def test_methods_of_others_are_passed_over() -> None:
    toys = Path(__file__).parent / "experiment" / "toys.py"
    found = needed({"classifier": {"": make("classifier", f"{toys}:Centroid")}}, [NUMERIC])
    assert found == []


def test_what_is_done_is_noted_and_parameters_are_not_announced_again(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Step] = []
    monkeypatch.setattr(warming, "_work", done.append)
    plain, other = (needed(methods(classifier={"method": "1nn", "ties": t}), [NUMERIC]) for t in ("vote", "first"))
    assert cold(plain) == undone(plain) == plain
    compile_steps(plain)
    assert done == plain
    assert cold(plain) == undone(plain) == []
    assert (cold(other), undone(other)) == ([], other)
    assert cold(needed(methods(classifier="1nn"), [Shape("nominal")])) != []


def test_a_change_of_a_kernel_voids_the_notes(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_work", lambda step: None)
    wanted = needed(methods(classifier="nb"), [NUMERIC])
    compile_steps(wanted)
    monkeypatch.setattr(warming, "fingerprint", lambda: "another")
    assert cold(wanted) == wanted


def test_a_method_that_fails_on_made_up_data_ends_nothing(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(step: Step) -> None:
        raise ValueError("no")

    monkeypatch.setattr(warming, "_work", fail)
    wanted = needed(methods(classifier="nb"), [NUMERIC])
    assert [name for name, _ in compile_steps(wanted)] == ["nb, numeric features"]


def test_where_nothing_can_be_kept_nothing_is_compiled_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "notes_folder", lambda: None)
    wanted = needed(methods(classifier="nb"), [NUMERIC])
    assert cold(wanted) == undone(wanted) == []


def test_chains_hold_every_step_once_and_keep_a_method_together() -> None:
    everything = list(steps())
    shared = chains(everything)
    assert sorted(str(step) for chain in shared for step in chain) == sorted(map(str, everything))
    for name in ("c45", "relieff", "1nn", "nb"):
        assert sum(any(s.method is not None and s.method.name == name for s in chain) for chain in shared) == 1


@pytest.mark.parametrize(("shape", "way"), [(Shape(), "_by_integers"), (Shape("nominal"), "_by_codes"),
    (Shape(size="wide"), "_all_distances")])  # fmt: skip
def test_what_relieff_needs_for_few_rows_and_for_many_is_compiled(
    shape: Shape, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []
    for name in ("_alone", way):
        function = getattr(relieff_fast, name)
        monkeypatch.setattr(relieff_fast, name, lambda *a, n=name, f=function: called.append(n) or f(*a))
    warming._work(Step("ranker", shape, make("ranker", "relieff")))  # type: ignore[arg-type]
    assert set(called) == {"_alone", way}
