"""Which features of a ranking are kept."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from fsbench.method import Method, param
from fsbench.values import IntArray, Ranking

__all__ = ["FeatureChoice", "Threshold", "TopFeatures", "TopShare"]


class FeatureChoice(Method, ABC):
    """A rule that keeps some features of a ranking."""

    @abstractmethod
    def choose(self, ranking: Ranking, higher_is_better: bool = True) -> IntArray:
        """Return the features that are kept, in file order; there may be none.

        Parameters
        ----------
        ranking : Ranking
        higher_is_better : bool, default True
            Direction of its scores.
        """


class Threshold(FeatureChoice):
    """Keep every feature whose score is at least `least`; at most, where lower scores are better.

    Examples
    --------
    >>> Threshold().choose(Ranking(np.array([1, 0, 2]), np.array([0.01, 0.2, 0.0])))
    array([0, 1])
    """

    name = "threshold"
    title = "Score of at least"

    least: float = param(0.01, "the lowest score that is kept")

    def choose(self, ranking: Ranking, higher_is_better: bool = True) -> IntArray:
        """Return the features whose score reaches `least`; a score that is not known does not."""
        good = ranking.scores >= self.least if higher_is_better else ranking.scores <= self.least
        return np.flatnonzero(good)


class TopFeatures(FeatureChoice):
    """Keep the first `k` features, or all if there are fewer."""

    name = "top"
    title = "The first k"

    k: int = param(10, "number of features", low=1)

    def choose(self, ranking: Ranking, higher_is_better: bool = True) -> IntArray:  # noqa: ARG002 (its order tells)
        """Return the first features."""
        return np.sort(ranking.order[: self.k])


class TopShare(FeatureChoice):
    """Keep the first `share` of the features, rounded up.

    Examples
    --------
    >>> TopShare(share=0.5).choose(Ranking(np.array([1, 0, 2]), np.array([0.01, 0.2, 0.0])))
    array([0, 1])
    """

    name = "share"
    title = "The first share"

    share: float = param(0.5, "share of the features", low=0.0, high=1.0)

    def choose(self, ranking: Ranking, higher_is_better: bool = True) -> IntArray:  # noqa: ARG002 (its order tells)
        """Return the first features."""
        # Eleven digits: 0.1 * 70 is a little more than 7 in doubles.
        count = math.ceil(round(self.share * len(ranking.order), 11))
        return np.sort(ranking.order[:count])
