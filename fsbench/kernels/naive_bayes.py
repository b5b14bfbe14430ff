"""Naive Bayes with rounded normal densities (John and Langley 1995, as Weka computes them): factors and their products.

Every numeric column has a precision `delta`; values are rounded to its multiples, and the density of a value is the
normal area over one step of the grid, divided by the step. All factors of a split stand in one table,
F[column, test row, class]: any ranking of the columns only multiplies along its own order.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit
from fsbench.kernels.naive_bayes_normal import normal_cdf
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["column_steps", "fit_counts", "fit_normals", "nominal_factors", "normal_factors", "sweep"]

FLOOR = 1e-75  # no factor is smaller; products below it are lifted by its reciprocal
CEILING = 1e150  # products above it are lowered by a power of two, which changes no bits; Weka lets them overflow
LOWER = 2.0**-500


@jit
def column_steps(XT: FloatArray, columns: IntArray, orders: npt.NDArray[np.int32], inside: BoolArray) -> FloatArray:
    """Return the precision of each numeric column: the mean gap between successive distinct training values.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
        Numeric features.
    orders : ndarray of shape (n_features, n_rows)
        Rows sorted by each feature's value, missing ones last.
    inside : ndarray of shape (n_rows,)
        Which rows train.

    Returns
    -------
    ndarray of shape (M,)
        0.01 for a column with fewer than two distinct values. The gaps are added one after the other.
    """
    delta = np.full(len(columns), 0.01)
    for f in range(len(columns)):
        column, order = XT[columns[f]], orders[columns[f]]
        last, total, gaps = np.nan, 0.0, 0
        for j in range(len(order)):
            i = order[j]
            if not inside[i]:
                continue
            x = column[i]
            if x != x:
                break
            if last == last and x != last:
                total += x - last
                gaps += 1
            last = x
        if gaps > 0:
            delta[f] = total / gaps
    return delta


@jit
def last_spread(column: FloatArray, rows: IntArray, y: IntArray, c: int, step: float) -> float:
    """Return the last standard deviation above 1e-10 that arises while the values of class c are added, or 0."""
    n = s = s2 = last = 0.0
    for i in rows:
        x = column[i]
        if x == x and y[i] == c:
            x = np.rint(x / step) * step
            n, s, s2 = n + 1.0, s + x, s2 + x * x
            spread = math.sqrt(abs(s2 - s / n * s) / n)
            if spread > 1e-10:
                last = spread
    return last


@jit
def fit_normals(
    XT: FloatArray, columns: IntArray, rows: IntArray, y: IntArray, n_classes: int, delta: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return mean and standard deviation of each numeric column in each class, from the rounded values.

    Parameters
    ----------
    rows : ndarray of shape (n_train,)
        In the order in which they are added up.

    Returns
    -------
    mean, sd : ndarray of shape (M, n_classes)
        The deviation is at least a sixth of the precision, and exactly that where it vanishes.
    mean_error, sd_error : ndarray of shape (M, n_classes)
        How much the mean (absolute) and the deviation (relative) can change if rows are added in another order.

    Notes
    -----
    A sum of n numbers is off by at most n u times the sum of their magnitudes, u = 1.1e-16, in any order; two
    orders differ by twice that. Sums of integers below 2^53 are exact.
    """
    mean, sd = np.zeros((len(columns), n_classes)), np.empty((len(columns), n_classes))
    mean_error, sd_error = np.zeros((len(columns), n_classes)), np.zeros((len(columns), n_classes))
    n, s, s2 = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for f in range(len(columns)):
        column, step, whole = XT[columns[f]], delta[f], True
        n[:] = 0.0
        s[:] = 0.0
        s2[:] = 0.0
        for i in rows:
            x = column[i]
            if x == x:
                c, x = y[i], np.rint(x / step) * step
                n[c] += 1.0
                s[c] += x
                s2[c] += x * x
                whole &= x == np.rint(x)
        for c in range(n_classes):
            least = step / 6.0
            sd[f, c] = least
            if n[c] == 0.0:
                continue
            mean[f, c] = s[c] / n[c]
            squares = abs(s2[c] - mean[f, c] * s[c])
            share = 2.5e-16 * n[c] + 1e-15
            noise = 3.0 * share * s2[c]
            if math.sqrt(squares / n[c]) > 1e-10:
                sd[f, c] = max(math.sqrt(squares / n[c]), least)
            elif math.sqrt(squares + noise) > least:
                sd[f, c] = max(last_spread(column, rows, y, c, step), least)
            if whole and s2[c] < 9e15:
                continue
            mean_error[f, c] = share * math.sqrt(s2[c] / n[c])
            low, high = max(least, math.sqrt(max(squares - noise, 0.0) / n[c])), math.sqrt((squares + noise) / n[c])
            if low <= 1.1e-10:
                low, high = least, math.sqrt(squares + 3.0 * noise)
            sd_error[f, c] = max(high - low, 0.0) / low + 1e-15
    return mean, sd, mean_error, sd_error


@jit
def fit_counts(
    XT: FloatArray, columns: IntArray, rows: IntArray, y: IntArray, n_classes: int, n_labels: IntArray
) -> FloatArray:
    """Return (count + 1) / (known in class + labels) of each nominal column, label and class.

    Returns
    -------
    ndarray of shape (M, max(n_labels), n_classes)
    """
    widest = 1
    for labels in n_labels:
        widest = max(widest, labels)
    table = np.ones((len(columns), widest, n_classes))
    known = np.empty(n_classes)
    for f in range(len(columns)):
        column = XT[columns[f]]
        known[:] = n_labels[f]
        for i in rows:
            x = column[i]
            if x == x:
                table[f, int(x), y[i]] += 1.0
                known[y[i]] += 1.0
        for label in range(n_labels[f]):
            for c in range(n_classes):
                table[f, label, c] /= known[c]
    return table


@jit
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

    Notes
    -----
    With E[.] the mean over the normal density between the ends, the derivative of ln p by the mean is E[z] / sd,
    that by ln sd is E[z^2] - 1. The rounding of the two areas comes on top.
    """
    z = max(abs(below), abs(above))
    relative = 2.0 * (z * shift + max(z * z, 1.0) * stretch)
    if relative > 0.1:
        return 1e9
    if below > 8.5:
        return 0.0  # both areas are exactly 1
    if below > 1.0:
        rounding = 2.3e-16 + 4e-15 * (2.0 - upper - lower)
    else:
        rounding = 4e-15 * (upper + lower) * (1.0 + 0.02 * z * z)
    p = upper - lower
    high, low = p * (1.0 + relative) + rounding, max(least, p * (1.0 - relative) - rounding)
    if high <= least:
        return 0.0
    return high / low - 1.0 if high < 1.5 * low else math.log(high / low)


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
    """Fill F[places[f], i, :] with the factors of numeric columns for the given rows; 1 where a value is missing.

    `doubt`, if it is not empty, is filled likewise with bounds of the errors of their logarithms, see `log_doubt`.
    """
    careful = len(doubt) > 0
    for f in range(len(columns)):
        column, step, half, place = XT[columns[f]], delta[f], delta[f] / 2.0, places[f]
        for i in range(len(rows)):
            x = column[rows[i]]
            if x != x:
                F[place, i] = 1.0
                continue
            x = np.rint(x / step) * step
            for c in range(mean.shape[1]):
                d = x - mean[f, c]
                below, above = (d - half) / sd[f, c], (d + half) / sd[f, c]
                lower, upper = normal_cdf(below), normal_cdf(above)
                F[place, i, c] = max(FLOOR, (upper - lower) / step)
                if careful and sd_error[f, c] > 0.0:
                    shift = mean_error[f, c] / sd[f, c]
                    doubt[place, i, c] = log_doubt(FLOOR * step, lower, upper, below, above, shift, sd_error[f, c])


@jit
def nominal_factors(
    XT: FloatArray, columns: IntArray, rows: IntArray, counts: FloatArray, places: IntArray, F: FloatArray
) -> None:
    """Fill F[places[f], i, :] with the factors of nominal columns for the given rows; 1 where a value is missing."""
    for f in range(len(columns)):
        column, table = XT[columns[f]], F[places[f]]
        for i in range(len(rows)):
            x = column[rows[i]]
            if x == x:
                for c in range(counts.shape[2]):
                    table[i, c] = max(FLOOR, counts[f, int(x), c])
            else:
                table[i] = 1.0


@jit
def first_largest(p: FloatArray) -> int:
    """Return the first index of the largest probability: of p divided by its sum, which may merge neighbours."""
    best, largest = 0, p[0]
    for c in range(1, len(p)):
        if p[c] > largest:
            best, largest = c, p[c]
    near = largest * (1.0 - 1e-15)
    for c in range(best):
        if p[c] >= near:
            total = 0.0
            for v in p:
                total += v
            for e in range(c, best):
                if p[e] / total == largest / total:
                    return e
            break
    return best


@jit
def is_certain(p: FloatArray, doubt: FloatArray, best: int, steps: int) -> bool:
    """Tell whether class `best` stays the most probable whatever the errors of the products, within their bounds."""
    for c in range(len(p)):
        total = doubt[best] + doubt[c]
        if c == best or total == 0.0:
            continue
        total += 1e-15 * steps
        if total < 1.0:
            if p[c] * (1.0 + 2.0 * total) >= p[best]:  # exp(t) <= 1 + 2 t
                return False
        elif math.log(p[c]) + total >= math.log(p[best]):
            return False
    return True


@jit
def sweep(
    F: FloatArray,
    doubt: FloatArray,
    prior: FloatArray,
    order: IntArray,
    first: int,
    product: FloatArray,
    predicted: IntArray,
    start: int,
) -> None:
    """Multiply the factors along one ranking and enter the class at the prefixes first+1, first+2, ...

    Parameters
    ----------
    F : ndarray of shape (n_columns, n_test, n_classes)
    doubt : ndarray of shape (n_columns, n_test, n_classes) or (0, 0, 0)
        Bounds of the errors of the factors' logarithms; none if empty.
    prior : ndarray of shape (n_classes,)
    order : ndarray of shape (K,)
        Places in F.
    first : int
    product : ndarray of shape (n_test, n_classes)
        Output: the products at the last prefix, not normalised.
    predicted : ndarray of shape (K - first, n_all)
        Output, from column `start` on; -1 where the errors of the factors could decide.
    start : int
    """
    n_test, n_classes = product.shape
    careful = len(doubt) > 0
    doubts = np.zeros((n_test, n_classes))
    for i in range(n_test):
        product[i] = prior
    for p in range(len(order)):
        f = order[p]
        for i in range(n_test):
            largest = 0.0
            for c in range(n_classes):
                product[i, c] *= F[f, i, c]
                largest = max(largest, product[i, c])
            if 0.0 < largest < FLOOR:
                for c in range(n_classes):
                    product[i, c] *= 1e75
            elif largest > CEILING:
                for c in range(n_classes):
                    product[i, c] *= LOWER
            if careful:
                for c in range(n_classes):
                    doubts[i, c] += doubt[f, i, c]
            if p >= first:
                best = first_largest(product[i])
                certain = not careful or is_certain(product[i], doubts[i], best, p + 1)
                predicted[p - first, start + i] = best if certain else -1
