"""A learning curve in two numbers: the area under it, and the shortest prefix that is as good as the best one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fsbench.values import FloatArray

__all__ = ["Shortest", "area", "best_prefix", "shortest_prefix"]


@dataclass(frozen=True)
class Shortest:
    """Prefixes of a ranking by their mean accuracy over the folds.

    Parameters
    ----------
    best : int
        Features of the prefix with the best mean, the shortest of equals.
    shortest : int or None
        Features of the shortest prefix that is not significantly worse; None where no test can be made.
    reason : str, default ""
        Why no test can be made.
    """

    best: int
    shortest: int | None
    reason: str = ""


def area(curves: FloatArray) -> FloatArray:
    """Return the normalised area under learning curves, by the trapezoidal rule.

    Parameters
    ----------
    curves : ndarray of shape (n_folds, n_features)
        Accuracy with the first k features, k from 1.

    Returns
    -------
    ndarray of shape (n_folds,)
        In the unit of the curve: its mean height from 1 to all features; of a curve of one point, that point.

    Examples
    --------
    >>> area(np.array([[0.5, 0.7, 0.9]])).round(12)
    array([0.7])
    """
    if curves.shape[1] == 1:
        return np.array(curves[:, 0], dtype=np.float64)
    found: FloatArray = (curves[:, 1:] + curves[:, :-1]).mean(axis=1) / 2.0
    return found


def best_prefix(curves: FloatArray) -> int:
    """Return how many features the prefix with the best mean over the folds has, the shortest of equals."""
    # Means that are equal on paper may differ in the last bit.
    return int(np.argmax(np.round(curves.mean(axis=0), 12))) + 1


def shortest_prefix(curves: FloatArray, is_worse: Callable[[FloatArray, FloatArray], bool | None]) -> Shortest:
    """Return the shortest prefix that is not significantly worse than the best one.

    Parameters
    ----------
    curves : ndarray of shape (n_folds, n_features)
        Accuracy with the first k features, k from 1.
    is_worse : callable
        Says of the accuracies of two prefixes on the folds whether the first is significantly worse than the second;
        None if it cannot tell.

    Returns
    -------
    Shortest

    Notes
    -----
    Prefixes are tried from the shortest on, and the first that is not worse is taken; the level is that of each
    test, not of all of them together.

    Examples
    --------
    >>> shortest_prefix(np.array([[0.5, 0.7, 0.8, 0.8]]), lambda a, b: bool(a.mean() < b.mean() - 0.15))
    Shortest(best=3, shortest=2, reason='')
    """
    best = best_prefix(curves)
    for k in range(1, best):
        worse = is_worse(curves[:, k - 1], curves[:, best - 1])
        if worse is None:
            return Shortest(best, None, "no test")
        if not worse:
            return Shortest(best, k)
    return Shortest(best, best)
