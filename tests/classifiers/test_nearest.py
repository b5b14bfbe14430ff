"""The nearest neighbours against plain loops, and the curve against refitting."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.classifiers.nearest_space import tie_places
from fsbench.errors import MethodError, NotApplicable
from fsbench.values import Dataset, Feature, Split
from tests.naive import nearest as naive
from tests.naive.samples import KINDS, refitted, sample, split_of

SETTINGS = [
    {},
    {"ranges": "weka"},
    {"scale": "none"},
    {"scale": "none", "ranges": "weka"},
    {"scale": "zscore"},
    {"ties": "first"},
    {"ties": "first", "scale": "none", "seed": 7},
    {"ties": "index", "ranges": "weka"},
    {"k": 3},
    {"k": 5, "ranges": "weka"},
    {"k": 3, "ties": "first", "scale": "zscore"},
    {"k": 4, "ties": "index", "scale": "none"},
    {"k": 1000},
]


def plain(method: NearestNeighbour, train: Dataset, test: Dataset) -> np.ndarray:
    return naive.probabilities(
        train.X,
        train.y,
        test.X,
        train.is_nominal,
        train.n_classes,
        k=method.k,
        ranges=method.ranges,
        scale=method.scale,
        ties=method.ties,
        place=tie_places(train.n_rows, method.ties, method.seed),
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_probabilities_are_those_of_plain_loops(settings: dict, kind: str) -> None:
    method = NearestNeighbour(**settings)
    for seed in range(2):
        data = sample(kind, seed)
        split = split_of(data, seed)
        train, test = data.take(split.train), data.take(split.test)
        expected = plain(method, train, test)
        model = method.fit(train)
        assert np.array_equal(model.predict_proba(test), expected)
        assert np.array_equal(model.predict_proba(test), expected), "a second call sees widened ranges"
        found = method.evaluate(data, split, np.arange(data.n_features)).predicted
        assert np.array_equal(found, np.argmax(expected, axis=1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_curve_is_that_of_refitting(settings: dict, kind: str) -> None:
    method = NearestNeighbour(**settings)
    for seed in range(2):
        data = sample(kind, seed)
        split = split_of(data, seed)
        orders = [np.random.default_rng(s).permutation(data.n_features) for s in range(3)]
        orders[2] = orders[2][: max(1, data.n_features // 2)]
        for order, curve in zip(orders, method.curves(data, split, orders), strict=True):
            assert np.array_equal(curve.predicted, refitted(method, data, split, order))


def test_the_curve_of_plain_loops() -> None:
    method = NearestNeighbour(ranges="weka")
    data = sample("mixed gaps", 3)
    split, order = split_of(data, 3), np.random.default_rng(0).permutation(data.n_features)
    curve = method.curve(data, split, order)
    for k in range(1, data.n_features + 1):
        part = data.select(order[:k])
        expected = plain(method, part.take(split.train), part.take(split.test))
        assert np.array_equal(curve.at(k).predicted, np.argmax(expected, axis=1))


def test_tiles_of_large_classes() -> None:
    rng = np.random.default_rng(5)
    n = 2600
    X = np.round(rng.normal(size=(n, 9)), 1)
    X[: n // 2] = X[n // 2 :]  # every row has a twin, often of another class
    data = Dataset(
        "twins", tuple(Feature(f"f{j}") for j in range(9)), X, Feature("c", ("a", "b", "c")), rng.integers(0, 3, n)
    )
    split = Split(np.arange(40, n), np.arange(40))
    method = NearestNeighbour()
    expected = plain(method, data.take(split.train), data.take(split.test))
    assert np.array_equal(method.fit(data.take(split.train)).predict_proba(data.take(split.test)), expected)
    curve = method.curve(data, split, np.arange(9))
    assert np.array_equal(curve.predicted, refitted(method, data, split, np.arange(9)))


def test_the_order_of_test_rows_matters_to_widening_ranges() -> None:
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.55, 0.47], [100.0, 0.5]])
    data = Dataset("order", (Feature("a"), Feature("b")), X, Feature("c", ("p", "q")), np.array([0, 1, 0, 0]))
    method = NearestNeighbour(ranges="weka")
    train = np.array([0, 1])
    before = method.evaluate(data, Split(train, np.array([2, 3])), [0, 1]).predicted
    after = method.evaluate(data, Split(train, np.array([3, 2])), [0, 1]).predicted
    assert before.tolist() == [1, 1]
    assert after.tolist() == [1, 0]


def test_the_shuffled_order_depends_on_the_seed_alone() -> None:
    assert sorted(tie_places(20, "first", 1)) == list(range(20))
    assert np.array_equal(tie_places(20, "first", 1), tie_places(20, "first", 1))
    assert not np.array_equal(tie_places(20, "first", 1), tie_places(20, "first", 2))
    assert np.array_equal(tie_places(20, "index", 2), np.arange(20))


def test_what_cannot_be() -> None:
    with pytest.raises(MethodError, match="ranges: weka goes with"):
        NearestNeighbour(ranges="weka", scale="zscore")
    with pytest.raises(MethodError, match="at least 1"):
        NearestNeighbour(k=0)
    data = sample("numeric", 1)
    with pytest.raises(NotApplicable, match="at least one training row"):
        NearestNeighbour().evaluate(data, Split(np.arange(0), np.arange(3)), [0])
    wide = Dataset("wide", (Feature("x"),), np.array([[-1e308], [1e308]]), Feature("c", ("a", "b")), np.array([0, 1]))
    with pytest.raises(NotApplicable, match="column 'x'"):
        NearestNeighbour().fit(wide)


def test_no_test_rows_and_no_features() -> None:
    data = sample("numeric", 1)
    nobody = Split(np.arange(20), np.arange(0))
    assert NearestNeighbour().curve(data, nobody, [1, 0]).predicted.shape == (2, 0)
    assert NearestNeighbour().curves(data, nobody, []) == []


@pytest.mark.parametrize(("columns", "labels"), [(300, 3), (2, 300), (255, 254)])
def test_more_columns_or_labels_than_bytes_hold(columns: int, labels: int) -> None:
    rng = np.random.default_rng(columns)
    X = rng.integers(0, labels, (30, columns)).astype(np.float64)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:6] = X[6:12]
    names = tuple(f"v{i}" for i in range(labels))
    features = tuple(Feature(f"f{j}", names) for j in range(columns))
    data = Dataset("bytes", features, X, Feature("c", ("a", "b", "c")), rng.integers(0, 3, 30))
    train, test = data.take(np.arange(20)), data.take(np.arange(20, 30))
    for method in (NearestNeighbour(), NearestNeighbour(ties="first")):
        assert np.array_equal(method.fit(train).predict_proba(test), plain(method, train, test))
