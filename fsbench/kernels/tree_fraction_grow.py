"""C4.5 trees for many prefixes of a feature ranking at once, where values are missing.

The frame stack and the groups of prefixes are those of `fsbench.kernels.tree_grow`. A row may go down several
branches with a share of its weight, so branches are no parts of one list: each gets lists of its own, but for the
last one, the heaviest, which takes over its parent's.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.tree_evaluate import BASE, LABELS, LANE, MANY
from fsbench.kernels.tree_fraction_lists import fill_lists
from fsbench.kernels.tree_fraction_loop import FIELDS, grow_all_fractions
from fsbench.kernels.tree_fraction_space import FractionData, FractionSpace, FractionTable
from fsbench.kernels.tree_fractions import WEIGHT
from fsbench.kernels.tree_table import Int32Array, UIntArray, i64
from fsbench.values import FloatArray, IntArray

__all__ = ["grow_fractions"]


@jit
def grow_fractions(
    packed: UIntArray,
    plan: IntArray,
    values: FloatArray,
    reach: Int32Array,
    ends: Int32Array,
    columns: Int32Array,
    y: Int32Array,
    place: Int32Array,
    inside: Int32Array,
    prefixes: IntArray,
    L: IntArray,
    table: FloatArray,
    n_classes: int,
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[float, float, bool],
    capacity: int,
) -> tuple[IntArray, Int32Array, Int32Array, FloatArray, FloatArray]:
    """Grow and prune the tree of each prefix.

    Parameters
    ----------
    packed, plan, values, reach, ends, prefixes, L, layout, unit, min_leaf, pruning
        As in `fsbench.kernels.tree_grow.grow`. BASE of a nominal feature counts the counters of the features of
        this plan, those for missing values included.
    columns : ndarray of int32 of shape (n_features, n_train)
        Codes of the training rows, features in rank order; -1 is missing.
    y : ndarray of int32 of shape (n_train,)
        Classes of the training rows.
    place, inside : ndarray of int32 of shape (n_rows,)
        Number of each row among the training rows, -1 for others; whether it is one.
    table : ndarray
        k log2 k.
    options : tuple
        z, CF, whether branches are raised.
    capacity : int
        How many nodes, slots, list elements and old weights to make room for.

    Returns
    -------
    roots, nodes, slots
        As in `grow`; SPLIT is a rank position.
    facts, bags : ndarray
        See `fsbench.kernels.tree_fractions`.
    """
    n, n_features, n_prefixes = y.size, plan.shape[0], prefixes.size
    lanes, n_cells, longest, labels, n_asked = i64(1), i64(0), i64(2), i64(0), i64(0)
    many, rise = np.empty(n_features, np.bool_), np.empty(n, np.int64)
    for i in range(n):
        rise[i] = L[i + 1] - L[i]
    for u in range(n_features):
        many[u] = plan[u, MANY] != 0
        if plan[u, LANE] > 0:
            lanes += 1
        else:
            n_asked += 1
            longest = max(longest, plan[u, LABELS])
            labels += plan[u, LABELS]
            n_cells += (plan[u, LABELS] + 1) * n_classes
    cell = np.empty((n, n_asked), np.int32)
    t = i64(0)
    for u in range(n_features):
        if plan[u, LANE] == 0:
            for i in range(n):
                code = columns[u, i] if columns[u, i] >= 0 else plan[u, LABELS]
                cell[i, t] = plan[u, BASE] + code * n_classes + y[i]
            t += 1

    # The bounds of the stacks are those of `fsbench.kernels.tree_grow`.
    deep, wide = n + 3, labels + 2 * (n + 3)
    pool = np.empty((lanes - 1) * n * 2 + capacity + 1, np.uint64)
    lengths = np.empty((deep, lanes), np.int64)
    fill_lists(pool, packed, plan, place, layout, n, ends, lengths[0])
    rows, weight, keep = np.arange(n).astype(np.int32), np.ones(n), np.zeros(n, np.int32)
    undo_row, undo_weight = np.empty(capacity, np.int32), np.empty(capacity)
    nodes, facts = np.empty((capacity, 9), np.int32), np.empty((capacity, WEIGHT + n_classes))
    slots, bags, tops = np.empty(capacity, np.int32), np.empty(capacity), np.zeros(2, np.int64)
    frames, groups = np.empty((deep, FIELDS), np.int64), np.empty((deep + n_prefixes, 5), np.int64)
    kids, branch = np.empty((wide, 3), np.int64), np.empty((2, wide))
    member = np.empty((2, (min(deep, n_prefixes) + 3) * n_prefixes), np.int64)
    results, raws = np.empty(deep * n_prefixes, np.int32), np.empty(deep * n_prefixes)
    refill_frames, refill_kids = np.empty((deep, 5), np.int64), np.empty(wide, np.int32)
    refill_branch, stack, share, sums = (
        np.empty((2, wide)),
        np.empty((deep, 5), np.int64),
        np.empty(wide),
        np.empty(deep),
    )
    cells, spread_cells = np.zeros(n_cells), np.empty((longest, n_classes))
    spare, numbers = np.empty((2, max(longest, n_classes))), np.empty(longest, np.int64)
    gain, ratio, cut = np.empty(n_features), np.empty(n_features), np.empty(n_features, np.int64)
    pick, size, feature = np.empty(n_prefixes, np.int64), np.empty(n_prefixes, np.int64), np.empty(n_prefixes, np.int64)
    step, sides, counts = np.empty(n + 1, np.int64), np.empty(n + 2, np.int64), np.empty(n_classes, np.int32)
    small, crossed = np.empty(2 * n_classes, np.int64), np.empty((2, n_classes), np.uint64)
    known, label_bags, chosen = np.empty(3 * n_classes), np.empty(longest + 1), np.empty(longest, np.int32)
    data = FractionData(packed, plan, values, reach, ends, columns, y, inside, prefixes, L, rise, table, cell)
    store = FractionTable(nodes, facts, slots, bags, tops)
    space = FractionSpace(
        pool,
        lengths,
        rows,
        weight,
        keep,
        undo_row,
        undo_weight,
        frames,
        groups,
        kids,
        branch,
        member,
        results,
        raws,
        refill_frames,
        refill_kids,
        refill_branch,
        stack,
        share,
        sums,
        cells,
        spread_cells,
        spare,
        numbers,
        many,
        gain,
        ratio,
        cut,
        pick,
        size,
        feature,
        step,
        sides,
        counts,
        small,
        crossed,
        known,
        label_bags,
        chosen,
    )
    if not grow_all_fractions(data, store, space, lanes, layout, unit, min_leaf, pruning, options):
        return np.full(n_prefixes, -1, np.int64), nodes[:0].copy(), slots[:0].copy(), facts[:0].copy(), bags[:0].copy()
    used, branches = tops[0], tops[1]
    roots = results[:n_prefixes].astype(np.int64)
    return roots, nodes[:used].copy(), slots[:branches].copy(), facts[:used].copy(), bags[:branches].copy()
