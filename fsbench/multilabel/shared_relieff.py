"""ReliefF of a multi-label training part, with the distances computed once for all labels.

The distance of two rows does not depend on the label, and a weight is a sum of differences over pairs of rows, each
with the part that it has in the update. So for each row, from one row of distances, come the nearest hits and misses
of every label; their parts are added up, and one pass of differences takes them to the features. Nothing is held
that grows with rows times labels but a byte, or with rows squared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.kernels.threads import map_threads
from fsbench.multilabel.unusual import find_unusual, pays, unusual_rows, unusual_values
from fsbench.rankers import Ranker
from fsbench.rankers.relieff import PLAIN_WORK, ReliefF
from fsbench.rankers.relieff_problem import SMALLEST_RANGE, column_ranges, unknown_label_differences
from fsbench.values import FloatArray, IntArray

__all__ = ["binary_weights", "powerset_weights", "shares_work"]

PARTS = 32  # parts the probes are split into, whatever the number of threads
ALONE = 20_000_000  # pairs of rows times features below which one thread is faster than a pool
WIDTH = 3  # K of the kernels, in multiples of k

Sums = Callable[[int, int, FloatArray], None]
Arrays = tuple[Any, ...]


def shares_work(ranker: Ranker, train: MultiLabelDataset) -> bool:
    """Whether a ranker is the ReliefF that is computed here, and the data are large enough to pay for kernels."""
    # A class derived from ReliefF may score otherwise: it is asked itself.
    if type(ranker) is not ReliefF or ranker.weighting != "none":
        return False
    all_rows = ranker.sample is None or ranker.sample < 0 or ranker.sample >= train.n_rows
    return all_rows and train.n_rows**2 * train.n_features > PLAIN_WORK


def binary_weights(ranker: Ranker, train: MultiLabelDataset, label_weights: FloatArray) -> FloatArray:
    """Return the weighted sum over labels of the ReliefF weights of each feature.

    Parameters
    ----------
    ranker : ReliefF
    train : MultiLabelDataset
    label_weights : ndarray of shape (n_labels,)

    Returns
    -------
    ndarray of shape (n_features,)
    """
    from fsbench.kernels import multilabel_dense, multilabel_sparse

    k = _neighbours(ranker, train)
    sides = (*_rare_sides(train), np.arange(train.n_rows, dtype=np.int32), label_weights)
    counts = (min(WIDTH * k, train.n_rows), k)
    return _weights(train, multilabel_sparse.sparse_binary, multilabel_dense.dense_binary, (*sides, *counts))


def powerset_weights(ranker: Ranker, train: MultiLabelDataset) -> FloatArray:
    """Return the ReliefF weight of each feature, the classes being the label sets.

    Parameters
    ----------
    ranker : ReliefF
    train : MultiLabelDataset

    Returns
    -------
    ndarray of shape (n_features,)
    """
    from fsbench.kernels import multilabel_dense, multilabel_sparse

    owner, sizes = train.label_sets
    rows = np.argsort(owner, kind="stable").astype(np.int32)
    classes = (owner, np.concatenate([[0], np.cumsum(sizes)]), rows, _neighbours(ranker, train))
    return _weights(train, multilabel_sparse.sparse_powerset, multilabel_dense.dense_powerset, classes)


def _neighbours(ranker: Ranker, train: MultiLabelDataset) -> int:
    assert isinstance(ranker, ReliefF)
    return min(ranker.k, train.n_rows)


def _weights(train: MultiLabelDataset, sparse: Any, dense: Any, given: Arrays) -> FloatArray:
    """Run the kernel that suits the columns."""
    as_class = train.binary(0)
    missing = column_ranges(as_class).missing  # also refuses infinite values
    if train.is_nominal.all() and not missing.any():
        lists = _unusual_lists(train, as_class.n_labels)
        if lists is not None:
            return _summed(train, lambda first, last, out: sparse(*lists, *given, first, last, out))
    columns, order = _dense_columns(train)
    sums = _summed(train, lambda first, last, out: dense(*columns, *given, first, last, out))
    weights = np.empty_like(sums)
    weights[order] = sums
    return weights


def _summed(train: MultiLabelDataset, add: Sums) -> FloatArray:
    """Add up the updates of all probes, part by part, in one fixed order, and divide by their number."""
    n, m = train.n_rows, train.n_features
    length = -(-n // PARTS)
    parts = [(start, min(start + length, n)) for start in range(0, n, length)]
    sums = np.empty((len(parts), m))

    def run(i: int) -> None:
        add(*parts[i], sums[i])

    if n * n * m < ALONE:
        for i in range(len(parts)):
            run(i)
    else:
        map_threads(run, range(len(parts)))
    total = np.zeros(m)
    for part in sums:
        total += part
    return total / n


def _rare_sides(train: MultiLabelDataset) -> Arrays:
    """Return the smaller class of each label, by label, by row and as marks; see the kernel for the arrays."""
    mostly = 2 * train.label_counts > train.n_rows
    is_rare = np.ascontiguousarray(train.Y.T ^ mostly[:, np.newaxis]).astype(np.uint8)
    labels, rows = np.nonzero(is_rare)
    by_row = np.argsort(rows, kind="stable")
    rare_start = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=train.n_labels))])
    row_start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=train.n_rows))])
    return rare_start, rows.astype(np.int32), row_start, labels[by_row].astype(np.int32), is_rare


def _unusual_lists(train: MultiLabelDataset, n_values: IntArray) -> Arrays | None:
    """Return the lists of unusual values, or None if comparing all cells is cheaper."""
    entries = unusual_rows(train.X, find_unusual(train.X, n_values))
    lists = unusual_values(entries, n_values)
    return (*entries, *lists) if pays(lists, train.n_rows, train.n_rows) else None


def _dense_columns(train: MultiLabelDataset) -> tuple[Arrays, IntArray]:
    """Return scaled columns by feature and by row, and which feature stands at each place by row."""
    from fsbench.kernels import relieff_prepare

    as_class = train.binary(0)
    low, high, missing = column_ranges(as_class)
    z = np.empty((train.n_features, train.n_rows))
    numeric = ~train.is_nominal
    relieff_prepare.scale_columns(train.X, np.arange(train.n_rows), low, high, numeric, SMALLEST_RANGE, z)
    kinds = 2 * train.is_nominal.astype(np.int64) + missing
    unknown = unknown_label_differences(as_class)
    order = np.argsort(kinds, kind="stable")
    by_row = np.ascontiguousarray(z[order].T)
    kind_start = np.searchsorted(kinds[order], np.arange(5))
    return (z, kinds, unknown, by_row, kind_start, unknown[order]), order
