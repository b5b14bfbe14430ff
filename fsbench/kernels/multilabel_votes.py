"""Nearest neighbours of test rows, and how many of them carry each label; rows tied with the last one count too."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.multilabel_neighbours import Counts, Marks
from fsbench.kernels.multilabel_sparse import unusual_distances
from fsbench.values import FloatArray, IntArray

__all__ = ["dense_votes", "sparse_votes"]


@jit
def dense_votes(
    train: FloatArray,
    test: FloatArray,
    kinds: IntArray,
    label_start: IntArray,
    labels: Counts,
    k: int,
    first: int,
    last: int,
    votes: IntArray,
    neighbours: IntArray,
) -> None:
    """Count the votes for test rows first .. last - 1 by squared Euclidean distance.

    Parameters
    ----------
    train : ndarray of shape (n_features, n_train)
        Numbers scaled by the training rows' ranges, and label indices; NaN is missing.
    test : ndarray of shape (n_test, n_features)
    kinds : ndarray of shape (n_features,)
        0 numeric, 1 nominal.
    label_start, labels : ndarray of shape (n_train + 1,) and (n_entries,)
        Labels that each training row carries.
    k : int
        At most n_train.
    votes : ndarray of shape (n_test, n_labels)
        Zero; written.
    neighbours : ndarray of shape (n_test,)
        Written: how many rows voted, k or more.

    Notes
    -----
    Squares are added feature by feature, as Weka does: last bits decide what is tied. Nominal: 0 or 1, 1 if either
    is missing. Numeric: a missing value is as far from v as it can be, max(v, 1 - v); two missing ones are 1 apart.
    """
    n = train.shape[1]
    totals, found = np.empty(n), np.empty(k)
    for i in range(first, last):
        totals[:] = 0.0
        for f in range(len(kinds)):
            own, column = test[i, f], train[f]
            if kinds[f] == 1:
                for j in range(n):
                    totals[j] += 0.0 if own == column[j] else 1.0
            elif own == own:
                far = 1.0 - own if own < 0.5 else own
                for j in range(n):
                    d = own - column[j]
                    d = far if d != d else d
                    totals[j] += d * d
            else:
                for j in range(n):
                    v = column[j]
                    d = 1.0 - v if v < 0.5 else v
                    d = 1.0 if d != d else d
                    totals[j] += d * d
        neighbours[i] = _vote(totals, found, label_start, labels, votes[i])


@jit
def sparse_votes(
    entry_start: IntArray,
    entries: IntArray,
    values: IntArray,
    sizes: IntArray,
    feature_start: IntArray,
    feature_rows: Counts,
    value_start: IntArray,
    value_rows: Counts,
    single: Marks,
    label_start: IntArray,
    labels: Counts,
    k: int,
    first: int,
    last: int,
    votes: IntArray,
    neighbours: IntArray,
) -> None:
    """Do as `dense_votes` for nominal features without missing values.

    `entry_start`, `entries` and `values` list the unusual values of each test row; `sizes` and the index up to
    `single` are those of the training rows, see `fsbench.kernels.multilabel_sparse.unusual_distances`.
    """
    distances, found = np.empty(len(sizes), np.int32), np.empty(k, np.int32)
    for i in range(first, last):
        own = entries[entry_start[i] : entry_start[i + 1]]
        held = values[entry_start[i] : entry_start[i + 1]]
        unusual_distances(own, held, sizes, feature_start, feature_rows, value_start, value_rows, single, distances)
        neighbours[i] = _vote(distances, found, label_start, labels, votes[i])


@jit_bare
def _vote(
    distances: FloatArray | Counts,
    found: FloatArray | Counts,
    label_start: IntArray,
    labels: Counts,
    votes: IntArray,
) -> int:
    """Count the labels of the ``len(found)`` nearest rows and of all that are tied with the last of them."""
    size, filled = len(found), 0
    for j in range(len(distances)):
        d = distances[j]
        if filled == size and d >= found[size - 1]:
            continue
        # found is kept ascending
        s = min(filled, size - 1)
        while s > 0 and found[s - 1] > d:
            found[s] = found[s - 1]
            s -= 1
        found[s] = d
        filled = min(filled + 1, size)
    count, limit = 0, found[size - 1]
    for j in range(len(distances)):
        if distances[j] <= limit:
            count += 1
            for at in range(label_start[j], label_start[j + 1]):
                votes[labels[at]] += 1
    return count
