"""Two methods on the same folds: the paired t test of the papers, and the one that survives review."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fsbench.values import FloatArray, IntArray

__all__ = ["TESTS", "PairedTest", "TestName", "Verdict", "compare", "corrected_t", "differences", "paired_t"]

Verdict = Literal["better", "equal", "worse", "omitted"]
TestName = Literal["paired", "corrected"]

TESTS: dict[TestName, str] = {"paired": "paired t", "corrected": "corrected resampled t"}

# Differences of accuracies that are equal on paper differ by a few units in the last place; this is far above that
# and far below what one row of the largest data set can change.
_SAME = 1e-12


@dataclass(frozen=True)
class PairedTest:
    """What a two-sided test says of the mean of paired differences.

    Parameters
    ----------
    name : str
        The test's name in captions.
    n : int
        Number of pairs.
    mean : float or None
        Mean difference, first minus second; None without pairs.
    statistic : float or None
        t; infinite when all differences are equal and not zero. None when the test was omitted.
    p_value : float or None
        Two-sided; None when the test was omitted.
    reason : str, default ""
        Why the test was omitted.
    """

    name: str
    n: int
    mean: float | None
    statistic: float | None
    p_value: float | None
    reason: str = ""

    def verdict(self, level: float = 0.05, higher_is_better: bool = True) -> Verdict:
        """Say whether the first method is significantly better, worse, or neither.

        Parameters
        ----------
        level : float, default 0.05
            Largest p that counts as a difference is below this.
        higher_is_better : bool, default True
            Direction of the measure.

        Returns
        -------
        {"better", "equal", "worse", "omitted"}
        """
        if self.p_value is None or self.mean is None:
            return "omitted"
        if self.p_value >= level:
            return "equal"
        return "better" if (self.mean > 0) == higher_is_better else "worse"


def paired_t(first: Sequence[float] | FloatArray, second: Sequence[float] | FloatArray) -> PairedTest:
    """Test the mean difference with the usual paired t: ``t = mean / (s / sqrt(n))``, n - 1 degrees of freedom.

    Parameters
    ----------
    first, second : array_like of shape (n,)
        The measure on each fold, in the same order.

    Returns
    -------
    PairedTest

    Notes
    -----
    Zero variance: if all differences are zero the methods do not differ (t = 0, p = 1); if all are equal and
    not zero, t is infinite with their sign and p = 0. Fewer than two pairs: omitted.

    Examples
    --------
    >>> test = paired_t([0.9, 0.8, 0.7], [0.8, 0.6, 0.4])
    >>> round(test.statistic, 4), round(test.p_value, 4)
    (3.4641, 0.0742)
    >>> paired_t([0.9, 0.8], [0.9, 0.8]).p_value
    1.0
    """
    difference = differences(first, second)
    return _t_test(TESTS["paired"], difference, 1.0 / max(len(difference), 1))


def corrected_t(
    first: Sequence[float] | FloatArray,
    second: Sequence[float] | FloatArray,
    n_train: Sequence[int] | IntArray,
    n_test: Sequence[int] | IntArray,
) -> PairedTest:
    """Test the mean difference with the corrected resampled t of Nadeau and Bengio.

    Training parts overlap, so differences on folds are not independent and the plain t finds too much. The
    correction widens the variance of the mean from ``s**2 / n`` to ``(1 / n + n_test / n_train) * s**2``.

    Parameters
    ----------
    first, second : array_like of shape (n,)
        The measure on each fold of each repeat, in the same order.
    n_train, n_test : array_like of shape (n,)
        Rows in each training and test part. Parts of unequal size enter by their sums, so that k-fold
        cross-validation has the ratio ``1 / (k - 1)`` exactly.

    Returns
    -------
    PairedTest
        With the zero-variance rule of `paired_t`.

    References
    ----------
    Nadeau, C., Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Examples
    --------
    >>> test = corrected_t([0.9, 0.8, 0.7], [0.8, 0.6, 0.4], [2, 2, 2], [1, 1, 1])
    >>> round(test.statistic, 4)
    2.1909
    """
    difference = differences(first, second)
    trained = float(np.sum(n_train))
    if len(difference) and trained <= 0:
        return PairedTest(TESTS["corrected"], len(difference), float(difference.mean()), None, None, "no training rows")
    ratio = float(np.sum(n_test)) / trained if trained else 0.0
    return _t_test(TESTS["corrected"], difference, 1.0 / max(len(difference), 1) + ratio)


def compare(
    name: TestName,
    first: Sequence[float] | FloatArray,
    second: Sequence[float] | FloatArray,
    n_train: Sequence[int] | IntArray,
    n_test: Sequence[int] | IntArray,
) -> PairedTest:
    """Run the test of the given name; see `paired_t` and `corrected_t`."""
    return paired_t(first, second) if name == "paired" else corrected_t(first, second, n_train, n_test)


def differences(first: Sequence[float] | FloatArray, second: Sequence[float] | FloatArray) -> FloatArray:
    """Return first minus second; differences by rounding only are zero.

    Raises
    ------
    ValueError
        Values of two lengths, or not finite.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"paired values must be of one length, found shapes {a.shape} and {b.shape}")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("paired values must be finite")
    difference: FloatArray = a - b
    # Below this the values are equal and differ by rounding only.
    difference[np.abs(difference) <= _SAME * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return difference


def _t_test(name: str, difference: FloatArray, variance_factor: float) -> PairedTest:
    n = len(difference)
    if n < 2:
        found = "one fold" if n else "no folds"
        mean = float(difference[0]) if n else None
        return PairedTest(name, n, mean, None, None, f"{found}: a paired test needs two or more")
    mean = float(difference.mean())
    if np.ptp(difference) <= _SAME * float(np.abs(difference).max()):
        if mean == 0.0:
            return PairedTest(name, n, 0.0, 0.0, 1.0)
        return PairedTest(name, n, mean, math.copysign(math.inf, mean), 0.0)
    t = mean / math.sqrt(variance_factor * float(difference.var(ddof=1)))
    return PairedTest(name, n, mean, t, _two_sided(t, n - 1))


def _two_sided(t: float, df: int) -> float:
    # scipy.special holds the distribution alone and loads several times faster than scipy.stats.
    from scipy.special import stdtr

    return float(2.0 * stdtr(df, -abs(t)))
