"""Sorted columns: packed with the class and back, with every kind of number, by numpy and by compiled code."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench import columns
from fsbench.columns import SortedColumn, group_counts, map_sorted
from fsbench.kernels.threads import set_threads
from fsbench.values import Dataset, Feature

NUMBERS = {
    "decimals": np.round(np.random.default_rng(0).normal(size=300), 1),
    "doubles": np.random.default_rng(1).normal(size=300),
    "signed zeros": np.array([0.0, -0.0, 1.0, -1.0, 0.0, -0.0]),
    "all zero": np.zeros(5),
    "negative": -np.arange(1.0, 40.0) / 3.0,
    "missing": np.where(np.arange(60) % 3 == 0, np.nan, np.arange(60) % 7),
    "all missing": np.full(4, np.nan),
    "neighbours": np.array([1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0), 1.0]),
    "every magnitude": np.array([5e-324, -5e-324, 1e308, -1e308, 2.0, 0.0, np.nan, 1e-300, 2.0]),
    "one": np.array([3.0]),
    "none": np.array([]),
}


def dataset(x: np.ndarray, n_classes: int) -> Dataset:
    y = np.random.default_rng(2).integers(0, n_classes, len(x))
    target = Feature("class", tuple(f"c{c}" for c in range(n_classes)))
    return Dataset("made", (Feature("x"),), x[:, np.newaxis], target, y)


@pytest.fixture(params=["plain", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(columns, "compiled_pays", lambda cells: request.param == "compiled")
    return request.param


def check(data: Dataset, column: SortedColumn) -> None:
    x = data.X[:, 0]
    known = ~np.isnan(x)
    rows = np.arange(len(column.keys))
    values, classes = column.values(rows), column.classes()
    expected = sorted(zip(x[known].tolist(), data.y[known].tolist(), strict=True))
    assert list(zip(values.tolist(), classes.tolist(), strict=True)) == expected
    assert column.missing.tolist() == np.bincount(data.y[~known], minlength=data.n_classes).tolist()
    assert values[column.starts()].tolist() == np.unique(x[known]).tolist()
    counts = [[int(((x == v) & (data.y == c)).sum()) for c in range(data.n_classes)] for v in np.unique(x[known])]
    assert group_counts(column).tolist() == counts


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5, 70, 3000])
@pytest.mark.parametrize("kind", NUMBERS)
def test_packed_and_back(kind: str, n_classes: int, way: str) -> None:
    data = dataset(NUMBERS[kind], n_classes)
    check(data, map_sorted(data, lambda column: column)[0])


def test_both_forms_of_places_are_used() -> None:
    forms = [map_sorted(dataset(NUMBERS[kind], 70), lambda c: c)[0] for kind in ("decimals", "every magnitude")]
    assert [form.distinct is None for form in forms] == [True, False]


def test_large_data_on_threads_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(500, 13)), 2)
    X[rng.random(X.shape) < 0.05] = np.nan
    features = tuple(Feature(f"f{j}", ("a", "b") if j == 4 else None) for j in range(13))
    X[:, 4] = rng.integers(0, 2, 500)
    target, y = Feature("class", ("a", "b", "c")), rng.integers(0, 3, 500)
    kept = map_sorted(Dataset("d", features, X, target, y), lambda column: column.keys.copy())
    monkeypatch.setattr(columns, "KEPT_CELLS", 0)
    monkeypatch.setattr(columns, "ALONE", 0)
    for count in (1, 3):
        set_threads(count)
        again = map_sorted(Dataset("d", features, X, target, y), lambda column: column.keys.copy())
        assert list(again) == list(kept) == [j for j in range(13) if j != 4]
        assert all(np.array_equal(again[j], kept[j]) for j in kept)
    set_threads(None)


def test_kept_columns_are_made_once() -> None:
    data = dataset(NUMBERS["doubles"], 2)
    first, second = (map_sorted(data, lambda column: column)[0] for _ in range(2))
    assert first is second
