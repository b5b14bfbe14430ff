"""Nominal columns by the values that are not the usual ones, for the kernels of sparse data."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.values import FloatArray, IntArray

__all__ = ["Unusual", "UnusualRows", "UnusualValues", "find_unusual", "pays", "unusual_rows", "unusual_values"]

Rows = npt.NDArray[np.int32]


class Unusual(NamedTuple):
    """Which values are unusual: all but the most frequent one of each feature.

    Attributes
    ----------
    usual : ndarray of shape (n_features,)
        The most frequent value of each feature, the lowest among equally frequent ones.
    offset : ndarray of shape (n_features,)
        Value v of feature f is number ``offset[f] + v`` among all values.
    """

    usual: FloatArray
    offset: IntArray


class UnusualRows(NamedTuple):
    """The unusual values of each row.

    Attributes
    ----------
    start : ndarray of shape (n_rows + 1,)
        Those of row i stand at ``start[i]`` .. ``start[i + 1] - 1``.
    features, values : ndarray of shape (n_entries,)
        Feature and number of the value, features ascending.
    sizes : ndarray of shape (n_rows,)
        How many each row has.
    """

    start: IntArray
    features: IntArray
    values: IntArray
    sizes: IntArray


class UnusualValues(NamedTuple):
    """The rows of each unusual value: arrays as in `fsbench.kernels.multilabel_sparse.unusual_distances`."""

    feature_start: IntArray
    feature_rows: Rows
    value_start: IntArray
    value_rows: Rows
    single: npt.NDArray[np.uint8]


def find_unusual(X: FloatArray, n_values: IntArray) -> Unusual:
    """Find the usual value of each nominal column.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Label indices, none missing.
    n_values : ndarray of shape (n_features,)
        Declared labels.
    """
    # Of two values the mean of the indices tells which is the more frequent.
    usual = (X.mean(axis=0) > 0.5).astype(np.float64)
    for f in np.flatnonzero(n_values > 2):
        usual[f] = np.bincount(X[:, f].astype(np.int64), minlength=n_values[f]).argmax()
    return Unusual(usual, np.concatenate([[0], np.cumsum(n_values)[:-1]]))


def unusual_rows(X: FloatArray, unusual: Unusual) -> UnusualRows:
    """List the unusual values of each row of nominal columns; the rows may be others than those counted."""
    rows, features = np.nonzero(np.ascontiguousarray(X) != unusual.usual)
    values = unusual.offset[features] + X[rows, features].astype(np.int64)
    sizes = np.bincount(rows, minlength=len(X)).astype(np.int64)
    return UnusualRows(np.concatenate([[0], np.cumsum(sizes)]), features, values, sizes)


def unusual_values(entries: UnusualRows, n_values: IntArray) -> UnusualValues:
    """List the rows that hold each unusual value, and those that hold any of a feature."""
    rows = np.repeat(np.arange(len(entries.sizes), dtype=np.int32), entries.sizes)
    feature_start, feature_rows = _grouped(entries.features, rows, len(n_values))
    value_start, value_rows = _grouped(entries.values, rows, int(n_values.sum()))
    held = np.repeat(np.arange(len(n_values)), n_values)[np.diff(value_start) > 0]
    single = (np.bincount(held, minlength=len(n_values)) <= 1).astype(np.uint8)
    return UnusualValues(feature_start, feature_rows, value_start, value_rows, single)


def pays(lists: UnusualValues, probes: int, n_rows: int, cells: int = 16) -> bool:
    """Whether going through lists is cheaper than comparing all cells, of which `cells` are done at a time."""
    lengths = np.diff(lists.feature_start).astype(np.float64)
    return float((lengths**2).sum()) * probes / max(n_rows, 1) * cells < float(probes) * n_rows * len(lengths)


def _grouped(keys: IntArray, rows: Rows, n_keys: int) -> tuple[IntArray, Rows]:
    """Group rows by key, keeping their order; return where each group starts, and the rows."""
    counts = np.bincount(keys, minlength=n_keys)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), rows[np.argsort(keys, kind="stable")]
