"""Intervals of the mean difference and Cohen's d."""

import math

import numpy as np
import pytest
import scipy.stats

from fsbench.stats import cohen_d, compare, mean_interval


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("level", [0.05, 0.1, 0.01])
def test_paired_interval_equals_scipy(seed: int, level: float) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random(10), rng.random(10)
    theirs = scipy.stats.ttest_rel(a, b).confidence_interval(1 - level)
    found = mean_interval("paired", a, b, [9] * 10, [1] * 10, level)
    assert (found.low, found.high) == (pytest.approx(theirs.low, rel=1e-9), pytest.approx(theirs.high, rel=1e-9))


@pytest.mark.parametrize("name", ["paired", "corrected"])
@pytest.mark.parametrize("seed", range(20))
def test_the_interval_leaves_out_zero_where_the_test_rejects(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.random(10)
    b = a + rng.normal(0.05, 0.08, 10)
    sizes = ([90] * 10, [10] * 10)
    p = compare(name, a, b, *sizes).p_value
    for level in (p * 0.999, p * 1.001):
        found = mean_interval(name, a, b, *sizes, level)
        assert (found.low > 0 or found.high < 0) == (p < level)


def test_corrected_interval_by_hand() -> None:
    # Differences 1, 2, 3, 4 of 4 folds: mean 2.5, s**2 = 5/3, factor 1/4 + 1/3, t(0.975; 3) = 3.182446.
    half = 3.182446305284263 * math.sqrt((1 / 4 + 1 / 3) * 5 / 3)
    found = mean_interval("corrected", [1, 2, 3, 4], [0] * 4, [3] * 4, [1] * 4)
    assert (found.estimate, found.low, found.high) == (2.5, pytest.approx(2.5 - half), pytest.approx(2.5 + half))


def test_edges() -> None:
    assert mean_interval("paired", [1], [0], [1], [1]).reason == "one fold: an interval needs two or more"
    assert mean_interval("paired", [1], [0], [1], [1]).estimate == 1.0
    assert mean_interval("paired", [], [], [], []).estimate is None
    assert mean_interval("corrected", [1, 2], [0, 0], [0, 0], [1, 1]).reason == "no training rows"
    same = mean_interval("corrected", [1, 2], [1, 2], [1, 1], [1, 1])
    assert (same.estimate, same.low, same.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_cohen_d_is_t_over_the_root_of_n(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random(12), rng.random(12)
    assert cohen_d(a, b) == pytest.approx(scipy.stats.ttest_rel(a, b).statistic / math.sqrt(12), rel=1e-9)


def test_cohen_d_without_spread() -> None:
    assert cohen_d([1, 2], [1, 2]) == 0.0
    assert cohen_d([1, 2], [2, 3]) == -math.inf
    assert cohen_d([1], [2]) is None
