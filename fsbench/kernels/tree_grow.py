"""C4.5 trees for many prefixes of feature rankings at once. Complete data only.

A node is a set of rows together with the tasks (a ranking and a prefix of it) whose trees hold that set. Its features
are evaluated once; the tasks are grouped by the feature they choose, and each group goes on with that feature's
children. A fit is the case of one task, a learning curve that of all prefixes. A stack of frames takes the place of
recursion: trees may be as deep as the data have rows.

The memory is laid out in plain Python: compiling `np.empty` for thirty arrays would take seconds.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.tree_loop import grow_all
from fsbench.kernels.tree_scratch import Size, give_back, scratch
from fsbench.kernels.tree_space import make_memory
from fsbench.kernels.tree_table import Int32Array, UIntArray
from fsbench.values import FloatArray, IntArray

__all__ = ["grow"]


def grow(
    packed: UIntArray,
    features: IntArray,
    values: FloatArray,
    reach: Int32Array,
    ends: Int32Array,
    cell: Int32Array,
    column_codes: Int32Array,
    row_codes: Int32Array,
    y: Int32Array,
    L: IntArray,
    rise: IntArray,
    base: FloatArray,
    order: IntArray,
    train: IntArray,
    tasks: IntArray,
    ranks: IntArray,
    size: Size,
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[int, int, float, bool, bool],
) -> tuple[IntArray, Int32Array, Int32Array]:
    """Grow and prune the tree of each task.

    Parameters
    ----------
    packed : ndarray of uint64 of shape (n_numeric, n_rows)
        All rows sorted by a numeric feature: code, row and class in one number.
    features : ndarray of shape (n_features, 10)
        What is known of each feature of the data, see `fsbench.kernels.tree_evaluate`; LANE is 1 for a numeric one.
    values, reach, ends : ndarray
        Of each distinct value of the numeric features: the value, the first code to be cut apart from it, and the
        number of rows up to it.
    cell : ndarray of shape (n_rows, n_nominal)
        The counter of each row for each nominal feature.
    column_codes, row_codes : ndarray of shape (n_features, n_rows) and (n_rows, n_features)
        Codes of all rows.
    y : ndarray of int32
        Classes of all rows; those of test rows are not looked at.
    L, rise, base : ndarray
        Entropy table, its differences, and the estimates of errors in leaves without errors.
    order : ndarray of int64
        The features that may be used, each once.
    train : ndarray of int64
        The training rows, each once.
    tasks : ndarray of int64 of shape (n_tasks, 2)
        See `fsbench.kernels.tree_tasks`.
    ranks : ndarray of int64 of shape (n_rankings, n_places)
        Places in `order`, best first; a ranking may end before its line does.
    size : Size
        What bounds the memory.
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

    Returns
    -------
    roots : ndarray of int64 of shape (n_tasks,)
        Root of each tree; the first is -1 if the table is too small.
    nodes : ndarray of shape (n_nodes, 9 + n_classes)
        See `fsbench.kernels.tree_table`.
    slots : ndarray of int32
        Children.
    """
    table, space = scratch("complete", size, make_memory)
    plan = np.empty((len(order), features.shape[1]), np.int64)
    codes = (packed, features, values, reach, ends, cell, column_codes, row_codes)
    data = (*codes, y, L, rise, base, plan, order, train, tasks, ranks)
    # The kernel is given plain tuples: numba looks up the type of a named one anew at every call.
    if not grow_all(data, tuple(table), tuple(space), layout, unit, min_leaf, pruning, options):
        return np.full(len(tasks), -1), table.nodes[:0], table.slots[:0]
    used, branches = table.tops.tolist()
    roots = space.results[: len(tasks), 0].astype(np.int64)
    nodes, slots = table.nodes[:used].copy(), table.slots[:branches].copy()
    give_back("complete", max(nodes.size, len(plan) * len(train)))
    return roots, nodes, slots
