"""What every C4.5 tree on a data set starts from: codes and sorted columns, made once and shared by all splits."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.errors import NotApplicable
from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

__all__ = ["Coded", "Estimates", "coded", "estimates"]

Int32Array = npt.NDArray[np.int32]
UIntArray = npt.NDArray[np.uint64]

CLOSE = 1e-5  # Weka does not cut between values that are not further apart


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
        Counter of the row's label and class, one run of counters a nominal feature.
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
    unit : float
        What one bit is worth in the table.
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
    unit: float


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
    n, n_features = data.n_rows, data.n_features
    layout = _layout(data)
    known = ~np.isnan(data.X.T)
    missing: BoolArray = np.array([not k.all() for k in known], dtype=np.bool_)
    columns = np.full((n_features, n), -1, dtype=np.int32)
    plan = np.zeros((n_features, 10), dtype=np.int64)
    packed = np.empty((int((~data.is_nominal).sum()), n), dtype=np.uint64)
    tail = (np.arange(n, dtype=np.uint64) << np.uint64(layout[0])) | data.y.astype(np.uint64)
    values: list[FloatArray] = []
    cells: list[Any] = []
    n_values = n_cells = lists = 0
    for f, feature in enumerate(data.features):
        plan[f, 0] = f
        if feature.is_nominal:
            columns[f, known[f]] = data.X[known[f], f]
            plan[f, 3:6] = len(cells), n_cells, feature.n_labels
            plan[f, 9] = 0.3 * n - feature.n_labels <= 1e-6
            cells.append(n_cells + columns[f] * data.n_classes + data.y)
            n_cells += feature.n_labels * data.n_classes
            continue
        distinct, columns[f, known[f]] = np.unique(data.X[known[f], f], return_inverse=True)
        codes = np.where(known[f], columns[f], len(distinct)).astype(np.uint64)
        packed[lists] = np.sort((codes << np.uint64(layout[1])) | tail)
        plan[f, 1:3] = 1, lists
        plan[f, 6:8] = n_values, n_values + len(distinct)
        plan[f, 8] = bool((np.diff(distinct) <= CLOSE).any())
        values.append(distinct)
        n_values += len(distinct)
        lists += 1
    return _finish(data, layout, plan, columns, packed, values, cells, n_cells, missing)


def _finish(
    data: Dataset,
    layout: tuple[int, int, int, int],
    plan: IntArray,
    columns: Int32Array,
    packed: UIntArray,
    values: list[FloatArray],
    cells: list[Any],
    n_cells: int,
    missing: BoolArray,
) -> Coded:
    n = data.n_rows
    numeric = np.flatnonzero(plan[:, 1])
    ends = [
        np.cumsum(np.bincount(columns[f][columns[f] >= 0], minlength=len(v)))
        for f, v in zip(numeric, values, strict=True)
    ]
    reach = [np.searchsorted(v, v + CLOSE, side="right") for v in values]
    tight = bool(plan[:, 8].any())
    k = np.arange(1, n + 1, dtype=np.float64)
    kln = np.concatenate([[0.0], k * np.log(k)])
    scale = 2.0 ** (58 - int(np.ceil(np.log2(kln[-1] + 2.0))))
    return Coded(
        columns=columns,
        rows=np.ascontiguousarray(columns.T),
        packed=packed,
        values=np.concatenate([np.empty(0), *values]),
        reach=np.concatenate([np.empty(0, np.int64), *(reach if tight else [])]).astype(np.int32),
        ends=np.concatenate([np.empty(0, np.int64), *ends]).astype(np.int32),
        cell=np.ascontiguousarray(np.array(cells, dtype=np.int32).reshape(len(cells), n).T),
        n_cells=n_cells,
        y=data.y.astype(np.int32),
        layout=layout,
        plan=plan,
        missing=missing,
        table=np.rint(kln * scale).astype(np.int64),
        unit=float(np.log(2.0) * scale),
    )
