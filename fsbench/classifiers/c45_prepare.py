"""What every C4.5 tree on a data set starts from: codes and sorted columns, made once and shared by all splits."""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.errors import NotApplicable
from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

__all__ = ["Coded", "Estimates", "coded", "estimates"]

Int32Array = npt.NDArray[np.int32]
UIntArray = npt.NDArray[np.uint64]

LARGEST = float(np.finfo(np.float64).max) / 2.0  # of a value


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


@lru_cache(maxsize=4)
def estimates(n_rows: int, confidence: float) -> Estimates:
    """Return the tables of the error estimate for up to `n_rows` rows.

    Notes
    -----
    Weka keeps the confidence in single precision, which is seen in the last digits of the estimate.
    """
    cf = float(np.float32(confidence))
    n = np.arange(1, n_rows + 1, dtype=np.float64)
    return Estimates(NormalDist().inv_cdf(1.0 - cf), np.concatenate([[0.0], n * (1.0 - cf ** (1.0 / n))]))


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
    from fsbench.kernels.tree_evaluate import LANE

    n, n_features, numeric = data.n_rows, data.n_features, ~data.is_nominal
    n_numeric, n_labels = int(np.count_nonzero(numeric)), data.n_labels
    layout, y = _layout(data), data.y.astype(np.int32)
    plan = np.zeros((n_features, 10), dtype=np.int64)
    plan[:, LANE] = numeric
    columns, rows = np.empty((n_features, n), dtype=np.int32), np.empty((n, n_features), dtype=np.int32)
    packed = np.empty((n_numeric, n), dtype=np.uint64)
    cell = np.empty((n, n_features - n_numeric), dtype=np.int32)
    values, ends, reach = np.empty(packed.size), np.empty(packed.size, np.int32), np.empty(packed.size, np.int32)
    missing, XT = np.zeros(n_features, dtype=np.bool_), data.X.T
    order = np.argsort(XT if n_numeric == n_features else XT[numeric], axis=1)
    codes = (plan, columns, rows, packed, cell, values, ends, reach, missing)
    used, n_cells, tight = code_data(XT, order, y, n_labels, data.n_classes, layout, *codes)
    _check_size(data, values[:used])
    tables = _tables(n)
    return Coded(
        columns=columns,
        rows=rows,
        packed=packed,
        values=values[:used].copy(),
        reach=reach[: used if tight else 0].copy(),
        ends=ends[:used].copy(),
        cell=cell,
        n_cells=n_cells,
        y=y,
        layout=layout,
        plan=plan,
        missing=missing,
        table=tables.entropy,
        rise=tables.rise,
        bits=tables.bits,
        unit=tables.unit,
        labels=(int(n_labels.sum()), int(n_labels.max(initial=0))),
    )


def _check_size(data: Dataset, values: FloatArray) -> None:
    """Refuse values so large that there is no number halfway between two of them."""
    if np.abs(values).max(initial=0.0) > LARGEST:
        large = np.abs(np.where(data.is_nominal, 0.0, np.nan_to_num(data.X, nan=0.0))).max(axis=0)
        name = data.features[int(np.argmax(large))].name
        raise NotApplicable(f"c45: column {name!r}: values beyond {LARGEST:.1e} have no midpoint", data.name)


class _Tables(NamedTuple):
    """What depends on the number of rows alone; see `Coded`."""

    entropy: IntArray
    rise: IntArray
    bits: FloatArray
    unit: float


@lru_cache(maxsize=4)
def _tables(n: int) -> _Tables:
    """Return rint(k ln k * 2^s) for k up to n, with s as large as sums of a few allow, and what follows from it."""
    k = np.arange(1, n + 1, dtype=np.float64)
    entropy = np.concatenate([[0.0], k * np.log(k)])
    scale = 2.0 ** (58 - int(np.ceil(np.log2(entropy[-1] + 2.0))))
    table, unit = np.rint(entropy * scale).astype(np.int64), float(np.log(2.0) * scale)
    return _Tables(table, np.diff(table), table / unit, unit)
