"""Two methods over several data sets: Wilcoxon's signed-rank test and the sign test, both exact where they can be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fsbench.stats.paired import Verdict, differences
from fsbench.values import FloatArray

__all__ = ["SignedTest", "fewest_pairs", "null_distribution", "sign_test", "signed_ranks", "wilcoxon"]

WILCOXON = "Wilcoxon signed-rank"
SIGN = "sign"

# Up to so many differences that are not zero the distribution is counted out; it takes some milliseconds.
_EXACT = 200


@dataclass(frozen=True)
class SignedTest:
    """What a two-sided test over data sets says of the sign of paired differences.

    Parameters
    ----------
    name : str
        The test's name in captions.
    n : int
        Number of data sets.
    positive, negative : float
        Sum of the ranks, or number, of differences above and below zero; zeros count half to each side.
    p_value : float or None
        Two-sided; None when the test was omitted.
    reason : str, default ""
        Why the test was omitted.
    """

    name: str
    n: int
    positive: float
    negative: float
    p_value: float | None
    reason: str = ""

    @property
    def statistic(self) -> float:
        """The smaller of the two sums: Wilcoxon's T."""
        return min(self.positive, self.negative)

    @property
    def effect(self) -> float | None:
        """``(positive - negative) / (positive + negative)``, from -1 to 1; None without data sets.

        Of a signed-rank test this is the matched-pairs rank-biserial correlation (Kerby 2014).
        """
        total = self.positive + self.negative
        return (self.positive - self.negative) / total if total else None

    def verdict(self, level: float = 0.05, higher_is_better: bool = True) -> Verdict:
        """Say whether the first method is significantly better, worse, or neither; see `PairedTest.verdict`."""
        if self.p_value is None:
            return "omitted"
        if self.p_value >= level or self.positive == self.negative:
            return "equal"
        return "better" if (self.positive > self.negative) == higher_is_better else "worse"


def fewest_pairs(level: float) -> int:
    """Return how many data sets a two-sided test of signs needs to be able to reach a level: ``2 / 2**n < level``.

    Examples
    --------
    >>> fewest_pairs(0.05), fewest_pairs(0.10), fewest_pairs(0.01)
    (6, 5, 8)
    """
    return math.floor(math.log2(2.0 / level)) + 1


def wilcoxon(
    first: Sequence[float] | FloatArray, second: Sequence[float] | FloatArray, level: float = 0.05
) -> SignedTest:
    """Test by Wilcoxon's signed ranks whether two methods differ over data sets.

    Parameters
    ----------
    first, second : array_like of shape (n,)
        The measure of each method on each data set, in the same order.
    level : float, default 0.05
        Decides how few data sets are too few.

    Returns
    -------
    SignedTest
        The positive sum is that of data sets on which the first is larger.

    Notes
    -----
    Ranks are those of the absolute differences, zeros among them, ties at their mean rank. The ranks of zeros are
    split evenly between the sums (Demsar 2006, section 3.1.3), and the distribution under the null hypothesis gives
    each other rank a random sign (Pratt 1959); it is counted out for up to 200 differences that are not zero, and
    is the normal one with the same mean and variance beyond. Differences by rounding only count as zero. If all are
    zero p is 1. With fewer data sets than could ever reach the level (`fewest_pairs`) the test is omitted.

    References
    ----------
    Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank procedures. JASA 54, 655-667.

    Examples
    --------
    >>> test = wilcoxon([0.8, 0.9, 0.7, 0.6, 0.9, 0.8, 0.7], [0.7, 0.7, 0.4, 0.65, 0.5, 0.3, 0.1])
    >>> test.positive, test.negative, test.p_value
    (27.0, 1.0, 0.03125)
    """
    found = differences(first, second)
    ranks = signed_ranks(found)
    zeros = float(np.abs(ranks[found == 0]).sum()) / 2.0
    positive = float(ranks[found > 0].sum()) + zeros
    negative = float(-ranks[found < 0].sum()) + zeros
    reason = _too_few(len(found), level)
    p_value = None if reason else _two_sided(np.abs(ranks[found != 0]), min(positive, negative) - zeros)
    return SignedTest(WILCOXON, len(found), positive, negative, p_value, reason)


def sign_test(
    first: Sequence[float] | FloatArray, second: Sequence[float] | FloatArray, level: float = 0.05
) -> SignedTest:
    """Test by the number of data sets won whether two methods differ.

    Parameters
    ----------
    first, second : array_like of shape (n,)
        The measure of each method on each data set, in the same order.
    level : float, default 0.05
        Decides how few data sets are too few.

    Returns
    -------
    SignedTest
        Its p comes from the binomial distribution of the wins of the weaker method.

    Notes
    -----
    Ties are split evenly between the methods, an odd one is left out of the count (Demsar 2006, section 3.1.4): equal
    results speak for the null hypothesis. `positive` and `negative` show half of an odd one on each side.

    Examples
    --------
    >>> sign_test([3, 4, 5, 6, 7, 8, 9, 1], [1, 1, 1, 1, 1, 1, 1, 1]).p_value
    0.015625
    """
    found = differences(first, second)
    wins, losses = int((found > 0).sum()), int((found < 0).sum())
    ties = len(found) - wins - losses
    reason = _too_few(len(found), level)
    p_value = None if reason else _binomial(min(wins, losses) + ties // 2, len(found) - ties % 2)
    return SignedTest(SIGN, len(found), wins + ties / 2.0, losses + ties / 2.0, p_value, reason)


def signed_ranks(found: FloatArray) -> FloatArray:
    """Return the mean ranks of the absolute differences with their signs; zeros keep theirs positive."""
    from scipy.stats import rankdata

    # What differs by rounding only is tied: 0.9 - 0.8 and 0.3 - 0.2 are one difference on paper.
    ranks: FloatArray = rankdata(np.round(np.abs(found), 10))
    return np.where(found < 0, -ranks, ranks)


def null_distribution(ranks: FloatArray) -> FloatArray:
    """Return the probability of each sum of the positive ranks, in steps of a half, if every sign is a coin's.

    Parameters
    ----------
    ranks : ndarray of shape (m,)
        Whole or half numbers.

    Returns
    -------
    ndarray of shape (2 * sum + 1,)

    Examples
    --------
    >>> null_distribution(np.array([1.0, 2.0]))
    array([0.25, 0.  , 0.25, 0.  , 0.25, 0.  , 0.25])
    """
    steps = np.rint(2.0 * ranks).astype(np.int64)
    chance = np.zeros(int(steps.sum()) + 1)
    chance[0] = 1.0
    for step in steps:
        moved = np.concatenate([np.zeros(step), chance[: len(chance) - step]])
        chance = 0.5 * (chance + moved)
    return chance


def _two_sided(ranks: FloatArray, smaller: float) -> float:
    """Return the chance of a sum as far from its mean as the smaller one."""
    if not len(ranks):
        return 1.0
    if len(ranks) <= _EXACT:
        lower = float(null_distribution(ranks)[: round(2.0 * smaller) + 1].sum())
        return min(1.0, 2.0 * lower)
    from scipy.special import ndtr

    z = (smaller - ranks.sum() / 2.0) / math.sqrt(float((ranks**2).sum()) / 4.0)
    return float(2.0 * ndtr(-abs(z)))


def _binomial(fewer: int, n: int) -> float:
    from scipy.special import bdtr

    return min(1.0, 2.0 * float(bdtr(fewer, n, 0.5)))


def _too_few(n: int, level: float) -> str:
    least = fewest_pairs(level)
    if n >= least:
        return ""
    return f"{n or 'no'} data set{'s' * (n != 1)}: at {100 * level:g} % the test needs {least} or more"
