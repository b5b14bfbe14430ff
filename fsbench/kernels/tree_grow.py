"""C4.5 trees for many prefixes of a feature ranking at once. Complete data only.

A node is a set of rows together with the prefixes whose trees hold that set. Its features are evaluated once; the
prefixes are grouped by the feature they choose, and each group goes on with that feature's children. A fit is the
case of one prefix, a learning curve that of all. A stack of frames takes the place of recursion: trees may be
as deep as the data have rows.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.tree_evaluate import CELL, LABELS, LANE, MANY
from fsbench.kernels.tree_loop import FIELDS, RECORD, grow_all
from fsbench.kernels.tree_open import fill_pool
from fsbench.kernels.tree_space import Data, Space, Table
from fsbench.kernels.tree_table import COUNT, Int32Array, UIntArray, i64
from fsbench.values import FloatArray, IntArray

__all__ = ["grow"]


@jit_bare
def in_order(columns: IntArray, n_columns: int) -> bool:
    """Tell whether the columns are the first ones, in their own order."""
    same = True
    for t in range(n_columns):
        same = same and columns[t] == t
    return same


@jit
def reorder(cell: Int32Array, columns: IntArray, n_columns: int, train: IntArray) -> Int32Array:
    """Copy the training rows of the given columns, so that those of a prefix stand side by side."""
    result = np.empty((cell.shape[0], n_columns), np.int32)
    for i in range(train.size):
        r = train[i]
        for t in range(n_columns):
            result[r, t] = cell[r, columns[t]]
    return result


@jit
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
    base: FloatArray,
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
    L, base
        Entropy table; estimates of errors in leaves without errors.
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
    n, n_features, n_prefixes = train.size, plan.shape[0], prefixes.size
    lanes, n_asked, longest, labels = i64(1), i64(0), i64(2), i64(0)
    asked = np.empty(n_features, np.int64)
    many, lists, rise = np.empty(n_features, np.bool_), np.empty(n_features + 1, np.int64), np.empty(n, np.int64)
    for i in range(n):
        rise[i] = L[i + 1] - L[i]
    for u in range(n_features):
        many[u], lists[u] = plan[u, MANY] != 0, lanes - 1
        if plan[u, LANE] > 0:
            lanes += 1
        else:
            asked[n_asked] = plan[u, CELL]
            n_asked += 1
            longest = max(longest, plan[u, LABELS])
            labels += plan[u, LABELS]
    lists[n_features] = lanes - 1
    # A block is pushed for a group with at most half of its node's prefixes, so they nest log2(prefixes) deep.
    levels = i64(1)
    while (1 << levels) <= n_prefixes:
        levels += 1
    ordered = cell if in_order(asked, n_asked) else reorder(cell, asked, n_asked, train)
    pool = np.empty(levels * lanes * n + 1, np.uint64)
    fill_pool(pool, packed, plan, y, train, inside, layout)

    nodes = np.empty((capacity, COUNT + n_classes), np.int32)
    estimate, slots, mark = (
        np.empty(capacity),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
    )
    tops = np.zeros(2, np.int64)
    # On a path every level takes rows away, a nominal feature splits but once, and every group but one of a node
    # takes a prefix away: this bounds the stacks. Memory that is never touched costs nothing.
    deep = n + 3
    frames = np.empty((deep, FIELDS), np.int64)
    groups = np.empty((deep + n_prefixes, RECORD), np.int64)
    kids = np.empty((labels + 2 * deep, 3), np.int64)
    member = np.empty((2, (min(deep, n_prefixes) + 3) * n_prefixes), np.int64)
    results = np.empty((deep * n_prefixes, 2), np.int32)
    refill_stack, refill_kids = (
        np.empty((deep, 6), np.int64),
        np.empty(labels + 2 * deep, np.int32),
    )
    pad, trail, sums = (
        np.empty((n + 2, n_classes + 2), np.int32),
        np.empty((deep, 2), np.int32),
        np.empty(deep),
    )
    gain, ratio, cut = (
        np.empty(n_features),
        np.empty(n_features),
        np.empty(n_features, np.int64),
    )
    pick, size, feature = (
        np.empty(n_prefixes, np.int64),
        np.empty(n_prefixes, np.int64),
        np.empty(n_prefixes, np.int64),
    )
    step, sides = np.empty(n + 1, np.int64), np.empty(n + 2, np.int64)
    small, crossed = np.empty(n_classes, np.int64), np.empty((2, n_classes), np.uint64)
    starts, cursor = np.empty(longest, np.int64), np.empty(longest, np.uint64)
    chosen, cells = np.empty(longest, np.int32), np.zeros(n_cells, np.int32)
    spare, hold = np.empty(n + 1, np.uint64), np.empty(n + 1, np.uint64)
    data = Data(
        packed, plan, values, reach, ends, ordered, column_codes, row_codes, y, train, inside, prefixes, L, rise, base
    )
    table = Table(nodes, estimate, slots, mark, tops)
    space = Space(
        many,
        lists,
        pool,
        frames,
        groups,
        kids,
        member,
        results,
        refill_stack,
        refill_kids,
        pad,
        trail,
        sums,
        gain,
        ratio,
        cut,
        pick,
        size,
        feature,
        step,
        sides,
        small,
        crossed,
        starts,
        cursor,
        chosen,
        cells,
        spare,
        hold,
    )
    if not grow_all(data, table, space, lanes, layout, unit, min_leaf, pruning, options):
        return np.full(n_prefixes, -1, np.int64), nodes[:0].copy(), slots[:0].copy()
    roots = results[:n_prefixes, 0].astype(np.int64)
    return roots, nodes[: tops[0]].copy(), slots[: tops[1]].copy()
