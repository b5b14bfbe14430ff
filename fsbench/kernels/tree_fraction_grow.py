"""C4.5 trees for many prefixes of feature rankings at once, where values are missing.

The frame stack and the groups of tasks are those of `fsbench.kernels.tree_grow`. A row may go down several
branches with a share of its weight, so branches are no parts of one list: each gets lists of its own, but for the
last one, the heaviest, which takes over its parent's.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.tree_fraction_loop import grow_all_fractions
from fsbench.kernels.tree_fraction_space import make_fraction_memory
from fsbench.kernels.tree_fractions import TOTAL, WEIGHT
from fsbench.kernels.tree_scratch import Size, give_back, scratch
from fsbench.kernels.tree_table import Int32Array, UIntArray
from fsbench.values import FloatArray, IntArray

__all__ = ["grow_fractions"]


def grow_fractions(
    packed: UIntArray,
    features: IntArray,
    values: FloatArray,
    reach: Int32Array,
    ends: Int32Array,
    cell: Int32Array,
    column_codes: Int32Array,
    y: Int32Array,
    L: IntArray,
    rise: IntArray,
    table: FloatArray,
    order: IntArray,
    train: IntArray,
    tasks: IntArray,
    ranks: IntArray,
    size: Size,
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[float, float, bool],
) -> tuple[IntArray, Int32Array, Int32Array, FloatArray, FloatArray, FloatArray]:
    """Grow and prune the tree of each task.

    Parameters
    ----------
    packed, features, values, reach, ends, cell, y, L, rise, order, train, tasks, ranks, layout, unit, min_leaf, pruning
        As in `fsbench.kernels.tree_grow.grow`. A nominal feature has a counter more a class, for missing values.
    column_codes : ndarray of int32 of shape (n_features, n_rows)
        Codes of all rows; -1 is missing.
    table : ndarray
        k log2 k.
    size : Size
        What bounds the memory; its capacity is that of list elements and of rows of nodes too.
    options : tuple
        z, CF, whether branches are raised.

    Returns
    -------
    roots, nodes, slots
        As in `grow`.
    classes, totals, bags : ndarray
        Class weights and weight of each node, and weight of each slot's branch.
    """
    store, space = scratch("fractions", size, make_fraction_memory)
    plan = np.empty((len(order), features.shape[1]), np.int64)
    codes = (packed, features, values, reach, ends, cell, column_codes, y)
    data = (*codes, L, rise, table, plan, order, train, tasks, ranks)
    nodes, facts, slots, bags, tops = store
    if not grow_all_fractions(data, tuple(store), tuple(space), layout, unit, min_leaf, pruning, options):
        return np.full(len(tasks), -1), nodes[:0], slots[:0], facts[:0], bags[:0], bags[:0]
    used, branches = tops.tolist()
    roots = space.results[: len(tasks)].astype(np.int64)
    classes, totals = facts[:used, WEIGHT:].copy(), facts[:used, TOTAL].copy()
    give_back("fractions", max(classes.size, len(plan) * len(train)))
    return roots, nodes[:used].copy(), slots[:branches].copy(), classes, totals, bags[:branches].copy()
