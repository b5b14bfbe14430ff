"""Information gain about every label: nominal columns are counted once, numeric ones sorted once, for all labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.entropy import LN2, xlogx_table
from fsbench.kernels.threads import map_threads
from fsbench.rankers import Ranker
from fsbench.rankers.information_gain import InformationGain
from fsbench.values import FloatArray

__all__ = ["gains", "powerset_gains", "shares_gain"]

PLAIN_CELLS = 60_000  # rows times features times labels up to which numpy is done before numba is loaded
STRETCH = 16  # columns a thread takes at a time


def shares_gain(ranker: Ranker, train: MultiLabelDataset) -> bool:
    """Whether a ranker is the information gain that is computed here, and the data are large enough for kernels."""
    if type(ranker) is not InformationGain or train.n_rows * train.n_features * train.n_labels <= PLAIN_CELLS:
        return False
    return ranker.discretize == "mdl" or bool(train.is_nominal.all())


def gains(ranker: Ranker, train: MultiLabelDataset) -> FloatArray:
    """Return the gain of every feature about every label.

    Parameters
    ----------
    ranker : InformationGain
    train : MultiLabelDataset

    Returns
    -------
    ndarray of shape (n_labels, n_features)
        In bits.
    """
    ranker._check(train.binary(0))
    found = np.empty((train.n_features, train.n_labels))
    shared = _shared(train)
    columns = range(train.n_features)
    parts = [columns[start : start + STRETCH] for start in range(0, len(columns), STRETCH)]

    def run(part: range) -> None:
        for j in part:
            _column(train, j, shared, found[j])

    map_threads(run, parts)
    return np.ascontiguousarray(found.T)


def powerset_gains(ranker: Ranker, train: MultiLabelDataset) -> FloatArray:
    """Return the gain of every feature about the label set of a row; all features nominal.

    Parameters
    ----------
    ranker : InformationGain
    train : MultiLabelDataset

    Returns
    -------
    ndarray of shape (n_features,)
        In bits.
    """
    from fsbench.kernels.multilabel_gain import class_gain

    ranker._check(train.binary(0))
    owner, sizes = train.label_sets
    logs = xlogx_table(train.n_rows)
    columns = range(train.n_features)
    parts = [columns[start : start + STRETCH] for start in range(0, len(columns), STRETCH)]

    def run(part: range) -> list[float]:
        return [class_gain(train.X[:, j], train.features[j].n_labels, owner, sizes, logs) for j in part]

    return np.array([gain for found in map_threads(run, parts) for gain in found])


def _shared(train: MultiLabelDataset) -> dict[str, Any]:
    """Return what all columns need."""
    rows, labels = np.nonzero(train.Y)
    return {
        "row_start": np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=train.n_rows))]),
        "row_labels": labels.astype(np.int32),
        "carries": np.ascontiguousarray(train.Y.T),
        "logs": xlogx_table(train.n_rows),
        "costs": np.array([0.0, 0.0, math.log(7.0) / LN2]),  # log2(3^k - 2) of k classes
    }


def _column(train: MultiLabelDataset, j: int, shared: dict[str, Any], out: FloatArray) -> None:
    from fsbench.kernels.multilabel_gain import nominal_gains, numeric_gains

    column, logs = np.ascontiguousarray(train.X[:, j]), shared["logs"]
    if train.is_nominal[j]:
        n_values, counts = train.features[j].n_labels, train.label_counts
        nominal_gains(column, n_values, shared["row_start"], shared["row_labels"], counts, logs, out)
    else:
        order = np.argsort(column, kind="stable")
        numeric_gains(column[order], order, shared["carries"], shared["costs"], logs, out)
