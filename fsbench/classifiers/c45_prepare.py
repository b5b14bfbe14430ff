"""What every C4.5 tree on a data set starts from: codes and sorted columns, made once and shared by all splits."""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.errors import NotApplicable
from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

__all__ = ["Coded", "Estimates", "coded", "estimates"]

Int32Array = npt.NDArray[np.int32]
UIntArray = npt.NDArray[np.uint64]


class Coded(NamedTuple):
    """A data set in whole numbers.

    Attributes
    ----------
    columns, rows : ndarray of int32 of shape (n_features, n_rows) and (n_rows, n_features)
        The place of each value among the feature's distinct values, or the label; -1 is missing.
    packed : ndarray of uint64 of shape (n_numeric, n_rows)
        The rows sorted by a numeric feature, ties by row: code, row and class in one number; missing ones last.
    values, reach, ends : ndarray
        Of each distinct value of the numeric features: the value; the first code that may be cut apart from it
        (empty if that is always the next one); the number of rows up to it.
    cell : ndarray of int32 of shape (n_rows, n_nominal)
        Counter of the row's label, or of the missing value, and class; one run of counters a nominal feature.
    n_cells : int
        Number of counters.
    y : ndarray of int32
        Classes.
    layout : (int, int, int, int)
        Row shift, code shift, class mask, row mask of packed numbers.
    plan : ndarray of int64 of shape (n_features, 10)
        What the kernels need of each feature (see `fsbench.kernels.tree_evaluate`); LANE is 1 for a numeric one.
    missing : ndarray of bool of shape (n_features,)
        Whether some value of the feature is missing.
    table : ndarray of int64 of shape (n_rows + 1,)
        Entropy table: rint(k ln k * 2^s).
    rise : ndarray of int64 of shape (n_rows,)
        Its differences.
    bits : ndarray of float64 of shape (n_rows + 1,)
        k log2 k.
    unit : float
        What one bit is worth in the table.
    labels : (int, int)
        Number of labels of all features together, and of the one with most.
    """

    columns: Int32Array
    rows: Int32Array
    packed: UIntArray
    values: FloatArray
    reach: Int32Array
    ends: Int32Array
    cell: Int32Array
    n_cells: int
    y: Int32Array
    layout: tuple[int, int, int, int]
    plan: IntArray
    missing: BoolArray
    table: IntArray
    rise: IntArray
    bits: FloatArray
    unit: float
    labels: tuple[int, int]


class Estimates(NamedTuple):
    """What the pessimistic error estimate needs at one confidence.

    Attributes
    ----------
    z : float
        Normal quantile of 1 - CF.
    base : ndarray of shape (n_rows + 1,)
        ``n * (1 - CF ** (1 / n))``: the estimate of n rows without errors.
    """

    z: float
    base: FloatArray


def estimates(data: Dataset, confidence: float) -> Estimates:
    """Return the tables of the error estimate, made once a data set and confidence.

    Notes
    -----
    Weka keeps the confidence in single precision, which is seen in the last digits of the estimate.
    """
    cf = float(np.float32(confidence))

    def build() -> Estimates:
        n = np.arange(1, data.n_rows + 1, dtype=np.float64)
        return Estimates(NormalDist().inv_cdf(1.0 - cf), np.concatenate([[0.0], n * (1.0 - cf ** (1.0 / n))]))

    return data.derived(f"c45.estimates {cf!r}", build)


def coded(data: Dataset) -> Coded:
    """Return the data set in whole numbers, made once."""
    return data.derived("c45.coded", lambda: _build(data))


def _layout(data: Dataset) -> tuple[int, int, int, int]:
    class_bits = max(1, (max(data.n_classes, 1) - 1).bit_length())
    row_bits = max(1, (max(data.n_rows, 1) - 1).bit_length())
    if class_bits + 2 * row_bits > 63:
        raise NotApplicable(
            f"c45 takes at most 2^{(63 - class_bits) // 2} rows with {data.n_classes} classes, found {data.n_rows}",
            data.name,
        )
    return class_bits, class_bits + row_bits, (1 << class_bits) - 1, (1 << row_bits) - 1


def _build(data: Dataset) -> Coded:
    from fsbench.kernels.tree_code import code_data
    from fsbench.kernels.tree_evaluate import BASE, CELL, FEATURE, LABELS, LANE, PACKED, TIGHT

    n, n_features, nominal = data.n_rows, data.n_features, data.is_nominal
    layout, y, numeric = _layout(data), data.y.astype(np.int32), ~nominal
    plan = np.zeros((n_features, 10), dtype=np.int64)
    plan[:, FEATURE], plan[:, LABELS], plan[:, LANE] = np.arange(n_features), data.n_labels, numeric
    plan[numeric, PACKED] = np.arange(numeric.sum())
    plan[nominal, CELL] = np.arange(nominal.sum())
    mine = nominal * (data.n_labels + 1) * data.n_classes
    cells = np.cumsum(mine)
    plan[:, BASE] = cells - mine
    columns = np.empty((n_features, n), dtype=np.int32)
    packed = np.empty((int(numeric.sum()), n), dtype=np.uint64)
    cell = np.empty((n, int(nominal.sum())), dtype=np.int32)
    values, ends, reach = np.empty(packed.size), np.empty(packed.size, np.int32), np.empty(packed.size, np.int32)
    order = np.argsort(data.X.T[numeric], axis=1)
    used = code_data(data.X.T, order, y, data.n_classes, layout, plan, columns, packed, cell, values, ends, reach)
    table, unit = _entropy_table(n)
    return Coded(
        columns=columns,
        rows=np.ascontiguousarray(columns.T),
        packed=packed,
        values=values[:used].copy(),
        reach=reach[: used if plan[:, TIGHT].any() else 0].copy(),
        ends=ends[:used].copy(),
        cell=cell,
        n_cells=int(cells[-1]) if n_features else 0,
        y=y,
        layout=layout,
        plan=plan,
        missing=np.asarray((columns < 0).any(axis=1), dtype=np.bool_),
        table=table,
        rise=np.diff(table),
        bits=table / unit,
        unit=unit,
        labels=(int(data.n_labels.sum()), int(data.n_labels.max(initial=0))),
    )


def _entropy_table(n: int) -> tuple[IntArray, float]:
    """Return rint(k ln k * 2^s) for k up to n, with s as large as sums of a few allow, and ln 2 * 2^s."""
    k = np.arange(1, n + 1, dtype=np.float64)
    entropy = np.concatenate([[0.0], k * np.log(k)])
    scale = 2.0 ** (58 - int(np.ceil(np.log2(entropy[-1] + 2.0))))
    return np.rint(entropy * scale).astype(np.int64), float(np.log(2.0) * scale)
