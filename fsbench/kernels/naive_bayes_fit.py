"""What naive Bayes learns from a training part (John and Langley 1995, as Weka computes it).

Every numeric column has a precision; values are rounded to its multiples before their mean and deviation are taken.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit, jit_bare
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["column_steps", "fit_counts", "fit_normals"]


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


@jit_bare
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
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
        Numeric features.
    rows : ndarray of shape (n_train,)
        In the order in which they are added up.
    y : ndarray of shape (n_rows,)
    n_classes : int
    delta : ndarray of shape (M,)
        Precisions.

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

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
        Nominal features.
    rows : ndarray of shape (n_train,)
    y : ndarray of shape (n_rows,)
    n_classes : int
    n_labels : ndarray of shape (M,)
        Declared labels.

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
