"""OneR: the accuracy of the best rule on a single feature."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fsbench.columns import SortedColumn, group_counts, label_counts, map_sorted
from fsbench.method import param
from fsbench.rankers.base import Ranker
from fsbench.values import Dataset, FloatArray, IntArray

__all__ = ["OneR"]


class OneR(Ranker):
    """Percentage of the training rows that a rule on this feature alone gets right.

    The rule of a nominal feature gives each label its most frequent class. A numeric feature is cut into
    intervals, each with at least `bucket` rows of its most frequent class (the last one may have fewer), see
    Holte's paper. Rows with a missing value share a branch of their own.

    Parameters
    ----------
    bucket : int, default 6
        Fewest rows of its class in an interval of a numeric feature.

    Notes
    -----
    Counted on the training part itself, which favours features with many labels; it equals Weka's evaluator
    with the option ``-D``. Weka's default is a cross-validation inside.

    References
    ----------
    R. C. Holte: Very simple classification rules perform well on most commonly used datasets, Machine
    Learning 11, 1993.
    """

    name = "oner"
    title = "OneR"
    reference = "Holte: Very Simple Classification Rules Perform Well on Most Commonly Used Datasets, ML 11, 1993"
    unit: ClassVar[str] = "% correct"

    bucket: int = param(6, "fewest rows of its class in an interval of a numeric feature", low=1)

    def score(self, train: Dataset) -> FloatArray:
        """Return the percentage of rows that each feature's rule gets right."""
        numeric = map_sorted(train, self._correct)
        correct = [numeric[j] if j in numeric else _majority(*label_counts(train, j)) for j in range(train.n_features)]
        return 100.0 * np.array(correct, dtype=np.float64) / max(train.n_rows, 1)

    def _correct(self, column: SortedColumn) -> int:
        return _majority(_interval_counts(column, self.bucket), column.missing)


def _majority(counts: IntArray, missing: IntArray) -> int:
    """Return the rows of the most frequent class of each value, the missing ones together being one."""
    return int(counts.max(axis=1, initial=0).sum() + missing.max(initial=0))


def _interval_counts(column: SortedColumn, bucket: int) -> IntArray:
    """Count the classes in each interval of a sorted column.

    An interval takes value after value until its most frequent class has `bucket` rows, and then on as long as
    that class is the most frequent one of the next value too. Of equally frequent classes the first counts.

    Returns
    -------
    ndarray of shape (n_intervals, n_classes)
    """
    groups = group_counts(column)
    majority = groups.argmax(axis=1) if len(groups) else np.empty(0, dtype=np.int64)
    starts, counts = [], np.zeros(column.n_classes, dtype=np.int64)
    for i, group in enumerate(groups):
        closed = i > 0 and counts.max() >= bucket and majority[i] != counts.argmax()
        if i == 0 or closed:
            starts.append(i)
            counts = np.zeros(column.n_classes, dtype=np.int64)
        counts = counts + group
    return np.add.reduceat(groups, starts, axis=0) if starts else groups
