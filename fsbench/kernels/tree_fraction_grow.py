"""C4.5 trees for many prefixes of a feature ranking at once, where values are missing.

The frame stack and the groups of prefixes are those of `fsbench.kernels.tree_grow`. A row may go down several
branches with a share of its weight, so branches are no parts of one list: each gets lists of its own, but for the
last one, the heaviest, which takes over its parent's.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.tree_fraction_loop import grow_all_fractions
from fsbench.kernels.tree_fraction_space import make_fraction_memory
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
    column_codes: Int32Array,
    classes: Int32Array,
    L: IntArray,
    rise: IntArray,
    table: FloatArray,
    order: IntArray,
    train: IntArray,
    prefixes: IntArray,
    size: Size,
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[float, float, bool],
) -> tuple[IntArray, Int32Array, Int32Array, FloatArray, FloatArray]:
    """Grow and prune the tree of each prefix.

    Parameters
    ----------
    packed, features, values, reach, ends, L, rise, order, train, prefixes, layout, unit, min_leaf, pruning
        As in `fsbench.kernels.tree_grow.grow`.
    column_codes : ndarray of int32 of shape (n_features, n_rows)
        Codes of all rows; -1 is missing.
    classes : ndarray of int32 of shape (n_rows,)
        Classes of all rows; those of test rows are not looked at.
    table : ndarray
        k log2 k.
    size : Size
        What bounds the memory; its capacity is that of list elements and of old weights too.
    options : tuple
        z, CF, whether branches are raised.

    Returns
    -------
    roots, nodes, slots
        As in `grow`; SPLIT is a rank position.
    facts, bags : ndarray
        See `fsbench.kernels.tree_fractions`.
    """
    store, space = scratch("fractions", size, make_fraction_memory)
    plan = np.empty((len(order), features.shape[1]), np.int64)
    codes = (packed, features, values, reach, ends, column_codes, classes)
    data = (*codes, L, rise, table, plan, order, train, prefixes)
    nodes, facts, slots, bags, tops = store
    if not grow_all_fractions(data, tuple(store), tuple(space), layout, unit, min_leaf, pruning, options):
        return np.full(len(prefixes), -1), nodes[:0], slots[:0], facts[:0], bags[:0]
    used, branches = tops.tolist()
    roots = space.results[: len(prefixes)].astype(np.int64)
    found = roots, nodes[:used].copy(), slots[:branches].copy(), facts[:used].copy(), bags[:branches].copy()
    give_back("fractions", max(found[3].size, len(plan) * len(train)))
    return found
