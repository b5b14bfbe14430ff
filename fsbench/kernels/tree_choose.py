"""Which feature splits a node, for every prefix at once."""

from __future__ import annotations

from fsbench.kernels.jit import jit_inline
from fsbench.kernels.tree_table import Number, i64
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["choose", "group"]

FUZZ = 1e-6  # by how much a later ratio must be larger
SLACK = 1e-3  # how far below the mean a gain may lie


@jit_inline
def choose(
    gain: FloatArray,
    ratio: FloatArray,
    many: BoolArray,
    order: IntArray,
    prefixes: IntArray,
    pick: IntArray,
) -> None:
    """Choose the splitting feature of each prefix: the largest gain ratio among gains near the mean or above.

    Parameters
    ----------
    gain, ratio : ndarray of shape (n_features,)
        A negative gain marks a feature that does not split.
    many : ndarray of bool
        Nominal features with very many labels; they enter the mean only where all features of the prefix are such.
    order : ndarray of int64
        Features, best first.
    prefixes : ndarray of int64
        How many of them may be chosen; ascending.
    pick : ndarray of int64, filled
        The chosen feature, -1 for none.

    Notes
    -----
    A prefix continues from the one before: unless the new mean divides the old candidates from the old
    non-candidates differently, only the new features are looked at.
    """
    total, counted, all_many = 0.0, i64(0), True
    best, top = i64(-1), 0.0
    lowest_in, highest_out = 1e300, -1e300
    done = i64(0)
    for j in range(prefixes.size):
        k = prefixes[j]
        for i in range(done, k):
            u = order[i]
            if all_many and not many[u]:
                total, counted, all_many = 0.0, i64(0), False  # so far there were features with many labels only
            g = gain[u]
            counts = g >= 0.0 and (all_many or not many[u])
            total += g if counts else 0.0
            counted += counts
        if counted == 0:
            pick[j] = -1
            continue
        limit = total / counted - SLACK
        if not highest_out < limit <= lowest_in:
            done, best, top = i64(0), i64(-1), 0.0
            lowest_in, highest_out = 1e300, -1e300
        low = max(limit, 0.0)
        for i in range(done, k):
            u = order[i]
            g = gain[u]
            lowest_in = min(lowest_in, g if g >= low else 1e300)
            highest_out = max(highest_out, g if g < low else -1e300)
            if g >= low and ratio[u] - top > FUZZ:
                best, top = i64(u), ratio[u]
        done = k
        pick[j] = best


@jit_inline
def group(pick: IntArray, feature: IntArray, size: IntArray, member: IntArray) -> Number:
    """Group the prefixes of a node by the feature they chose.

    Parameters
    ----------
    pick : ndarray of int64
        Each prefix's feature, -1 for a leaf.
    feature, size : ndarray of int64, filled
        Each group's feature and number of prefixes; leaves are no group. The largest group is the last.
    member : ndarray of int64, filled
        Which prefixes (their places in `pick`), group by group, ascending inside each.

    Returns
    -------
    int
        Number of groups.
    """
    groups = i64(0)
    for j in range(pick.size):
        if pick[j] < 0:
            continue
        g = groups - 1
        while g >= 0 and feature[g] != pick[j]:
            g -= 1
        if g < 0:
            g = groups
            feature[g], size[g] = pick[j], 0
            groups += 1
        size[g] += 1
    largest = i64(0)
    for g in range(groups):
        if size[g] >= size[largest]:
            largest = g
    if groups > 0:
        last = groups - 1
        feature[largest], feature[last] = feature[last], feature[largest]
        size[largest], size[last] = size[last], size[largest]
    at = i64(0)
    for g in range(groups):
        for j in range(pick.size):
            if pick[j] == feature[g]:
                member[at] = j
                at += 1
    return groups
