"""Numeric columns as whole numbers that sort by value and carry the class along.

numpy sorts whole numbers with the processor's vector instructions, several times faster than it finds a
permutation; with the class in the lowest bits no permutation is needed. See `fsbench.columns` for the form.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.values import FloatArray, IntArray

__all__ = ["compress", "count_runs", "pack_columns", "run_end"]

MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)  # all bits of a double but the sign
MISSING = np.int64(0x7FFFFFFFFFFFFFFF)  # the key of a missing value: above all others


@jit
def pack_columns(
    XT: FloatArray, columns: IntArray, y: IntArray, shift: int, keys: IntArray, forms: IntArray, missing: IntArray
) -> None:
    """Write a key for each cell of some columns, and what the keys mean.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
        Values, NaN if missing.
    columns : ndarray of shape (n_columns,)
    y : ndarray of shape (n_rows,)
        Classes.
    shift : int
        Bits for the class.
    keys : ndarray of shape (n_columns, n_rows)
        Written; the largest number of all for a missing value. Left alone where the classes do not fit.
    forms : ndarray of shape (n_columns, 2)
        Written: what is taken off each magnitude, -1 if the classes do not fit beside the places; known values.
    missing : ndarray of shape (n_columns, n_classes)
        Zero on entry; rows of each class whose value is missing.
    """
    for i in range(len(columns)):
        column = XT[columns[i]]
        low, high = _span(column)
        base = _base(low, high, shift)
        known = len(column)
        if base >= 0:
            known = _pack(column, y, base, shift, keys[i])
        if base < 0 or known < len(column):
            _count_missing(column, y, missing[i])
        forms[i, 0], forms[i, 1] = base, known


@jit
def _span(column: FloatArray) -> tuple[int, int]:
    """Return the smallest and the largest magnitude, as bits, of the known values that are not zero.

    Both are 0 if there is none.
    """
    raw = column.view(np.int64)
    low, high = MAGNITUDE, np.int64(0)
    for i in range(len(column)):
        bits = raw[i] & MAGNITUDE
        if column[i] == column[i] and bits != 0:
            low, high = min(low, bits), max(high, bits)
    return (int(low), int(high)) if high > 0 else (0, 0)


@jit
def _base(low: int, high: int, shift: int) -> int:
    """Return what is taken off each magnitude, -1 if the classes do not fit: see `fsbench.columns`."""
    if high == 0:
        return 0
    return low - 1 if high - low + 1 < (np.int64(1) << (63 - shift)) - 1 else -1


@jit
def _pack(column: FloatArray, y: IntArray, base: int, shift: int, keys: IntArray) -> int:
    """Write a key for each row, and return the number of known values."""
    raw = column.view(np.int64)
    known = 0
    for i in range(len(column)):
        bits = raw[i] & MAGNITUDE
        place = bits - base if bits != 0 else np.int64(0)
        place = -place if raw[i] < 0 else place
        missing = column[i] != column[i]
        keys[i] = MISSING if missing else (place << shift) | y[i]
        known += not missing
    return known


@jit
def _count_missing(column: FloatArray, y: IntArray, missing: IntArray) -> None:
    """Count the classes of the rows whose value is missing."""
    for i in range(len(column)):
        if column[i] != column[i]:
            missing[y[i]] += 1


@jit
def run_end(keys: IntArray, start: int) -> int:
    """Return the row behind the run of equal keys that begins at `start`, by doubling steps and halving the last."""
    n, key = len(keys), keys[start]
    low, step = start + 1, 1
    while low < n and keys[low] == key:
        low, step = low + step, 2 * step
    if step == 1:
        return low
    # The key is met at the step before `low`, and not at `low`.
    high = min(low, n)
    low -= step // 2
    while low + 1 < high:
        middle = (low + high) // 2
        if keys[middle] == key:
            low = middle
        else:
            high = middle
    return high


@jit
def count_runs(keys: IntArray) -> int:
    """Return the number of distinct keys of an ascending array."""
    changes = 0
    for i in range(len(keys) - 1):
        changes += keys[i] != keys[i + 1]
    return changes + min(len(keys), 1)


@jit
def compress(keys: IntArray, runs: IntArray, ends: IntArray) -> None:
    """Write each run of equal keys once, and the row behind it.

    Parameters
    ----------
    keys : ndarray of shape (n,)
        Ascending.
    runs, ends : ndarray of shape (n_runs,)
        Written.
    """
    count, start = 0, 0
    while start < len(keys):
        stop = run_end(keys, start)
        runs[count], ends[count] = keys[start], stop
        count, start = count + 1, stop
