"""From values to codes: what every tree on a data set starts from."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.tree_evaluate import BASE, CELL, FEATURE, LABELS, LANE, PACKED, TIGHT, VALUES, VALUES_END
from fsbench.kernels.tree_table import Int32Array, Number, UIntArray, i64, u64
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["code_data"]

CLOSE = 1e-5  # Weka does not cut between values that are not further apart


@jit
def code_data(
    XT: FloatArray,
    order: IntArray,
    y: Int32Array,
    n_labels: IntArray,
    n_classes: int,
    layout: tuple[int, int, int, int],
    plan: IntArray,
    columns: Int32Array,
    rows: Int32Array,
    packed: UIntArray,
    cell: Int32Array,
    values: FloatArray,
    ends: Int32Array,
    reach: Int32Array,
    missing: BoolArray,
) -> tuple[Number, Number, Number]:
    """Code every feature.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
        Values; NaN is missing.
    order : ndarray of shape (n_numeric, n_rows)
        Rows of each numeric feature in ascending order, missing ones last; ties in any order.
    y : ndarray of int32 of shape (n_rows,)
        Classes.
    n_labels : ndarray of int64
        Declared labels of each feature.
    n_classes : int
    layout : tuple
        Row shift, code shift, class mask, row mask of packed elements.
    plan : ndarray of shape (n_features, 10), changed
        0, but for LANE, which is 1 for a numeric feature; the rest is filled in (see `fsbench.kernels.tree_evaluate`).
    columns, rows : ndarray of int32 of shape (n_features, n_rows) and (n_rows, n_features), filled
        The place among the feature's distinct values, or the label; -1 is missing.
    packed : ndarray of uint64 of shape (n_numeric, n_rows), filled
        The rows by code, then by row; missing ones last, without a code.
    cell : ndarray of int32 of shape (n_rows, n_nominal), filled
        Counter of the row's label and class; missing values have counters behind those of the labels.
    values, ends, reach : ndarray of size n_numeric * n_rows, filled from the beginning
        Of each distinct value: the value, the number of rows up to it, the first code that may be cut apart from it.
    missing : ndarray of bool, changed
        True for a feature with missing values.

    Returns
    -------
    used, n_cells, tight : int
        Number of distinct values of all numeric features, and of counters; whether some values are too near to be cut
        apart.
    """
    low, shift = u64(layout[0]), u64(layout[1])
    n, used, n_cells, lanes, tight = y.size, i64(0), i64(0), i64(0), i64(0)
    place = np.empty(n + 1, np.int64)
    for f in range(plan.shape[0]):
        x, code = XT[f], columns[f]
        plan[f, FEATURE], plan[f, LABELS] = f, n_labels[f]
        if plan[f, LANE] == 0:
            t = f - lanes
            plan[f, CELL], plan[f, BASE] = t, n_cells
            n_cells += (n_labels[f] + 1) * n_classes
            for r in range(n):
                code[r] = -1 if np.isnan(x[r]) else np.int32(x[r])
                label = code[r] if code[r] >= 0 else n_labels[f]
                cell[r, t] = plan[f, BASE] + label * n_classes + y[r]
            continue
        plan[f, PACKED] = lanes
        sorted_rows, first, known = order[lanes], used, i64(0)
        lanes += 1
        while known < n and not np.isnan(x[sorted_rows[known]]):
            v = x[sorted_rows[known]]
            if known == 0 or v != values[used - 1]:
                values[used] = v
                place[used - first] = known
                used += 1
            code[sorted_rows[known]] = used - first - 1
            known += 1
            ends[used - 1] = known
        far = first
        for k in range(first, used):
            while far < used and not values[k] + CLOSE < values[far]:
                far += 1
            reach[k] = far - first
            if far > k + 1 and k + 1 < used:
                plan[f, TIGHT] = 1
                tight = i64(1)
        plan[f, VALUES], plan[f, VALUES_END] = first, used
        # Rows in ascending order, each to the next free place of its code.
        target = packed[plan[f, PACKED]]
        for i in range(known, n):
            code[sorted_rows[i]] = -1
        for r in range(n):
            k = i64(code[r])
            if k < 0:
                target[known] = (u64(r) << low) | u64(y[r])
                known += 1
            else:
                target[place[k]] = (u64(k) << shift) | (u64(r) << low) | u64(y[r])
                place[k] += 1
    for r in range(n):
        for f in range(plan.shape[0]):
            rows[r, f] = columns[f, r]
            missing[f] |= columns[f, r] < 0
    return i64(used), n_cells, tight
