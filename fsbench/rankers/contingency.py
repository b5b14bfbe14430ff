"""Contingency tables of value and class: what information gain and its relatives are computed from."""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

import numpy as np

from fsbench.columns import compiled_pays, group_counts, label_counts, map_columns, map_sorted, spread_missing
from fsbench.discretize import Discretization, Encoding, equal_width, mdl
from fsbench.entropy import count_logs
from fsbench.method import param
from fsbench.rankers.base import Ranker
from fsbench.values import Dataset, FloatArray

__all__ = ["ContingencyRanker"]

Cutting = Literal["mdl", "fayyad-irani", "equal-width", "none"]


class ContingencyRanker(Ranker):
    """Base of the rankers that score a table of value by class; authors write `table_score`.

    Numeric features are cut into intervals first. Rows with a missing value are spread over the values, see
    `fsbench.columns.spread_missing`.

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
            groups = map_sorted(train, lambda column: spread_missing(group_counts(column), column.missing))
            return [groups[j] if j in groups else _label_table(train, j) for j in range(train.n_features)]
        fit = self._cuts(train)
        return map_columns(lambda j: _interval_table(train, j, fit), range(train.n_features), train)

    def _cuts(self, train: Dataset) -> Discretization:
        if self.discretize == "equal-width":
            return equal_width(train, self.bins)
        return mdl(train, self._encoding())

    def _encoding(self) -> Encoding:
        return "weka" if self.discretize == "mdl" else "fayyad-irani"


def _label_table(train: Dataset, j: int) -> FloatArray:
    """Count the classes at each label of a nominal feature."""
    return spread_missing(*label_counts(train, j))


def _interval_table(train: Dataset, j: int, fit: Discretization) -> FloatArray:
    """Count the classes in each interval or at each label of a feature."""
    cuts = fit.cuts[j]
    if cuts is None:
        return _label_table(train, j)
    counted = fit.tables[j] if fit.tables else None
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
    return spread_missing(counts[:-1], counts[-1])
