"""Naive Bayes with rounded normal densities (John and Langley 1995, as Weka computes them): factors and their products.

Every numeric column has a precision `delta`; values are rounded to its multiples, and the probability of a value is
the normal area over one step of the grid. All factors of a split stand in one table, F[column, test row, class]:
any ranking of the columns only multiplies along its own order.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["classes", "column_steps", "fit_counts", "fit_normals", "nominal_factors", "normal_factors", "sweep"]

FLOOR = 1e-75  # no factor is smaller; products below it are lifted by its reciprocal
SQRT_HALF = math.sqrt(0.5)


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
def fit_normals(
    XT: FloatArray, columns: IntArray, rows: IntArray, y: IntArray, n_classes: int, delta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of each numeric column in each class, from the rounded values.

    Returns
    -------
    mean, sd : ndarray of shape (M, n_classes)
        The deviation is at least a sixth of the precision, and exactly that where it vanishes (1e-10).
    """
    mean, sd = np.zeros((len(columns), n_classes)), np.empty((len(columns), n_classes))
    n, s, s2 = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for f in range(len(columns)):
        column, step = XT[columns[f]], delta[f]
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
        for c in range(n_classes):
            sd[f, c] = step / 6.0
            if n[c] > 0.0:
                mean[f, c] = s[c] / n[c]
                spread = math.sqrt(abs(s2[c] - mean[f, c] * s[c]) / n[c])
                if spread > 1e-10:
                    sd[f, c] = max(spread, step / 6.0)
    return mean, sd


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
def normal_cdf(z: float) -> float:
    """Area under the standard normal curve below z; the two pieces decide how the tails round.

    In the upper tail 1 - small cancels to exact steps of 1.1e-16. That is part of the result.
    """
    x = z * SQRT_HALF
    if abs(x) < SQRT_HALF:
        return 0.5 + 0.5 * math.erf(x)
    tail = 0.5 * math.erfc(abs(x))
    return 1.0 - tail if x > 0.0 else tail


@jit
def normal_factors(
    XT: FloatArray,
    columns: IntArray,
    rows: IntArray,
    delta: FloatArray,
    mean: FloatArray,
    sd: FloatArray,
    places: IntArray,
    F: FloatArray,
) -> None:
    """Fill F[places[f], i, :] with the factors of numeric columns for the given rows; 1 where a value is missing."""
    for f in range(len(columns)):
        column, step, half, table = XT[columns[f]], delta[f], delta[f] / 2.0, F[places[f]]
        for i in range(len(rows)):
            x = column[rows[i]]
            if x != x:
                table[i] = 1.0
                continue
            x = np.rint(x / step) * step
            for c in range(mean.shape[1]):
                d = x - mean[f, c]
                upper, lower = normal_cdf((d + half) / sd[f, c]), normal_cdf((d - half) / sd[f, c])
                table[i, c] = max(FLOOR, upper - lower)


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
def classes(product: FloatArray) -> IntArray:
    """Return the class of each row of products, shape (n_rows,)."""
    predicted = np.empty(len(product), np.int64)
    for i in range(len(product)):
        predicted[i] = first_largest(product[i])
    return predicted


@jit
def sweep(
    F: FloatArray, prior: FloatArray, order: IntArray, product: FloatArray, predicted: IntArray, start: int
) -> None:
    """Multiply the factors along one ranking and enter the class at every prefix.

    Parameters
    ----------
    F : ndarray of shape (n_columns, n_test, n_classes)
    prior : ndarray of shape (n_classes,)
    order : ndarray of shape (K,)
        Places in F.
    product : ndarray of shape (n_test, n_classes)
        Output: the products at the last prefix, not normalised.
    predicted : ndarray of shape (K, n_all)
        Output, from column `start` on; if it is empty no class is entered.
    start : int
    """
    n_test, n_classes = product.shape
    for i in range(n_test):
        product[i] = prior
    for p in range(len(order)):
        factors = F[order[p]]
        for i in range(n_test):
            largest = 0.0
            for c in range(n_classes):
                product[i, c] *= factors[i, c]
                largest = max(largest, product[i, c])
            if 0.0 < largest < FLOOR:
                for c in range(n_classes):
                    product[i, c] *= 1e75
            if len(predicted) > 0:
                predicted[p, start + i] = first_largest(product[i])
