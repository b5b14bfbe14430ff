"""Whatever a method of a user's does wrong is one line that names it."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsbench.classifiers import Classifier, Model
from fsbench.classifiers.naive_bayes import NaiveBayes
from fsbench.classifiers.refit import refitted_curves
from fsbench.contracts import samples
from fsbench.data import load_multilabel
from fsbench.errors import MethodError, NotApplicable, UserError, blamed, is_one_line, one_line
from fsbench.evaluation.folds import stratified_splits
from fsbench.experiment.attempt import attempt
from fsbench.experiment.labelled import LabelFold
from fsbench.guarded import guarded
from fsbench.multilabel import LabelClassifier, Transform
from fsbench.multilabel.brknn import LabelOutcome
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.rankers import Ranker
from fsbench.rankers.base import ranking_of
from fsbench.rankers.information_gain import InformationGain
from fsbench.registry import make
from fsbench.searches import Search
from fsbench.searches.foreign import trace_of
from fsbench.searches.scorer import RefitScorer
from fsbench.searches.trace import Step
from fsbench.values import Curve, Outcome, Ranking, Split

DATA = next(iter(samples()))
SPLIT = Split(np.arange(30), np.arange(30, 40))
ORDER = np.array([2, 0])


class Evil:
    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no array")

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no message")


class Base(BaseException):
    pass


class OtherReason(NotApplicable):
    def __str__(self) -> str:
        raise RuntimeError("no message")


# What a method raises, and what becomes of it.
RAISED = [
    (Base("x"), "Mine: failed with Base: x (test_blamed.py:"),
    (GeneratorExit("x"), "Mine: failed with GeneratorExit: x ("),
    (StopIteration("x"), "Mine: failed with StopIteration: x ("),
    (Mute(), "Mine: failed with Mute: (its message cannot be printed) ("),
    (ValueError("a\nb\ud800\x00\x1b[0m"), "Mine: failed with ValueError: a b\\ud800\\x00\\x1b[0m ("),
    (ValueError("assignment destination is read-only"), "read-only for methods: change a copy of them"),
    (UserError("worded by its author"), "Mine: worded by its author"),
    (MethodError("Mine: k is odd"), "Mine: k is odd"),
    (MethodError("nb: k is odd"), "Mine: nb: k is odd"),
]


@pytest.mark.parametrize(("error", "told"), RAISED)
def test_an_error_is_one_line_that_names_the_method(error: BaseException, told: str) -> None:
    with pytest.raises(MethodError) as caught, blamed("Mine:"):
        raise error
    assert told in str(caught.value)
    assert is_one_line(str(caught.value))
    assert str(caught.value).count("Mine") == 1


def test_what_is_no_fault_stays_what_it_is() -> None:
    for error in (KeyboardInterrupt(), NotApplicable("not these")):
        with pytest.raises(type(error)) as caught, blamed("Mine:"):
            raise error
        assert caught.value is error
    with pytest.raises(NotApplicable) as other, blamed("Mine:"):
        raise OtherReason("x")
    assert type(other.value) is NotApplicable
    assert attempt(lambda: (_ for _ in ()).throw(OtherReason("x"))).status == "skipped"
    assert attempt(lambda: (_ for _ in ()).throw(Base("x"))).status == "failed"
    with pytest.raises(KeyboardInterrupt):
        attempt(lambda: (_ for _ in ()).throw(KeyboardInterrupt()))


def test_texts_of_errors_hold_nothing_that_a_terminal_or_a_file_cannot() -> None:
    error = UserError("half \ud800 and\u2028two", where="a\x07b")
    assert str(error) == "a\\x07b: half \\ud800 and two"
    assert one_line("plain text, ü, 漢") == "plain text, ü, 漢"


# What a model returns as predictions, as probabilities, or tells of itself.
ZEROS = np.zeros((2, 10), dtype=int)
MODELS = [
    ("predict", [10**400] * 10, "predictions must be class indices"),
    ("predict", Evil(), "predictions must be class indices, whole numbers from 0 to 3, found a Evil"),
    ("predict", [Evil()] * 10, "found a list that cannot be printed"),
    ("predict_proba", [[10**400] * 4] * 10, "predict_proba() must return numbers of shape (10, 4)"),
    ("predict_proba", np.full((10, 4), np.inf), "a column for each class, found inf"),
    ("measures", None, "measures must be finite numbers by name, found nothing"),
    ("measures", {"size": 10**400}, "measures must be finite numbers by name: size, found a number of 1329 bits"),
    ("measures", {"size": float("nan")}, "measures must be finite numbers by name: size, found NaN"),
    ("measures", {"size": [1, 2]}, "measures must be finite numbers by name: size, found shape (2,)"),
    ("measures", {"size": Evil()}, "measures must be finite numbers by name: size, found a Evil"),
    ("measures", {"": 1}, "measures must be finite numbers by name, found the name ''"),
    ("measures", {"a\ud800": 1}, "measures must be finite numbers by name, found the name 'a\\ud800'"),
    ("measures", {"a\nb": 1}, "found the name 'a\\nb'"),
    ("measures", {3: 1}, "found the name 3"),
]
OWN = [
    ("evaluate", None, "evaluate() must return an Outcome, found nothing"),
    ("evaluate", np.zeros(10), "evaluate() must return an Outcome, found a ndarray"),
    ("evaluate", Outcome(ZEROS[0], None), "measures must be finite numbers by name, found nothing"),  # type: ignore[arg-type]
    ("curve", None, "curve() must return a Curve, found nothing"),
    ("curve", Curve(ZEROS, None), "measures must be finite numbers by name, found nothing"),  # type: ignore[arg-type]
    ("curve", Curve(ZEROS, {"size": np.ones(1)}), "one for each of the 2 prefixes: size, found shape (1,)"),
    ("curve", Curve(ZEROS, {"size": np.array(["x", "y"])}), "for each of the 2 prefixes: size, found 'x'"),
    ("curve", Curve(ZEROS, {"size": np.array([1, np.inf])}), "for each of the 2 prefixes: size, found inf"),
    ("curve", Curve(ZEROS.astype(complex)), "predictions must be class indices, whole numbers from 0 to 3, found 0j"),
    ("curves", None, "curves() must return a Curve for each of 1 rankings, found nothing"),
    ("curves", [], "curves() must return a Curve for each of 1 rankings, found 0"),
    ("curves", iter(int, 1), "curves() must return a Curve for each of 1 rankings, found more"),
    ("curves", [None], "curves() must return a Curve for each of 1 rankings, found nothing"),
]


class Zero(Model):
    def predict_proba(self, test):
        return np.eye(4)[np.zeros(test.n_rows, dtype=int)]


@pytest.mark.parametrize(("method", "found", "told"), MODELS)
def test_what_a_model_returns_is_refused_in_one_line(method: str, found: Any, told: str) -> None:
    model = type("Odd", (Zero,), {method: lambda *_: found})

    class Mine(Classifier):
        def fit(self, train):
            return model()

    _refused(lambda: guarded(Mine()).curves(DATA, SPLIT, [ORDER]), told)


@pytest.mark.parametrize(("method", "found", "told"), OWN)
def test_what_a_classifier_returns_is_refused_in_one_line(method: str, found: Any, told: str) -> None:
    kind = type("Mine", (Classifier,), {"fit": lambda *_: Zero(), method: lambda *_: found})
    call = {
        "evaluate": lambda c: c.evaluate(DATA, SPLIT, ORDER),
        "curve": lambda c: c.curve(DATA, SPLIT, ORDER),
        "curves": lambda c: c.curves(DATA, SPLIT, [ORDER]),
    }[method]
    _refused(lambda: call(guarded(kind())), told)


def test_measures_have_the_same_names_at_every_prefix() -> None:
    names = iter("abc")

    class Varies(Zero):
        def measures(self):
            return {next(names): 1.0}

    class Mine(Classifier):
        def fit(self, train):
            return Varies()

    told = "measures must have the same names at every prefix, found ['a'] and ['b']"
    _refused(lambda: guarded(Mine()).curve(DATA, SPLIT, ORDER), told)
    names = iter("abc")
    _refused(lambda: refitted_curves(guarded(Mine()), DATA, SPLIT, [ORDER]), told)


def _refused(call: Any, told: str) -> None:
    with pytest.raises(MethodError) as caught:
        call()
    assert str(caught.value).startswith("Mine: ")
    assert told in str(caught.value)
    assert is_one_line(str(caught.value))


# What a class says of itself is looked at when the method is made.
PRESENTED = [
    ("label = None", "label must be a text, found nothing"),
    ("label = property(lambda self: 1 / 0)", "label failed with ZeroDivisionError: division by zero"),
    ("label = ' '", "label must be a text, found ' '"),
    ("label = name = 'a\\nb'", "label must be a text in one line, found 'a\\nb'"),
    ("name = 5", "label must be a text, found 5"),
    ("title = None", "title must be a text, found nothing"),
    ("reference = 'a\\ud800'", "reference must be a text in one line"),
    ("unit = 3", "unit must be a text, found 3"),
    ("higher_is_better = 1", "higher_is_better must be true or false, found 1"),
    ("takes_missing = property(lambda self: 1 / 0)", "takes_missing failed with ZeroDivisionError"),
    ("identity = lambda self: None", "identity() must return a dict, found nothing"),
    ("identity = lambda self: {1: 2, 'a': 3}", "identity() failed with TypeError"),
    ("identity = lambda self: {'a': '\\ud800'}", "identity() failed with UnicodeEncodeError"),
    ("identity = lambda self: {'a': 10**10000}", "identity() failed with ValueError"),
    ("identity = lambda self: 1 / 0", "identity() failed with ZeroDivisionError"),
    ("def __post_init__(self): raise BaseException('x')", "cannot be made: BaseException: x"),
]


@pytest.mark.parametrize(("line", "told"), PRESENTED)
@pytest.mark.parametrize("kind", ["ranker", "classifier", "search"])
def test_what_a_class_says_of_itself_is_refused_in_one_line(tmp_path: Path, kind: str, line: str, told: str) -> None:
    base = {"ranker": "rankers.Ranker", "classifier": "classifiers.Classifier", "search": "searches.Search"}[kind]
    module, name = base.split(".")
    methods = "    score = fit = steps = lambda self, given: None\n"
    text = f"from fsbench.{module} import {name}\n\nclass Mine({name}):\n{methods}    {line}\n"
    (tmp_path / "own.py").write_text(text)
    with pytest.raises(MethodError) as caught:
        make(kind, f"{tmp_path}/own.py:Mine", where="here")
    assert str(caught.value).startswith("here: Mine: ")
    assert told in str(caught.value)


def test_a_reference_may_have_several_lines(tmp_path: Path) -> None:
    text = "from fsbench.rankers import Ranker\n\nclass Mine(Ranker):\n    reference = 'a\\n    b'\n    score = None\n"
    (tmp_path / "own.py").write_text(text)
    assert make("ranker", f"{tmp_path}/own.py:Mine").label == "Mine"


@pytest.mark.parametrize("line", ["raise BaseException('x')", "raise SystemExit(3)", "1 / 0", "x = ("])
def test_a_file_that_cannot_be_loaded_is_one_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "own.py").write_text(line + "\n")
    with pytest.raises(MethodError, match=r"own\.py cannot be loaded: \w+: .*\(own\.py(:|, line )1\)$"):
        make("ranker", f"{tmp_path}/own.py:Mine")


SCORES = [
    (None, "score() gave no feature a number"),
    (Evil(), "score() failed with RuntimeError: no array"),
    ([Evil()] * 5, "score() failed with RuntimeError: no array"),
    ([10**400] * 5, "score() failed with OverflowError"),
    (["a"] * 5, "score() failed with TypeError: it must return numbers, found <U1"),
    (np.zeros(5, dtype=complex), "score() failed with TypeError: it must return numbers, found complex128"),
    (np.zeros((5, 1)), "score() must return one number for each of the 5 features, found shape (5, 1)"),
]


@pytest.mark.parametrize(("found", "told"), SCORES)
def test_what_a_ranker_returns_is_refused_in_one_line(found: Any, told: str) -> None:
    class Mine(Ranker):
        def score(self, train):
            return found

    _refused(lambda: ranking_of(Mine(), DATA), told)


@pytest.mark.parametrize("attribute", ["takes_missing", "takes_nominal", "higher_is_better"])
def test_what_a_ranker_takes_may_fail_too(attribute: str) -> None:
    scores = {"score": lambda _, train: np.zeros(train.n_features)}
    kind = type("Mine", (Ranker,), {**scores, attribute: property(lambda _: 1 / 0)})
    _refused(lambda: ranking_of(kind(), DATA), "failed with ZeroDivisionError")


def test_a_ranking_keeps_no_link_to_what_its_ranker_returned() -> None:
    order = np.arange(DATA.n_features)[::-1]
    kept = Ranking(order, np.zeros(5), "u", float("nan"))

    class Mine(Ranker):
        def score(self, train):
            raise NotImplementedError

        def rank(self, train):
            return kept

    found = ranking_of(Mine(), DATA)
    order[:] = 0
    assert found.order.tolist() == [4, 3, 2, 1, 0]
    assert found.seconds == 0.0  # the store holds numbers only


class Mine(Search):
    def steps(self, walk):
        while not walk.arrived:
            yield walk.best("add")


def _search(**methods: Any) -> Search:
    found = type("Mine", (Mine,), methods)()
    assert isinstance(found, Search)
    return found


def _replaced(**values: Any) -> Any:
    def run(self: Any, *args: Any) -> Any:
        return dataclasses.replace(Mine.run(self, *args), **values)

    return run


def _of_steps(*yielded: Any, error: BaseException | None = None) -> Any:
    def steps(self: Any, walk: Any) -> Any:
        yield walk.best("add")
        if error is not None:
            raise error
        yield from yielded

    return steps


STEP = Step("add", 0, (0,), 0.5, None, 0.5, 1)
SEARCHES = [
    (_search(run=lambda *_: None), "run() must return a Trace, found nothing"),
    (_search(run=lambda _, scorer, *__: scorer.data.y), "'_Scores' object has no attribute 'data'"),
    (_search(run=lambda _, scorer, *__: scorer.scorer.data), "'_Scores' object has no attribute 'scorer'"),
    (_search(run=_replaced(best=STEP)), "run() must return a Trace whose best is one of the steps met"),
    (
        _search(run=_replaced(steps=(dataclasses.replace(STEP, feature=99),))),
        "steps are over the features 0 to 4",
    ),
    (_search(run=_replaced(steps=(dataclasses.replace(STEP, criterion=float("nan")),))), "with finite scores"),
    (_search(run=_replaced(steps=(dataclasses.replace(STEP, remainder=0.5),))), "remainders in all steps or in none"),
    (_search(run=_replaced(stopped="so")), "run() must return a Trace of evaluations and hits"),
    (_search(run=_replaced(hits=10**400)), "run() must return a Trace of evaluations and hits"),
    (_search(steps=_of_steps(error=GeneratorExit("x"))), "failed with GeneratorExit: x"),
    (_search(steps=_of_steps(error=Base("x"))), "steps failed with Base: x"),
    (_search(steps=_of_steps(Evil())), "steps yielded a Evil that cannot be printed"),
    (_search(considered=lambda *_: [Evil()]), "considered must return some of the steps met"),
    (_search(allows=lambda *_: 1 / 0), "failed with ZeroDivisionError"),
    (_search(goes_forward=property(lambda _: 1 / 0)), "failed with ZeroDivisionError"),
]


@pytest.mark.parametrize(("search", "told"), SEARCHES)
def test_what_a_search_does_wrong_is_refused_in_one_line(search: Search, told: str) -> None:
    scorer = RefitScorer(NaiveBayes(), DATA, stratified_splits(DATA.y, DATA.n_classes, 2, 1))
    _refused(lambda: trace_of(search, scorer, [f.name for f in DATA.features]), told)


def test_a_search_that_stops_early_is_closed_quietly() -> None:
    scorer = RefitScorer(NaiveBayes(), DATA, stratified_splits(DATA.y, DATA.n_classes, 2, 1))
    assert trace_of(Mine(patience=1), scorer, [f.name for f in DATA.features]).stopped == "patience"


def test_the_classifier_is_to_blame_where_a_search_only_asks_it() -> None:
    class Breaks(Classifier):
        def fit(self, train):
            raise KeyError("x")

    scorer = RefitScorer(guarded(Breaks()), DATA, stratified_splits(DATA.y, DATA.n_classes, 2, 1))
    with pytest.raises(MethodError, match=r"^Breaks: failed with KeyError"):
        trace_of(Mine(), scorer, [f.name for f in DATA.features])


LABELLED: list[tuple[Any, str]] = [
    (None, "evaluate() must return a LabelOutcome, found nothing"),
    (LabelOutcome(None, None), "predicted must hold 1 where a label is predicted and 0 elsewhere"),  # type: ignore[arg-type]
    (LabelOutcome(np.full((5, 5), 2), np.zeros((5, 5))), "predicted must hold 1 where"),  # type: ignore[arg-type]
    (LabelOutcome(np.zeros((5, 5)), np.full((5, 5), np.nan)), "confidences must be numbers, found NaN"),  # type: ignore[arg-type]
    (LabelOutcome(np.zeros((5, 9)), np.zeros((5, 9))), "predicted must have shape"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("found", "told"), LABELLED)
def test_what_a_multi_label_classifier_returns_is_refused_in_one_line(found: Any, told: str) -> None:
    class Mine(LabelClassifier):
        def evaluate(self, data, split, columns):
            return found

    data = load_multilabel("blobs")
    rows = np.arange(data.n_rows)
    tested = LabelFold(data, Split(rows[5:], rows[:5])).test("", Mine(), np.arange(data.n_features))
    assert tested.status == "failed"
    assert tested.reason.startswith("Mine: ")
    assert told in tested.reason


def test_what_a_transformation_does_wrong_names_it() -> None:
    class Mine(Transform):
        def score(self, ranker, train):
            raise Base("x")

    _refused(lambda: LabelRanker(Mine(), InformationGain()).rank(load_multilabel("blobs")), "failed with Base: x")


def test_names_are_in_one_line(tmp_path: Path) -> None:
    for sign in ("\\n", "\\N", "\\L", "\\P", "\\e"):
        for block in ("searches: [{method: sfg, label: 'X'}]", "rankers: [{method: ig, label: 'X'}]"):
            quoted = block.replace("'X'", f'"a{sign}b"')
            (tmp_path / "x.yaml").write_text(f"datasets: [iris]\nclassifiers: [nb]\n{quoted}\n")
            call = [sys.executable, "-m", "fsbench", "run", "x.yaml", "--dry-run"]
            done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path, env=os.environ)
            assert (done.returncode, done.stdout) == (2, "")
            assert ".label: must be a name in one line, found 'a" in done.stderr
