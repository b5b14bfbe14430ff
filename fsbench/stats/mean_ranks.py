"""Ranks in which equal values share the mean of their places."""

from __future__ import annotations

import numpy as np

from fsbench.values import FloatArray

__all__ = ["mean_ranks"]


def mean_ranks(values: FloatArray) -> FloatArray:
    """Return the place of each value in its row, from 1 for the smallest.

    As `scipy.stats.rankdata`, which is not used because to load `scipy.stats` takes longer than most reports.

    Parameters
    ----------
    values : ndarray of shape (n,) or (m, n)
        A row with a NaN gets NaN throughout.

    Returns
    -------
    ndarray of the same shape
        Whole or half numbers.

    Examples
    --------
    >>> mean_ranks(np.array([0.3, 0.1, 0.3, 0.2])).tolist()
    [3.5, 1.0, 3.5, 2.0]
    """
    if values.ndim > 1:
        return np.array([mean_ranks(row) for row in values], dtype=np.float64).reshape(values.shape)
    if np.isnan(values).any():
        return np.full(values.shape, np.nan)
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    shared: FloatArray = np.cumsum(counts) - (counts - 1) / 2.0
    return shared[place]
