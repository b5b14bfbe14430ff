"""The nearest neighbour as a search's scorer: a candidate costs a pass or three over the pairs of rows, not a fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.classifiers.nearest_space import Scale, Space, Ties, prepare, tie_places
from fsbench.kernels.threads import map_threads
from fsbench.searches.scorer import RefitScorer, Scorer
from fsbench.searches.walk import Subset
from fsbench.values import Dataset, FloatArray, IntArray, Split

__all__ = ["NearestScorer", "subset_scorer"]

# Test rows a task: small enough to share out, and independent of the number of threads.
CHUNK_ROWS = 64
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
        self._add: Callable[..., object] = wrapper_nearest.count_added
        self._remove: Callable[..., object] = wrapper_nearest.count_removed
        self._by_place = ties != "vote"
        columns = np.arange(data.n_features, dtype=np.int64)
        self._spaces = [
            prepare(data, split.train, columns, scale, tie_places(len(split.train), ties, seed)) for split in splits
        ]
        exact = scale == "none" and _distances_are_whole(data)
        # Sums of at most M terms in two orders differ by less than 2 M half-bits each; four times that to be safe.
        self._slack = 0.0 if exact else 8.0 * (data.n_features + 1) * 2.0**-53
        self._leads = [_lead(space, exact and self._by_place) for space in self._spaces]

    def count(self, subset: Subset) -> Sequence[int]:
        """Count the right predictions of each fold; see `Scorer.count`."""
        last = max(subset)
        return self.count_many(subset - {last}, [last])[0]

    def count_many(self, current: Subset, candidates: Sequence[int]) -> Sequence[Sequence[int]]:
        """Count for every candidate in one pass; see `Scorer.count_many`."""
        removing = candidates[0] in current
        if removing and len(candidates) < 3:
            return [self.count(current ^ {c}) for c in candidates]
        subset = np.array(sorted(current), dtype=np.int64)
        toggled = np.array(sorted(candidates), dtype=np.int64)
        tasks = [
            (fold, rows)
            for fold, split in enumerate(self.splits)
            for rows in np.array_split(split.test, -(-len(split.test) // CHUNK_ROWS))
        ]
        passes = 3 * len(subset) if removing else len(subset) + len(toggled)
        counts = np.zeros((len(self.splits), len(toggled)), dtype=np.int64)

        def work(task: tuple[int, IntArray]) -> IntArray:
            return self._count_rows(*task, subset, toggled, removing)

        worth = self._pairs * passes >= WORTH_THREADS
        for (fold, _), part in zip(tasks, map_threads(work, tasks) if worth else map(work, tasks), strict=True):
            counts[fold] += part
        place = {int(c): k for k, c in enumerate(toggled)}
        return [counts[:, place[c]].tolist() for c in candidates]

    @property
    def _pairs(self) -> int:
        return sum(len(s.train) * len(s.test) for s in self.splits)

    def _count_rows(self, fold: int, rows: IntArray, subset: IntArray, toggled: IntArray, removing: bool) -> IntArray:
        space, data = self._spaces[fold], self.data
        right = np.zeros(len(toggled), dtype=np.int64)
        count = self._remove if removing else self._add
        count(
            data.X.T, space.columns, rows, data.y[rows], space.kinds, space.bounds, space.z, space.tiles, space.places,
            self._leads[fold], subset, toggled, self._slack, self._by_place, data.n_classes, right,
        )  # fmt: skip
        return right


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


def _lead(space: Space, by_place: bool) -> FloatArray:
    """Return what each sum of distances begins with: a fraction that orders equally near rows, or 0."""
    if not by_place:
        return np.zeros(len(space.places))
    lead: FloatArray = space.places / 2.0 ** space.n_train.bit_length()
    return lead
