"""Curves of classifiers that are fitted anew: each prefix once, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.classifiers import Classifier, Model
from fsbench.classifiers.c45 import C45
from fsbench.classifiers.naive_bayes import NaiveBayes
from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.classifiers.refit import refits, refitted_curves
from fsbench.data import load
from fsbench.guarded import guarded
from fsbench.registry import make
from fsbench.values import Curve, Dataset, Feature, IntArray, Outcome, Split

FITS: list[tuple[str, ...]] = []


class LastWins(Model):
    def __init__(self, n_classes):
        self.n_classes = n_classes

    def predict_proba(self, test):
        return np.eye(self.n_classes)[test.X[:, -1].astype(int) % self.n_classes]

    def measures(self):
        return {"columns": float(len(FITS))}


class Noted(Classifier):
    """Predicts from the last column; notes each fit."""

    def fit(self, train):
        FITS.append(tuple(feature.name for feature in train.features))
        return LastWins(train.n_classes)


class OwnCurve(Noted):
    def curve(self, data, split, order):
        return super().curve(data, split, order)


class OwnCurves(Noted):
    def curves(self, data, split, orders):
        return super().curves(data, split, orders)


@pytest.fixture
def data() -> Dataset:
    FITS.clear()
    X = np.random.default_rng(1).integers(0, 9, (30, 4)).astype(float)
    features = tuple(Feature(name) for name in "abcd")
    return Dataset("d", features, X, Feature("class", ("x", "y", "z")), np.arange(30) % 3)


SPLIT = Split(np.arange(20), np.arange(20, 30))


def test_a_prefix_is_fitted_once_for_all_rankings(data: Dataset) -> None:
    orders = [np.array(order) for order in ([1, 0, 2, 3], [1, 0, 3, 2], [0, 1, 2, 3], [1, 0, 2, 3], [1, 0])]
    found = refitted_curves(Noted(), data, SPLIT, orders)
    # Not "ab" for "ba": the order of the columns may decide.
    wanted = ["b", "ba", "bac", "bacd", "bad", "badc", "a", "ab", "abc", "abcd"]
    assert ["".join(names) for names in FITS] == wanted
    for curve, order in zip(found, orders, strict=True):
        plain = Classifier.curve(Noted(), data, SPLIT, order)
        np.testing.assert_array_equal(curve.predicted, plain.predicted)
        assert list(curve.measures) == list(plain.measures) == ["columns"]


def test_no_split_gets_the_fits_of_another(data: Dataset) -> None:
    order = [np.array([2, 1])]
    other = Split(np.arange(10, 30), np.arange(10))
    first, second = (refitted_curves(Noted(), data, split, order)[0] for split in (SPLIT, other))
    assert len(FITS) == 4
    assert first.predicted.shape == second.predicted.shape == (2, 10)
    assert (first.predicted != second.predicted).any()


def test_no_rankings_and_empty_ones(data: Dataset) -> None:
    assert refitted_curves(Noted(), data, SPLIT, []) == []
    assert refitted_curves(Noted(), data, SPLIT, [np.array([], dtype=int)])[0].predicted.size == 0
    assert FITS == []


def test_an_evaluate_of_the_authors_is_asked(data: Dataset) -> None:
    class Constant(Noted):
        def evaluate(self, data, split, columns):
            return Outcome(np.full(len(split.test), len(columns) % 3))

    curve = refitted_curves(Constant(), data, SPLIT, [np.array([3, 0])])[0]
    assert curve.predicted.tolist() == [[1] * 10, [2] * 10]


@pytest.mark.parametrize(("classifier", "anew"), [
    (Noted(), True), (OwnCurve(), False), (OwnCurves(), False),
    (make("classifier", "sklearn.naive_bayes:GaussianNB"), True),
    *((make("classifier", name), False) for name in ("c45", "1nn", "nb", "trie")),
])  # fmt: skip
def test_which_are_fitted_anew(classifier: Classifier, anew: bool) -> None:
    assert refits(classifier) is anew


class Last(Model):
    """Says the last class."""

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes

    def predict_proba(self, test: Dataset) -> np.ndarray:
        return np.tile(np.arange(self.n_classes) / 3.0, (test.n_rows, 1))


@pytest.mark.parametrize("base", [NaiveBayes, NearestNeighbour, C45])
def test_a_class_derived_from_ours_is_asked_for_what_it_overrides(base: type) -> None:
    class OwnFit(base):  # type: ignore[misc, valid-type]
        def fit(self, train: Dataset) -> Model:
            return Last(train.n_classes)

    class OwnCurve(OwnFit):
        def curve(self, data: Dataset, split: Split, order: IntArray) -> Curve:
            return Curve(np.zeros((len(order), len(split.test)), dtype=np.int64))

    data = load("iris")
    split = Split(np.arange(0, 150, 2), np.arange(1, 150, 2))
    orders = [np.array([2, 3]), np.array([1])]
    own = guarded(OwnFit())
    assert refits(OwnFit())
    assert own.evaluate(data, split, [0, 1]).predicted.tolist() == [2] * 75
    assert [curve.predicted.tolist() for curve in own.curves(data, split, orders)] == [[[2] * 75] * 2, [[2] * 75]]
    other = guarded(OwnCurve())
    assert not refits(OwnCurve())
    assert [curve.predicted.max() for curve in other.curves(data, split, orders)] == [0, 0]
    assert other.evaluate(data, split, [0, 1]).predicted.tolist() == [2] * 75
