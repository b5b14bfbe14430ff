"""The features of a run in rank order: what the kernels need of each."""

from __future__ import annotations

from fsbench.kernels.jit import jit_inline
from fsbench.kernels.tree_evaluate import CELL, LABELS, LANE, MANY
from fsbench.kernels.tree_table import Int32Array, i64
from fsbench.values import BoolArray, IntArray

__all__ = ["arrange_cells", "fill_plan", "in_file_order"]

MANY_LABELS = 0.3  # share of the training rows from which on a feature's labels are very many


@jit_inline
def fill_plan(features: IntArray, order: IntArray, n: int, plan: IntArray, lists: IntArray, many: BoolArray) -> None:
    """Copy the features' lines in rank order and number the lists of the numeric ones.

    Parameters
    ----------
    features : ndarray of shape (n_features, 10)
        Of all features of the data, see `fsbench.kernels.tree_evaluate`; LANE is 1 for a numeric one.
    order : ndarray of int64
        Features, best first.
    n : int
        Number of training rows.
    plan : ndarray of shape (len(order), 10), filled
    lists : ndarray of shape (> len(order),), filled
        How many of the first features are numeric.
    many : ndarray of bool, filled
        Which features have very many labels.
    """
    lane = i64(0)
    lists[0] = 0
    for u in range(order.size):
        for j in range(plan.shape[1]):
            plan[u, j] = features[order[u], j]
        many[u] = plan[u, LANE] == 0 and MANY_LABELS * n - plan[u, LABELS] <= 1e-6
        plan[u, MANY] = many[u]
        lane += plan[u, LANE]
        plan[u, LANE] *= lane
        lists[u + 1] = lane


@jit_inline
def in_file_order(plan: IntArray) -> bool:
    """Tell whether the nominal features are the first ones of the data, in order."""
    t = i64(0)
    for u in range(plan.shape[0]):
        if plan[u, LANE] == 0:
            if plan[u, CELL] != t:
                return False
            t += 1
    return True


@jit_inline
def arrange_cells(cell: Int32Array, plan: IntArray, train: IntArray, columns: IntArray, target: Int32Array) -> None:
    """Copy the counters of the training rows, so that the columns of a prefix stand side by side.

    Parameters
    ----------
    cell, target : ndarray of int32
        One column a nominal feature, in file order and in rank order.
    columns : ndarray of int64 of shape (>= len(plan),)
        Work space.
    """
    n = i64(0)
    for u in range(plan.shape[0]):
        if plan[u, LANE] == 0:
            columns[n] = plan[u, CELL]
            n += 1
    for i in range(train.size):
        r = train[i]
        for t in range(n):
            target[r, t] = cell[r, columns[t]]
