"""Signed ranks and signs over data sets, against printed examples and scipy (SOURCES.md)."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from fsbench.stats import shift_interval, sign_test, wilcoxon
from fsbench.stats.signed import fewest_pairs, null_distribution
from tests.stats.examples import DEMSAR, DEPRESSION, FUEL

# Largest count of the rarer sign that is significant at 5 %, two-sided, by the number of signs.
CRITICAL = dict(zip(range(6, 26), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7], strict=True))


def test_r_example() -> None:
    test = wilcoxon(*DEPRESSION)
    assert (test.positive, test.negative) == (40, 5)
    assert test.p_value == pytest.approx(2 * 0.01953125, rel=1e-12)
    assert test.effect == pytest.approx(35 / 45)


def test_demsar_example() -> None:
    test = wilcoxon(DEMSAR[:, 1], DEMSAR[:, 0])
    assert (test.positive, test.negative, test.statistic) == (93, 12, 12)  # his critical value for 14 sets is 21
    assert test.verdict() == "better"
    assert wilcoxon(DEMSAR[:, 0], DEMSAR[:, 1]).verdict() == "worse"


def test_stata_example_with_ties_and_a_zero() -> None:
    test = wilcoxon(*FUEL)
    # Stata prints 13.5 and 63.5 with the zero's rank 1 apart, and the normal p 0.0485.
    assert (test.positive, test.negative) == (14.0, 64.0)
    exact = scipy.stats.wilcoxon(*FUEL, zero_method="pratt", method=scipy.stats.PermutationMethod(n_resamples=2**12))
    assert test.p_value == pytest.approx(exact.pvalue, rel=1e-9)
    z = (13.5 - 38.5) / math.sqrt(160.62)
    assert z == pytest.approx(-1.973, abs=5e-4)
    assert test.p_value == pytest.approx(2 * scipy.stats.norm.cdf(z), abs=0.005)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n", [6, 9, 20, 50])
def test_exact_equals_scipy_without_ties(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    b = a + rng.normal(0.02, 0.1, n)
    theirs = scipy.stats.wilcoxon(a, b, method="exact")
    ours = wilcoxon(a, b)
    assert ours.statistic == theirs.statistic
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_ties_and_zeros_equal_all_permutations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 5, 9).astype(float), rng.integers(0, 4, 9).astype(float)
    ranks = scipy.stats.rankdata(np.abs(a - b))
    moving = [r for r, d in zip(ranks, a - b, strict=True) if d != 0]
    found = sum(np.sign(d) * r for r, d in zip(ranks, a - b, strict=True))
    sums = [
        sum(s * r for s, r in zip(signs, moving, strict=True))
        for signs in itertools.product((-1, 1), repeat=len(moving))
    ]
    p = sum(abs(s) >= abs(found) for s in sums) / len(sums)
    assert wilcoxon(a, b).p_value == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_many_data_sets_take_the_normal_distribution(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 30, 300).astype(float)
    b = a + rng.integers(-4, 6, 300)
    theirs = scipy.stats.wilcoxon(a, b, zero_method="pratt", correction=False, method="asymptotic")
    assert wilcoxon(a, b).p_value == pytest.approx(theirs.pvalue, rel=1e-6)


def test_the_distribution_is_counted_out() -> None:
    # Of ranks 1, 1.5, 1.5 the sums 0, 1, 1.5 (twice), 2.5 (twice), 3, 4.
    chance = null_distribution(np.array([1.0, 1.5, 1.5]))
    assert (chance * 8).tolist() == [1, 0, 1, 2, 0, 2, 1, 0, 1]


def test_identical_results_do_not_differ() -> None:
    same = np.full(8, 0.7)
    for test in (wilcoxon(same, same), sign_test(same, same)):
        assert (test.p_value, test.effect, test.verdict()) == (1.0, 0.0, "equal")


def test_rounding_noise_is_a_tie() -> None:
    a = np.array([0.1 + 0.2, 0.9, 0.4, 0.6, 0.5, 0.8, 0.2])
    b = np.array([0.3, 0.8, 0.3, 0.5, 0.4, 0.7, 0.1])
    test = wilcoxon(a, b)
    # One zero, six differences of 0.1: ranks 1 and six times 4.5.
    assert (test.positive, test.negative) == (27.5, 0.5)
    assert test.p_value == 2 / 2**6


@pytest.mark.parametrize(("level", "least"), [(0.05, 6), (0.1, 6), (0.01, 8), (0.5, 3)])
def test_too_few_data_sets_omit_the_test(level: float, least: int) -> None:
    # 2 / 2**n must be below the level: 2/32 = 0.0625 is not below 0.05, and below 0.1 from five on.
    least = 5 if level == 0.1 else least
    assert fewest_pairs(level) == least
    a, b = np.arange(1.0, least), np.zeros(least - 1)
    for run in (wilcoxon, sign_test):
        test = run(a, b, level)
        assert (test.p_value, test.verdict(level)) == (None, "omitted")
        assert f"the test needs {least} or more" in test.reason
        assert run([*a, 9.0], [*b, 0.0], level).p_value == 2 / 2**least
    assert wilcoxon([], []).reason == "no data sets: at 5 % the test needs 6 or more"
    assert wilcoxon([], []).effect is None


@pytest.mark.parametrize(("n", "fewer"), CRITICAL.items())
def test_sign_test_has_the_critical_values_of_textbooks(n: int, fewer: int) -> None:
    def p(losses: int) -> float:
        return sign_test([1.0] * (n - losses) + [-1.0] * losses, [0.0] * n).p_value

    assert p(fewer) <= 0.05 < p(fewer + 1)
    assert p(fewer) == pytest.approx(scipy.stats.binomtest(fewer, n).pvalue, rel=1e-9)


def test_ties_are_split_and_an_odd_one_left_out() -> None:
    # 6 wins, 1 loss, 3 ties: one to each side, one out: 7 against 2 of 9.
    test = sign_test([1] * 6 + [-1] + [0] * 3, [0] * 10)
    assert test.p_value == pytest.approx(scipy.stats.binomtest(2, 9).pvalue)
    assert (test.positive, test.negative) == (7.5, 2.5)


def test_shift_of_the_r_example() -> None:
    # R: wilcox.test(x, y, paired = TRUE, conf.int = TRUE): (pseudo)median 0.46, 95 percent interval 0.01 to 0.786
    # (Hollander and Wolfe, examples 3.3 and 3.4: estimate -.46, interval (-.786, -.010), after minus before).
    found = shift_interval(*DEPRESSION)
    assert found.estimate == pytest.approx(0.46, abs=5e-4)
    assert (found.low, found.high) == (pytest.approx(0.010, abs=5e-4), pytest.approx(0.786, abs=5e-4))


@pytest.mark.parametrize("seed", range(10))
def test_the_interval_holds_the_shifts_that_the_test_does_not_reject(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = rng.normal(0.3, 1.0, int(rng.integers(6, 15)))
    found = shift_interval(d, np.zeros(len(d)))
    for bound, inwards in ((found.low, 1), (found.high, -1)):
        assert wilcoxon(d, np.full(len(d), bound + inwards * 1e-6)).p_value >= 0.05
        assert wilcoxon(d, np.full(len(d), bound - inwards * 1e-6)).p_value < 0.05


def test_a_shift_without_bounds() -> None:
    assert shift_interval([], []).reason == "no data sets"
    few = shift_interval([1.0, 2.0, 6.0], [0.0] * 3)
    assert (few.estimate, few.low) == (2.75, None)  # of 1, 1.5, 2, 3.5, 4, 6
    assert few.reason == "3 data sets: at 5 % an interval needs 6 or more"
