"""From scores to an order, and the two rules for equal scores."""

from __future__ import annotations

import numpy as np

from fsbench.columns import compiled_pays
from fsbench.values import FloatArray, IntArray

__all__ = ["rank_order", "weka_sort"]


def rank_order(scores: FloatArray, higher_is_better: bool = True, ties: str = "index") -> IntArray:
    """Order features from best to worst.

    Parameters
    ----------
    scores : ndarray of shape (n_features,)
        NaN comes last, in file order.
    higher_is_better : bool, default True
        Direction of the score.
    ties : {"index", "weka"}, default "index"
        Equal scores: the lowest feature index first, or the order that Weka's unstable sort leaves.

    Returns
    -------
    ndarray of shape (n_features,)
        int64 feature indices.

    Examples
    --------
    >>> rank_order(np.array([1.0, 3.0, 3.0, 2.0])).tolist()
    [1, 2, 3, 0]
    >>> rank_order(np.zeros(4), ties="weka").tolist()
    [3, 2, 1, 0]
    """
    unknown = np.isnan(scores)
    if not unknown.any():
        return _order(scores, higher_is_better, ties)
    known = np.flatnonzero(~unknown)
    return np.concatenate([known[_order(scores[known], higher_is_better, ties)], np.flatnonzero(unknown)])


def _order(scores: FloatArray, higher_is_better: bool, ties: str) -> IntArray:
    """Order scores without NaN."""
    if ties != "weka":
        return np.argsort(-scores if higher_is_better else scores, kind="stable")
    ascending = scores.astype(np.float64) if higher_is_better else np.negative(scores, dtype=np.float64)
    if not compiled_pays(len(scores)):
        return weka_sort(ascending)[::-1].copy()
    from fsbench.kernels.weka_sort import quicksort

    order = np.arange(len(scores))
    quicksort(ascending, order)
    return order[::-1].copy()


def weka_sort(values: FloatArray) -> IntArray:
    """Return the indices that sort `values` ascending, equal ones in the order that Weka's quicksort leaves.

    Parameters
    ----------
    values : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n,)

    Notes
    -----
    Median of three with the pivot parked at the right end but one; the scans stop at equal values, which are
    therefore exchanged. Ranges of two and three are ordered by comparisons alone. A list of pending ranges
    replaces the recursion: the two halves are disjoint, so their order does not matter.
    """
    a = [float(v) for v in values]
    index = list(range(len(a)))
    pending = [(0, len(a) - 1)]
    while pending:
        left, right = pending.pop()
        if right - left < 1:
            continue
        if right - left == 1:
            _exchange(a, index, left, right)
            continue
        middle = (left + right) // 2
        _exchange(a, index, left, middle)
        _exchange(a, index, left, right)
        _exchange(a, index, middle, right)
        if right - left > 2:
            border = _partition(a, index, left, right, middle)
            pending += [(left, border - 1), (border + 1, right)]
    return np.array(index, dtype=np.int64)


def _exchange(a: list[float], index: list[int], i: int, j: int) -> None:
    """Swap the indices at two positions if their values are out of order."""
    if a[index[i]] > a[index[j]]:
        index[i], index[j] = index[j], index[i]


def _partition(a: list[float], index: list[int], left: int, right: int, middle: int) -> int:
    """Split a range of four or more around its median of three; return where the pivot ends."""
    park = right - 1
    index[middle], index[park] = index[park], index[middle]
    pivot = a[index[park]]
    i, j = left, park
    while True:
        i += 1
        while a[index[i]] < pivot:
            i += 1
        j -= 1
        while a[index[j]] > pivot:
            j -= 1
        if i >= j:
            break
        index[i], index[j] = index[j], index[i]
    index[i], index[park] = index[park], index[i]
    return i
