"""The k nearest neighbours at every prefix of a ranking, in one pass over the pairs of rows; for k > 1.

The distances of all training rows are kept and a column is added at a time. Rows fall into groups of 16 (those whose
slots differ by multiples of the number of groups, so that minima are taken lane by lane): the k-th smallest of the
groups' minima is no smaller than the k-th smallest distance, and only groups below it are looked into.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.nearest_curve import next_block, skip_four, step_any
from fsbench.kernels.nearest_layout import PLAIN, Space
from fsbench.kernels.nearest_prepare import most
from fsbench.kernels.nearest_typed import smaller
from fsbench.values import FloatArray, IntArray

__all__ = ["curve_by_groups"]

GROUP = 16


@jit_bare
def group_minima(a: FloatArray, low: FloatArray) -> None:
    """Set low[g] to the smallest of a[g], a[g + n_groups], a[g + 2 n_groups], ..."""
    n = len(low)
    for g in range(n):
        low[g] = a[g]
    for part in range(1, GROUP):
        row = a[part * n : (part + 1) * n]
        for g in range(n):
            low[g] = smaller(low[g], row[g])


@jit_bare
def enter(d: float, slot: int, places: IntArray, by_place: bool, far: FloatArray, slots: IntArray, size: int) -> int:
    """Enter a row into the sorted list of the k nearest; return the list's new length.

    By place, the earlier of two equally near rows is the nearer one; else the one that came first stays.
    """
    k = len(far)
    j = size
    while j > 0 and (d < far[j - 1] or (by_place and d == far[j - 1] and places[slot] < places[slots[j - 1]])):
        if j < k:
            far[j], slots[j] = far[j - 1], slots[j - 1]
        j -= 1
    if j < k:
        far[j], slots[j] = d, slot
    return min(size + 1, k)


@jit_bare
def vote(
    a: FloatArray,
    low: FloatArray,
    n_train: int,
    labels: IntArray,
    places: IntArray,
    by_place: bool,
    far: FloatArray,
    slots: IntArray,
    near: IntArray,
    votes: IntArray,
) -> None:
    """Count the votes of the k nearest rows; not by place, of all rows at most as far as the k-th."""
    k, n = len(far), len(low)
    size = 0
    for g in range(n):
        if size < k or low[g] < far[k - 1]:
            size = enter(low[g], 0, places, False, far, slots, size)
    bound = far[k - 1] if size == k else np.inf
    size = found = 0
    for g in range(n):
        if low[g] <= bound:
            for slot in range(g, n_train, n):
                if a[slot] <= bound:
                    near[found] = slot
                    found += 1
                    if size < k or a[slot] <= far[k - 1]:
                        size = enter(a[slot], slot, places, by_place, far, slots, size)
    votes[:] = 0
    if by_place:
        for j in range(k):
            votes[labels[slots[j]]] += 1
    else:
        for j in range(found):
            if a[near[j]] <= far[k - 1]:
                votes[labels[near[j]]] += 1


@jit
def curve_by_groups(
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
    labels: IntArray,
) -> None:
    """Predict test rows from their k nearest rows at the prefixes first+1, first+2, ... of each ranking.

    Parameters are those of `nearest_curve.curve_by_tiles`, and: `k`, at most the number of training rows; `labels` of
    shape (n_train,), their classes. Training row i stands in slot i; the slots are filled up to a multiple of 16.
    """
    n_classes, M, n_slots = tally.shape[1], len(space.columns), space.z.shape[1]
    values, how = np.empty((1, M)), np.empty((1, M), np.int64)
    two, low = np.empty((2, n_slots)), np.empty(n_slots // GROUP)
    far, slots, near = np.empty(k), np.empty(k, np.int64), np.empty(n_slots, np.int64)
    votes = np.zeros(n_classes, np.int64)
    for i in range(len(rows)):
        next_block(space, XT, rows, i, widening, values, how)
        v, h = values[0], how[0]
        for r in range(len(orders)):
            order = orders[r, : lengths[r]]
            a, b = two[0], two[1]
            a[:] = 0.0
            a[space.n_train :] = np.inf  # the filling is never near
            p = 0
            while p < len(order):
                f = order[p]
                four = p + 4 <= first
                if four:
                    f1, f2, f3 = order[p + 1], order[p + 2], order[p + 3]
                    four = h[f] + h[f1] + h[f2] + h[f3] == 4 * PLAIN
                if four:
                    z = space.z
                    skip_four(a, b, z[f], z[f1], z[f2], z[f3], v[f], v[f1], v[f2], v[f3])
                    p += 4
                else:
                    step_any(a, b, space.z[f], v[f], h[f], space.bounds[f])
                    p += 1
                a, b = b, a
                if p > first:
                    group_minima(a, low)
                    vote(a, low, space.n_train, labels, space.places, by_place, far, slots, near, votes)
                    predicted[r, p - 1 - first, i] = most(votes)
            if len(tally) > 0:
                for c in range(n_classes):
                    tally[i, c] = votes[c]
