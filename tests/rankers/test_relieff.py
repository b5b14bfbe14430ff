"""ReliefF: every way of computing it against plain loops, ties, sampling, weights by rank, threads."""

from __future__ import annotations

import csv
import importlib
import json
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from fsbench.data import load
from fsbench.errors import MethodError, NotApplicable
from fsbench.evaluation.folds import stratified_splits
from fsbench.kernels.threads import set_threads
from fsbench.rankers import relieff as ranker_module
from fsbench.rankers import relieff_fast, relieff_plain
from fsbench.rankers.order import rank_order
from fsbench.rankers.relieff import ReliefF
from fsbench.rankers.relieff_problem import Problem, scaled
from fsbench.values import Dataset, Feature
from tests.naive.relieff import nearest, relieff
from tests.rankers.datasets import KINDS, make


def plain(data: Dataset, k: int, probes: np.ndarray, rank_weights: np.ndarray | None = None) -> np.ndarray:
    return relieff_plain.plain_weights(Problem(scaled(data), probes, k, rank_weights))


@pytest.fixture(params=["small", "large"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Send data through what is meant for few rows, or for many."""
    for limit in ("FEW", "MANY"):
        monkeypatch.setattr(relieff_fast, limit, 10**9 if request.param == "small" else -1)
    monkeypatch.setattr(relieff_fast, "LONG", 0)
    monkeypatch.setattr(relieff_fast, "_short_classes", lambda train, k: False)
    return str(request.param)


def same(found: np.ndarray, expected: np.ndarray, data: Dataset, way: str) -> None:
    """Equal bits; of large numeric data equal orders, and bits wherever rounding could decide."""
    if way == "large" and not data.is_nominal.any() and not data.has_missing and not data.sparse:
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)
        assert rank_order(found).tolist() == rank_order(expected).tolist()
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_all_ways_equal_plain_loops_to_the_last_bit(seed: int, kind: str, way: str) -> None:
    data = make(seed, kind, n_rows=None if seed else 60, n_features=40 if kind == "wide" else None)
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 12))
    probes = np.arange(data.n_rows) if seed % 2 else rng.integers(0, data.n_rows, 9)
    expected = relieff(data, k, probes.tolist())
    assert plain(data, k, probes).tolist() == expected
    same(relieff_fast.fast_weights(data, probes, k), np.array(expected), data, way)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(20))
def test_compiled_equals_numpy(seed: int, kind: str, way: str) -> None:
    data = make(100 + seed, kind)
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 20))
    probes = np.arange(data.n_rows) if seed % 3 else rng.integers(0, data.n_rows, 33)
    rank_weights = None if seed % 2 else np.exp(-((np.arange(k) / 3) ** 2))
    expected = plain(data, k, probes, rank_weights)
    found = relieff_fast.fast_weights(data, probes, k, rank_weights)
    same(found, expected, data, way if rank_weights is None else "small")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [10, 11])
def test_compiled_equals_numpy_on_longer_data(kind: str, k: int, way: str) -> None:
    data = make(7, kind, n_rows=701)
    probes = np.arange(data.n_rows)
    same(relieff_fast.fast_weights(data, probes, k), plain(data, k, probes), data, way)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_features", [2, 130])
def test_classes_short_and_long_times_features(kind: str, n_features: int, way: str) -> None:
    """Eight probes are taken side by side unless classes are long: here they have about 120 rows."""
    data = make(11, kind, n_rows=360, n_features=n_features)
    probes = np.arange(data.n_rows)
    same(relieff_fast.fast_weights(data, probes, 10), plain(data, 10, probes), data, way)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("kind", ["numeric", "mixed", "nominal", "missing"])
@pytest.mark.parametrize("seed", range(3))
def test_compiled_equals_numpy_on_sparse_data(seed: int, kind: str) -> None:
    data = replace(make(50 + seed, kind), sparse=True)
    probes = np.arange(data.n_rows)
    np.testing.assert_array_equal(relieff_fast.fast_weights(data, probes, 5), plain(data, 5, probes))


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-40, 1e-17])
def test_distances_of_any_size(scale: float, way: str) -> None:
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(90, 3)), 1) * scale
    X[:2] = [[0.0], [1.0]]
    data = Dataset("tiny", tuple(Feature(f"f{j}") for j in range(3)), X, Feature("c", ("p", "q")), np.arange(90) % 2)
    probes = np.arange(90)
    same(relieff_fast.fast_weights(data, probes, 5), plain(data, 5, probes), data, way)
    X = np.round(rng.normal(size=(90, 3)), 1) * 1e9 + 1e9
    X[::7] = 0.0
    far = Dataset("far", data.features, X, data.target, data.y, sparse=True)
    np.testing.assert_array_equal(relieff_fast.fast_weights(far, probes, 5), plain(far, 5, probes))


@pytest.mark.parametrize("near", [False, True])
def test_of_large_numeric_data_rounding_decides_as_in_weka(near: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column and its mirror image have the same weight but for rounding: then all bits are Weka's."""
    monkeypatch.setattr(relieff_fast, "MANY", -1)
    monkeypatch.setattr(relieff_fast, "LONG", 0)
    monkeypatch.setattr(relieff_fast, "_short_classes", lambda train, k: False)
    rng = np.random.default_rng(8)
    X = rng.normal(size=(300, 12))
    X[:, 1] = X[:, 0]
    if near:
        X[:, 5] = 1.0 - X[:, 4]
    data = Dataset(
        "near", tuple(Feature(f"f{j}") for j in range(12)), X, Feature("c", ("p", "q")), rng.integers(0, 2, 300)
    )
    probes = np.arange(300)
    found, expected = relieff_fast.fast_weights(data, probes, 10), plain(data, 10, probes)
    assert 0.0 < abs(expected[4] - expected[5]) < 1e-15 or not near
    assert (found.tolist() == expected.tolist()) == near
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("kind", KINDS)
def test_threads_change_no_bit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = make(3, kind, n_rows=211)
    found = [relieff_fast.fast_weights(data, np.arange(data.n_rows), 10).tobytes()]
    monkeypatch.setattr(relieff_fast, "ALONE", 0)
    for count in (1, 2, 5):
        set_threads(count)
        found.append(relieff_fast.fast_weights(data, np.arange(data.n_rows), 10).tobytes())
    set_threads(None)
    assert len(set(found)) == 1


@pytest.mark.usefixtures("way")
def test_a_label_beyond_a_byte() -> None:
    rng = np.random.default_rng(0)
    labels = tuple(str(v) for v in range(300))
    X = rng.integers(0, 300, (80, 3)).astype(float)
    X[:40, 0] = X[40:, 0]
    data = Dataset("many", tuple(Feature(f"f{j}", labels) for j in range(3)), X, Feature("c", ("a", "b")), X[:, 1] % 2)
    probes = np.arange(80)
    assert relieff_fast.fast_weights(data, probes, 5).tolist() == relieff(data, 5)


@pytest.mark.usefixtures("way")
def test_many_nominal_features_overflow_no_byte() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (50, 600)).astype(float)
    X[25:] = 1.0 - X[:25]
    features = tuple(Feature(f"f{j}", ("0", "1")) for j in range(600))
    data = Dataset("long", features, X, Feature("c", ("a", "b")), rng.integers(0, 2, 50))
    np.testing.assert_array_equal(relieff_fast.fast_weights(data, np.arange(50), 3), plain(data, 3, np.arange(50)))


@pytest.mark.parametrize("seed", range(50))
def test_slots_are_those_of_the_scan(seed: int) -> None:
    rng = np.random.default_rng(seed)
    distances = rng.integers(0, 5, (4, int(rng.integers(1, 30)))).astype(float)
    k = int(rng.integers(1, 8))
    slots, _ = relieff_plain.nearest_slots(distances, k)
    for row, found in zip(distances, slots, strict=True):
        assert found.tolist() == nearest(dict(enumerate(row.tolist())), k)


def test_sparse_zeros_do_not_widen_the_range() -> None:
    X = np.array([[0.0], [5.0], [6.0], [7.0], [0.0], [5.0]])
    data = Dataset("s", (Feature("a"),), X, Feature("c", ("p", "q")), np.array([0, 0, 1, 1, 1, 0]), sparse=True)
    assert scaled(data).Z[:, 0].tolist() == [-2.5, 0.0, 0.5, 1.0, -2.5, 0.0]
    assert relieff_fast.fast_weights(data, np.arange(6), 2).tolist() == relieff(data, 2)


def test_a_sample_as_large_as_the_data_is_all_rows() -> None:
    data = make(1, "mixed", n_features=4)
    everything = ReliefF().score(data)
    for sample in (-1, data.n_rows, 10**6):
        assert ReliefF(sample=sample).score(data).tolist() == everything.tolist()
    assert ReliefF(sample=3).score(data).tolist() != everything.tolist()
    assert ReliefF(sample=3, seed=5).score(data).tolist() == ReliefF(sample=3, seed=5).score(data).tolist()


def test_parameters_out_of_bounds() -> None:
    with pytest.raises(MethodError, match="sample must be at least 1"):
        ReliefF(sample=0)
    with pytest.raises(MethodError, match="parameter k must be a whole number of at least 1"):
        ReliefF(k=0)


def test_an_infinite_value_is_refused() -> None:
    data = Dataset("i", (Feature("a"), Feature("b")), [[0, 1], [1, np.inf]], Feature("c", ("p", "q")), np.array([0, 1]))
    with pytest.raises(NotApplicable, match="infinite one in 'b'"):
        ReliefF().rank(data)


@pytest.mark.parametrize("last", [3.0, np.nan])
def test_a_range_beyond_the_largest_number_is_refused(last: float, way: str) -> None:
    X = [[0.0, -1e308], [1.0, 1e308], [2.0, last]]
    data = Dataset("i", (Feature("a"), Feature("b")), X, Feature("c", ("p", "q")), np.array([0, 1, 1]))
    for score in (plain, relieff_fast.fast_weights):
        with pytest.raises(NotApplicable, match="column 'b': its values are too far apart"):
            score(data, k=1, probes=np.arange(3))


def test_one_row_and_one_class() -> None:
    target = Feature("c", ("p", "q"))
    assert ReliefF().score(Dataset("one", (Feature("a"),), [[1.0]], target, np.array([0]))).tolist() == [0.0]
    single = Dataset("single", (Feature("a"),), [[1.0], [2.0], [4.0]], target, np.array([1, 1, 1]))
    assert ReliefF().score(single).tolist() == relieff(single, 10)


# Weka 3.9.7, scores in file order: on all rows, or the training part of a fold of stratified_splits(y, classes, 10, 1).
FIXTURE = Path(__file__).with_name("weka_relieff.csv")
with FIXTURE.open(newline="") as lines:
    RECORDED = list(csv.DictReader(lines))


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: f"{row['dataset']}-{row['fold']}-{row['parameters']}")
def test_scores_are_wekas_to_the_last_bit(row: dict[str, str]) -> None:
    data, ranker = load(row["dataset"]), ReliefF(**json.loads(row["parameters"]))
    if row["fold"]:
        data = data.take(stratified_splits(data.y, data.n_classes, 10, 1)[int(row["fold"])].train)
    wanted = [float(score) for score in row["scores"].split()]
    compiled = relieff_fast.fast_weights(data, ranker._probes(data.n_rows), ranker.k, ranker._rank_weights())
    assert compiled.tolist() == wanted
    assert plain(data, ranker.k, ranker._probes(data.n_rows), ranker._rank_weights()).tolist() == wanted


@pytest.mark.parametrize(("loaded", "size", "compiled"), [(True, 0, True), (False, 0, True), (False, 10**9, False)])
def test_numpy_alone_only_where_no_compiler_is_loaded(
    loaded: bool, size: int, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = []
    monkeypatch.setattr(ranker_module, "PLAIN_WORK", size)
    monkeypatch.setattr(relieff_fast, "fast_weights", lambda *_: ways.append(True) or np.zeros(4))
    monkeypatch.setattr(ranker_module, "plain_weights", lambda _: ways.append(False) or np.zeros(4))
    importlib.import_module("fsbench.kernels.jit")
    if not loaded:
        monkeypatch.delitem(sys.modules, "fsbench.kernels.jit")
    ReliefF().score(make(1, "mixed", n_features=4))
    assert ways == [compiled]


@pytest.mark.parametrize("sigma", [1, 2, 10, 20, 36])
def test_weights_by_rank_are_the_nearest_doubles(sigma: int) -> None:
    weights = ReliefF(k=10, weighting="rank", sigma=sigma)._rank_weights()
    assert weights is not None
    exponents = [-((i / sigma) * (i / sigma)) for i in range(10)]
    assert weights.tolist() == [float(Decimal(x).exp()) for x in exponents]
