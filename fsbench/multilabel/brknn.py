"""BRkNN: the nearest neighbours' labels, counted once and decided on in three ways."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from fsbench.data.multilabel import LabelMatrix, MultiLabelDataset
from fsbench.errors import NotApplicable
from fsbench.evaluation.java_random import JavaRandom
from fsbench.method import Method, param
from fsbench.multilabel.votes import Votes, count_votes
from fsbench.values import FloatArray, IntArray, Split

__all__ = ["BRkNN", "BRkNNa", "BRkNNb", "LabelClassifier", "LabelOutcome"]


@dataclass(frozen=True, eq=False)
class LabelOutcome:
    """What a multi-label classifier says of one test part.

    Parameters
    ----------
    predicted : ndarray of shape (n_test, n_labels)
        uint8: 1 where the label is predicted; rows in the split's order.
    confidences : ndarray of shape (n_test, n_labels)
        Higher is more certain.
    """

    predicted: LabelMatrix
    confidences: FloatArray


class _Row(NamedTuple):
    """One test row: votes and confidence of each label, rounded mean size of the neighbours' sets, the draws."""

    votes: IntArray
    confidences: FloatArray
    size: int
    rng: JavaRandom


class LabelClassifier(Method, ABC):
    """Predicts label sets; authors write `evaluate`."""

    @abstractmethod
    def evaluate(self, data: MultiLabelDataset, split: Split, columns: IntArray) -> LabelOutcome:
        """Learn from the training part with the given features and predict the test part.

        Parameters
        ----------
        data : MultiLabelDataset
            All rows.
        split : Split
        columns : ndarray of shape (n_columns,)
            Feature indices, ascending.

        Returns
        -------
        LabelOutcome
        """


class BRkNN(LabelClassifier):
    """Predict each label that at least half of the nearest neighbours carry.

    Parameters
    ----------
    k : int, default 5
        Neighbours; those tied with the k-th count too.
    ties : {"index", "mulan"}, default "index"
        ``index``: confidences are shares of the neighbours, and among equal labels the first one is taken.
        ``mulan``: as Mulan 1.4 decides, whose confidences are ``(c + 1/n) / (K + q/n)`` with c of K neighbours, n
        training rows and q labels, and whose choice among equal labels comes from java.util.Random, one stream a
        test part.
    seed : int, default 1
        Of that stream.

    References
    ----------
    E. Spyromitros, G. Tsoumakas, I. Vlahavas: An empirical study of lazy multilabel classification algorithms,
    SETN 2008.
    """

    name = "brknn"
    title = "BRkNN"
    reference = "Spyromitros, Tsoumakas, Vlahavas: An Empirical Study of Lazy Multilabel Classification, SETN 2008"

    k: int = param(5, "nearest neighbours; ties with the last one count too", low=1)
    ties: Literal["index", "mulan"] = param("index", "equal labels: the first, or as Mulan draws them")
    seed: int = param(1, "seed of the draws, for ties: mulan")

    def evaluate(self, data: MultiLabelDataset, split: Split, columns: IntArray) -> LabelOutcome:
        """Predict the test part from its neighbours in the training part.

        Raises
        ------
        NotApplicable
            No feature, fewer training rows than neighbours, or labels that Mulan's way cannot choose.
        """
        return self.decide(count_votes(data, split, np.asarray(columns, dtype=np.int64), self.k))

    def decide(self, votes: Votes) -> LabelOutcome:
        """Decide from the votes of the neighbours.

        Parameters
        ----------
        votes : Votes
            The same for all three ways.

        Returns
        -------
        LabelOutcome
        """
        confidences = self._confidences(votes)
        predicted = np.zeros(votes.votes.shape, dtype=np.uint8)
        rng = JavaRandom(self.seed)
        for i, row in enumerate(votes.votes):
            predicted[i, self._chosen(_Row(row, confidences[i], self._size(votes, i), rng))] = 1
        return LabelOutcome(predicted, confidences)

    def _confidences(self, votes: Votes) -> FloatArray:
        shares: FloatArray
        if self.ties == "index":
            shares = votes.votes / votes.neighbours[:, np.newaxis]
            return shares
        n, most = max(votes.n_train, 1), int(votes.neighbours.max(initial=0))
        sums = _steps(1.0 / n, most)
        totals = _steps(votes.votes.shape[1] / n, most)
        shares = sums[votes.votes] / totals[votes.neighbours][:, np.newaxis]
        return shares

    def _size(self, votes: Votes, i: int) -> int:
        """Return the rounded mean number of labels of the neighbours of one test row."""
        total, count = int(votes.votes[i].sum()), int(votes.neighbours[i])
        if self.ties == "index":
            return (2 * total + count) // (2 * count)
        n_labels = votes.votes.shape[1]
        mean = total / float(_steps(n_labels / max(votes.n_train, 1), count)[count])
        below = math.floor(mean)
        return below + (mean - below >= 0.5)

    def _chosen(self, row: _Row) -> IntArray:
        """Return the labels that are predicted for one row."""
        return np.flatnonzero(row.confidences >= 0.5)


class BRkNNa(BRkNN):
    """As BRkNN, but where no label reaches half of the neighbours, the most frequent one is predicted."""

    name = "brknn-a"
    title = "BRkNN-a"

    def _chosen(self, row: _Row) -> IntArray:
        half = super()._chosen(row)
        if len(half):
            return half
        best = np.flatnonzero(row.votes == row.votes.max())
        at = row.rng.next_int(len(best)) if self.ties == "mulan" and len(best) > 1 else 0
        return best[at : at + 1]


class BRkNNb(BRkNN):
    """Predict as many labels as the neighbours have on average, the most frequent ones."""

    name = "brknn-b"
    title = "BRkNN-b"

    def _chosen(self, row: _Row) -> IntArray:
        if self.ties == "index":
            return np.argsort(-row.votes, kind="stable")[: row.size]
        return _mulan_largest(row.votes, row.size, row.rng)


def _steps(start: float, count: int) -> FloatArray:
    """Return start, start + 1, ... added one by one, as the original rounds them; count + 1 numbers."""
    steps: FloatArray = np.add.accumulate(np.concatenate([[start], np.ones(count)]))
    return steps


def _mulan_largest(votes: IntArray, size: int, rng: JavaRandom) -> IntArray:
    """Return the `size` labels with most votes; places among equal ones are drawn until new labels come.

    The label that a stable ascending sort puts first is never looked at, so not all labels can be chosen, and to
    choose none fails as well.

    Raises
    ------
    NotApplicable
        None or all labels are wanted.
    """
    n_labels = len(votes)
    if not 0 < size < n_labels:
        what = "no label" if size == 0 else "all labels"
        raise NotApplicable(f"Mulan's BRkNN-b fails where it should predict {what}; 'ties: index' does not")
    order = np.argsort(votes, kind="stable")
    border = votes[order[n_labels - size]]
    descending = order[:0:-1]
    chosen = descending[votes[descending] > border].tolist()
    tied = descending[votes[descending] == border].tolist()
    taken: set[int] = set()
    while len(chosen) + len(taken) < size:
        taken.add(tied[rng.next_int(len(tied))])
    return np.array([*chosen, *taken], dtype=np.int64)
