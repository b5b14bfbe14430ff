"""ReliefF: every way of computing it against plain loops, ties, sampling, weights by rank, threads."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.errors import MethodError, NotApplicable
from fsbench.kernels.threads import set_threads
from fsbench.rankers import relieff_fast, relieff_plain
from fsbench.rankers.relieff import ReliefF
from fsbench.rankers.relieff_problem import Problem, scaled
from fsbench.values import Dataset, Feature
from tests.naive.relieff import nearest, relieff
from tests.rankers.datasets import KINDS, make


def plain(data: Dataset, k: int, probes: np.ndarray, rank_weights: np.ndarray | None = None) -> np.ndarray:
    return relieff_plain.plain_weights(Problem(scaled(data), probes, k, rank_weights))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_all_ways_equal_plain_loops(seed: int, kind: str) -> None:
    data = make(seed, kind, n_rows=None if seed else 60, n_features=40 if kind == "wide" else None)
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 12))
    probes = np.arange(data.n_rows) if seed % 2 else rng.integers(0, data.n_rows, 9)
    expected = relieff(data, k, probes.tolist())
    np.testing.assert_allclose(plain(data, k, probes), expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(relieff_fast.fast_weights(data, probes, k), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(20))
def test_compiled_equals_numpy(seed: int, kind: str) -> None:
    data = make(100 + seed, kind)
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 20))
    probes = np.arange(data.n_rows) if seed % 3 else rng.integers(0, data.n_rows, 33)
    rank_weights = None if seed % 2 else np.exp(-((np.arange(k) / 3) ** 2))
    expected = plain(data, k, probes, rank_weights)
    found = relieff_fast.fast_weights(data, probes, k, rank_weights)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", ["numeric", "integers", "nominal", "wide"])
def test_compiled_equals_numpy_on_longer_data(kind: str) -> None:
    data = make(7, kind, n_rows=701)
    probes = np.arange(data.n_rows)
    expected = plain(data, 10, probes)
    np.testing.assert_allclose(relieff_fast.fast_weights(data, probes, 10), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_change_no_bit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relieff_fast, "ALONE", 0)
    data = make(3, kind, n_rows=211)
    found = []
    for count in (1, 2, 5):
        set_threads(count)
        found.append(relieff_fast.fast_weights(data, np.arange(data.n_rows), 10).tobytes())
    set_threads(None)
    assert len(set(found)) == 1


def test_a_label_beyond_a_byte() -> None:
    rng = np.random.default_rng(0)
    labels = tuple(str(v) for v in range(300))
    X = rng.integers(0, 300, (80, 3)).astype(float)
    X[:40, 0] = X[40:, 0]
    data = Dataset("many", tuple(Feature(f"f{j}", labels) for j in range(3)), X, Feature("c", ("a", "b")), X[:, 1] % 2)
    probes = np.arange(80)
    np.testing.assert_allclose(relieff_fast.fast_weights(data, probes, 5), relieff(data, 5), rtol=0, atol=1e-13)


def test_many_nominal_features_overflow_no_byte() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (50, 600)).astype(float)
    X[25:] = 1.0 - X[:25]
    features = tuple(Feature(f"f{j}", ("0", "1")) for j in range(600))
    data = Dataset("long", features, X, Feature("c", ("a", "b")), rng.integers(0, 2, 50))
    np.testing.assert_allclose(
        relieff_fast.fast_weights(data, np.arange(50), 3), plain(data, 3, np.arange(50)), rtol=0, atol=1e-13
    )


@pytest.mark.parametrize("seed", range(50))
def test_slots_are_those_of_the_scan(seed: int) -> None:
    rng = np.random.default_rng(seed)
    distances = rng.integers(0, 5, (4, int(rng.integers(1, 30)))).astype(float)
    k = int(rng.integers(1, 8))
    slots, _ = relieff_plain.nearest_slots(distances, k)
    for row, found in zip(distances, slots, strict=True):
        assert sorted(found.tolist()) == sorted(nearest(dict(enumerate(row.tolist())), k))


def test_sparse_zeros_do_not_widen_the_range() -> None:
    X = np.array([[0.0], [5.0], [6.0], [7.0], [0.0], [5.0]])
    data = Dataset("s", (Feature("a"),), X, Feature("c", ("p", "q")), np.array([0, 0, 1, 1, 1, 0]), sparse=True)
    assert scaled(data).Z[:, 0].tolist() == [-2.5, 0.0, 0.5, 1.0, -2.5, 0.0]
    np.testing.assert_allclose(relieff_fast.fast_weights(data, np.arange(6), 2), relieff(data, 2), rtol=0, atol=1e-13)


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


def test_one_row_and_one_class() -> None:
    target = Feature("c", ("p", "q"))
    assert ReliefF().score(Dataset("one", (Feature("a"),), [[1.0]], target, np.array([0]))).tolist() == [0.0]
    single = Dataset("single", (Feature("a"),), [[1.0], [2.0], [4.0]], target, np.array([1, 1, 1]))
    assert ReliefF().score(single).tolist() == relieff(single, 10)
