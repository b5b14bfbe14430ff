"""How useful a subset is: the mean accuracy of a classifier over folds, each subset scored once."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from fsbench.errors import DataError
from fsbench.searches.subsets import Subset, mask_of, toggled
from fsbench.values import Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["Evaluates", "RefitScorer", "Scorer", "ScoresBoth"]


class Evaluates(Protocol):
    """The part of a classifier that a scorer needs."""

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Fit on the training part with the given columns and predict the test part."""
        ...


class ScoresBoth(Protocol):
    """The part of a scorer that a search needs."""

    def score(self, subset: Subset) -> float:
        """Return the usefulness of a subset."""
        ...

    def score_many(self, current: Subset, candidates: Sequence[int]) -> list[float]:
        """Return the usefulness of `current` with each candidate toggled."""
        ...


class Scorer(ABC):
    """Scores subsets by the mean accuracy over folds; authors write `count`.

    The usefulness J of a subset is one minus the mean of the folds' error rates. It is computed as one quotient of
    whole numbers, so two subsets whose accuracies are equal as fractions have the same J to the last bit, in
    whichever folds their errors lie: rounding breaks no tie.

    Parameters
    ----------
    data : Dataset
        The rows that may be seen: training rows only.
    splits : sequence of Split
        The folds; neither part of any may be empty.

    Attributes
    ----------
    evaluations : int
        Subsets scored so far.
    hits : int
        Subsets asked for again and found in the cache.

    Raises
    ------
    DataError
        No fold, or a fold without training or test rows.
    """

    def __init__(self, data: Dataset, splits: Sequence[Split]) -> None:
        if not splits:
            raise DataError("a scorer needs at least one fold", data.name)
        for split in splits:
            for part, rows in (("training", split.train), ("test", split.test)):
                if len(rows) == 0:
                    raise DataError(f"fold {split.fold} has no {part} rows", data.name)
        self.data, self.splits = data, tuple(splits)
        self.evaluations = self.hits = 0
        self._counts: dict[int, tuple[int, ...]] = {}  # by mask
        self._sizes = [len(s.test) for s in splits]
        common = math.lcm(*self._sizes)
        # J = sum of c_f / n_f over the folds, divided by their number, on one denominator.
        self._shares = [common // size for size in self._sizes]
        self._denominator = common * len(splits)

    @abstractmethod
    def count(self, subset: Subset) -> Sequence[int]:
        """Return how many test rows of each fold are predicted right with the features of a subset.

        Parameters
        ----------
        subset : frozenset of int
            Not empty. The result must not depend on anything but the set: use the columns in ascending order.

        Returns
        -------
        sequence of int
            One per fold.
        """

    def count_many(self, current: Subset, candidates: Sequence[int]) -> Sequence[Sequence[int]]:
        """Return `count` of `current` with each candidate toggled; none of these sets is empty."""
        return [self.count(current ^ {c}) for c in candidates]

    def score(self, subset: Subset) -> float:
        """Return the usefulness J of a subset, in [0, 1].

        The empty set predicts the most frequent class of the training part, the first of equal ones.
        """
        mask = mask_of(subset)
        if mask in self._counts:
            self.hits += 1
        else:
            self._keep(mask, self.count(subset) if subset else self._majority())
        return self._mean(self._counts[mask])

    def score_many(self, current: Subset, candidates: Sequence[int]) -> list[float]:
        """Return J of `current` with each candidate toggled: added if it is not in there, else removed.

        Parameters
        ----------
        current : frozenset of int
        candidates : sequence of int
            Distinct; all members of `current`, or none.

        Returns
        -------
        list of float
            In the order of `candidates`.
        """
        masks = toggled(current, candidates)
        fresh = [(c, mask) for c, mask in zip(candidates, masks, strict=True) if mask not in self._counts]
        filled = [(c, mask) for c, mask in fresh if mask]
        if filled:
            counted = self.count_many(current, [c for c, _ in filled])
            for (_, mask), counts in zip(filled, counted, strict=True):
                self._keep(mask, counts)
        if len(filled) < len(fresh):
            self._keep(0, self._majority())
        self.hits += len(candidates) - len(fresh)
        return [self._mean(self._counts[mask]) for mask in masks]

    def error(self, subset: Subset) -> float:
        """Return the mean error rate of a subset over the folds, 1 - J rounded once, in [0, 1]."""
        wrong = [size - right for size, right in zip(self._sizes, self._right(subset), strict=True)]
        return self._mean(wrong)

    def fold_errors(self, subset: Subset) -> FloatArray:
        """Return the error rate of a subset in each fold, shape (n_folds,), in [0, 1]."""
        sizes = np.array(self._sizes, dtype=np.float64)
        errors: FloatArray = (sizes - np.array(self._right(subset), dtype=np.float64)) / sizes
        return errors

    def _right(self, subset: Subset) -> tuple[int, ...]:
        if mask_of(subset) not in self._counts:
            self.score(subset)
        return self._counts[mask_of(subset)]

    def _keep(self, mask: int, counts: Sequence[int]) -> None:
        self._counts[mask] = tuple(int(c) for c in counts)
        self.evaluations += 1

    def _mean(self, counts: Sequence[int]) -> float:
        return sum(c * share for c, share in zip(counts, self._shares, strict=True)) / self._denominator

    def _majority(self) -> list[int]:
        y, classes = self.data.y, self.data.n_classes
        winners = [int(np.argmax(np.bincount(y[s.train], minlength=classes))) for s in self.splits]
        return [int((y[s.test] == w).sum()) for s, w in zip(self.splits, winners, strict=True)]


class RefitScorer(Scorer):
    """Scores by fitting a classifier anew for each subset and fold: works with any, and is the oracle of faster ones.

    Parameters
    ----------
    classifier : Evaluates
        Any classifier; it gets the columns in ascending order.
    data, splits
        As in `Scorer`.
    """

    def __init__(self, classifier: Evaluates, data: Dataset, splits: Sequence[Split]) -> None:
        super().__init__(data, splits)
        self.classifier = classifier

    def count(self, subset: Subset) -> list[int]:
        """Fit and predict in every fold; see `Scorer.count`."""
        columns = sorted(subset)
        outcomes = [self.classifier.evaluate(self.data, split, columns) for split in self.splits]
        return [
            int((outcome.predicted == self.data.y[split.test]).sum())
            for outcome, split in zip(outcomes, self.splits, strict=True)
        ]
