"""Counting classes by interval, straight from an unsorted column."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.values import FloatArray, IntArray

__all__ = ["count_intervals"]


@jit
def count_intervals(column: FloatArray, y: IntArray, cuts: FloatArray, n_classes: int) -> IntArray:
    """Count the classes in each interval, missing values last.

    Parameters
    ----------
    column, y : ndarray of shape (n_rows,)
        Values, NaN if missing, and classes.
    cuts : ndarray of shape (n_cuts,)
        Ascending; a value belongs to the first interval whose upper cut it does not exceed.
    n_classes : int

    Returns
    -------
    ndarray of shape (n_cuts + 2, n_classes)
    """
    n_cuts = len(cuts)
    counts = np.zeros((n_cuts + 2, n_classes), np.int64)
    for i in range(len(column)):
        x = column[i]
        if x != x:
            counts[n_cuts + 1, y[i]] += 1
            continue
        low, high = 0, n_cuts
        while low < high:
            middle = (low + high) // 2
            if x <= cuts[middle]:
                high = middle
            else:
                low = middle + 1
        counts[low, y[i]] += 1
    return counts
