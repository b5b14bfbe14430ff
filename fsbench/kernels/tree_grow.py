"""C4.5 trees for many prefixes of a feature ranking at once. Complete data only.

A node is a set of rows together with the prefixes whose trees hold that set. Its features are evaluated once; the
prefixes are grouped by the feature they choose, and each group goes on with that feature's children. A fit is the
case of one prefix, a learning curve that of all. A stack of frames takes the place of recursion: trees may be
as deep as the data have rows.

Here the memory is laid out, in plain Python: compiling `np.empty` for thirty arrays would take seconds.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.tree_evaluate import CELL, LANE
from fsbench.kernels.tree_loop import FIELDS, RECORD, grow_all
from fsbench.kernels.tree_open import reorder
from fsbench.kernels.tree_space import Space
from fsbench.kernels.tree_table import COUNT, Int32Array, UIntArray
from fsbench.values import FloatArray, IntArray

__all__ = ["grow", "ints", "shorts"]


def grow(
    packed: UIntArray,
    plan: IntArray,
    values: FloatArray,
    reach: Int32Array,
    ends: Int32Array,
    cell: Int32Array,
    column_codes: Int32Array,
    row_codes: Int32Array,
    y: Int32Array,
    train: IntArray,
    inside: Int32Array,
    prefixes: IntArray,
    L: IntArray,
    rise: IntArray,
    base: FloatArray,
    labels: tuple[int, int],
    n_cells: int,
    n_classes: int,
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[int, int, float, bool, bool],
    capacity: int,
) -> tuple[IntArray, Int32Array, Int32Array]:
    """Grow and prune the tree of each prefix.

    Parameters
    ----------
    packed : ndarray of uint64 of shape (n_numeric, n_rows)
        All rows sorted by a numeric feature: code, row and class in one number.
    plan : ndarray of shape (n_features, 10)
        The features in rank order, see `fsbench.kernels.tree_evaluate`.
    values, reach, ends : ndarray
        Of each distinct value of the numeric features: the value, the first code to be cut apart from it, and the
        number of rows up to it.
    cell : ndarray of shape (n_rows, n_nominal)
        The counter of each row for each nominal feature.
    column_codes, row_codes : ndarray of shape (n_features, n_rows) and (n_rows, n_features)
        Codes of all rows.
    y : ndarray of int32
        Classes of all rows; those of test rows are not looked at.
    train : ndarray of int64
        The training rows, each once.
    inside : ndarray of int32 of shape (n_rows,)
        1 for these rows, else 0.
    prefixes : ndarray of int64
        Ascending; the last one is the number of features in the plan.
    L, rise, base : ndarray
        Entropy table, its differences, and the estimates of errors in leaves without errors.
    labels : tuple
        Number of labels of all features together, and of the one with most.
    n_cells, n_classes : int
    layout : tuple
        Row shift, code shift, class mask, row mask of packed elements.
    unit : float
        What one bit is worth in `L`.
    min_leaf : int
        Least weight of two branches.
    pruning : tuple
        Whether to collapse, and whether to prune.
    options : tuple
        Row shift, class mask, z, whether branches are raised, whether the test may stop early.
    capacity : int
        How many nodes and slots to make room for.

    Returns
    -------
    roots : ndarray of int64 of shape (n_prefixes,)
        Root of each tree; the first is -1 if there was not room enough.
    nodes : ndarray of shape (n_nodes, 9 + n_classes)
        See `fsbench.kernels.tree_table`.
    slots : ndarray of int32
        Children.
    """
    n, n_prefixes, n_nominal = len(train), len(prefixes), cell.shape[1]
    if n_nominal:
        # The columns of a prefix stand side by side; those of test rows are not needed.
        asked = plan[plan[:, LANE] == 0, CELL]
        n_nominal = len(asked)
        if asked.tolist() != list(range(n_nominal)):
            ordered = shorts(len(cell), n_nominal)
            reorder(cell, asked, train, ordered)
            cell = ordered
    lanes = len(plan) - n_nominal + 1
    # On a path every level takes rows away, a nominal feature splits but once, and every group but one of a node
    # takes a prefix away: this bounds the stacks. A block of lists is pushed for a group with at most half of its
    # node's prefixes, so blocks nest log2(prefixes) deep. Memory that is never touched costs nothing.
    deep, wide, longest = n + 3, labels[0] + 2 * (n + 3), max(labels[1], 2)
    nodes, slots, tops = shorts(capacity, COUNT + n_classes), shorts(capacity), np.zeros(2, np.int64)
    space = Space(
        many=np.empty(len(plan), np.bool_),
        lists=ints(len(plan) + 1),
        pool=np.empty(n_prefixes.bit_length() * lanes * n + 1, np.uint64),
        frames=ints(deep, FIELDS),
        groups=ints(deep + n_prefixes, RECORD),
        kids=ints(wide, 3),
        member=ints(2, (min(deep, n_prefixes) + 3) * n_prefixes),
        results=shorts(deep * n_prefixes, 2),
        refill_stack=ints(deep, 6),
        refill_kids=shorts(wide),
        pad=shorts(n + 2, n_classes + 2),
        trail=shorts(deep, 2),
        sums=np.empty(deep),
        gain=np.empty(len(plan)),
        ratio=np.empty(len(plan)),
        cut=ints(len(plan)),
        pick=ints(n_prefixes),
        size=ints(n_prefixes),
        feature=ints(n_prefixes),
        step=ints(n + 1),
        sides=ints(n + 2),
        small=ints(n_classes),
        crossed=np.empty((2, n_classes), np.uint64),
        starts=ints(longest),
        cursor=np.empty(longest, np.uint64),
        chosen=shorts(longest),
        cells=np.zeros(n_cells, np.int32),
        spare=np.empty(n + 1, np.uint64),
        hold=np.empty(n + 1, np.uint64),
    )
    codes = (packed, plan, values, reach, ends, cell, column_codes, row_codes)
    data = (*codes, y, train, inside, prefixes, L, rise, base)
    table = (nodes, np.empty(capacity), slots, shorts(capacity), tops)
    # The kernel is given plain tuples: numba looks up the type of a named one anew at every call.
    if not grow_all(data, table, tuple(space), lanes, layout, unit, min_leaf, pruning, options):
        return np.full(n_prefixes, -1), nodes[:0], slots[:0]
    return space.results[:n_prefixes, 0].astype(np.int64), nodes[: tops[0]].copy(), slots[: tops[1]].copy()


def ints(*shape: int) -> IntArray:
    """Return int64 memory, not set to anything."""
    return np.empty(shape, dtype=np.int64)


def shorts(*shape: int) -> Int32Array:
    """Return int32 memory, not set to anything."""
    return np.empty(shape, dtype=np.int32)
