"""ReliefF, before the distances: the scaled, whole-number and coded forms of the columns.

In all forms the rows stand grouped by class, in file order inside a class: the order in which neighbours are
looked for, and the one that lets a class be scanned as one stretch.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_typed import Bytes, Steps
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["code_columns", "prepare_columns", "scale_and_round", "scale_columns"]


@jit
def scale_columns(
    X: FloatArray, rows: IntArray, low: FloatArray, high: FloatArray, scaled: BoolArray, smallest: float, z: FloatArray
) -> None:
    """Write the columns, grouped, to `z` of shape (n_features, n_rows): (x - low) / (high - low) where `scaled`.

    A range below `smallest` gives 0. Missing stays NaN; other columns are copied.
    """
    for f in range(z.shape[0]):
        column, out = X[:, f], z[f]
        width = high[f] - low[f]
        for i in range(len(rows)):
            x = column[rows[i]]
            if scaled[f] and x == x:
                x = 0.0 if width < smallest else (x - low[f]) / width
            out[i] = x


@jit
def scale_and_round(
    X: FloatArray,
    rows: IntArray,
    low: FloatArray,
    high: FloatArray,
    smallest: float,
    scale: float,
    first: int,
    last: int,
    z: FloatArray,
    q: Steps,
    errors: FloatArray,
) -> None:
    """Scale numeric columns first .. last - 1 and round them to multiples of ``1 / scale``.

    `z` (n_rows, n_features) gets the scaled values, `q` (n_features, n_places) the rounded ``rint(z * scale)``,
    and `errors` (n_rows,) is raised by ``|q - z * scale|`` of each value. Eight columns are made before they are
    written to `z`, which fills whole cache lines.
    """
    n = len(rows)
    values = np.zeros((8, n))
    for start in range(first, last, 8):
        width = min(8, last - start)
        for b in range(width):
            f = start + b
            column, out, value = X[:, f], q[f], values[b]
            base, span = low[f], high[f] - low[f]
            if span < smallest:
                value[:] = 0.0
                out[:] = 0
                continue
            for i in range(n):
                value[i] = column[rows[i]]
            for i in range(n):
                value[i] = (value[i] - base) / span
            for i in range(n):
                exact = value[i] * scale
                whole = np.int32(exact + 0.5)
                out[i] = whole
                errors[i] += abs(whole - exact)
        if width == 8:
            for i in range(n):
                for b in range(8):
                    z[i, start + b] = values[b, i]
        else:
            for i in range(n):
                for b in range(width):
                    z[i, start + b] = values[b, i]


@jit
def code_columns(X: FloatArray, rows: IntArray, codes: Bytes) -> None:
    """Write label indices as bytes to `codes` of shape (n_features or more, n_rows)."""
    for f in range(X.shape[1]):
        column, out = X[:, f], codes[f]
        for i in range(len(rows)):
            out[i] = int(column[rows[i]])


@jit
def prepare_columns(
    columns: FloatArray,
    y: IntArray,
    nominal: BoolArray,
    labels: IntArray,
    sparse: bool,
    smallest: float,
    borders: IntArray,
    places: IntArray,
    owners: IntArray,
    factors: FloatArray,
    z: FloatArray,
    kinds: IntArray,
    unknown: FloatArray,
    order: IntArray,
    ends: IntArray,
) -> int:
    """Group the rows and scale the columns in one go; return the first column whose range is no finite number, or -1.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_rows)
    y : ndarray of shape (n_rows,)
    nominal, labels : ndarray of shape (n_features,)
        Which features are nominal, and how many labels they declare.
    sparse : bool
        Whether zeros do not count for the range of a column.
    smallest : float
        A range below it counts as none.
    borders : ndarray of shape (n_classes + 1,)
        Written: class c stands at places ``borders[c]`` .. ``borders[c + 1] - 1``.
    places, owners : ndarray of shape (n_rows,)
        Written: the place of each row, and the class at each place.
    factors : ndarray of shape (n_classes, n_classes)
        Written: see `fsbench.rankers.relieff_problem.update_factors`.
    z : ndarray of shape (n_features, n_rows)
        Written: scaled numbers and label indices by place; NaN is missing.
    kinds : ndarray of shape (n_features,)
        Written: 0 numeric, 1 numeric with missing values, 2 nominal, 3 nominal with missing values.
    unknown : ndarray of shape (n_features,)
        Written: difference between a missing label and any other, ``1 - 1 / labels``.
    order : ndarray of shape (n_features,)
        Written: the features by kind.
    ends : ndarray of shape (4,)
        Written: where each kind ends in that order.
    """
    m, n = columns.shape
    borders[:] = 0
    for i in range(n):
        borders[y[i] + 1] += 1
    for c in range(1, len(borders)):
        borders[c] += borders[c - 1]
    free = borders[:-1].copy()
    for i in range(n):
        c = y[i]
        places[i] = free[c]
        owners[free[c]] = c
        free[c] += 1
    _factors(borders, factors)
    ends[:] = 0
    for f in range(m):
        low, high, incomplete = _range(columns[f], sparse)
        if not high - low < np.inf:
            return f
        kinds[f] = 2 * nominal[f] + incomplete
        ends[kinds[f]] += 1
        unknown[f] = 1.0 - 1.0 / max(labels[f], 1) if nominal[f] else 1.0
        _scale(columns[f], places, low, high - low, nominal[f], smallest, z[f])
    at = 0
    for kind in range(4):
        for f in range(m):
            if kinds[f] == kind:
                order[at] = f
                at += 1
        ends[kind] = at
    return -1


@jit
def _factors(borders: IntArray, factors: FloatArray) -> None:
    """Write the weights of misses, P(c) / (1 - P(own)), or 1 of two classes, and of hits, -1."""
    n_classes, n = len(factors), borders[-1]
    for own in range(n_classes):
        rest = 1.0 - (borders[own + 1] - borders[own]) / n
        for c in range(n_classes):
            share = (borders[c + 1] - borders[c]) / n
            factors[own, c] = 1.0 if n_classes == 2 else share / (rest if rest > 0.0 else 1.0)
        factors[own, own] = -1.0


@jit
def _range(column: FloatArray, sparse: bool) -> tuple[float, float, bool]:
    """Return the smallest and the largest known value, 0 and 0 if there is none, and whether one is missing."""
    low, high, known = np.inf, -np.inf, 0
    for i in range(len(column)):
        x = column[i]
        if x == x:
            known += 1
            if not (sparse and x == 0.0):
                low = x if x < low else low
                high = x if x > high else high
    if low > high:
        low, high = 0.0, 0.0
    return low, high, known < len(column)


@jit
def _scale(
    column: FloatArray, places: IntArray, low: float, width: float, nominal: bool, smallest: float, out: FloatArray
) -> None:
    """Write a column by place, scaled unless it is nominal."""
    if nominal:
        for i in range(len(column)):
            out[places[i]] = column[i]
    else:
        for i in range(len(column)):
            x = column[i]
            out[places[i]] = x if x != x else 0.0 if width < smallest else (x - low) / width
