"""Naive Bayes against plain loops, and the curve against refitting."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fsbench.classifiers import naive_bayes
from fsbench.classifiers.naive_bayes import NaiveBayes
from fsbench.values import Dataset, Feature, Split
from tests.naive import naive_bayes as naive
from tests.naive.samples import KINDS, refitted, sample, split_of


def plain(train: Dataset, test: Dataset) -> np.ndarray:
    return naive.probabilities(train.X, train.y, test.X, train.n_labels, train.n_classes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_probabilities_are_those_of_plain_loops(seed: int, kind: str) -> None:
    data = sample(kind, seed)
    split = split_of(data, seed)
    train, test = data.take(split.train), data.take(split.test)
    expected = plain(train, test)
    assert np.array_equal(NaiveBayes().fit(train).predict_proba(test), expected)
    found = NaiveBayes().evaluate(data, split, np.arange(data.n_features)).predicted
    assert np.array_equal(found, np.argmax(expected, axis=1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_the_curve_is_that_of_refitting(seed: int, kind: str) -> None:
    data = sample(kind, seed)
    split = split_of(data, seed)
    orders = [np.random.default_rng(s).permutation(data.n_features) for s in range(3)]
    orders[2] = orders[2][: max(1, data.n_features // 2)]
    for order, curve in zip(orders, NaiveBayes().curves(data, split, orders), strict=True):
        assert np.array_equal(curve.predicted, refitted(NaiveBayes(), data, split, order))


def test_portions_of_test_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sample("mixed gaps", 2)
    split, order = split_of(data, 2), np.arange(data.n_features)
    whole = NaiveBayes().curve(data, split, order)
    monkeypatch.setattr(naive_bayes, "FACTORS", 7 * data.n_features * data.n_classes)
    assert np.array_equal(NaiveBayes().curve(data, split, order).predicted, whole.predicted)


def test_the_precision_is_the_mean_gap() -> None:
    X = np.array([[1.0], [1.0], [1.5], [3.0], [math.nan]])
    data = Dataset("gaps", (Feature("x"),), X, Feature("c", ("a", "b")), np.array([0, 0, 0, 1, 1]))
    model = NaiveBayes().fit(data)
    assert model.delta.tolist() == [1.0]
    assert model.mean.tolist() == [[4.0 / 3.0, 3.0]]  # 1.5 is rounded to the even 2
    assert model.sd[0, 1] == 1.0 / 6.0


def test_a_column_of_one_value_has_precision_one_hundredth() -> None:
    data = Dataset("one", (Feature("x"),), np.full((4, 1), 7.0), Feature("c", ("a", "b")), np.array([0, 0, 1, 1]))
    assert NaiveBayes().fit(data).delta.tolist() == [0.01]


def test_products_are_lifted_before_they_vanish() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 30)) + 1000.0 * y[:, None]
    X[:20] *= 2.0
    data = Dataset("far", tuple(Feature(f"f{j}") for j in range(30)), X, Feature("c", ("a", "b")), y)
    middle = Dataset("middle", data.features, np.full((1, 30), 500.0), data.target, np.array([0]))
    p = NaiveBayes().fit(data).predict_proba(middle)
    assert np.array_equal(p, plain(data, middle))
    assert np.isfinite(p).all()


def test_no_test_rows() -> None:
    data = sample("mixed", 1)
    nobody = Split(np.arange(20), np.arange(0))
    assert NaiveBayes().curve(data, nobody, [1, 0]).predicted.shape == (2, 0)
    assert NaiveBayes().curves(data, nobody, []) == []


def test_the_normal_area_is_that_of_cephes() -> None:
    from scipy.special import ndtr

    from fsbench.kernels.naive_bayes_normal import normal_cdf

    z = np.concatenate([np.linspace(-40, 40, 4001), np.random.default_rng(0).normal(size=4000) * 3])
    assert np.array_equal([normal_cdf(float(v)) for v in z], ndtr(z))


def test_curves_fit_anew_where_the_order_of_additions_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        naive_bayes, "_adding_order", lambda XT, columns, rows: asked.append(len(columns)) or order(XT, columns, rows)
    )
    data = sample("mirrored", 1)
    split = Split(np.arange(data.n_rows), np.arange(data.n_rows))
    curve = NaiveBayes().curve(data, split, np.arange(data.n_features))
    assert asked
    assert np.array_equal(curve.predicted, refitted(NaiveBayes(), data, split, np.arange(data.n_features)))


order = naive_bayes._adding_order


def test_fitted_and_evaluated_predictions_agree_where_products_overflow() -> None:
    """Steps of 1e-140 and 1e-200 make factors of 1e140 and 1e200, and products beyond all numbers for one class."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 30)
    X = (rng.integers(0, 4, (30, 3)) + 30.0 * y[:, np.newaxis]) * [1e-140, 1e-200, 1.0]
    data = Dataset("steep", tuple(Feature(n) for n in "abc"), X, Feature("class", ("p", "q")), y)
    rows = np.arange(30)
    evaluated = NaiveBayes().evaluate(data, Split(rows, rows), np.arange(3)).predicted
    assert NaiveBayes().fit(data).predict(data).tolist() == evaluated.tolist()
