"""The error estimate, what lets the raising test stop early, and tables that are too small."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from fsbench.classifiers import c45_forest
from fsbench.classifiers.c45 import C45
from fsbench.kernels.tree_fractions import added_weight
from fsbench.kernels.tree_table import added_errors
from fsbench.values import Dataset, Feature
from tests.naive.c45 import Tree
from tests.naive.c45_samples import tree_sample
from tests.naive.samples import split_of

Z = 0.6744897501960817


def limit(n: np.ndarray, e: np.ndarray) -> np.ndarray:
    """Errors and what is added to them at CF = 0.25, vectorised; e a whole number below n."""
    f = (e + 0.5) / n
    r = (f + Z * Z / (2 * n) + Z * np.sqrt(f / n - f * f / n + Z * Z / (4 * n * n))) / (1 + Z * Z / n)
    return np.where(e == 0, n * (1 - 0.25 ** (1 / n)), np.where(e + 0.5 >= n, n, r * n))


@pytest.mark.parametrize("cf", [0.25, 0.1, 0.5])
def test_added_errors(cf: float) -> None:
    plain = Tree(np.zeros((1, 1)), np.zeros(1), [0], 1, confidence=cf)
    base = np.array([0.0] + [n * (1 - plain.cf ** (1 / n)) for n in range(1, 60)])
    for n in range(1, 60):
        for e in range(n + 1):
            assert added_errors(float(n), float(e), plain.z, base) == pytest.approx(plain.added(n, e), abs=1e-12)
            fraction = (n - 0.37, max(e - 0.71, 0.0))
            if 0 < fraction[0] >= fraction[1]:
                assert added_weight(*fraction, plain.z, plain.cf) == pytest.approx(plain.added(*fraction), abs=1e-12)


def test_recorded_values() -> None:
    pairs = {
        (50, 0): 1.367253,
        (46, 1): 1.546026,
        (48, 1): 1.547610,
        (6, 1): 1.303507,
        (100, 36): 3.801551,
        (4, 4): 0.0,
    }
    for (n, e), added in pairs.items():
        assert added_weight(float(n), float(e), Z, 0.25) == pytest.approx(added, abs=1e-6)
    assert added_weight(3.0, 0.5, Z, 0.25) == pytest.approx(1.077214, abs=1e-6)


def test_an_estimate_never_falls_and_an_error_adds_at_least_one() -> None:
    """What the early stop of the raising test rests on, at its confidence of 0.25."""
    small = [(np.full(n, float(n)), np.arange(n, dtype=float)) for n in range(1, 1500)]
    large = []
    for n in (10**4, 10**5, 10**6, 10**7):
        e = np.unique(np.concatenate([np.arange(300), n - 1 - np.arange(300), np.linspace(0, n - 1, 3000).astype(int)]))
        large.append((np.full(len(e), float(n)), e.astype(float)))
    for n, e in small + large:
        here = limit(n, e)
        slack = 1e-9 * n
        assert (limit(n + 1, e) >= here - slack).all()
        assert (limit(n + 1, e + 1) >= here + 1 - slack).all()
    assert c45_forest.CHECKED_CONFIDENCE == 0.25


@pytest.mark.parametrize("seed", range(200, 230))
def test_stopping_early_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tree_sample(seed - seed % 6)  # without missing values
    split, order = split_of(data, seed), np.arange(data.n_features)
    early = C45().curve(data, split, order)
    monkeypatch.setattr(c45_forest, "CHECKED_CONFIDENCE", -1.0)
    late = C45().curve(data, split, order)
    assert np.array_equal(early.predicted, late.predicted)
    assert all(np.array_equal(early.measures[m], late.measures[m]) for m in ("size", "leaves"))


@pytest.mark.parametrize("seed", [0, 6, 13, 20])
def test_a_table_too_small_is_made_larger(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tree_sample(seed)
    split, order = split_of(data, seed), np.arange(data.n_features)
    plenty = C45(min_leaf=1, confidence=0.5).curve(data, split, order)
    asked: list[int] = []

    def guess(*_: Any) -> int:
        asked.append(4)
        return 4

    monkeypatch.setattr(c45_forest, "_first_guess", guess)
    scarce = C45(min_leaf=1, confidence=0.5).curve(data, split, order)
    assert asked
    assert np.array_equal(plenty.predicted, scarce.predicted)


def test_raising_sends_all_rows_down_the_branch() -> None:
    """On noise with one good feature some trees have their root replaced by a branch."""
    rng = np.random.default_rng(5)
    raised = 0
    for _ in range(60):
        n = 80
        X = np.column_stack([rng.integers(0, 2, n), rng.normal(size=n), rng.normal(size=n)]).astype(float)
        y = ((X[:, 1] > 0.3) ^ (rng.random(n) < 0.15)).astype(np.int64)
        labels = (Feature("a", ("p", "q")), Feature("b"), Feature("c"))
        data = Dataset("noise", labels, X, Feature("y", ("no", "yes")), y)
        with_, without = Tree(X, y, [2, 0, 0], 2), Tree(X, y, [2, 0, 0], 2, raising=False)
        raised += with_.shape() != without.shape()
        assert C45().fit(data).measures() == {"size": with_.size(), "leaves": with_.leaves()}
        assert C45(raising=False).fit(data).measures() == {"size": without.size(), "leaves": without.leaves()}
    assert raised > 2
    assert math.isclose(Z, Tree(np.zeros((1, 1)), np.zeros(1), [0], 1).z)
