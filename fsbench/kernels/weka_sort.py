"""Weka's unstable sort, whose order of equal values decides ties between features and the order of additions."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.values import FloatArray, IntArray

__all__ = ["quicksort"]


@jit_bare
def _order_two(values: FloatArray, rows: IntArray, i: int, j: int) -> None:
    """Exchange two places if their values are out of order."""
    if values[i] > values[j]:
        values[i], values[j] = values[j], values[i]
        rows[i], rows[j] = rows[j], rows[i]


@jit
def quicksort(values: FloatArray, rows: IntArray) -> None:
    """Sort `values` ascending and `rows` along with them, equal ones as Weka leaves them.

    Median of three, parked at the right end but one; the scans stop at equal values, which are exchanged.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Not NaN; changed in place.
    rows : ndarray of shape (n,)
        Changed in place.
    """
    pending = np.empty((len(values) + 1, 2), np.int64)
    pending[0, 0], pending[0, 1], waiting = 0, len(values) - 1, 1
    while waiting > 0:
        waiting -= 1
        left, right = pending[waiting, 0], pending[waiting, 1]
        if right <= left:
            continue
        middle = (left + right) // 2
        if right - left > 1:
            _order_two(values, rows, left, middle)
        _order_two(values, rows, left, right)
        if right - left > 1:
            _order_two(values, rows, middle, right)
        if right - left < 3:
            continue
        park = right - 1
        values[middle], values[park] = values[park], values[middle]
        rows[middle], rows[park] = rows[park], rows[middle]
        pivot, i, j = values[park], left, park
        while True:
            i += 1
            while values[i] < pivot:
                i += 1
            j -= 1
            while values[j] > pivot:
                j -= 1
            if i >= j:
                break
            values[i], values[j] = values[j], values[i]
            rows[i], rows[j] = rows[j], rows[i]
        values[i], values[park] = values[park], values[i]
        rows[i], rows[park] = rows[park], rows[i]
        pending[waiting, 0], pending[waiting, 1] = left, i - 1
        pending[waiting + 1, 0], pending[waiting + 1, 1] = i + 1, right
        waiting += 2
