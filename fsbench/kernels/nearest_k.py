"""The k nearest neighbours at every prefix of a ranking, in one pass over the pairs of rows; for k > 1."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.nearest_curve import CLASS, FILLED, START, STOP, read_row, step_any, widen_all
from fsbench.values import FloatArray, IntArray

__all__ = ["curve_by_heap"]


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
def sweep_k(
    z: FloatArray,
    tiles: IntArray,
    places: IntArray,
    order: IntArray,
    values: FloatArray,
    how: IntArray,
    bounds: FloatArray,
    first: int,
    by_place: bool,
    buffer: FloatArray,
    far: FloatArray,
    label: IntArray,
    at: IntArray,
    sizes: IntArray,
    ties: IntArray,
) -> None:
    """Collect the k nearest rows at the prefixes first..len(order)-1."""
    k = far.shape[1]
    for tile in range(len(tiles)):
        start, stop, filled, c = tiles[tile, START], tiles[tile, STOP], tiles[tile, FILLED], tiles[tile, CLASS]
        a = buffer[: filled - start]
        a[:] = 0.0
        for p in range(len(order)):
            f = order[p]
            m = step_any(a, a, z[f, start:filled], values[f], how[f], bounds[f])
            if p < first or (sizes[p] == k and m > far[p, k - 1]):
                continue
            for j in range(stop - start):
                if sizes[p] < k or a[j] <= far[p, k - 1]:
                    sizes[p] = enter(a[j], c, places[start + j], by_place, far[p], label[p], at[p], sizes[p], ties[p])


@jit
def curve_by_heap(
    XT: FloatArray,
    columns: IntArray,
    rows: IntArray,
    kinds: IntArray,
    bounds: FloatArray,
    raw: FloatArray,
    z: FloatArray,
    tiles: IntArray,
    places: IntArray,
    orders: IntArray,
    lengths: IntArray,
    first: int,
    mode: int,
    widening: bool,
    by_place: bool,
    predicted: IntArray,
    tally: IntArray,
    k: int,
) -> None:
    """Predict test rows from their k nearest rows at the prefixes first+1, first+2, ... of each ranking.

    Parameters are those of `nearest_curve.curve_by_tiles`, and `k`, at most the number of training rows.
    """
    n_classes, K = tally.shape[1], orders.shape[1]
    values, how = np.empty(len(columns)), np.empty(len(columns), np.int64)
    widest = 0
    for tile in range(len(tiles)):
        widest = max(widest, tiles[tile, FILLED] - tiles[tile, START])
    buffer = np.empty(widest)
    far, label, at = np.empty((K, k)), np.empty((K, k), np.int64), np.empty((K, k), np.int64)
    sizes, ties = np.empty(K, np.int64), np.empty((K, n_classes), np.int64)
    for i in range(len(rows)):
        if widening:
            widen_all(XT, columns, rows[i], kinds, bounds, raw, z, mode)
        read_row(XT, columns, rows[i], kinds, bounds, values, how)
        for r in range(len(orders)):
            order = orders[r, : lengths[r]]
            sizes[:] = 0
            ties[:] = 0
            sweep_k(z, tiles, places, order, values, how, bounds, first, by_place, buffer, far, label, at, sizes, ties)
            for p in range(first, len(order)):
                for j in range(k):
                    ties[p, label[p, j]] += 1
                predicted[r, p - first, i] = np.argmax(ties[p])
            if len(tally) > 0:
                tally[i] = ties[len(order) - 1]
