"""ReliefF of small data from columns to sums in one call: between calls more time would pass than in them."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_exact import exact_neighbours
from fsbench.kernels.relieff_prepare import prepare_columns
from fsbench.kernels.relieff_weights import neighbour_weights
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["sum_updates"]

FEATURES = 128  # whose block of values fits the cache


@jit
def sum_updates(
    columns: FloatArray,
    y: IntArray,
    n_classes: int,
    nominal: BoolArray,
    labels: IntArray,
    sparse: bool,
    smallest: float,
    probes: IntArray,
    k: int,
    ranked: FloatArray,
    sums: FloatArray,
) -> int:
    """Add up the updates of all features; return the first column whose range is no finite number, or -1.

    Parameters
    ----------
    columns, y, nominal, labels, sparse, smallest
        See `fsbench.kernels.relieff_prepare.prepare_columns`.
    n_classes : int
    probes : ndarray of shape (n_probes,)
        Rows of the data.
    k : int
        Neighbours of each class.
    ranked : ndarray of shape (2, k) or (2, 0)
        See `fsbench.kernels.relieff_weights.neighbour_weights`.
    sums : ndarray of shape (n_features,)
        Written.
    """
    m, n = columns.shape
    borders, places, owners = np.empty(n_classes + 1, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    factors, z, unknown = np.empty((n_classes, n_classes)), np.empty((m, n)), np.empty(m)
    kinds, order, ends = np.empty(m, np.int64), np.empty(m, np.int64), np.empty(4, np.int64)
    endless = prepare_columns(
        columns, y, nominal, labels, sparse, smallest, borders, places, owners, factors, z, kinds, unknown, order, ends
    )
    if endless >= 0:
        return endless
    at = places[probes]
    nearest = np.empty((len(at), n_classes, k), np.int32)
    counts = np.empty((len(at), n_classes), np.int32)
    exact_neighbours(z, kinds, unknown, borders, ranked.shape[1] > 0, at, 0, len(at), nearest, counts)
    first = 0
    for kind in range(4):
        while first < ends[kind]:
            last = min(first + FEATURES, ends[kind])
            neighbour_weights(z, unknown, order, kind, first, last, owners, factors, ranked, at, nearest, counts, sums)
            first = last
    return -1
