"""What is counted: right predictions, and the prefix of a ranking that they speak for."""

from __future__ import annotations

import numpy as np

from fsbench.values import IntArray

__all__ = ["best_prefix", "count_correct"]


def count_correct(predicted: IntArray, actual: IntArray) -> IntArray:
    """Count the right predictions along the last axis.

    Parameters
    ----------
    predicted : ndarray of shape (..., n_rows)
        Class indices.
    actual : ndarray of shape (n_rows,)

    Returns
    -------
    ndarray of shape (...)
        int64.

    Examples
    --------
    >>> count_correct(np.array([[0, 1, 1], [0, 0, 1]]), np.array([0, 0, 1])).tolist()
    [2, 3]
    """
    return np.asarray(np.count_nonzero(predicted == actual, axis=-1), dtype=np.int64)


def best_prefix(correct: IntArray) -> int:
    """Return the length of the best prefix: the highest count, the shortest among equal ones.

    Parameters
    ----------
    correct : ndarray of shape (n_prefixes,)
        Right predictions with the first 1, 2, ... features; not empty.

    Returns
    -------
    int
        From 1 to n_prefixes.

    Examples
    --------
    >>> best_prefix(np.array([7, 9, 9, 8]))
    2
    """
    return int(np.argmax(correct)) + 1
