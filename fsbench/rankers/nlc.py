"""NLC: features whose sorted values change the class label least often come first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

import numpy as np

from fsbench.columns import SortedColumn, compiled_pays, group_counts, label_counts, map_sorted
from fsbench.method import param
from fsbench.rankers.base import Ranker
from fsbench.values import Dataset, FloatArray, IntArray

__all__ = ["NLC", "fitted_changes", "inner_changes", "most_changes"]

Groups = Iterable[Sequence[int]]


class NLC(Ranker):
    """Number of label changes along the sorted values of a feature; few is good.

    Rows of equal value form a group. Numeric features are sorted by value, nominal ones by the declared order
    of their labels; rows whose value is missing form one more group, after all others.

    Parameters
    ----------
    rule : {"paper", "exact"}, default "paper"
        How groups that hold several classes count. ``paper``: the rule that reproduces the printed counts
        (see `fitted_changes`); ``exact``: the largest number of changes that any order of the rows with equal
        values kept together can have (see `most_changes`).

    References
    ----------
    R. Ruiz, J. C. Riquelme, J. S. Aguilar-Ruiz: Fast feature ranking algorithm, KES 2003.

    Examples
    --------
    >>> NLC().rule
    'paper'
    """

    name = "nlc"
    title = "Number of label changes"
    reference = "Ruiz, Riquelme, Aguilar-Ruiz: Fast Feature Ranking Algorithm, KES 2003"
    unit: ClassVar[str] = "label changes"
    higher_is_better: ClassVar[bool] = False

    rule: Literal["paper", "exact"] = param("paper", "counts as printed in the paper, or the true maximum of changes")

    def score(self, train: Dataset) -> FloatArray:
        """Count the label changes of each feature."""
        numeric = map_sorted(train, lambda column: self._count_sorted(column, train))
        counts = [numeric[j] if j in numeric else self._count_labels(train, j) for j in range(train.n_features)]
        return np.array(counts, dtype=np.float64)

    def _count_sorted(self, column: SortedColumn, train: Dataset) -> int:
        if compiled_pays(train.n_rows * train.n_features):
            from fsbench.kernels import label_changes

            kernel = label_changes.fitted_changes if self.rule == "paper" else label_changes.most_changes
            return kernel(column.keys, column.shift, column.missing)
        return self._count_groups(group_counts(column), column.missing)

    def _count_labels(self, train: Dataset, j: int) -> int:
        return self._count_groups(*label_counts(train, j))

    def _count_groups(self, counts: IntArray, missing: IntArray) -> int:
        groups = [group for group in [*counts.tolist(), missing.tolist()] if any(group)]
        return fitted_changes(groups) if self.rule == "paper" else most_changes(groups)


def inner_changes(counts: Sequence[int]) -> int:
    """Return the most label changes that any order of a group's rows has: ChangesSameValue of the paper.

    Parameters
    ----------
    counts : sequence of int
        Rows of each class in the group; not all zero.

    Examples
    --------
    >>> inner_changes([4, 3])
    6
    >>> inner_changes([5, 1])
    2
    """
    n, most = sum(counts), max(counts)
    return n - 1 if 2 * most <= n + 1 else 2 * (n - most)


def fitted_changes(groups: Groups) -> int:
    """Count label changes by the rule that reproduces the paper's printed counts.

    Parameters
    ----------
    groups : iterable of sequence of int
        Class counts at each distinct value, in ascending order of the values.

    Returns
    -------
    int

    Notes
    -----
    The paper does not say how the borders between groups count. Walking up with the set `may` of labels that
    the row just before may carry (none at the start), each group adds its `inner_changes`, and 1 if it shares
    no label with `may`. After a group of one class, `may` is that class. After a pair of two classes it is the
    one that was not in `may`, if exactly one was, else both. After a larger mixed group it is empty: leaving
    such a group always counts.

    Examples
    --------
    >>> fitted_changes([[0, 1], [0, 1], [1, 0], [1, 0], [1, 0], [3, 4]])
    7
    """
    changes, may = 0, None
    for counts in groups:
        here = {c for c, rows in enumerate(counts) if rows}
        changes += inner_changes(counts)
        if may is not None and not may & here:
            changes += 1
        if len(here) == 1:
            may = here
        elif sum(counts) == 2:
            may = here - may if may is not None and len(may & here) == 1 else here
        else:
            may = set()
    return changes


def most_changes(groups: Groups) -> int:
    """Return the largest number of label changes over all orders that keep equal values together.

    Parameters
    ----------
    groups : iterable of sequence of int
        Class counts at each distinct value, in ascending order of the values.

    Returns
    -------
    int

    Notes
    -----
    Dynamic programming over the label of the last row so far. Inside a group of n rows that starts with label
    s and ends with label e, the fewest neighbours of equal label are
    ``max(0, max over i of 2 c_i - n - 1 + [s != i] + [e != i])``: the n - c_i rows of other labels make room
    for one row of label i more than they are, less one at each end that they occupy themselves. Only a label
    with at least half of the rows can make this positive.

    Examples
    --------
    >>> most_changes([[1, 1], [1, 1]])
    3
    """
    best: dict[int, int] = {}
    for counts in groups:
        n, here = sum(counts), [c for c, rows in enumerate(counts) if rows]
        heavy = [c for c in here if 2 * counts[c] >= n]  # two at most
        start = {s: max((v + (last != s) for last, v in best.items()), default=0) for s in here}
        best = {}
        for e in here:
            firsts = [s for s in here if s != e or counts[s] > 1 or n == 1]  # one row cannot be first and last
            forced = ((2 * counts[i] - n - 1 + (e != i), i) for i in heavy)
            best[e] = n - 1 + _most_between(start, firsts, list(forced))
    return max(best.values(), default=0)


def _most_between(start: dict[int, int], firsts: Sequence[int], forced: Sequence[tuple[int, int]]) -> int:
    """Return the most that a group can add to what was before, less n - 1; `forced` are equal neighbours by label."""
    return max(start[s] - max([0, *(equal + (s != i) for equal, i in forced)]) for s in firsts)
