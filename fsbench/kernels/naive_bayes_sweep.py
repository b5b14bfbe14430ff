"""Products of naive Bayes factors along a ranking: any ranking of the columns only multiplies in its own order."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.naive_bayes_factors import FLOOR
from fsbench.kernels.nearest_typed import smaller
from fsbench.values import FloatArray, IntArray

__all__ = ["sweep"]

# Products below FLOOR are lifted by its reciprocal. Those above CEILING are lowered by a power of two, which changes
# no bits; Weka lets them overflow.
CEILING = 1e150
LOWER = 2.0**-500


@jit_bare
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


@jit_bare
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


@jit_bare
def rescue(product: FloatArray, top: FloatArray, winner: IntArray) -> None:
    """Bring rows whose largest product has become too small or too large back into range."""
    for i in range(len(top)):
        if top[i] < FLOOR or top[i] > CEILING:
            for c in range(len(product)):
                product[c, i] *= 1e75 if top[i] < FLOOR else LOWER
            top[i] *= 1e75 if top[i] < FLOOR else LOWER
            winner[i] = first_largest(product, i)


@jit_bare
def count_rivals(product: FloatArray, top: FloatArray, winner: IntArray) -> int:
    """Count the products of earlier classes than the winner that dividing by the sum may make equal to the largest."""
    rivals = 0
    for c in range(len(product)):
        p = product[c]
        for i in range(len(top)):
            rivals += (p[i] >= top[i] * (1.0 - 1e-15)) & (c < winner[i])
    return rivals


@jit_bare
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
