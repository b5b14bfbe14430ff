"""Information gain of every feature about every label, from one pass over a column."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fsbench.kernels.entropy import mdl_places
from fsbench.kernels.jit import jit
from fsbench.values import FloatArray, IntArray

__all__ = ["nominal_gains", "numeric_gains"]

LN2 = math.log(2.0)
Marks = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.int32]


@jit
def nominal_gains(
    column: FloatArray,
    n_values: int,
    row_start: IntArray,
    row_labels: Labels,
    positives: IntArray,
    logs: FloatArray,
    gains: FloatArray,
) -> None:
    """Write the gains of one nominal column.

    Parameters
    ----------
    column : ndarray of shape (n_rows,)
        Label indices; NaN is missing.
    n_values : int
        Declared labels of the column.
    row_start, row_labels : ndarray of shape (n_rows + 1,) and (n_entries,)
        The multi-labels that each row carries.
    positives : ndarray of shape (n_labels,)
        Rows that carry each multi-label.
    logs : ndarray of shape (n_rows + 1,)
        ``i * ln(i)``.
    gains : ndarray of shape (n_labels,)
        Written, in bits.
    """
    n, n_labels = len(column), len(positives)
    carried, rows = np.zeros((n_values, n_labels), np.int64), np.zeros(n_values, np.int64)
    for i in range(n):
        if column[i] == column[i]:
            v = int(column[i])
            rows[v] += 1
            for at in range(row_start[i], row_start[i + 1]):
                carried[v, row_labels[at]] += 1
    cells = np.empty((n_values, 2))
    for label in range(n_labels):
        known = 0
        for v in range(n_values):
            known += carried[v, label]
            cells[v, 1] = carried[v, label]
            cells[v, 0] = rows[v] - carried[v, label]
        gains[label] = _gain(cells, n - rows.sum(), positives[label] - known, logs)


@jit
def numeric_gains(
    values: FloatArray,
    rows: IntArray,
    carries: Marks,
    costs: FloatArray,
    logs: FloatArray,
    gains: FloatArray,
) -> None:
    """Write the gains of one numeric column, cut anew for every label.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Ascending; NaN, which is missing, at the end.
    rows : ndarray of shape (n_rows,)
        Row of each value.
    carries : ndarray of shape (n_labels, n_rows)
        1 where a row carries the label.
    costs, logs
        As in `fsbench.kernels.entropy.mdl_places`, for two classes.
    gains : ndarray of shape (n_labels,)
        Written, in bits.
    """
    n = len(values)
    known = n
    while known > 0 and values[known - 1] != values[known - 1]:
        known -= 1
    keys, group = np.empty(known, np.int64), np.empty(known, np.int64)
    for i in range(known):
        group[i] = 0 if i == 0 else group[i - 1] + (values[i] != values[i - 1])
    for label in range(len(gains)):
        mark = carries[label]
        for i in range(known):
            keys[i] = 2 * group[i] + mark[rows[i]]
        places = np.sort(mdl_places(keys, 1, costs, logs, True))
        gains[label] = 0.0
        if len(places) == 0:
            continue
        cells = np.zeros((len(places) + 1, 2))
        part = 0
        for i in range(known):
            if part < len(places) and i == places[part]:
                part += 1
            cells[part, mark[rows[i]]] += 1.0
        missing = 0
        for i in range(known, n):
            missing += mark[rows[i]]
        gains[label] = _gain(cells, n - known, missing, logs)


@jit
def _gain(cells: FloatArray, missing: int, missing_positive: int, logs: FloatArray) -> float:
    """Return H(class) - H(class | value) of a table (n_values, 2), rows with a missing value spread over it.

    Each value takes of them what it has of the known rows; see `fsbench.rankers.contingency.spread_missing`.
    """
    total = cells.sum()
    if total == 0.0:
        return 0.0
    if missing > 0:
        for v in range(len(cells)):
            share = (cells[v, 0] + cells[v, 1]) / total
            cells[v, 0] += share * (missing - missing_positive)
            cells[v, 1] += share * missing_positive
    classes0, classes1, inner = 0.0, 0.0, 0.0
    for v in range(len(cells)):
        classes0 += cells[v, 0]
        classes1 += cells[v, 1]
        inner += _xlogx(cells[v, 0], logs) + _xlogx(cells[v, 1], logs)
        inner -= _xlogx(cells[v, 0] + cells[v, 1], logs)
    total = classes0 + classes1
    outer = _xlogx(classes0, logs) + _xlogx(classes1, logs) - _xlogx(total, logs)
    return (inner - outer) / (total * LN2)


@jit
def _xlogx(x: float, logs: FloatArray) -> float:
    """Return ``x * ln(x)``: whole numbers are looked up."""
    i = int(x)
    if i == x:
        return float(logs[i])
    return x * math.log(x)
