"""Sorted lists of the rows whose value is known, where values are missing."""

from __future__ import annotations

from fsbench.kernels.jit import jit_inline
from fsbench.kernels.tree_evaluate import BASE, LABELS, LANE, PACKED, VALUES, VALUES_END
from fsbench.kernels.tree_table import Int32Array, UIntArray, i64, u64
from fsbench.values import IntArray

__all__ = ["copy_lists", "fill_cells", "fill_lists", "fill_training"]


@jit_inline
def fill_training(
    column_codes: Int32Array,
    classes: Int32Array,
    order: IntArray,
    train: IntArray,
    columns: Int32Array,
    y: Int32Array,
    place: Int32Array,
    inside: Int32Array,
) -> None:
    """Take the training rows and the features of a ranking out of the data.

    Parameters
    ----------
    column_codes : ndarray of shape (n_features, n_rows)
    classes : ndarray of shape (n_rows,)
        Of all rows, as are the codes.
    order, train : ndarray of int64
    columns, y : ndarray, filled
        The same of the training rows; features in rank order.
    place, inside : ndarray, filled
        Number of each row among the training rows, -1 for others; whether it is one.
    """
    for r in range(classes.size):
        place[r], inside[r] = -1, 0
    for i in range(train.size):
        place[train[i]], inside[train[i]] = i, 1
        y[i] = classes[train[i]]
    for u in range(order.size):
        codes = column_codes[order[u]]
        for i in range(train.size):
            columns[u, i] = codes[train[i]]


@jit_inline
def fill_cells(columns: Int32Array, plan: IntArray, y: Int32Array, n: int, n_classes: int, cell: Int32Array) -> None:
    """Fill in the counter of each row for each nominal feature; a missing value counts as one label more."""
    t, base = i64(0), i64(0)
    for u in range(plan.shape[0]):
        if plan[u, LANE] > 0:
            continue
        plan[u, BASE] = base
        for i in range(n):
            code = columns[u, i] if columns[u, i] >= 0 else plan[u, LABELS]
            cell[i, t] = base + code * n_classes + y[i]
        base += (plan[u, LABELS] + 1) * n_classes
        t += 1


@jit_inline
def fill_lists(
    pool: UIntArray,
    packed: UIntArray,
    plan: IntArray,
    place: Int32Array,
    layout: tuple[int, int, int, int],
    n: int,
    ends: Int32Array,
    lengths: IntArray,
) -> None:
    """Fill the first block of the pool: the known training rows of each numeric feature, by their local numbers."""
    low, rows = u64(layout[0]), u64(layout[3])
    for u in range(plan.shape[0]):
        lane = plan[u, LANE]
        if lane == 0:
            continue
        source, at = packed[plan[u, PACKED]], (lane - 1) * n
        known = i64(ends[plan[u, VALUES_END] - 1]) if plan[u, VALUES_END] > plan[u, VALUES] else i64(0)
        for i in range(known):
            r = (source[i] >> low) & rows
            if place[r] >= 0:
                pool[at] = (source[i] & ~(rows << low)) | (u64(place[r]) << low)
                at += 1
        lengths[lane] = at - (lane - 1) * n


@jit_inline
def copy_lists(
    pool: UIntArray,
    source: tuple[int, int],
    target: tuple[int, int],
    needed: int,
    before: IntArray,
    after: IntArray,
    keep: Int32Array,
    layout: tuple[int, int, int, int],
) -> None:
    """Copy the lists of the rows that are kept, in order; source and target may be the same block."""
    low, rows = u64(layout[0]), u64(layout[3])
    for lane in range(1, needed):
        s, t = (
            source[0] + (lane - 1) * source[1],
            u64(target[0] + (lane - 1) * target[1]),
        )
        begin = t
        for i in range(before[lane]):
            x = pool[s + i]
            pool[t] = x
            t += u64(keep[(x >> low) & rows])
        after[lane] = i64(t - begin)
