"""The neighbours of a test part, and their labels counted: all that BRkNN decides from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.errors import NotApplicable
from fsbench.kernels.threads import map_threads
from fsbench.multilabel.unusual import find_unusual, pays, unusual_rows, unusual_values
from fsbench.values import FloatArray, IntArray, Split

__all__ = ["Votes", "count_votes"]

PLAIN_WORK = 2_000_000  # pairs of rows times features up to which numpy is done before numba is loaded
PARTS = 16


@dataclass(frozen=True, eq=False)
class Votes:
    """What the neighbours of each test row say.

    Parameters
    ----------
    votes : ndarray of shape (n_test, n_labels)
        Neighbours that carry each label.
    neighbours : ndarray of shape (n_test,)
        How many there are: k, or more where others are tied with the k-th.
    n_train : int
    """

    votes: IntArray
    neighbours: IntArray
    n_train: int


def count_votes(data: MultiLabelDataset, split: Split, columns: IntArray, k: int) -> Votes:
    """Find the neighbours of each test row among the training rows and count their labels.

    Parameters
    ----------
    data : MultiLabelDataset
        All rows.
    split : Split
    columns : ndarray of shape (n_columns,)
        Features that make up the distance, ascending.
    k : int

    Returns
    -------
    Votes

    Raises
    ------
    NotApplicable
        No feature, or fewer training rows than neighbours.

    Notes
    -----
    Squared Euclidean distance over the features, numeric ones brought to 0 .. 1 by the training rows; a constant one
    does not count. Every row whose distance equals that of the k-th nearest is a neighbour too, as in Mulan.
    """
    if not len(columns):
        raise NotApplicable("no feature is left to measure distances by", data.name)
    if len(split.train) < k:
        raise NotApplicable(f"{k} neighbours need {k} training rows, found {len(split.train)}", data.name)
    n_test, n_train = len(split.test), len(split.train)
    votes = np.zeros((n_test, data.n_labels), dtype=np.int64)
    neighbours = np.zeros(n_test, dtype=np.int64)
    nominal = data.is_nominal[columns]
    train, test = data.X[np.ix_(split.train, columns)], data.X[np.ix_(split.test, columns)]
    if n_test * n_train * len(columns) <= PLAIN_WORK:
        return _plain_votes(_scaled(train, test, nominal), nominal, data.Y[split.train], k)
    from fsbench.kernels import multilabel_votes as kernels

    rows, labels = np.nonzero(data.Y[split.train])
    label_start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_train))])
    carried = (label_start, labels.astype(np.int32))
    lists = _lists(data, train, test, columns) if nominal.all() else None
    kernel: Any
    given: tuple[Any, ...]
    if lists is not None:
        kernel, given = kernels.sparse_votes, lists
    else:
        scaled_train, scaled_test = _scaled(train, test, nominal)
        kernel = kernels.dense_votes
        given = (np.ascontiguousarray(scaled_train.T), np.ascontiguousarray(scaled_test), nominal.astype(np.int64))
    length = -(-n_test // PARTS)
    parts = [(start, min(start + length, n_test)) for start in range(0, n_test, length)]
    map_threads(lambda part: kernel(*given, *carried, k, *part, votes, neighbours), parts)
    return Votes(votes, neighbours, n_train)


def _lists(data: MultiLabelDataset, train: FloatArray, test: FloatArray, columns: IntArray) -> tuple[Any, ...] | None:
    """Return the test rows' unusual values and the index of the training rows, or None if it does not pay."""
    if np.isnan(train).any() or np.isnan(test).any():
        return None
    n_values = np.array([data.features[j].n_labels for j in columns], dtype=np.int64)
    unusual = find_unusual(train, n_values)
    entries = unusual_rows(train, unusual)
    lists = unusual_values(entries, n_values)
    # A value that no training row holds has an empty list; a feature may then no longer have a single unusual one.
    own = unusual_rows(test, unusual)
    value_of = np.full(len(columns), -1)
    value_of[entries.features] = entries.values
    lists.single[own.features[value_of[own.features] != own.values]] = 0
    if not pays(lists, len(test), len(train), cells=4):
        return None
    return (own.start, own.features, own.values, entries.sizes, *lists)


def _scaled(train: FloatArray, test: FloatArray, nominal: Any) -> tuple[FloatArray, FloatArray]:
    """Bring the numeric columns of both parts to the training part's 0 .. 1; a constant one becomes 0."""
    train, test = train.copy(), test.copy()
    for j in np.flatnonzero(~nominal):
        known = train[~np.isnan(train[:, j]), j]
        low, high = (known.min(), known.max()) if known.size else (0.0, 0.0)
        for part in (train, test):
            column = part[:, j]
            part[:, j] = (column - low) / (high - low) if high > low else np.where(np.isnan(column), np.nan, 0.0)
    return train, test


def _plain_votes(parts: tuple[FloatArray, FloatArray], nominal: Any, carried: Any, k: int) -> Votes:
    """Do as the kernels, by numpy."""
    train, test = parts
    totals = np.zeros((len(test), len(train)))
    for j in range(train.shape[1]):
        own, other = test[:, j, np.newaxis], train[np.newaxis, :, j]
        if nominal[j]:
            totals += own != other  # also where either is missing: NaN equals nothing
            continue
        d = np.abs(own - other)
        d = np.where(np.isnan(own), np.maximum(other, 1.0 - other), d)
        d = np.where(np.isnan(other), np.maximum(own, 1.0 - own), d)
        d[np.isnan(d)] = 1.0
        totals += d * d
    limit = np.partition(totals, k - 1, axis=1)[:, k - 1 : k]
    near = totals <= limit
    return Votes(near.astype(np.int64) @ carried.astype(np.int64), near.sum(axis=1), len(train))
