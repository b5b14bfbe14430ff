"""Entropies in bits of integer counts and contingency tables, summed in one fixed order."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from fsbench.columns import compiled_pays
from fsbench.values import Dataset, FloatArray

__all__ = ["class_entropy", "conditional_entropy", "count_logs", "row_entropy", "xlogx", "xlogx_table"]

LN2 = math.log(2.0)
PLAIN_LOGS = 100_000  # logarithms that Python makes in the time that compiled code takes to load


@lru_cache(maxsize=4)
def xlogx_table(n: int) -> FloatArray:
    """Return ``i * ln(i)`` for i = 0 .. n, with 0 for i = 0; kept for the next data of that size.

    Parameters
    ----------
    n : int
        The largest count.

    Returns
    -------
    ndarray of shape (n + 1,)
        Read-only.

    Notes
    -----
    By the C library's logarithm, one number at a time: numpy's vectorised one depends on the processor in the
    last bit, and last bits decide between cuts of equal entropy.
    """
    table = np.arange(n + 1, dtype=np.float64)
    if n > PLAIN_LOGS:
        from fsbench.kernels.entropy import times_log

        times_log(table)
    else:
        table[1:] *= np.fromiter(map(math.log, range(1, n + 1)), np.float64, n)
    table.setflags(write=False)
    return table


def count_logs(train: Dataset) -> FloatArray:
    """Return `xlogx_table` up to the number of rows, made once a data set."""
    return train.derived("entropy.count_logs", lambda: xlogx_table(train.n_rows))


def xlogx(counts: FloatArray, table: FloatArray) -> FloatArray:
    """Return ``x * ln(x)`` of each count, 0 where the count is 0.

    Parameters
    ----------
    counts : ndarray
        Not negative; whole numbers are looked up, others (shares of missing values) computed.
    table : ndarray of shape (n + 1,)
        See `xlogx_table`; n is at least the largest whole count.

    Returns
    -------
    ndarray
        Of the shape of `counts`.
    """
    whole = counts.astype(np.int64)
    if np.array_equal(whole, counts):
        return table[whole]
    flat = [x * math.log(x) if x > 0.0 else 0.0 for x in counts.ravel().tolist()]
    return np.array(flat).reshape(counts.shape)


def row_entropy(cells: FloatArray, table: FloatArray) -> float:
    """Return the entropy of the row sums of a contingency table, in bits.

    Parameters
    ----------
    cells : ndarray of shape (n_values, n_classes)
    table : ndarray
        See `xlogx_table`.
    """
    if compiled_pays(cells.size):
        from fsbench.kernels.entropy import values_entropy

        return values_entropy(cells, table)
    return _entropy(_sums(cells, axis=1), table)


def class_entropy(cells: FloatArray, table: FloatArray) -> float:
    """Return the entropy of the column sums, the classes, of a contingency table, in bits.

    Parameters
    ----------
    cells : ndarray of shape (n_values, n_classes)
    table : ndarray
        See `xlogx_table`.
    """
    if compiled_pays(cells.size):
        from fsbench.kernels.entropy import classes_entropy

        return classes_entropy(cells, table)
    return _entropy(_sums(cells, axis=0), table)


def conditional_entropy(cells: FloatArray, table: FloatArray) -> float:
    """Return the entropy of the classes given the value, H(class | value), in bits.

    Parameters
    ----------
    cells : ndarray of shape (n_values, n_classes)
    table : ndarray
        See `xlogx_table`.

    Notes
    -----
    H = (sum over rows of (R ln R - sum of c ln c)) / (T ln 2), R a row's sum and T the total.
    """
    if compiled_pays(cells.size):
        from fsbench.kernels.entropy import entropy_given_value

        return entropy_given_value(cells, table)
    sums = _sums(cells, axis=1)
    total = _last(sums)
    if total <= 0.0:
        return 0.0
    terms = np.column_stack([xlogx(cells, table), -xlogx(sums, table)])
    return -_last(terms.ravel()) / (total * LN2)


def _entropy(sums: FloatArray, table: FloatArray) -> float:
    """Return (T ln T - sum of c ln c) / (T ln 2)."""
    total = np.atleast_1d(_last(sums))
    if total[0] <= 0.0:
        return 0.0
    inner = _last(-xlogx(sums, table)) + xlogx(total, table)[0]
    return float(inner / (total[0] * LN2))


def _sums(cells: FloatArray, axis: int) -> FloatArray:
    """Sum one after the other: numpy's pairwise sum rounds differently for long axes."""
    if cells.shape[axis] == 0:
        return np.zeros(cells.shape[1 - axis])
    summed: FloatArray = np.add.accumulate(cells, axis=axis, dtype=np.float64).take(-1, axis=axis)
    return summed


def _last(values: FloatArray) -> float:
    """Sum a flat array one after the other."""
    return float(np.add.accumulate(values)[-1]) if values.size else 0.0
