"""C4.5 trees for many prefixes of a feature ranking at once, where values are missing.

The frame stack and the groups of prefixes are those of `fsbench.kernels.tree_grow`. A row may go down several
branches with a share of its weight, so branches are no parts of one list: each gets lists of its own, but for the
last one, the heaviest, which takes over its parent's.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.tree_evaluate import LANE
from fsbench.kernels.tree_fraction_loop import FIELDS, grow_all_fractions
from fsbench.kernels.tree_fraction_space import FractionSpace
from fsbench.kernels.tree_fractions import WEIGHT
from fsbench.kernels.tree_grow import ints, shorts
from fsbench.kernels.tree_table import Int32Array, UIntArray
from fsbench.values import FloatArray, IntArray

__all__ = ["grow_fractions"]


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
    rise: IntArray,
    table: FloatArray,
    labels: tuple[int, int],
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
    packed, plan, values, reach, ends, prefixes, L, rise, labels, layout, unit, min_leaf, pruning
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
    n, n_prefixes, longest = len(y), len(prefixes), max(labels[1], 2)
    n_nominal = int((plan[:, LANE] == 0).sum())
    lanes = len(plan) - n_nominal + 1
    n_cells = (labels[0] + n_nominal) * n_classes
    cell = shorts(n, n_nominal)
    pool = np.empty((lanes - 1) * n * 2 + capacity + 1, np.uint64)
    # The bounds of the stacks are those of `fsbench.kernels.tree_grow`.
    deep, wide = n + 3, labels[0] + 2 * (n + 3)
    nodes, facts = shorts(capacity, 9), np.empty((capacity, WEIGHT + n_classes))
    slots, bags, tops = shorts(capacity), np.empty(capacity), np.zeros(2, np.int64)
    space = FractionSpace(
        pool=pool,
        lengths=ints(deep, lanes),
        rows=np.arange(n, dtype=np.int32),
        weight=np.ones(n),
        keep=np.zeros(n, np.int32),
        undo_row=shorts(capacity),
        undo_weight=np.empty(capacity),
        frames=ints(deep, FIELDS),
        groups=ints(deep + n_prefixes, 5),
        kids=ints(wide, 3),
        branch=np.empty((2, wide)),
        member=ints(2, (min(deep, n_prefixes) + 3) * n_prefixes),
        results=shorts(deep * n_prefixes),
        raws=np.empty(deep * n_prefixes),
        refill_frames=ints(deep, 5),
        refill_kids=shorts(wide),
        refill_branch=np.empty((2, wide)),
        stack=ints(deep, 5),
        share=np.empty(wide),
        sums=np.empty(deep),
        cells=np.zeros(n_cells),
        spread_cells=np.empty((longest, n_classes)),
        spare=np.empty((2, max(longest, n_classes))),
        numbers=ints(longest),
        many=np.empty(len(plan), np.bool_),
        gain=np.empty(len(plan)),
        ratio=np.empty(len(plan)),
        cut=ints(len(plan)),
        pick=ints(n_prefixes),
        size=ints(n_prefixes),
        feature=ints(n_prefixes),
        step=ints(n + 1),
        sides=ints(n + 2),
        counts=shorts(n_classes),
        small=ints(2 * n_classes),
        crossed=np.empty((2, n_classes), np.uint64),
        known=np.empty(3 * n_classes),
        label_bags=np.empty(longest + 1),
        chosen=shorts(longest),
    )
    data = (packed, plan, values, reach, ends, columns, y, place, inside, prefixes, L, rise, table, cell)
    store = (nodes, facts, slots, bags, tops)
    if not grow_all_fractions(data, store, tuple(space), lanes, layout, unit, min_leaf, pruning, options):
        return np.full(n_prefixes, -1), nodes[:0], slots[:0], facts[:0], bags[:0]
    used, branches = tops.tolist()
    roots = space.results[:n_prefixes].astype(np.int64)
    return roots, nodes[:used].copy(), slots[:branches].copy(), facts[:used].copy(), bags[:branches].copy()
