"""Naive Bayes with rounded normal densities (John and Langley 1995, as Weka computes them): factors and their products.

Every numeric column has a precision `delta`; values are rounded to its multiples, and the density of a value is the
normal area over one step of the grid, divided by the step. All factors of a split stand in one table,
F[column, class, test row]: any ranking of the columns only multiplies along its own order.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit
from fsbench.kernels.naive_bayes_normal import normal_cdf
from fsbench.kernels.nearest_typed import smaller
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
    orders differ by twice that. Sums of integers below 2^53 are exact, and those of equal numbers have one order.
    """
    mean, sd = np.zeros((len(columns), n_classes)), np.empty((len(columns), n_classes))
    mean_error, sd_error = np.zeros((len(columns), n_classes)), np.zeros((len(columns), n_classes))
    n, s, s2 = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    last, same = np.empty(n_classes), np.empty(n_classes, np.bool_)
    for f in range(len(columns)):
        column, step, whole = XT[columns[f]], delta[f], True
        same[:] = True
        n[:] = 0.0
        s[:] = 0.0
        s2[:] = 0.0
        for i in rows:
            x = column[i]
            if x == x:
                c, x = y[i], np.rint(x / step) * step
                same[c] &= n[c] == 0.0 or x == last[c]
                last[c] = x
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
            if same[c] or (whole and s2[c] < 9e15):
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
def log_ratio(low: float, high: float, least: float) -> float:
    """Return at least the logarithm of high over low, neither taken below `least`."""
    low = max(low, least)
    if high <= low:
        return 0.0
    return high / low - 1.0 if high < 1.5 * low else math.log(high / low)


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

    `doubt`, if it is not empty and full of ones, is filled likewise: by what a factor may be off, see `log_doubt`.
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
    """Fill F[places[f], :, i] with the factors of nominal columns for the given rows; 1 where a value is missing."""
    for f in range(len(columns)):
        column, table = XT[columns[f]], F[places[f]]
        for c in range(counts.shape[2]):
            for i in range(len(rows)):
                x = column[rows[i]]
                table[c, i] = max(FLOOR, counts[f, int(x), c]) if x == x else 1.0


@jit
def first_largest(product: FloatArray, i: int) -> int:
    """Return the first class of the largest probability: of the product over the sum, which may merge neighbours."""
    largest, total = product[0, i], 0.0
    for c in range(len(product)):
        largest = max(largest, product[c, i])
        total += product[c, i]
    for c in range(len(product)):
        if product[c, i] / total == largest / total:
            return c
    return 0


@jit
def multiply(product: FloatArray, factors: FloatArray, top: FloatArray, winner: IntArray) -> None:
    """Multiply the products of all classes and rows by their factors; find the largest of each row and its class."""
    top[:] = 0.0
    winner[:] = 0
    for c in range(len(product)):
        p, f = product[c], factors[c]
        for i in range(len(top)):
            v = p[i] * f[i]
            p[i] = v
            winner[i] = c if v > top[i] else winner[i]
            top[i] = v if v > top[i] else top[i]


@jit
def rescue(product: FloatArray, top: FloatArray, winner: IntArray) -> None:
    """Bring rows whose largest product has become too small or too large back into range."""
    for i in range(len(top)):
        if top[i] < FLOOR or top[i] > CEILING:
            for c in range(len(product)):
                product[c, i] *= 1e75 if top[i] < FLOOR else LOWER
            top[i] *= 1e75 if top[i] < FLOOR else LOWER
            winner[i] = first_largest(product, i)


@jit
def count_rivals(product: FloatArray, top: FloatArray, winner: IntArray) -> int:
    """Count the products of earlier classes than the winner that dividing by the sum may make equal to the largest."""
    rivals = 0
    for c in range(len(product)):
        p = product[c]
        for i in range(len(top)):
            rivals += (p[i] >= top[i] * (1.0 - 1e-15)) & (c < winner[i])
    return rivals


@jit
def mark_undecided(
    product: FloatArray, doubts: FloatArray, top: FloatArray, winner: IntArray, own: FloatArray, steps: int
) -> None:
    """Set the winner of a row to -1 if the errors of the factors, within their bounds, could let another class win."""
    for c in range(len(product)):
        d = doubts[c]
        for i in range(len(top)):
            own[i] = d[i] if winner[i] == c else own[i]
    slack = 1.0 + 1e-15 * steps
    for c in range(len(product)):
        p, d = product[c], doubts[c]
        for i in range(len(top)):
            off = d[i] * own[i]
            # a product that has vanished counts a little: 0 times an unbounded error is no number
            rival = (winner[i] != c) & (off > 1.0) & ((p[i] + 1e-300) * off * slack >= top[i])
            winner[i] = -1 if rival else winner[i]


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
    F : ndarray of shape (n_columns, n_classes, n_test)
    doubt : ndarray of shape (n_columns, n_classes, n_test) or (0, 0, 0)
        By what each factor may be off; not at all if empty.
    prior : ndarray of shape (n_classes,)
    order : ndarray of shape (K,)
        Places in F.
    first : int
    product : ndarray of shape (n_classes, n_test)
        Output: the products at the last prefix, not normalised.
    predicted : ndarray of shape (K - first, n_all)
        Output, from column `start` on; -1 where the errors of the factors could decide.
    start : int
    """
    n_classes, n_test = product.shape
    careful = len(doubt) > 0
    doubts = np.ones((n_classes if careful else 0, n_test))
    top, winner, own = np.empty(n_test), np.empty(n_test, np.int64), np.ones(n_test)
    for c in range(n_classes):
        product[c] = prior[c]
    for p in range(len(order)):
        multiply(product, F[order[p]], top, winner)
        low, high = np.inf, 0.0
        for i in range(n_test):
            low, high = smaller(low, top[i]), -smaller(-high, -top[i])
        if low < FLOOR or high > CEILING:
            rescue(product, top, winner)
        if careful:
            factors = doubt[order[p]]
            for c in range(n_classes):
                for i in range(n_test):
                    doubts[c, i] *= factors[c, i]
        if p >= first:
            if count_rivals(product, top, winner) > 0:
                for i in range(n_test):
                    winner[i] = first_largest(product, i)
            if careful:
                mark_undecided(product, doubts, top, winner, own, p + 1)
            for i in range(n_test):
                predicted[p - first, start + i] = winner[i]
