"""ReliefF of many labels on features of any kind: a row of exact distances per probe, one pass of differences."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.multilabel_neighbours import Counts, Marks, binary_shares, powerset_shares
from fsbench.kernels.relieff_exact import row_distances
from fsbench.values import FloatArray, IntArray

__all__ = ["dense_binary", "dense_powerset"]


@jit
def dense_binary(
    z: FloatArray,
    kinds: IntArray,
    unknown: FloatArray,
    by_row: FloatArray,
    kind_start: IntArray,
    by_row_unknown: FloatArray,
    rare_start: IntArray,
    rare_rows: Counts,
    row_start: IntArray,
    row_labels: Counts,
    is_rare: Marks,
    all_rows: Counts,
    label_weights: FloatArray,
    wide: int,
    k: int,
    first: int,
    last: int,
    sums: FloatArray,
) -> None:
    """Add up the updates of probes first .. last - 1 over all labels.

    Parameters
    ----------
    z, kinds, unknown
        As in `fsbench.kernels.relieff_exact.row_distances`, rows in file order.
    by_row : ndarray of shape (n_rows, n_features)
        The same values, features ordered by kind.
    kind_start : ndarray of shape (5,)
        Features of kind c stand at ``kind_start[c]`` .. ``kind_start[c + 1] - 1`` there.
    by_row_unknown : ndarray of shape (n_features,)
        `unknown` in that order.
    rare_start, rare_rows, row_start, row_labels, is_rare, all_rows, label_weights
        As in `fsbench.kernels.multilabel_neighbours.binary_shares`; `wide` is K there.
    sums : ndarray of shape (n_features,)
        Overwritten; in the order of `by_row`.
    """
    n = z.shape[1]
    distances, entered, touched = np.empty(n), np.empty(2 * n, np.int32), np.empty(n, np.int32)
    found, slots = np.empty(wide), np.empty((3, k), np.int32)
    shares, noted = np.zeros(n), np.zeros(n, np.uint8)
    sums[:] = 0.0
    for probe in range(first, last):
        _distances(z, kinds, unknown, probe, distances)
        count = binary_shares(
            distances, probe, rare_start, rare_rows, row_start, row_labels, is_rare, all_rows, label_weights,
            entered, found, slots, shares, noted, touched,
        )  # fmt: skip
        _update(by_row, kind_start, by_row_unknown, probe, touched[:count], shares, noted, sums)


@jit
def dense_powerset(
    z: FloatArray,
    kinds: IntArray,
    unknown: FloatArray,
    by_row: FloatArray,
    kind_start: IntArray,
    by_row_unknown: FloatArray,
    owner: IntArray,
    class_start: IntArray,
    class_rows: Counts,
    k: int,
    first: int,
    last: int,
    sums: FloatArray,
) -> None:
    """Do as `dense_binary` where the classes are label sets, see `multilabel_neighbours.powerset_shares`."""
    n = z.shape[1]
    distances, touched = np.empty(n), np.empty(n, np.int32)
    found, slots = np.empty(k), np.empty((1, k), np.int32)
    shares, noted = np.zeros(n), np.zeros(n, np.uint8)
    sums[:] = 0.0
    for probe in range(first, last):
        _distances(z, kinds, unknown, probe, distances)
        count = powerset_shares(distances, probe, owner, class_start, class_rows, found, slots, shares, noted, touched)
        _update(by_row, kind_start, by_row_unknown, probe, touched[:count], shares, noted, sums)


@jit_bare
def _distances(z: FloatArray, kinds: IntArray, unknown: FloatArray, probe: int, totals: FloatArray) -> None:
    """Do as `row_distances`; complete numeric columns four at a time, each sum still in the order of the features."""
    if kinds.any():
        row_distances(z, kinds, unknown, probe, totals)
        return
    n_features, n = z.shape
    whole = n_features - n_features % 4
    totals[:] = 0.0
    for f in range(0, whole, 4):
        c0, c1, c2, c3 = z[f], z[f + 1], z[f + 2], z[f + 3]
        a0, a1, a2, a3 = c0[probe], c1[probe], c2[probe], c3[probe]
        for j in range(n):
            totals[j] = (((totals[j] + abs(a0 - c0[j])) + abs(a1 - c1[j])) + abs(a2 - c2[j])) + abs(a3 - c3[j])
    for f in range(whole, n_features):
        column = z[f]
        own = column[probe]
        for j in range(n):
            totals[j] += abs(own - column[j])


@jit_bare
def _update(
    by_row: FloatArray,
    kind_start: IntArray,
    unknown: FloatArray,
    probe: int,
    touched: Counts,
    shares: FloatArray,
    noted: Marks,
    sums: FloatArray,
) -> None:
    """Add share * difference over the rows that have a share, and clear the shares."""
    own = by_row[probe]
    n0, n1, n2, n3 = kind_start[1], kind_start[2], kind_start[3], kind_start[4]
    for t in range(len(touched)):
        j = touched[t]
        share, other = shares[j], by_row[j]
        shares[j], noted[j] = 0.0, 0
        for f in range(n0):
            sums[f] += share * abs(own[f] - other[f])
        for f in range(n0, n1):
            d = abs(own[f] - other[f])
            if d != d:
                v = other[f] if own[f] != own[f] else own[f]
                d = 1.0 if v != v else (1.0 - v if v < 0.5 else v)
            sums[f] += share * d
        for f in range(n1, n2):
            sums[f] += share if own[f] != other[f] else 0.0
        for f in range(n2, n3):
            if own[f] != own[f] or other[f] != other[f]:
                sums[f] += share * unknown[f]
            else:
                sums[f] += share if own[f] != other[f] else 0.0
