"""The order in which Weka adds up a training part, and the sums in that order.

Weka sorts the training rows by every numeric column in turn, with a quicksort that exchanges equal values, and adds
up what the last sort leaves. Sums in another order differ in their last bits. That matters where classes tie, and
where the spread of a column is tiny beside its mean.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.weka_sort import quicksort
from fsbench.values import FloatArray, IntArray

__all__ = ["adding_order"]


@jit
def adding_order(XT: FloatArray, columns: IntArray, rows: IntArray) -> IntArray:
    """Return the training rows in the order in which Weka adds them up.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
        The numeric features, in the order of the model's columns.
    rows : ndarray of shape (n_train,)

    Returns
    -------
    ndarray of shape (n_train,)
    """
    order, values = rows.copy(), np.empty(len(rows))
    for f in columns:
        for j in range(len(order)):
            x = XT[f, order[j]]
            values[j] = x if x == x else 1.7976931348623157e308  # missing values stand last
        quicksort(values, order)
    return order
