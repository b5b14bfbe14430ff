"""How far a ranking by relevance may be cut: drop what scores little, as long as the error hardly rises."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fsbench.errors import MethodError
from fsbench.values import IntArray, Ranking

__all__ = ["THRESHOLDS", "TOLERANCE", "Reduction", "Trial", "reduce_ranking"]

TOLERANCE = 0.03
THRESHOLDS = (0.5, 0.4, 0.3, 0.2, 0.1, 0.0)


@dataclass(frozen=True)
class Trial:
    """One threshold that was tried.

    Parameters
    ----------
    threshold : float
        Features that score no more than this were dropped.
    k : int
        Features left; with 0 there was nothing to try.
    error : float
        Share of wrong predictions with those left; NaN with none.
    """

    threshold: float
    k: int
    error: float


@dataclass(frozen=True)
class Reduction:
    """How many of the best features to keep.

    Parameters
    ----------
    k : int
        Their number.
    threshold : float or None
        The threshold that was accepted; None if none was, and all features are kept.
    error, full_error : float
        Estimated share of wrong predictions with the k best, and with all.
    trials : tuple of Trial
        What was tried, in order.
    """

    k: int
    threshold: float | None
    error: float
    full_error: float
    trials: tuple[Trial, ...]


def reduce_ranking(
    ranking: Ranking,
    correct: IntArray,
    total: int,
    tolerance: float = TOLERANCE,
    thresholds: Sequence[float] = THRESHOLDS,
) -> Reduction:
    """Cut a ranking as Serendero and Toro (2003, section 4) do.

    Features that score no more than a threshold are dropped, and the error T' with the others is compared with T,
    that of all features: accepted if T' - T <= `tolerance`, otherwise the next, lower threshold is tried. If none
    is accepted, all features are kept.

    Parameters
    ----------
    ranking : Ranking
        Higher scores first, as the exclusiveness ranker makes it.
    correct : ndarray of shape (n_features,)
        Right predictions with the first 1, 2, ... features of the ranking, estimated inside the training part:
        by inner cross-validation, not on test rows.
    total : int
        Predictions made.
    tolerance : float, default 0.03
        e of the paper, which gives no value.
    thresholds : sequence of float, default 0.5, 0.4, ..., 0
        In the order in which they are tried; falling.

    Returns
    -------
    Reduction

    Raises
    ------
    MethodError
        The counts are not those of every prefix, the ranking does not fall, or the thresholds do not.

    Examples
    --------
    >>> ranking = Ranking(order=np.array([2, 0, 1]), scores=np.array([0.3, 0.0, 0.8]))
    >>> found = reduce_ranking(ranking, correct=np.array([80, 95, 97]), total=100)
    >>> found.k, found.threshold
    (2, 0.2)
    >>> [(t.threshold, t.k, round(t.error, 2)) for t in found.trials]
    [(0.5, 1, 0.2), (0.4, 1, 0.2), (0.3, 1, 0.2), (0.2, 2, 0.05)]
    """
    falling = ranking.scores[ranking.order]
    n = len(falling)
    if len(correct) != n:
        raise MethodError(f"a reduction needs the counts of all {n} prefixes, found {len(correct)}")
    if not (np.diff(falling) <= 0.0).all():
        raise MethodError("a reduction needs a ranking by falling scores")
    if not all(a > b for a, b in itertools.pairwise(thresholds)):
        raise MethodError(f"the thresholds of a reduction must fall, found {', '.join(f'{t:g}' for t in thresholds)}")
    trials = []
    for threshold in thresholds:
        k = int((falling > threshold).sum())
        trials.append(Trial(threshold, k, (total - int(correct[k - 1])) / total if k else float("nan")))
        # One quotient, so that a rise of exactly the tolerance is accepted whatever the two errors round to.
        if k and (int(correct[-1]) - int(correct[k - 1])) / total <= tolerance:
            return Reduction(k, threshold, trials[-1].error, (total - int(correct[-1])) / total, tuple(trials))
    error = (total - int(correct[-1])) / total
    return Reduction(n, None, error, error, tuple(trials))
