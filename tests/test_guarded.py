"""What a classifier of a user's returns is looked at before it counts."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsbench.classifiers import Classifier, Model
from fsbench.classifiers.naive_bayes import NaiveBayes
from fsbench.contracts import check_classifier, samples
from fsbench.errors import MethodError, NotApplicable
from fsbench.guarded import GuardedClassifier, guarded
from fsbench.registry import make
from fsbench.values import Curve, Outcome, Split

DATA = next(iter(samples()))  # four declared classes
SPLIT = Split(np.arange(30), np.arange(30, 40))
COLUMNS = np.array([2, 0])


class Told(Model):
    def __init__(self, found: Any) -> None:
        self.found = found

    def predict_proba(self, test):
        return self.found


class Predicts(Told):
    def predict(self, test):
        return self.found


class Measures(Told):
    def predict_proba(self, test):
        return np.eye(4)[np.zeros(test.n_rows, dtype=int)]

    def measures(self):
        return self.found


class Own(Classifier):
    model: Any = None

    def fit(self, train):
        return self.model


class OwnCurve(Own):
    def curve(self, data, split, order):
        return Curve(np.asarray(self.model))


class OwnEvaluate(Own):
    def evaluate(self, data, split, columns):
        return Outcome(np.asarray(self.model))


RIGHT = "predictions must be class indices, whole numbers from 0 to 3, found "
NUMBERS = r"predict_proba() must return numbers of shape (10, 4), a column for each class, found "
WRONG = [
    (Own(model=Predicts(np.full(10, 0.5))), RIGHT + "0.5"),
    (Own(model=Predicts(np.full(10, -1))), RIGHT + "-1"),
    (Own(model=Predicts(np.full(10, np.nan))), RIGHT + "nan"),
    (Own(model=Predicts([0] * 9 + [4])), RIGHT + "4"),
    (Own(model=Predicts(["a"] * 10)), RIGHT + "'a'"),
    (Own(model=Predicts([None] * 10)), RIGHT),
    (Own(model=Predicts(None)), RIGHT + "nothing"),
    (Own(model=Predicts([0] * 9)), "predictions must have shape (10,), found (9,)"),
    (Own(model=Told(np.full((10, 4), np.nan))), NUMBERS + "NaN"),
    (Own(model=Told(np.full((10, 4), "a"))), NUMBERS + "'a'"),
    (Own(model=Told(np.zeros((10, 5)))), NUMBERS + "shape (10, 5)"),
    (Own(model=Told(None)), NUMBERS + "nothing"),
    (Own(model=Told([[1], [2, 3]])), NUMBERS + "[[1], [2, 3]]"),
    (Own(model=Measures({"size": "big"})), "measures must be finite numbers by name: size, found 'big'"),
    (Own(model=5), "fit() must return a Model, found 5"),
    (OwnEvaluate(model=[-1] * 10), RIGHT + "-1"),
    (OwnCurve(model=[[9] * 10] * 2), RIGHT + "9"),
    (OwnCurve(model=[[0] * 9] * 2), "predictions must have shape (2, 10), found (2, 9)"),
]


@pytest.mark.parametrize(("classifier", "message"), WRONG)
def test_what_is_no_class_is_refused(classifier: Classifier, message: str) -> None:
    with pytest.raises(MethodError) as caught:
        guarded(classifier).curves(DATA, SPLIT, [COLUMNS])
    assert str(caught.value).startswith(f"{classifier.label}: {message}"[:500])


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(0), MemoryError()])
def test_what_a_classifier_raises_is_one_line_that_names_it(error: BaseException) -> None:
    class Raises(Classifier):
        def fit(self, train):
            raise error

    with pytest.raises(MethodError, match=rf"Raises: failed with {type(error).__name__}.* \(test_guarded\.py:"):
        guarded(Raises()).evaluate(DATA, SPLIT, COLUMNS)


def test_that_it_does_not_apply_is_still_a_result() -> None:
    class Declines(Classifier):
        def fit(self, train):
            raise NotApplicable("not these")

    with pytest.raises(NotApplicable, match="not these"):
        guarded(Declines()).evaluate(DATA, SPLIT, COLUMNS)


def test_ours_are_not_wrapped_and_others_predict_what_they_did() -> None:
    assert type(guarded(NaiveBayes())) is NaiveBayes
    theirs = make("classifier", {"method": "sklearn.tree:DecisionTreeClassifier", "max_depth": 3})
    assert isinstance(theirs, Classifier)
    wrapped = guarded(theirs)
    assert isinstance(wrapped, GuardedClassifier)
    assert (wrapped.label, wrapped.identity()) == (theirs.label, theirs.identity())
    assert pickle.loads(pickle.dumps(wrapped)) == wrapped
    expected, found = (c.curve(DATA, SPLIT, COLUMNS).predicted for c in (theirs, wrapped))
    assert np.array_equal(expected, found)
    check_classifier(wrapped)


OWN = """
import numpy as np
from fsbench.classifiers import Classifier, Model

class Half(Model):
    def predict_proba(self, test):
        raise NotImplementedError
    def predict(self, test):
        return np.full(test.n_rows, 0.5)

class Halves(Classifier):
    def fit(self, train):
        return Half()
"""


@pytest.mark.parametrize("part", ["rankers: [ig]\nselections: [first: 2]", "searches: [sfg]"])
def test_a_run_tells_why_a_cell_failed(tmp_path: Path, part: str) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "x.yaml").write_text(f"name: x\ndatasets: [iris]\nclassifiers: ['own.py:Halves']\n{part}\n")
    call = [sys.executable, "-m", "fsbench", "run", "x.yaml", "--jobs", "1"]
    done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    right = "Halves: predictions must be class indices, whole numbers from 0 to 2, found 0.5"
    assert right in done.stdout + done.stderr


def test_fractions_of_a_class_in_the_style_of_scikit_learn_are_not_cut_to_classes(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text(
        "import numpy as np\nfrom sklearn.base import BaseEstimator, ClassifierMixin\n\n"
        "class Half(ClassifierMixin, BaseEstimator):\n"
        "    def fit(self, X, y):\n        self.classes_ = np.unique(y)\n        return self\n"
        "    def predict(self, X):\n        return np.full(len(X), 0.5)\n"
    )
    half = make("classifier", f"{tmp_path}/half.py:Half")
    with pytest.raises(MethodError, match="Half: predictions must be class indices"):
        guarded(half).evaluate(DATA, SPLIT, np.flatnonzero(~DATA.is_nominal))  # type: ignore[arg-type]


@pytest.mark.parametrize("line", ["def __init__(self): raise ValueError('x')", "get_params = lambda self: 1 / 0"])
def test_a_class_in_the_style_of_scikit_learn_that_cannot_be_made_is_one_line(tmp_path: Path, line: str) -> None:
    methods = "    fit = predict = set_params = get_params = print\n"
    (tmp_path / "odd.py").write_text(f"class Odd:\n{methods}    {line}\n")
    with pytest.raises(MethodError, match=r"^here: Odd cannot be made without arguments: .*Error: .* \(odd\.py:3\)$"):
        make("classifier", f"{tmp_path}/odd.py:Odd", where="here")


def test_an_infinite_class_is_not_cast_to_one(tmp_path: Path) -> None:
    (tmp_path / "far.py").write_text(
        "import numpy as np\nfrom sklearn.base import BaseEstimator, ClassifierMixin\n\n"
        "class Far(ClassifierMixin, BaseEstimator):\n"
        "    def fit(self, X, y):\n        return self\n"
        "    def predict(self, X):\n        return np.full(len(X), np.inf)\n"
    )
    far = make("classifier", f"{tmp_path}/far.py:Far")
    with pytest.raises(MethodError, match=r"Far: predictions must be class indices, .* found inf"):
        guarded(far).evaluate(DATA, SPLIT, np.flatnonzero(~DATA.is_nominal))  # type: ignore[arg-type]
