"""What ReliefF is computed from: scaled columns, classes, priors, probes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fsbench.errors import NotApplicable
from fsbench.kernels.threads import map_threads
from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

__all__ = [
    "Problem",
    "Ranges",
    "Scaled",
    "column_parts",
    "column_ranges",
    "endless_range",
    "scaled",
    "unknown_label_differences",
    "update_factors",
]

# A numeric column whose range is smaller than this does not vary, as in Weka.
SMALLEST_RANGE = 1e-6


@dataclass(frozen=True, eq=False)
class Scaled:
    """A training part with numeric columns brought to 0 .. 1.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_features)
        float64 in Fortran order: scaled numbers, label indices of nominal columns; NaN is missing.
    nominal : ndarray of shape (n_features,)
        Which columns are nominal.
    unknown : ndarray of shape (n_features,)
        See `unknown_label_differences`.
    y : ndarray of shape (n_rows,)
    class_counts : ndarray of shape (n_classes,)
    """

    Z: FloatArray
    nominal: BoolArray
    unknown: FloatArray
    y: IntArray
    class_counts: IntArray


@dataclass(frozen=True, eq=False)
class Problem:
    """One run of ReliefF.

    Parameters
    ----------
    data : Scaled
    probes : ndarray of shape (n_probes,)
        Rows whose neighbours are looked for; a row may occur more than once.
    k : int
        Neighbours of each class.
    rank_weights : ndarray of shape (k,), optional
        Weight of the i-th nearest neighbour; None if all count alike.
    """

    data: Scaled
    probes: IntArray
    k: int
    rank_weights: FloatArray | None = None


def update_factors(class_counts: IntArray) -> FloatArray:
    """Return the weight of the mean difference between a probe and its neighbours of a class.

    Parameters
    ----------
    class_counts : ndarray of shape (n_classes,)

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        By class of the probe and of the neighbours: -1 for hits, P(c) / (1 - P(own)) for misses; with exactly two
        declared classes 1.

    Examples
    --------
    >>> update_factors(np.array([2, 1, 1]))[0].tolist()
    [-1.0, 0.5, 0.5]
    """
    shares = class_counts / max(int(class_counts.sum()), 1)
    if len(shares) == 2:
        factors = np.ones((2, 2))
    else:
        # Where one class has all rows there are no misses, and no factor matters.
        others = np.where(shares < 1.0, 1.0 - shares, 1.0)
        factors = shares / others[:, np.newaxis]
    np.fill_diagonal(factors, -1.0)
    return factors


def scaled(train: Dataset) -> Scaled:
    """Bring the numeric columns of a training part to 0 .. 1.

    Parameters
    ----------
    train : Dataset
        Finite or missing values. Of sparse data, zeros do not count for a column's range.

    Returns
    -------
    Scaled
    """
    return train.derived("relieff.scaled", lambda: _scaled(train))


def _scaled(train: Dataset) -> Scaled:
    Z, ranges = train.X.copy(order="F"), column_ranges(train)
    for j in np.flatnonzero(~train.is_nominal):
        column, low, width = Z[:, j], ranges.low[j], ranges.high[j] - ranges.low[j]
        known = ~np.isnan(column)
        column[known] = 0.0 if width < SMALLEST_RANGE else (column[known] - low) / width
    return Scaled(Z, train.is_nominal, unknown_label_differences(train), train.y, train.class_counts)


def unknown_label_differences(train: Dataset) -> FloatArray:
    """Return the difference between a missing label and any other, 1 - 1 / labels; 1 for numeric columns.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    labels = np.maximum(train.n_labels, 1)
    return np.where(train.is_nominal, 1.0 - 1.0 / labels, 1.0)


class Ranges(NamedTuple):
    """What a column spans.

    Attributes
    ----------
    low, high : ndarray of shape (n_features,)
        Smallest and largest known value; both 0 if there is none. Zeros of sparse data do not count.
    missing : ndarray of shape (n_features,)
        Whether a value is missing.
    """

    low: FloatArray
    high: FloatArray
    missing: BoolArray


def column_ranges(train: Dataset) -> Ranges:
    """Return the range of every column.

    Raises
    ------
    NotApplicable
        A value, or a range, is infinite.
    """
    parts = column_parts(train.n_rows, train.n_features)
    found = map_threads(lambda part: _ranges(train, *part), parts)
    low, high, missing = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        endless = np.flatnonzero(~(high - low < np.inf))
    if len(endless):
        raise endless_range(train, endless[0])
    return Ranges(low, high, missing)


def endless_range(train: Dataset, j: int) -> NotApplicable:
    """Return the error for a feature whose range is no finite number."""
    name = train.features[j].name
    if np.isinf(train.X[:, j]).any():
        return NotApplicable(f"relieff needs finite values, found an infinite one in {name!r}", train.name)
    return NotApplicable(f"relieff: column {name!r}: its values are too far apart for a distance", train.name)


def column_parts(n_rows: int, n_features: int) -> list[tuple[int, int]]:
    """Split the columns into at most 8 stretches, a multiple of 8 long, each with work for a thread."""
    length = max(-(-n_features // 8), -(-500_000 // max(n_rows, 1)))
    length = -(-length // 8) * 8
    return [(start, min(start + length, n_features)) for start in range(0, n_features, length)]


def _ranges(train: Dataset, first: int, last: int) -> Ranges:
    columns = train.X.T[first:last]
    low, high = columns.min(axis=1), columns.max(axis=1)
    missing = np.isnan(low)
    # Zeros of sparse data matter to numeric columns only: the range of a nominal one means nothing.
    looked_at = missing | ~train.is_nominal[first:last] if train.sparse else missing
    for j in np.flatnonzero(looked_at).tolist():
        column = columns[j]
        known = column[~np.isnan(column) & ((column != 0.0) | (not train.sparse))]
        low[j], high[j] = (known.min(), known.max()) if known.size else (0.0, 0.0)
    return Ranges(low, high, missing)
