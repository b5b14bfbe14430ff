"""The nearest neighbour as a search's scorer: a candidate costs a pass or three over the pairs of rows, not a fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.classifiers.nearest_space import Scale, Space, Ties, prepare, tie_places
from fsbench.kernels.threads import map_threads
from fsbench.searches.scorer import RefitScorer, Scorer
from fsbench.searches.subsets import Subset
from fsbench.values import Dataset, FloatArray, IntArray, Split

__all__ = ["NearestScorer", "subset_scorer"]

# Test rows a task: small enough to share out, and independent of the number of threads.
CHUNK_ROWS = 64
# Sums of squared differences are kept from one step to the next up to this size, and made anew above.
KEPT_BYTES = 64 * 2**20
# Pairs of rows times columns; below, a pool of threads costs more than it saves.
WORTH_THREADS = 2e7


class NearestScorer(Scorer):
    """Scores subsets by the accuracy of the nearest neighbour (k = 1), equal to refitting it, many times faster.

    Parameters
    ----------
    data : Dataset
        The rows that may be seen: training rows only.
    splits : sequence of Split
        The folds.
    scale : {"none", "minmax", "zscore"}, default "none"
        How numeric features are scaled, by the training part of each fold.
    ties : {"first", "vote", "index"}, default "first"
        Which of equally near rows decide: the first in a seeded shuffled order of the training rows, all of them by
        vote, or the lowest row.
    seed : int, default 1
        Seed of the shuffled order.

    Notes
    -----
    Summed once for the current subset of m features, the distances of a candidate to add cost one pass more; those
    of all m removals cost three passes each (see `fsbench.kernels.wrapper_nearest`). With M features, n rows and a
    remainder, a whole forward search costs about 2.5 n^2 M^2 operations, where refitting costs n^2 M^3 / 3.

    Examples
    --------
    >>> from fsbench.values import Feature
    >>> X = np.array([[0.0, 5.0], [1.0, 3.0], [0.1, 4.0], [1.1, 1.0]])
    >>> data = Dataset("tiny", (Feature("a"), Feature("b")), X, Feature("class", ("x", "y")), np.array([0, 1, 0, 1]))
    >>> folds = [Split(np.array([0, 1]), np.array([2, 3]), 0), Split(np.array([2, 3]), np.array([0, 1]), 1)]
    >>> NearestScorer(data, folds).score_many(frozenset(), [0, 1])
    [1.0, 0.75]
    """

    def __init__(
        self, data: Dataset, splits: Sequence[Split], *, scale: Scale = "none", ties: Ties = "first", seed: int = 1
    ) -> None:
        from fsbench.kernels import wrapper_nearest

        super().__init__(data, splits)
        self._kernels: Any = wrapper_nearest
        self._by_place = ties != "vote"
        exact = scale == "none" and _distances_are_whole(data)
        # Sums of at most M terms in two orders differ by less than 2 M half-bits each; four times that to be safe.
        self._slack = 0.0 if exact else 8.0 * (data.n_features + 1) * 2.0**-53
        pairs = sum(len(s.train) * len(s.test) for s in splits)
        self._pairs, self._keeps = pairs, 8 * pairs <= KEPT_BYTES
        self._folds = [
            _fold(data, split, scale, tie_places(len(split.train), ties, seed), exact and self._by_place, self._keeps)
            for split in splits
        ]
        self._chunks = [
            (fold, slice(i, i + CHUNK_ROWS)) for fold in self._folds for i in range(0, len(fold.truth), CHUNK_ROWS)
        ]
        # The subset whose sums the folds keep; None before the first.
        self._summed: Subset | None = None

    def count(self, subset: Subset) -> Sequence[int]:
        """Count the right predictions of each fold; see `Scorer.count`."""
        last = max(subset)
        return self.count_many(subset - {last}, [last])[0]

    def count_many(self, current: Subset, candidates: Sequence[int]) -> Sequence[Sequence[int]]:
        """Count for every candidate in one pass; see `Scorer.count_many`."""
        toggled = sorted(candidates)
        if toggled[0] not in current:
            parts, passes = self._added(current, _array(toggled)), len(toggled)
        elif len(toggled) > 2:
            parts, passes = self._removed(_array(sorted(current)), _array(toggled)), 2 * len(current)
        else:
            return [self.count(current ^ {c}) for c in candidates]
        worth = self._pairs * passes >= WORTH_THREADS
        counted = map_threads(parts, self._chunks) if worth else map(parts, self._chunks)
        totals = {id(fold): np.zeros(len(toggled), dtype=np.int64) for fold in self._folds}
        for (fold, _), right in zip(self._chunks, counted, strict=True):
            totals[id(fold)] += right
        table = np.array([totals[id(fold)] for fold in self._folds]).T
        return table[np.searchsorted(toggled, candidates)].tolist()  # type: ignore[no-any-return]

    def _added(self, current: Subset, toggled: IntArray) -> Callable[[tuple[_Fold, slice]], IntArray]:
        """Return what counts the right predictions of one chunk with each candidate added."""
        # Sums go on from those of the last call if that was about a part of the same subset.
        afresh = not self._keeps or self._summed is None or not self._summed <= current
        known = frozenset() if afresh or self._summed is None else self._summed
        missing, subset = _array(sorted(current - known)), _array(sorted(current))
        self._summed = current

        def count(chunk: tuple[_Fold, slice]) -> IntArray:
            fold, rows = chunk
            values, how, truth = fold.values[rows], fold.how[rows], fold.truth[rows]
            sums = fold.sums[rows] if self._keeps else np.empty((len(truth), len(fold.lead)))
            if afresh:
                sums[:] = fold.lead
            if len(missing):
                self._kernels.extend_sums(fold.space, values, how, missing, sums)
            right = np.zeros(len(toggled), dtype=np.int64)
            self._kernels.count_added(
                fold.space, values, how, truth, sums, subset, toggled,
                self._slack, self._by_place, self.data.n_classes, right,
            )  # fmt: skip
            return right

        return count

    def _removed(self, subset: IntArray, toggled: IntArray) -> Callable[[tuple[_Fold, slice]], IntArray]:
        """Return what counts the right predictions of one chunk with each candidate removed."""

        def count(chunk: tuple[_Fold, slice]) -> IntArray:
            fold, rows = chunk
            right = np.zeros(len(toggled), dtype=np.int64)
            self._kernels.count_removed(
                fold.space, fold.values[rows], fold.how[rows], fold.truth[rows], fold.lead, subset, toggled,
                self._slack, self._by_place, self.data.n_classes, right,
            )  # fmt: skip
            return right

        return count


@dataclass(frozen=True, eq=False)
class _Fold:
    """A fold as the kernels want it: the training rows in slots, the test rows scaled.

    `lead` is what each sum of squared differences begins with, `sums` those of the subset looked at last.
    """

    space: Space
    values: FloatArray
    how: IntArray
    truth: IntArray
    lead: FloatArray
    sums: FloatArray


def _fold(data: Dataset, split: Split, scale: Scale, places: IntArray, by_place: bool, keep: bool) -> _Fold:
    from fsbench.kernels import wrapper_nearest

    kernels: Any = wrapper_nearest
    columns = np.arange(data.n_features, dtype=np.int64)
    space = prepare(data, split.train, columns, scale, places)
    values = np.empty((len(split.test), data.n_features))
    how = np.empty(values.shape, dtype=np.int64)
    kernels.read_rows(space, data.X.T, split.test, values, how)
    lead = space.places / 2.0 ** space.n_train.bit_length() if by_place else np.zeros(len(space.places))
    sums = np.empty((len(values) if keep else 0, len(lead)))
    return _Fold(space, values, how, data.y[split.test], lead, sums)


def subset_scorer(classifier: Classifier, data: Dataset, splits: Sequence[Split]) -> Scorer:
    """Return the fastest scorer there is for a classifier; all give the same counts.

    Parameters
    ----------
    classifier : Classifier
    data : Dataset
        The rows that may be seen: training rows only.
    splits : sequence of Split

    Returns
    -------
    Scorer
    """
    if type(classifier) is NearestNeighbour and classifier.k == 1 and classifier.ranges == "train":
        return NearestScorer(data, splits, scale=classifier.scale, ties=classifier.ties, seed=classifier.seed)
    return RefitScorer(classifier, data, splits)


def _distances_are_whole(data: Dataset) -> bool:
    """Whether every sum of squared differences is a whole number that leaves room for a fraction in a double."""
    values = data.X[:, ~data.is_nominal]
    if not np.array_equal(values, np.rint(values)):  # NaN is unequal to itself: a missing number ends up here too
        return False
    widths = np.ptp(values, axis=0) if values.size else np.zeros(0)
    largest = float((widths**2).sum()) + float(data.is_nominal.sum())
    return largest < 2.0 ** (52 - data.n_rows.bit_length())


def _array(items: Sequence[int]) -> IntArray:
    return np.array(items, dtype=np.int64)
