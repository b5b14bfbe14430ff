"""Stability against the numbers of the measure's authors, hand values, scipy, and plain definitions."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from fsbench.evaluation.stability import (
    chosen,
    correlations,
    jaccard,
    kuncheva,
    mean_correlation,
    nogueira,
    ranks_of,
    top,
)

# Printed by the notebook python/stabilityDemo.ipynb of github.com/nogueirs/JMLR2018, cells 2, 3 and 6.
NOTEBOOK = """
1 1 1 1 0 0 0 0 0 0
0 0 0 1 0 1 1 1 0 0
0 1 0 0 0 1 1 1 0 0
1 1 0 0 1 0 1 0 0 0
0 1 1 0 1 1 0 0 0 0
0 1 1 1 0 0 1 0 0 0
1 0 0 1 0 0 0 0 1 1
0 0 0 1 0 1 1 1 0 0
0 0 1 1 1 1 0 0 0 0
0 0 0 0 1 0 0 1 1 1
"""
Z3 = np.array([[c == "1" for c in line.split()] for line in NOTEBOOK.split("\n") if line])


def test_nogueira_equals_the_authors_notebook() -> None:
    found = nogueira(Z3)
    assert found.value == pytest.approx(-0.037037037037, abs=1e-12)
    # The notebook prints the variance 0.00516666666667; the interval is the normal one.
    half = 1.959963984540054 * math.sqrt(0.00516666666667)
    assert (found.low, found.high) == (
        pytest.approx(found.value - half, abs=1e-10),
        pytest.approx(found.value + half, abs=1e-10),
    )
    assert nogueira(np.array([[1, 1, 0]] * 3, dtype=bool)).value == 1.0
    assert nogueira(np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], dtype=bool)).value == -0.5


@pytest.mark.parametrize("level", [0.05, 0.1, 0.01])
def test_the_interval_follows_the_level(level: float) -> None:
    found = nogueira(Z3, level)
    z = scipy.stats.norm.ppf(1 - level / 2)
    assert found.high - found.low == pytest.approx(2 * z * math.sqrt(0.00516666666667), rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_nogueira_equals_its_definition_and_its_variance(seed: int) -> None:
    # Definition 4 feature by feature; corollary 9 selection by selection.
    rng = np.random.default_rng(seed)
    m, d = int(rng.integers(2, 12)), int(rng.integers(2, 15))
    z = rng.random((m, d)) < rng.uniform(0.2, 0.8)
    z[0, 0], z[0, 1] = True, False
    p = [sum(z[i][f] for i in range(m)) / m for f in range(d)]
    k = sum(p)
    chance = k / d * (1 - k / d)
    value = 1 - sum(m / (m - 1) * q * (1 - q) for q in p) / d / chance
    pulls = []
    for i in range(m):
        size = sum(z[i])
        held = sum(p[f] for f in range(d) if z[i][f]) / d
        pulls.append((held - size * k / d**2 + value / 2 * (2 * size * k / d**2 - size / d - k / d + 1)) / chance)
    variance = 4 / m**2 * sum((x - sum(pulls) / m) ** 2 for x in pulls)
    found = nogueira(z)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.high - found.value == pytest.approx(1.959963984540054 * math.sqrt(variance), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_selections_of_one_size_have_one_value_in_both_measures(seed: int) -> None:
    # Nogueira et al., section 4.3: Kuncheva's index is the case of one size.
    rng = np.random.default_rng(seed)
    d = int(rng.integers(3, 20))
    k, m = int(rng.integers(1, d)), int(rng.integers(2, 11))
    z = chosen([rng.choice(d, k, replace=False) for _ in range(m)], d)
    assert kuncheva(z) == pytest.approx(nogueira(z).value, abs=1e-12)


def test_kuncheva_and_jaccard_by_hand() -> None:
    # Of 5 features {0,1}, {0,2}, {0,1}: shared 1, 2, 1; index (r * 5 - 4) / 6.
    z = chosen([[0, 1], [0, 2], [1, 0]], 5)
    assert kuncheva(z) == pytest.approx((1 / 6 + 1 + 1 / 6) / 3)
    assert jaccard(z) == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)


def test_where_the_measures_are_not_defined() -> None:
    whole, one, sizes = np.ones((4, 3), bool), np.ones((1, 3), bool), chosen([[0], [0, 1]], 3)
    assert nogueira(whole).value is None
    assert nogueira(whole).reason == "all features or none are selected on every fold"
    assert nogueira(~whole).reason == "all features or none are selected on every fold"
    assert nogueira(one).reason == "one fold: stability needs two or more"
    assert (kuncheva(whole), kuncheva(one), kuncheva(sizes)) == (None, None, None)
    assert (jaccard(one), jaccard(whole), jaccard(~whole)) == (None, 1.0, 1.0)
    assert mean_correlation(np.array([[1.0, 2.0]])) is None


def test_ranks_and_tops() -> None:
    ranks = ranks_of([[2, 0, 1], [0, 1, 2]])
    assert ranks.tolist() == [[2, 3, 1], [1, 2, 3]]
    assert top(ranks, 2).tolist() == [[True, False, True], [True, True, False]]
    assert chosen([[2, 0], []], 3).tolist() == [[True, False, True], [False, False, False]]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("d", [1, 2, 3, 17, 60])
def test_correlations_equal_scipy(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    ranks = ranks_of([rng.permutation(d) for _ in range(5)])
    kendall, spearman = correlations(ranks), correlations(ranks, "spearman")
    for i, j in itertools.product(range(5), repeat=2):
        if d == 1:
            assert kendall[i, j] == spearman[i, j] == 1.0
            continue
        assert kendall[i, j] == pytest.approx(scipy.stats.kendalltau(ranks[i], ranks[j]).statistic, abs=1e-12)
        assert spearman[i, j] == pytest.approx(scipy.stats.spearmanr(ranks[i], ranks[j]).statistic, abs=1e-12)
    pairs = [kendall[i, j] for i, j in itertools.combinations(range(5), 2)]
    assert mean_correlation(ranks) == pytest.approx(sum(pairs) / len(pairs))
