"""Cuts: Fayyad and Irani's against plain recursion, both encodings, both paths; equal width; applying them."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench import columns, discretize, entropy
from fsbench.data import load
from fsbench.discretize import equal_width, mdl, width_cuts
from fsbench.values import Dataset, Feature
from tests.naive.mdl import interval, mdl_cuts


@pytest.fixture(params=["plain", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for module in (columns, discretize):
        monkeypatch.setattr(module, "compiled_pays", lambda cells: request.param == "compiled")
    return request.param


def made(seed: int, n_rows: int | None = None) -> Dataset:
    """Informative, useless, tied, missing and constant columns of different scales."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(2, 150)) if n_rows is None else n_rows, int(rng.integers(2, 5))
    y = rng.integers(0, n_classes, n)
    clear, noise = rng.normal(size=n) + 2.0 * y, rng.normal(size=n)
    unknown = np.where(rng.random(n) < 0.2, np.nan, np.round(clear))
    steps = np.where(y == 1, 5.0, rng.integers(0, 3, n))
    tiny, whole, decimals = clear * 1e-9, np.round(noise), np.round(clear, 1)
    X = np.column_stack([clear, noise, decimals, unknown, np.full(n, 7.0), steps, tiny, whole])
    target = Feature("class", tuple(f"c{c}" for c in range(n_classes + 1)))
    return Dataset("made", tuple(Feature(f"f{j}") for j in range(X.shape[1])), X, target, y)


def plain_cuts(data: Dataset, j: int, count_changes: bool) -> list[float]:
    known = ~np.isnan(data.X[:, j])
    return mdl_cuts(list(zip(data.X[known, j].tolist(), data.y[known].tolist(), strict=True)), count_changes)


@pytest.mark.parametrize("encoding", ["weka", "fayyad-irani"])
@pytest.mark.parametrize("seed", range(25))
def test_mdl_equals_plain_recursion(seed: int, encoding: str, way: str) -> None:
    data = made(seed, None if seed else 700)
    cuts = mdl(data, encoding).cuts  # type: ignore[arg-type]
    for j in range(data.n_features):
        np.testing.assert_array_equal(cuts[j], plain_cuts(data, j, encoding == "weka"))


def test_passing_over_blocks_loses_no_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long columns, where the kernel looks at few blocks only, against the numpy path, which looks at all cuts."""
    found = {}
    for path in ("plain", "compiled"):
        for module in (columns, discretize):
            monkeypatch.setattr(module, "compiled_pays", lambda cells, path=path: path == "compiled")
        found[path] = [mdl(made(seed, 6000)).cuts for seed in range(6)]
    for plain, compiled in zip(found["plain"], found["compiled"], strict=True):
        assert [c.tobytes() for c in plain] == [c.tobytes() for c in compiled]
    assert max(len(c) for cuts in found["plain"] for c in cuts) >= 4


def test_the_cuts_of_iris(way: str) -> None:
    cuts = mdl(load("iris")).cuts
    expected = [[5.55, 6.15, 7.05], [2.95, 3.35], [2.45, 4.75, 5.15], [0.8, 1.75]]
    for found, wanted in zip(cuts, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_counts_of_the_fit_are_those_of_the_intervals(way: str) -> None:
    data = made(4, 200)
    fit = mdl(data)
    applied = fit.apply(data)
    for j in range(data.n_features):
        counted = fit.counts[j]
        assert counted is not None
        for value in range(fit.n_intervals(j)):
            classes = data.y[applied.X[:, j] == value]
            assert counted[0][value].tolist() == np.bincount(classes, minlength=data.n_classes).tolist()


def test_a_cut_between_neighbouring_doubles_may_be_the_upper_one(way: str) -> None:
    low = np.nextafter(1.0, 2.0)
    high = np.nextafter(low, 2.0)
    x = np.array([low] * 30 + [high] * 30 + [3.0] * 5)
    y = np.array([0] * 30 + [1] * 30 + [0] * 5)
    data = Dataset("close", (Feature("x"),), x[:, np.newaxis], Feature("c", ("a", "b")), y)
    fit = mdl(data)
    assert fit.cuts[0] is not None
    assert fit.cuts[0][0] == high == (low + high) / 2
    # Weka's rule: what does not exceed the cut goes below it, here both values.
    assert fit.counts[0][0].tolist() == [[30, 30], [0, 0], [5, 0]]
    assert fit.apply(data).X[:60, 0].max() == 0


def test_halfway_between_huge_values_is_infinite(way: str) -> None:
    x = np.array([1.0e308] * 20 + [1.7e308] * 20)
    data = Dataset("huge", (Feature("x"),), x[:, np.newaxis], Feature("c", ("a", "b")), np.arange(40) // 20)
    fit = mdl(data)
    assert fit.cuts[0].tolist() == [np.inf]
    assert fit.counts[0][0].tolist() == [[20, 20], [0, 0]]


@pytest.mark.parametrize("seed", range(5))
def test_apply_puts_values_into_intervals(seed: int) -> None:
    data = made(seed, 80)
    for fit in (mdl(data), equal_width(data, 4)):
        applied = fit.apply(data)
        assert applied.is_nominal.all()
        for j, cuts in enumerate(fit.cuts):
            for value, code in zip(data.X[:, j].tolist(), applied.X[:, j].tolist(), strict=True):
                assert np.isnan(code) if np.isnan(value) else code == interval(value, cuts)
            assert applied.features[j].n_labels == fit.n_intervals(j)


def test_values_outside_the_fitted_range_fall_into_the_end_intervals() -> None:
    train = Dataset("t", (Feature("x"),), [[0.0], [10.0]], Feature("c", ("a", "b")), np.array([0, 1]))
    test = Dataset("u", (Feature("x"),), [[-5.0], [50.0], [np.nan]], train.target, np.array([0, 0, 0]))
    codes = equal_width(train, 5).apply(test).X[:, 0]
    assert codes[:2].tolist() == [0, 4]
    assert np.isnan(codes[2])


def test_equal_width_of_constant_and_missing_columns() -> None:
    assert width_cuts(np.array([3.0, 3.0, np.nan]), 10).tolist() == []
    assert width_cuts(np.array([np.nan, np.nan]), 10).tolist() == []
    assert width_cuts(np.array([1.0, 2.0]), 1).tolist() == []


def test_nominal_features_are_left_alone() -> None:
    data = load("lymph")
    fit = mdl(data)
    assert [cuts is None for cuts in fit.cuts] == data.is_nominal.tolist()
    nominal = data.is_nominal
    assert np.array_equal(fit.apply(data).X[:, nominal], data.X[:, nominal])


def test_a_fit_is_shared() -> None:
    data = load("iris")
    assert mdl(data) is mdl(data)
    assert mdl(data) is not mdl(data, "fayyad-irani")


def test_compiled_logarithms_are_those_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = entropy.xlogx_table(50_000)
    monkeypatch.setattr(entropy, "PLAIN_LOGS", 0)
    assert entropy.xlogx_table(50_000).tobytes() == plain.tobytes()
