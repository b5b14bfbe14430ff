"""Several methods over several data sets by their ranks: Friedman's test and what follows it (Demsar 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fsbench.stats.adjust import holm
from fsbench.values import FloatArray

__all__ = [
    "AgainstControl",
    "RankTest",
    "against_control",
    "average_ranks",
    "cliques",
    "critical_difference",
    "friedman",
    "nemenyi",
]


@dataclass(frozen=True)
class RankTest:
    """What Friedman's test says of the average ranks.

    Parameters
    ----------
    n, k : int
        Data sets and methods.
    chi_squared, chi_p : float or None
        Friedman's statistic, corrected for ties, and its p by chi squared with ``k - 1`` degrees of freedom.
    statistic, p_value : float or None
        The statistic of Iman and Davenport and its p by F with ``(k - 1, (k - 1) * (n - 1))`` degrees of freedom.
    reason : str, default ""
        Why the test was omitted.
    """

    n: int
    k: int
    chi_squared: float | None = None
    chi_p: float | None = None
    statistic: float | None = None
    p_value: float | None = None
    reason: str = ""


@dataclass(frozen=True)
class AgainstControl:
    """One method against the control by average ranks.

    Parameters
    ----------
    z : float
        Above zero where the control has the better (smaller) rank.
    p_value, adjusted : float
        Two-sided, as it is and by Holm over all comparisons with the control.
    """

    z: float
    p_value: float
    adjusted: float


def average_ranks(values: FloatArray, higher_is_better: bool = True) -> FloatArray:
    """Return the average rank of each method, 1 the best, ties at their mean rank.

    Parameters
    ----------
    values : ndarray of shape (n, k)
        Data sets by methods. Values that differ by rounding only are tied.
    higher_is_better : bool, default True

    Returns
    -------
    ndarray of shape (k,)

    Examples
    --------
    >>> average_ranks(np.array([[0.9, 0.8, 0.8], [0.7, 0.6, 0.5]]))
    array([1.  , 2.25, 2.75])
    """
    means: FloatArray = _ranks(values, higher_is_better).mean(axis=0)
    return means


def friedman(values: FloatArray, level: float = 0.05) -> RankTest:
    """Test whether the methods' ranks differ over data sets: Friedman, and Iman and Davenport.

    Parameters
    ----------
    values : ndarray of shape (n, k)
        Data sets by methods, complete.
    level : float, default 0.05
        Decides how few data sets are too few.

    Returns
    -------
    RankTest

    Notes
    -----
    The statistic is corrected for ties (Conover 1999), as in R and scipy; Demsar's formula is the same without ties.
    All methods equal on all data sets: chi squared is 0 and p is 1. One order on all data sets: the statistic of Iman
    and Davenport is infinite, and p is the chance of that, ``1 / arrangements**(n - 1)``. Omitted with fewer than
    three methods (two are compared by `wilcoxon` and `sign_test`), and where even one order on all data sets would
    be no rarer than the level.

    References
    ----------
    Iman, R. L., Davenport, J. M. (1980). Approximations of the critical region of the Friedman statistic.
    Communications in Statistics A9, 571-595.

    Examples
    --------
    >>> test = friedman(np.array([[0.9, 0.8, 0.7], [0.9, 0.7, 0.8], [0.6, 0.5, 0.4], [0.8, 0.6, 0.5]]))
    >>> round(test.chi_squared, 2), round(test.statistic, 2), round(test.p_value, 4)
    (6.5, 13.0, 0.0066)
    """
    n, k = values.shape
    if k < 3:
        return RankTest(n, k, reason=f"{k or 'no'} method{'s' * (k != 1)}: Friedman's test needs three or more")
    if n < 2 or (1 - n) * math.lgamma(k + 1) >= math.log(level):
        few = f"{n or 'no'} data set{'s' * (n != 1)}"
        return RankTest(n, k, reason=f"{few}: too few for Friedman's test of {k} methods at {100 * level:g} %")
    from scipy.special import chdtrc, fdtrc

    ranks = _ranks(values, True)
    spread = float(((ranks - (k + 1) / 2.0) ** 2).sum())
    if spread == 0.0:
        return RankTest(n, k, 0.0, 1.0, 0.0, 1.0)
    sums = ranks.sum(axis=0) - n * (k + 1) / 2.0
    chi_squared = (k - 1) * float((sums**2).sum()) / spread
    chi_p, rest = float(chdtrc(k - 1, chi_squared)), n * (k - 1) - chi_squared
    if rest <= 1e-9 * chi_squared:
        return RankTest(n, k, chi_squared, chi_p, math.inf, math.exp((1 - n) * _log_arrangements(ranks[0])))
    statistic = (n - 1) * chi_squared / rest
    return RankTest(n, k, chi_squared, chi_p, statistic, float(fdtrc(k - 1, (k - 1) * (n - 1), statistic)))


def critical_difference(k: int, n: int, level: float = 0.05) -> float:
    """Return Nemenyi's critical difference of average ranks: ``q / sqrt(2) * sqrt(k (k + 1) / (6 n))``.

    Parameters
    ----------
    k, n : int
        Methods (two or more) and data sets.
    level : float, default 0.05
        Of all comparisons together; q is the quantile of the studentized range for infinite degrees of freedom.

    Returns
    -------
    float

    Examples
    --------
    >>> round(critical_difference(4, 14), 2), round(critical_difference(4, 14, 0.1), 2)
    (1.25, 1.12)
    """
    return _quantile(k, level) * _scale(k, n)


def nemenyi(ranks: Sequence[float] | FloatArray, n: int) -> FloatArray:
    """Return Nemenyi's p for every pair of average ranks, adjusted for all pairs by the studentized range.

    Parameters
    ----------
    ranks : array_like of shape (k,)
        Average ranks over `n` data sets.
    n : int

    Returns
    -------
    ndarray of shape (k, k)
        Symmetric, 1 on the diagonal.
    """
    from scipy.stats import studentized_range

    found = np.asarray(ranks, dtype=np.float64)
    k = len(found)
    distance = np.abs(found[:, None] - found[None, :]) / _scale(k, n)
    p_values: FloatArray = studentized_range.sf(distance * math.sqrt(2.0), k, np.inf)
    np.fill_diagonal(p_values, 1.0)
    return np.clip(p_values, 0.0, 1.0)


def against_control(ranks: Sequence[float] | FloatArray, n: int, control: int) -> list[AgainstControl | None]:
    """Compare every method with a control by ``z = (R - R_control) / sqrt(k (k + 1) / (6 n))``, adjusted by Holm.

    Parameters
    ----------
    ranks : array_like of shape (k,)
        Average ranks over `n` data sets.
    n : int
    control : int
        Index of the control.

    Returns
    -------
    list of AgainstControl or None
        None at the control itself.

    Examples
    --------
    >>> found = against_control([3.143, 2.000, 2.893, 1.964], 14, 0)
    >>> [c and (round(c.z, 2), round(c.p_value, 3), round(c.adjusted, 3)) for c in found]
    [None, (-2.34, 0.019, 0.047), (-0.51, 0.608, 0.608), (-2.42, 0.016, 0.047)]
    """
    from scipy.special import ndtr

    z = (np.asarray(ranks, dtype=np.float64) - ranks[control]) / _scale(len(ranks), n)
    p_values: list[float | None] = [float(p) for p in 2.0 * ndtr(-np.abs(z))]
    p_values[control] = None
    return [
        None if p is None or adjusted is None else AgainstControl(float(score), p, adjusted)
        for score, p, adjusted in zip(z, p_values, holm(p_values), strict=True)
    ]


def cliques(ranks: Sequence[float] | FloatArray, distance: float) -> list[tuple[int, ...]]:
    """Return the largest groups of methods whose average ranks are all less than a distance apart.

    Parameters
    ----------
    ranks : array_like of shape (k,)
        In any order.
    distance : float
        The critical difference.

    Returns
    -------
    list of tuple of int
        Indices of two methods or more, best rank first; the bars of a critical-difference diagram.

    Examples
    --------
    >>> cliques([4.0, 1.0, 2.2, 1.5], 1.0)
    [(1, 3), (3, 2)]
    """
    order = [int(i) for i in np.argsort(ranks, kind="stable")]
    found: list[tuple[int, ...]] = []
    end = 0
    for start in range(len(order)):
        last = start
        while last + 1 < len(order) and ranks[order[last + 1]] - ranks[order[start]] < distance:
            last += 1
        if last > start and last > end:
            found.append(tuple(order[start : last + 1]))
            end = last
    return found


def _ranks(values: FloatArray, higher_is_better: bool) -> FloatArray:
    from scipy.stats import rankdata

    # Means of accuracies that are equal on paper may differ in the last bit.
    rounded = np.round(values, 10)
    ranks: FloatArray = rankdata(-rounded if higher_is_better else rounded, axis=1)
    return ranks


def _scale(k: int, n: int) -> float:
    return math.sqrt(k * (k + 1) / (6.0 * n))


@lru_cache(maxsize=256)
def _quantile(k: int, level: float) -> float:
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(1.0 - level, k, np.inf)) / math.sqrt(2.0)


def _log_arrangements(ranks: FloatArray) -> float:
    """Return the logarithm of the number of orders in which a row of ranks can stand, ties being alike."""
    _, counts = np.unique(ranks, return_counts=True)
    return math.lgamma(len(ranks) + 1) - sum(math.lgamma(int(c) + 1) for c in counts)
