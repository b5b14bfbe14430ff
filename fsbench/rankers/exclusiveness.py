"""Relevance by semi-exclusive intervals: the share of rows that lie where one class clearly dominates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fsbench.intervals import (
    DEFAULT_NUMBER,
    Intervals,
    Missing,
    check_names,
    count_intervals,
    fit_intervals,
    parse_spec,
    semi_exclusive,
)
from fsbench.method import param
from fsbench.rankers.base import Ranker
from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

__all__ = ["Exclusiveness", "IntervalTable", "relevance"]


class Exclusiveness(Ranker):
    """Rank features by exclusiveness (Serendero and Toro, 2003) [1]_.

    A numeric feature is cut into equal-width intervals over its training range, a nominal one has an interval a
    declared label. An interval is semi-exclusive if one class holds at least `phi` of its rows. The relevance
    delta of a feature is the share of all rows that lie in its semi-exclusive intervals.

    Parameters
    ----------
    phi : float, default 0.75
        Share of one class that makes an interval semi-exclusive; 1: exclusive.
    intervals : int, "auto", or numbers by feature, default 10
        Number of intervals of the numeric features (see `fsbench.intervals.parse_spec`); ``auto`` chooses for
        each on the training rows (see `fsbench.intervals.auto_number`). The paper does not give its numbers.
    missing : {"own", "skip"}, default "own"
        Missing values of a feature form an interval of their own, or lie in none (and then never count as
        exclusive). The share is of all rows in both cases.
    ties : {"index", "weka"}, default "index"
        Order of equal scores. Features with delta = 0 come last in file order, as in the paper.

    References
    ----------
    .. [1] P. Serendero, M. Toro, "Attribute selection for classification", 2003: definition 1 and section 4.

    Examples
    --------
    >>> from fsbench.values import Dataset, Feature
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> y = np.array([0, 0, 1, 1])
    >>> data = Dataset("toy", (Feature("a"), Feature("b")), X, Feature("class", ("n", "p")), y)
    >>> Exclusiveness(intervals=2).rank(data).scores.tolist()
    [1.0, 0.0]
    """

    name = "exclusiveness"
    title = "Exclusiveness"
    reference = "Serendero and Toro, Attribute selection for classification, 2003"
    unit: ClassVar[str] = "share of rows"

    phi: float = param(0.75, "share of one class that makes an interval semi-exclusive", low=0.0, high=1.0)
    intervals: int | str | Mapping[str, int] = param(
        DEFAULT_NUMBER, "intervals of a numeric feature: a number, auto, or name:number,..."
    )
    missing: Missing = param("own", "missing values: an interval of their own, or in none")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "intervals", parse_spec(self.intervals, self.name))

    def score(self, train: Dataset) -> FloatArray:
        """Return delta of every feature: shape (n_features,), each from 0 to 1."""
        return np.array([float(table.delta) for table in self.tables(train)], dtype=np.float64)

    def tables(self, train: Dataset) -> list[IntervalTable]:
        """Return what the scores come from.

        Parameters
        ----------
        train : Dataset
            The training rows.

        Returns
        -------
        list of IntervalTable
            One a feature, in file order.
        """
        spec = parse_spec(self.intervals, self.name)
        check_names(spec, train, self.name)
        fitted = fit_intervals(train, spec, self.missing)
        tables = []
        for j, codes in enumerate(fitted.encode(train)):
            counts = count_intervals(codes, train.y, int(fitted.n_intervals[j]) + 1, train.n_classes)
            tables.append(IntervalTable(fitted, j, counts, semi_exclusive(counts, self.phi), train.n_rows))
        return tables

    def explain(self, train: Dataset) -> str:
        """Return the intervals of every feature as text, best feature first, as in the paper's Figure 1.

        Parameters
        ----------
        train : Dataset
            The training rows.

        Returns
        -------
        str
        """
        from fsbench.rankers.exclusiveness_text import explain

        return explain(self.tables(train), self.rank(train).order, train, self.phi)


@dataclass(frozen=True, eq=False)
class IntervalTable:
    """The intervals of one feature, what they hold, and which are semi-exclusive.

    Parameters
    ----------
    fitted : Intervals
        The intervals of all features.
    feature : int
        Which feature this is.
    counts : ndarray of shape (n_intervals + 1, n_classes)
        Rows of each class in each interval; the last line is for missing values.
    exclusive : ndarray of shape (n_intervals + 1,)
        Which intervals are semi-exclusive.
    n_rows : int
        All rows, those in no interval included.
    """

    fitted: Intervals
    feature: int
    counts: IntArray
    exclusive: BoolArray
    n_rows: int

    @property
    def rows(self) -> IntArray:
        """Rows in each interval, shape (n_intervals + 1,)."""
        total: IntArray = self.counts.sum(axis=1)
        return total

    @property
    def exclusive_rows(self) -> int:
        """Rows that lie in semi-exclusive intervals."""
        return int(self.rows[self.exclusive].sum())

    @property
    def delta(self) -> Fraction:
        """The relevance of the feature, exactly."""
        return Fraction(self.exclusive_rows, max(1, self.n_rows))

    def majority(self, k: int) -> int:
        """Return the most frequent class of an interval, the lowest of equal ones; -1 if it is empty."""
        return int(self.counts[k].argmax()) if self.counts[k].any() else -1


def relevance(counts: IntArray, phi: float = 0.75) -> Fraction:
    """Return delta of one feature from the class counts of its intervals.

    Parameters
    ----------
    counts : ndarray of shape (n_intervals, n_classes)
        Rows of each class in each interval; every row lies in one.
    phi : float, default 0.75
        Share of one class that makes an interval semi-exclusive.

    Returns
    -------
    Fraction
        Rows in semi-exclusive intervals over all rows; 0 if there are none.

    Examples
    --------
    >>> relevance(np.array([[11, 0], [20, 20]]), phi=1.0)
    Fraction(11, 51)
    """
    rows = counts.sum(axis=1)
    return Fraction(int(rows[semi_exclusive(counts, phi)].sum()), max(1, int(rows.sum())))
