"""How large a difference is: intervals and effect sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fsbench.stats.paired import TestName, differences
from fsbench.stats.signed import fewest_pairs, null_distribution
from fsbench.values import FloatArray, IntArray

__all__ = ["Interval", "cohen_d", "mean_interval", "shift_interval"]


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its confidence interval.

    Parameters
    ----------
    estimate, low, high : float or None
        None where there is too little to say anything.
    reason : str, default ""
        Why the bounds are None.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


def mean_interval(
    name: TestName,
    first: Sequence[float] | FloatArray,
    second: Sequence[float] | FloatArray,
    n_train: Sequence[int] | IntArray,
    n_test: Sequence[int] | IntArray,
    level: float = 0.05,
) -> Interval:
    """Return the mean difference on the folds of a data set and its interval, the one that the test inverts.

    Parameters
    ----------
    name : {"paired", "corrected"}
        Whether the variance of the mean is ``s**2 / n`` or ``(1 / n + n_test / n_train) * s**2``.
    first, second : array_like of shape (n,)
        The measure on each fold.
    n_train, n_test : array_like of shape (n,)
        Rows in each part; see `corrected_t`.
    level : float, default 0.05
        The interval holds the mean with confidence ``1 - level``; it leaves out zero just where p is below `level`.

    Returns
    -------
    Interval
        Of no width if all differences are equal; without bounds for fewer than two folds.

    Examples
    --------
    >>> found = mean_interval("paired", [0.9, 0.8, 0.7], [0.8, 0.6, 0.4], [2] * 3, [1] * 3)
    >>> round(found.low, 4), round(found.high, 4)
    (-0.0484, 0.4484)
    """
    from scipy.special import stdtrit

    found = differences(first, second)
    n = len(found)
    if n < 2:
        few = "one fold" if n else "no folds"
        return Interval(float(found[0]) if n else None, reason=f"{few}: an interval needs two or more")
    mean, trained = float(found.mean()), float(np.sum(n_train))
    if name == "corrected" and trained <= 0:
        return Interval(mean, reason="no training rows")
    ratio = float(np.sum(n_test)) / trained if name == "corrected" else 0.0
    half = float(stdtrit(n - 1, 1.0 - level / 2.0)) * math.sqrt((1.0 / n + ratio) * float(found.var(ddof=1)))
    return Interval(mean, mean - half, mean + half)


def shift_interval(
    first: Sequence[float] | FloatArray, second: Sequence[float] | FloatArray, level: float = 0.05
) -> Interval:
    """Return the shift between two methods over data sets: Hodges and Lehmann's estimate, and Tukey's interval.

    Parameters
    ----------
    first, second : array_like of shape (n,)
        The measure of each method on each data set.
    level : float, default 0.05
        The interval holds the shift with confidence ``1 - level`` or a little more.

    Returns
    -------
    Interval
        The median of the means of all pairs of differences (each with itself too), and the bounds that belong to the
        signed-rank test; without bounds for too few data sets, see `fewest_pairs`.

    References
    ----------
    Hollander, M., Wolfe, D. A. (1999). Nonparametric Statistical Methods, 2nd ed., sections 3.2 and 3.3.

    Examples
    --------
    >>> shift_interval([1, 2, 3, 4, 5, 6, 7], [0, 0, 0, 0, 0, 0, 0])
    Interval(estimate=4.0, low=2.0, high=6.0, reason='')
    """
    found = differences(first, second)
    n = len(found)
    if not n:
        return Interval(None, reason="no data sets")
    upper = np.triu_indices(n)
    walsh = np.sort(np.add.outer(found, found)[upper] / 2.0)
    estimate = float(np.median(walsh))
    if n < fewest_pairs(level):
        few = f"{n} data set{'s' * (n != 1)}"
        return Interval(estimate, reason=f"{few}: at {100 * level:g} % an interval needs {fewest_pairs(level)} or more")
    below = np.cumsum(null_distribution(np.arange(1.0, n + 1.0))[::2])
    # The largest c with P(T < c) <= level / 2; the c-th smallest and largest means are the bounds.
    c = int(np.searchsorted(below, level / 2.0, side="right"))
    return Interval(estimate, float(walsh[c - 1]), float(walsh[-c]))


def cohen_d(first: Sequence[float] | FloatArray, second: Sequence[float] | FloatArray) -> float | None:
    """Return Cohen's d for paired values, ``d_z = mean / s`` of the differences.

    Parameters
    ----------
    first, second : array_like of shape (n,)
        The measure on each fold.

    Returns
    -------
    float or None
        0 if all differences are zero, infinite if all are equal and not zero, None for fewer than two.

    References
    ----------
    Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences, 2nd ed., section 2.3.5.

    Examples
    --------
    >>> cohen_d([3, 4, 5], [1, 1, 1])
    3.0
    """
    found = differences(first, second)
    if len(found) < 2:
        return None
    mean = float(found.mean())
    if np.ptp(found) <= 1e-12 * float(np.abs(found).max()):
        return math.copysign(math.inf, mean) if mean else 0.0
    return mean / float(found.std(ddof=1))
