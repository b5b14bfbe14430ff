"""Paired tests against scipy, against numbers worked by hand, and at their edges."""

import math

import numpy as np
import pytest
import scipy.stats

from fsbench.stats import compare, corrected_t, paired_t


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n", [2, 5, 10, 100])
def test_paired_t_equals_scipy(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    b = a + rng.normal(0.02, 0.05, n)
    ours, theirs = paired_t(a, b), scipy.stats.ttest_rel(a, b)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_paired_t_by_hand() -> None:
    # Differences 1, 2, 3, 4: mean 2.5, s**2 = 5/3, t = 2.5 / sqrt(5/12) = 3.87298; with 3 degrees of freedom the
    # distribution is closed: P(|T| > t) = 1 - 2/pi * (atan(t/sqrt 3) + sqrt(3) t / (t**2 + 3)).
    test = paired_t([1, 2, 3, 4], [0, 0, 0, 0])
    t = 2.5 / math.sqrt(5 / 12)
    assert test.statistic == pytest.approx(t, rel=1e-12)
    p = 1 - 2 / math.pi * (math.atan(t / math.sqrt(3)) + math.sqrt(3) * t / (t * t + 3))
    assert test.p_value == pytest.approx(p, rel=1e-9)


def test_corrected_t_by_hand() -> None:
    # 10-fold: the factor is 1/10 + 1/9 instead of 1/10, so t shrinks by sqrt((1/10) / (1/10 + 1/9)).
    rng = np.random.default_rng(3)
    a, b = rng.random(10), rng.random(10)
    plain, corrected = paired_t(a, b), corrected_t(a, b, [90] * 10, [10] * 10)
    shrink = math.sqrt(0.1 / (0.1 + 1 / 9))
    assert corrected.statistic == pytest.approx(plain.statistic * shrink, rel=1e-12)
    assert corrected.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(corrected.statistic), 9), rel=1e-9)
    assert corrected.p_value > plain.p_value


def test_unequal_folds_enter_by_their_sums() -> None:
    # 150 rows, 4 folds of 38, 38, 37, 37: tests sum to 150 and trainings to 450, whatever the folds.
    a, b = [0.9, 0.8, 0.7, 0.9], [0.8, 0.8, 0.6, 0.7]
    uneven = corrected_t(a, b, [112, 112, 113, 113], [38, 38, 37, 37])
    even = corrected_t(a, b, [3, 3, 3, 3], [1, 1, 1, 1])
    assert uneven.statistic == pytest.approx(even.statistic, rel=1e-12)


def test_identical_methods_do_not_differ() -> None:
    a = [14 / 15, 13 / 15, 1.0]
    for test in (paired_t(a, a), corrected_t(a, a, [30] * 3, [15] * 3)):
        assert (test.mean, test.statistic, test.p_value) == (0.0, 0.0, 1.0)
        assert test.verdict() == "equal"


@pytest.mark.parametrize("sign", [1, -1])
def test_constant_difference_is_certain(sign: int) -> None:
    # 0.1 + 0.2 style rounding leaves differences that are equal on paper and not in binary.
    b = np.array([0.1, 0.2, 0.3, 0.7])
    test = paired_t(b + sign * 0.1, b)
    assert test.p_value == 0.0
    assert test.statistic == sign * math.inf
    assert test.verdict() == ("better" if sign > 0 else "worse")
    assert test.verdict(higher_is_better=False) == ("worse" if sign > 0 else "better")


def test_rounding_noise_is_no_difference() -> None:
    a = np.array([0.1 + 0.2, 0.7, 0.9])
    b = np.array([0.3, 0.7, 0.9])
    assert a[0] != b[0]
    assert paired_t(a, b).p_value == 1.0


@pytest.mark.parametrize(("values", "words"), [([0.9], "one fold"), ([], "no folds")])
def test_too_few_folds_omit_the_test(values: list[float], words: str) -> None:
    n = len(values)
    for name in ("paired", "corrected"):
        test = compare(name, values, [0.5] * n, [10] * n, [5] * n)
        assert test.p_value is None
        assert test.statistic is None
        assert test.verdict() == "omitted"
        assert test.reason == f"{words}: a paired test needs two or more"


def test_level_decides() -> None:
    test = paired_t([0.9, 0.8, 0.7], [0.8, 0.6, 0.4])
    assert test.p_value == pytest.approx(0.0742, abs=1e-4)
    assert test.verdict(0.05) == "equal"
    assert test.verdict(0.10) == "better"


def test_bad_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        paired_t([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="finite"):
        paired_t([1, math.nan], [1, 2])
