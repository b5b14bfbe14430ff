"""Contingency tables of value and class: what information gain and its relatives are computed from."""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

import numpy as np

from fsbench.columns import compiled_pays, group_counts, label_counts, map_columns, map_sorted
from fsbench.discretize import Discretization, equal_width, mdl
from fsbench.entropy import count_logs
from fsbench.method import param
from fsbench.rankers.base import Ranker
from fsbench.values import Dataset, FloatArray, IntArray

__all__ = ["ContingencyRanker", "spread_missing"]

Cutting = Literal["mdl", "fayyad-irani", "equal-width", "none"]


class ContingencyRanker(Ranker):
    """Base of the rankers that score a table of value by class; authors write `table_score`.

    Numeric features are cut into intervals first. Rows with a missing value are spread over the values, see
    `spread_missing`.

    Parameters
    ----------
    discretize : {"mdl", "fayyad-irani", "equal-width", "none"}, default "mdl"
        How numeric features are cut: by minimum description length as Weka does, with the paper's own cost of
        a cut, into `bins` intervals of equal width, or not at all (every distinct number is a value).
    bins : int, default 10
        Number of intervals of equal width.
    """

    discretize: Cutting = param("mdl", "cuts of numeric features: mdl (Weka's), fayyad-irani, equal-width, none")
    bins: int = param(10, "number of intervals, for equal-width", low=1)

    @abstractmethod
    def table_score(self, cells: FloatArray, logs: FloatArray) -> float:
        """Score one feature.

        Parameters
        ----------
        cells : ndarray of shape (n_values, n_classes)
            Rows, or shares of rows, with each value and class.
        logs : ndarray of shape (n_rows + 1,)
            See `fsbench.entropy.xlogx_table`.
        """

    def score(self, train: Dataset) -> FloatArray:
        """Score the table of each feature."""
        logs = count_logs(train)
        # One value alone tells nothing: most features of wide data end here.
        scores = [self.table_score(cells, logs) if len(cells) > 1 else 0.0 for cells in self._tables(train)]
        return np.array(scores, dtype=np.float64)

    def _tables(self, train: Dataset) -> list[FloatArray]:
        bins = f".{self.bins}" if self.discretize == "equal-width" else ""
        return train.derived(f"contingency.{self.discretize}{bins}", lambda: self._make_tables(train))

    def _make_tables(self, train: Dataset) -> list[FloatArray]:
        if self.discretize == "none":
            sorted_ = map_sorted(train, lambda column: (group_counts(column), column.missing))
            tables = [sorted_[j] if j in sorted_ else label_counts(train, j) for j in range(train.n_features)]
        else:
            fit = self._cuts(train)
            tables = map_columns(lambda j: _interval_counts(train, j, fit), range(train.n_features), train)
        return [spread_missing(*table) for table in tables]

    def _cuts(self, train: Dataset) -> Discretization:
        if self.discretize == "equal-width":
            return equal_width(train, self.bins)
        return mdl(train, "weka" if self.discretize == "mdl" else "fayyad-irani")


def _interval_counts(train: Dataset, j: int, fit: Discretization) -> tuple[IntArray, IntArray]:
    """Count the classes in each interval or at each label of a feature, and of the missing values."""
    cuts = fit.cuts[j]
    if cuts is None:
        return label_counts(train, j)
    counted = fit.counts[j] if fit.counts else None
    if counted is not None:
        return counted
    column, n_classes = train.X[:, j], train.n_classes
    if compiled_pays(train.n_rows):
        from fsbench.kernels.discretize import count_intervals

        counts = count_intervals(column, train.y, cuts, n_classes)
    else:
        interval = np.searchsorted(cuts, column, side="left")
        interval[np.isnan(column)] = len(cuts) + 1
        cells = (len(cuts) + 2) * n_classes
        counts = np.bincount(interval * n_classes + train.y, minlength=cells).reshape(-1, n_classes)
    return counts[:-1], counts[-1]


def spread_missing(counts: IntArray, missing: IntArray) -> FloatArray:
    """Spread the rows with a missing value over the values, in proportion to the values' known totals.

    Parameters
    ----------
    counts : ndarray of shape (n_values, n_classes)
        Rows with a known value.
    missing : ndarray of shape (n_classes,)
        Rows with a missing value.

    Returns
    -------
    ndarray of shape (n_values, n_classes)
        All zero if no value is known.

    Examples
    --------
    >>> spread_missing(np.array([[3, 0], [0, 1]]), np.array([0, 4])).tolist()
    [[3.0, 3.0], [0.0, 2.0]]
    """
    if not missing.any():
        return counts.astype(np.float64)
    known = counts.sum()
    if known == 0:
        return counts.astype(np.float64)
    share = counts.sum(axis=1) / known
    cells: FloatArray = counts + share[:, np.newaxis] * missing
    return cells
