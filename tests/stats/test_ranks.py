"""Friedman and what follows it, against Demsar's tables, R's example and other implementations (SOURCES.md)."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from fsbench.stats import against_control, average_ranks, cliques, critical_difference, friedman, nemenyi
from tests.stats.examples import DEMSAR, DEMSAR_RANKS, ROUNDING

# Demsar (2006), Table 5 a: k = 2 to 10.
NEMENYI = {
    0.05: (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164),
    0.10: (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920),
}


def test_average_ranks_of_demsar() -> None:
    assert average_ranks(DEMSAR) == pytest.approx(DEMSAR_RANKS, abs=5e-4)
    assert average_ranks(-DEMSAR, higher_is_better=False) == pytest.approx(DEMSAR_RANKS, abs=5e-4)


def test_friedman_of_demsar() -> None:
    # He prints 9.28 and 3.69 by the formula without ties; the correction divides by the ties of five sets.
    test = friedman(DEMSAR)
    n, k = DEMSAR.shape
    plain = 12 * n / (k * (k + 1)) * (sum(r**2 for r in average_ranks(DEMSAR)) - k * (k + 1) ** 2 / 4)
    assert plain == pytest.approx(9.28, abs=0.01)
    assert (n - 1) * plain / (n * (k - 1) - plain) == pytest.approx(3.69, abs=0.005)
    ties = sum(count**3 - count for row in DEMSAR for count in np.unique(row, return_counts=True)[1])
    assert test.chi_squared == pytest.approx(plain / (1 - ties / (n * (k**3 - k))), rel=1e-12)
    assert test.chi_squared == pytest.approx(scipy.stats.friedmanchisquare(*DEMSAR.T).statistic, rel=1e-12)


def test_without_ties_it_is_demsars_formula() -> None:
    rng = np.random.default_rng(5)
    values = rng.random((14, 4))
    test = friedman(values)
    plain = 12 * 14 / 20 * (sum(r**2 for r in average_ranks(values)) - 25)
    assert test.chi_squared == pytest.approx(plain, rel=1e-12)
    f = 13 * plain / (14 * 3 - plain)
    assert test.statistic == pytest.approx(f, rel=1e-12)
    assert test.p_value == pytest.approx(scipy.stats.f.sf(f, 3, 39), rel=1e-9)


def test_friedman_of_r() -> None:
    # R: Friedman chi-squared = 11.143, df = 2, p-value = 0.003805
    test = friedman(ROUNDING)
    assert test.chi_squared == pytest.approx(11.143, abs=5e-4)
    assert test.chi_p == pytest.approx(0.003805, abs=5e-7)


@pytest.mark.parametrize("seed", range(20))
def test_friedman_equals_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 6, (int(rng.integers(4, 30)), int(rng.integers(3, 9)))).astype(float)
    ours, theirs = friedman(values), scipy.stats.friedmanchisquare(*values.T)
    assert ours.chi_squared == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.chi_p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_friedman_equals_autorank() -> None:
    autorank = pytest.importorskip("autorank")
    # Pearson's tests for normality must not make it choose another test.
    result = autorank.autorank(pd.DataFrame(DEMSAR, columns=list("abcd")), force_mode="nonparametric")
    assert result.omnibus == "friedman"
    assert friedman(DEMSAR).chi_p == pytest.approx(result.pvalue, rel=1e-6)
    assert critical_difference(4, 14) == pytest.approx(result.cd, abs=2e-3)
    ranks = dict(zip("abcd", average_ranks(DEMSAR), strict=True))
    assert {name: ranks[name] for name in result.rankdf.index} == pytest.approx(dict(result.rankdf["meanrank"]))


@pytest.mark.parametrize("level", NEMENYI)
def test_critical_values_of_demsar(level: float) -> None:
    for k, q in enumerate(NEMENYI[level], start=2):
        # He divides a printed table of the studentized range by sqrt(2): 2.343 for 2.3437, one unit in the last place.
        assert critical_difference(k, 1, level) * math.sqrt(6 / (k * (k + 1))) == pytest.approx(q, abs=1e-3)


def test_critical_differences_of_demsar() -> None:
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


def test_a_hundred_methods_have_a_critical_difference() -> None:
    assert critical_difference(100, 20) == pytest.approx(4.302488 * math.sqrt(100 * 101 / 120), rel=1e-5)


def test_nemenyi_equals_scikit_posthocs() -> None:
    peer = pytest.importorskip("scikit_posthocs")
    for seed in range(5):
        values = np.random.default_rng(seed).random((12, 5))
        theirs = peer.posthoc_nemenyi_friedman(values).to_numpy()
        ours = nemenyi(average_ranks(values), 12)
        # It interpolates the studentized range; scipy integrates it.
        assert ours == pytest.approx(theirs, abs=2e-3)


def test_nemenyi_turns_significant_at_the_critical_difference() -> None:
    cd = critical_difference(4, 14, 0.05)
    assert nemenyi([1.0, 1.0 + cd, 2.0, 3.0], 14)[0, 1] == pytest.approx(0.05, abs=1e-6)


def test_control_of_demsar() -> None:
    # Section 3.2.2, C4.5 as the control: z = 2.416, 2.342, 0.512, p = 0.016, 0.019, 0.607; Holm rejects the first two
    # at 5 % (0.016 < 0.017, 0.019 < 0.025).
    found = against_control(DEMSAR_RANKS, 14, 0)
    assert found[0] is None
    named = {"m": found[1], "cf": found[2], "m+cf": found[3]}
    # He works with the standard error 0.488.
    for name, z, p in (("m+cf", 2.416, 0.016), ("m", 2.342, 0.019), ("cf", 0.512, 0.607)):
        assert -named[name].z == pytest.approx(z, abs=5e-3)
        assert named[name].p_value == pytest.approx(p, abs=2e-3)
    assert [named[name].adjusted < 0.05 for name in ("m+cf", "m", "cf")] == [True, True, False]


def test_cliques_are_the_bars_of_the_diagram() -> None:
    # At 10 % (1.12) C4.5 is apart from C4.5+m+cf and C4.5+m; C4.5+cf is joined to all.
    assert cliques(DEMSAR_RANKS, critical_difference(4, 14, 0.10)) == [(3, 1, 2), (2, 0)]
    assert cliques([1.0, 2.0, 3.0], 0.5) == []
    assert cliques([2.0, 2.0, 2.0], 0.5) == [(0, 1, 2)]


def test_equal_methods_do_not_differ() -> None:
    test = friedman(np.full((8, 3), 0.5))
    assert (test.chi_squared, test.statistic, test.p_value) == (0.0, 0.0, 1.0)


def test_one_order_everywhere_has_the_chance_of_that() -> None:
    test = friedman(np.tile([0.9, 0.8, 0.7], (4, 1)))
    assert test.statistic == math.inf
    assert test.p_value == pytest.approx(1 / 6**3)
    tied = friedman(np.tile([0.9, 0.8, 0.8], (5, 1)))
    assert tied.p_value == pytest.approx(1 / 3**4)
    assert friedman(np.tile(np.arange(300.0), (3, 1))).p_value == 0.0


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        ((9, 2), "2 methods: Friedman's test needs three or more"),
        ((9, 1), "1 method: Friedman's test needs three or more"),
        ((2, 3), "2 data sets: too few for Friedman's test of 3 methods at 5 %"),
        ((1, 5), "1 data set: too few for Friedman's test of 5 methods at 5 %"),
        ((0, 3), "no data sets: too few for Friedman's test of 3 methods at 5 %"),
    ],
)
def test_too_little_omits_the_test(shape: tuple[int, int], reason: str) -> None:
    test = friedman(np.random.default_rng(0).random(shape))
    assert (test.p_value, test.reason) == (None, reason)
    assert friedman(np.random.default_rng(0).random((3, 3))).p_value is not None
