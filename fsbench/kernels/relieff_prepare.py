"""ReliefF, before the distances: the scaled, whole-number and coded forms of the columns.

In all forms the rows stand grouped by class, in file order inside a class: the order in which neighbours are
looked for, and the one that lets a class be scanned as one stretch.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_typed import Bytes, Steps
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["code_columns", "scale_and_round", "scale_columns"]


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
def code_columns(X: FloatArray, rows: IntArray, by_feature: Bytes, by_row: Bytes) -> None:
    """Write label indices as bytes: `by_feature` (n_features or more, n_rows) and `by_row` (n_rows, n_features)."""
    n_features = X.shape[1]
    for f in range(n_features):
        column, out = X[:, f], by_feature[f]
        for i in range(len(rows)):
            out[i] = int(column[rows[i]])
    for i in range(len(rows)):
        for f in range(n_features):
            by_row[i, f] = by_feature[f, i]
