"""The k nearest neighbours at every prefix of a ranking, in one pass over the pairs of rows; for k > 1."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.nearest_curve import next_block, step_any
from fsbench.kernels.nearest_layout import CLASS, FILLED, START, STOP, Space
from fsbench.kernels.nearest_prepare import widest
from fsbench.values import FloatArray, IntArray

__all__ = ["curve_by_lists"]


@jit
def enter(
    d: float,
    c: int,
    place: int,
    by_place: bool,
    far: FloatArray,
    label: IntArray,
    at: IntArray,
    size: int,
    ties: IntArray,
) -> int:
    """Enter one row into the sorted list of the k nearest of one prefix; return the list's new length.

    By votes, rows that lie exactly as far as the k-th but find no room are counted a class in `ties`.
    By place, the earlier of two equally distant rows is the nearer one.
    """
    k = len(far)
    if size == k:
        if by_place:
            if d > far[k - 1] or (d == far[k - 1] and place > at[k - 1]):
                return size
        elif d == far[k - 1]:
            ties[c] += 1
            return size
        elif d > far[k - 1]:
            return size
    last, out = far[k - 1], label[k - 1]
    j = size - 1 if size == k else size
    while j > 0 and (far[j - 1] > d or (by_place and far[j - 1] == d and at[j - 1] > place)):
        far[j], label[j], at[j] = far[j - 1], label[j - 1], at[j - 1]
        j -= 1
    far[j], label[j], at[j] = d, c, place
    if size < k:
        return size + 1
    if not by_place:
        if far[k - 1] == last:
            ties[out] += 1
        else:
            ties[:] = 0
    return size


@jit
def sweep_lists(
    space: Space,
    order: IntArray,
    values: FloatArray,
    how: IntArray,
    first: int,
    by_place: bool,
    two: FloatArray,
    far: FloatArray,
    label: IntArray,
    at: IntArray,
    sizes: IntArray,
    ties: IntArray,
) -> None:
    """Collect the k nearest rows at the prefixes first..len(order)-1."""
    k = far.shape[1]
    for tile in range(len(space.tiles)):
        start, stop = space.tiles[tile, START], space.tiles[tile, FILLED]
        rows, c = space.tiles[tile, STOP] - start, space.tiles[tile, CLASS]
        a, b = two[0, : stop - start], two[1, : stop - start]
        a[:] = 0.0
        for p in range(len(order)):
            f = order[p]
            m = step_any(a, b, space.z[f, start:stop], values[f], how[f], space.bounds[f])
            a, b = b, a
            if p < first or (sizes[p] == k and m > far[p, k - 1]):
                continue
            for j in range(rows):
                if sizes[p] < k or a[j] <= far[p, k - 1]:
                    place = space.places[start + j]
                    sizes[p] = enter(a[j], c, place, by_place, far[p], label[p], at[p], sizes[p], ties[p])


@jit
def curve_by_lists(
    space: Space,
    XT: FloatArray,
    rows: IntArray,
    orders: IntArray,
    lengths: IntArray,
    first: int,
    widening: bool,
    by_place: bool,
    predicted: IntArray,
    tally: IntArray,
    k: int,
) -> None:
    """Predict test rows from their k nearest rows at the prefixes first+1, first+2, ... of each ranking.

    Parameters are those of `nearest_curve.curve_by_tiles`, and `k`, at most the number of training rows. By votes,
    all rows at exactly the k-th smallest distance take part.
    """
    n_classes, K, M = tally.shape[1], orders.shape[1], len(space.columns)
    values, how = np.empty((1, M)), np.empty((1, M), np.int64)
    two = np.empty((2, widest(space.tiles)))
    far, label, at = np.empty((K, k)), np.empty((K, k), np.int64), np.empty((K, k), np.int64)
    sizes, ties = np.empty(K, np.int64), np.empty((K, n_classes), np.int64)
    for i in range(len(rows)):
        next_block(space, XT, rows, i, widening, values, how)
        for r in range(len(orders)):
            n = lengths[r]
            sizes[:] = 0
            ties[:] = 0
            sweep_lists(space, orders[r, :n], values[0], how[0], first, by_place, two, far, label, at, sizes, ties)
            for p in range(first, n):
                for j in range(k):
                    ties[p, label[p, j]] += 1
                predicted[r, p - first, i] = np.argmax(ties[p])
            if len(tally) > 0 and n > 0:
                tally[i] = ties[n - 1]
