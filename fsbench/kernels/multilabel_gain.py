"""Information gain of every feature about every label, from one pass over a column."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit
from fsbench.values import FloatArray, IntArray

__all__ = ["class_gain", "nominal_gains", "numeric_gains"]

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
def class_gain(column: FloatArray, n_values: int, owner: IntArray, sizes: IntArray, logs: FloatArray) -> float:
    """Return the gain of one nominal column about many classes, in bits.

    Parameters
    ----------
    column, n_values, logs
        As in `nominal_gains`.
    owner : ndarray of shape (n_rows,)
        Class of each row.
    sizes : ndarray of shape (n_classes,)
        Rows of each class.
    """
    n, n_classes = len(column), len(sizes)
    cells, rows = np.zeros((n_values, n_classes)), np.zeros(n_values)
    for i in range(n):
        if column[i] == column[i]:
            cells[int(column[i]), owner[i]] += 1.0
            rows[int(column[i])] += 1.0
    known = rows.sum()
    if known == 0.0:
        return 0.0
    outer = inner = 0.0
    for c in range(n_classes):
        missing = float(sizes[c])
        for v in range(n_values):
            missing -= cells[v, c]
        outer += logs[sizes[c]]
        for v in range(n_values):
            inner += _xlogx(cells[v, c] + missing * (rows[v] / known), logs)
    for v in range(n_values):
        inner -= _xlogx(rows[v] + (n - known) * (rows[v] / known), logs)
    return float((inner - (outer - logs[n])) / (n * LN2))


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
    costs : ndarray of shape (3,)
        ``log2(3^k - 2)`` of k classes.
    logs : ndarray of shape (n_rows + 1,)
        ``i * ln(i)``.
    gains : ndarray of shape (n_labels,)
        Written, in bits.
    """
    n = len(values)
    known = n
    while known > 0 and values[known - 1] != values[known - 1]:
        known -= 1
    changes = np.empty(known, np.int64)  # places where the value changes: rows below
    n_changes = 0
    for i in range(1, known):
        if values[i] != values[i - 1]:
            changes[n_changes] = i
            n_changes += 1
    below, cuts, stack = np.empty(known + 1, np.int64), np.empty(n_changes + 1, np.int64), np.empty(2 * n + 2, np.int64)
    for label in range(len(gains)):
        mark = carries[label]
        below[0] = 0
        for i in range(known):
            below[i + 1] = below[i] + mark[rows[i]]
        n_cuts = _cuts(changes[:n_changes], below, costs, logs, cuts, stack)
        gains[label] = 0.0
        if n_cuts == 0:
            continue
        cuts[n_cuts] = known
        edges = np.sort(cuts[: n_cuts + 1])
        cells = np.empty((n_cuts + 1, 2))
        start, missing = 0, 0
        for part in range(n_cuts + 1):
            cells[part, 1] = below[edges[part]] - below[start]
            cells[part, 0] = edges[part] - start - cells[part, 1]
            start = edges[part]
        for i in range(known, n):
            missing += mark[rows[i]]
        gains[label] = _gain(cells, n - known, missing, logs)


@jit
def _cuts(
    changes: IntArray, below: IntArray, costs: FloatArray, logs: FloatArray, cuts: IntArray, stack: IntArray
) -> int:
    """Write the accepted cuts of a sorted column with two classes, as rows below each; return their number.

    `below[i]` counts the first i rows of class 1. The rule, and the order of every addition, are those of
    `fsbench.discretize.mdl_cuts`. Stretches of `changes` that are still to be looked at are kept on `stack`.
    """
    n_cuts, depth = 0, 1
    stack[0], stack[1] = 0, len(below) - 1
    while depth > 0:
        depth -= 1
        start, stop = stack[2 * depth], stack[2 * depth + 1]
        first = np.searchsorted(changes, start, side="right")
        last = np.searchsorted(changes, stop, side="left")
        size, ones = stop - start, below[stop] - below[start]
        if first >= last or ones == 0 or ones == size:
            continue
        scale = float(size) * LN2
        place, lowest = 0, 0.0
        for at in range(first, last):
            cut = changes[at]
            rows_left, ones_left = cut - start, below[cut] - below[start]
            rows_right, ones_right = stop - cut, ones - ones_left
            total = 0.0
            total += logs[rows_left - ones_left]
            total += logs[ones_left]
            total -= logs[rows_left]
            total += logs[rows_right - ones_right]
            total += logs[ones_right]
            total -= logs[rows_right]
            entropy = -total / scale
            if place == 0 or entropy < lowest:
                place, lowest = cut, entropy
        k, h = _entropy(size, ones, logs)
        gain = h - lowest
        if gain <= 0.0:
            continue
        ones_left = below[place] - below[start]
        k1, h1 = _entropy(place - start, ones_left, logs)
        k2, h2 = _entropy(stop - place, ones - ones_left, logs)
        delta = costs[k] - (k * h - k2 * h2 - k1 * h1)
        if gain > (math.log(last - first) / LN2 + delta) / size:
            cuts[n_cuts] = place
            n_cuts += 1
            stack[2 * depth], stack[2 * depth + 1] = start, place
            stack[2 * depth + 2], stack[2 * depth + 3] = place, stop
            depth += 2
    return n_cuts


@jit
def _entropy(rows: int, ones: int, logs: FloatArray) -> tuple[int, float]:
    """Return how many of the two classes are there, and their entropy in bits."""
    total = 0.0
    total -= logs[rows - ones]
    total -= logs[ones]
    return int(ones > 0) + int(ones < rows), (total + logs[rows]) / (rows * LN2)


@jit
def _gain(cells: FloatArray, missing: int, missing_positive: int, logs: FloatArray) -> float:
    """Return H(class) - H(class | value) of a table (n_values, 2), rows with a missing value spread over it.

    Each value takes of them what it has of the known rows; see `fsbench.columns.spread_missing`.
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
