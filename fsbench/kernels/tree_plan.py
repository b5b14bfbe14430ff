"""The features of a run: what the kernels need of each."""

from __future__ import annotations

from fsbench.kernels.jit import jit_inline
from fsbench.kernels.tree_evaluate import LABELS, LANE, MANY
from fsbench.kernels.tree_table import Number, i64
from fsbench.values import BoolArray, IntArray

__all__ = ["fill_plan"]

MANY_LABELS = 0.3  # share of the training rows from which on a feature's labels are very many


@jit_inline
def fill_plan(features: IntArray, order: IntArray, n: int, plan: IntArray, many: BoolArray) -> Number:
    """Copy the features' lines and number the lists of the numeric ones.

    Parameters
    ----------
    features : ndarray of shape (n_features, 10)
        Of all features of the data, see `fsbench.kernels.tree_evaluate`; LANE is 1 for a numeric one.
    order : ndarray of int64
        Those that may be used.
    n : int
        Number of training rows.
    plan : ndarray of shape (len(order), 10), filled
    many : ndarray of bool, filled
        Which features have very many labels.

    Returns
    -------
    int
        Number of numeric features.
    """
    lane = i64(0)
    for u in range(order.size):
        for j in range(plan.shape[1]):
            plan[u, j] = features[order[u], j]
        many[u] = plan[u, LANE] == 0 and MANY_LABELS * n - plan[u, LABELS] <= 1e-6
        plan[u, MANY] = many[u]
        lane += plan[u, LANE]
        plan[u, LANE] *= lane
    return lane
