"""The factors of naive Bayes for test rows, F[column, class, test row], and by what each may be off.

The density of a rounded value is the normal area over one step of the grid, divided by the step.
"""

from __future__ import annotations

import math

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.naive_bayes_normal import normal_cdf
from fsbench.values import FloatArray, IntArray

__all__ = ["FLOOR", "nominal_factors", "normal_factors"]

FLOOR = 1e-75  # no factor is smaller


@jit_bare
def log_ratio(low: float, high: float, least: float) -> float:
    """Return at least the logarithm of high over low, neither taken below `least`."""
    low = max(low, least)
    if high <= low:
        return 0.0
    return high / low - 1.0 if high < 1.5 * low else math.log(high / low)


@jit_bare
def log_doubt(
    least: float, lower: float, upper: float, below: float, above: float, shift: float, stretch: float
) -> float:
    """Bound the log of the factor by which max(least, upper - lower) may be off, both ways together.

    Parameters
    ----------
    least : float
        No area counts less.
    lower, upper : float
        The areas below the two ends.
    below, above : float
        The two ends in standard deviations.
    shift, stretch : float
        Error of the mean in standard deviations, and relative error of the deviation.

    Returns
    -------
    float
        1e9 where nothing useful can be said.

    Notes
    -----
    With E[.] the mean over the normal density between the ends, the derivative of ln(upper - lower) by the mean is
    E[z] / sd, that by ln sd is E[z^2] - 1. The rounding of the two areas comes on top.
    """
    z = max(abs(below), abs(above))
    move = 1.1 * (shift + z * stretch)
    if below - move > 8.5:
        return 0.0  # both areas are exactly 1
    if above + move < -8.5 and 1.01 * normal_cdf(above + move) <= least:
        return 0.0
    relative = 2.0 * (z * shift + max(z * z, 1.0) * stretch)
    if relative > 0.1:
        return 1e9
    if below > 4.5:
        # 1 minus a small area is mostly the same double for every area within its error.
        share = (z + 1.0) * move + 1e-14
        near, far = normal_cdf(-below), normal_cdf(-above)
        low = (1.0 - far * (1.0 + share)) - (1.0 - near * (1.0 - share))
        high = (1.0 - far * (1.0 - share)) - (1.0 - near * (1.0 + share))
        return log_ratio(low, high, least)
    if below > 1.0:
        rounding = 2.3e-16 + 4e-15 * (2.0 - upper - lower)
    else:
        rounding = 4e-15 * (upper + lower) * (1.0 + 0.02 * z * z)
    p = upper - lower
    return log_ratio(p * (1.0 - relative) - rounding, p * (1.0 + relative) + rounding, least)


@jit
def normal_factors(
    XT: FloatArray,
    columns: IntArray,
    rows: IntArray,
    delta: FloatArray,
    mean: FloatArray,
    sd: FloatArray,
    mean_error: FloatArray,
    sd_error: FloatArray,
    places: IntArray,
    F: FloatArray,
    doubt: FloatArray,
) -> None:
    """Fill F[places[f], :, i] with the factors of numeric columns for the given rows; 1 where a value is missing.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
        Numeric features.
    rows : ndarray of shape (n_test,)
    delta, mean, sd, mean_error, sd_error : ndarray of shape (M,) or (M, n_classes)
        As from `fit_normals`; the errors are not read if `doubt` is empty.
    places : ndarray of shape (M,)
        Where each column's factors go.
    F : ndarray of shape (n_columns, n_classes, n_test)
    doubt : ndarray of shape (n_columns, n_classes, n_test) or (0, 0, 0)
        All ones; filled likewise by what a factor may be off, see `log_doubt`.
    """
    careful = len(doubt) > 0
    for f in range(len(columns)):
        column, step, half, place = XT[columns[f]], delta[f], delta[f] / 2.0, places[f]
        for i in range(len(rows)):
            x = column[rows[i]]
            if x != x:
                F[place, :, i] = 1.0
                continue
            x = np.rint(x / step) * step
            for c in range(mean.shape[1]):
                d = x - mean[f, c]
                below, above = (d - half) / sd[f, c], (d + half) / sd[f, c]
                lower, upper = normal_cdf(below), normal_cdf(above)
                F[place, c, i] = max(FLOOR, (upper - lower) / step)
                if careful and sd_error[f, c] > 0.0:
                    shift = mean_error[f, c] / sd[f, c]
                    off = log_doubt(FLOOR * step, lower, upper, below, above, shift, sd_error[f, c])
                    if off > 0.0:
                        doubt[place, c, i] = math.exp(off) + 1e-15 if off < 700.0 else np.inf


@jit
def nominal_factors(
    XT: FloatArray, columns: IntArray, rows: IntArray, counts: FloatArray, places: IntArray, F: FloatArray
) -> None:
    """Fill F[places[f], :, i] with the factors of nominal columns for the given rows; 1 where a value is missing.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
        Nominal features.
    rows : ndarray of shape (n_test,)
    counts : ndarray of shape (M, most labels, n_classes)
        As from `fit_counts`.
    places : ndarray of shape (M,)
        Where each column's factors go.
    F : ndarray of shape (n_columns, n_classes, n_test)
    """
    for f in range(len(columns)):
        column, table = XT[columns[f]], F[places[f]]
        for c in range(counts.shape[2]):
            for i in range(len(rows)):
                x = column[rows[i]]
                table[c, i] = max(FLOOR, counts[f, int(x), c]) if x == x else 1.0
