"""ReliefF in plain doubles, for mixed kinds and missing values: one row of distances per probe, then the scan."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_select import scan, sort_slots
from fsbench.kernels.relieff_typed import Places
from fsbench.values import FloatArray, IntArray

__all__ = ["exact_neighbours", "exact_weights", "row_distances"]


@jit
def row_distances(z: FloatArray, kinds: IntArray, unknown: FloatArray, probe: int, totals: FloatArray) -> None:
    """Write the distances of one row to all rows: sums of differences, added feature by feature.

    Parameters
    ----------
    z : ndarray of shape (n_features, n_rows)
        Scaled numbers and label indices; NaN is missing.
    kinds : ndarray of shape (n_features,)
        0 numeric, 1 numeric with missing values, 2 nominal, 3 nominal with missing values.
    unknown : ndarray of shape (n_features,)
        Difference between a missing label and any other.
    probe : int
    totals : ndarray of shape (n_rows,)
        Overwritten.
    """
    n = z.shape[1]
    totals[:] = 0.0
    for f in range(z.shape[0]):
        column = z[f]
        own = column[probe]
        if kinds[f] == 0:
            for j in range(n):
                totals[j] += abs(own - column[j])
        elif kinds[f] == 2:
            for j in range(n):
                totals[j] += 1.0 if own != column[j] else 0.0
        elif kinds[f] == 3:
            if own != own:
                for j in range(n):
                    totals[j] += unknown[f]
            else:
                for j in range(n):
                    d = 1.0 if own != column[j] else 0.0
                    totals[j] += unknown[f] if column[j] != column[j] else d
        elif own != own:
            for j in range(n):
                x = column[j]
                far = 1.0 - x if x < 0.5 else x
                totals[j] += 1.0 if x != x else far
        else:
            far = 1.0 - own if own < 0.5 else own
            for j in range(n):
                x = column[j]
                totals[j] += far if x != x else abs(own - x)


@jit
def exact_neighbours(
    z: FloatArray,
    kinds: IntArray,
    unknown: FloatArray,
    borders: IntArray,
    factors: FloatArray,
    ranked: FloatArray,
    probes: IntArray,
    first: int,
    last: int,
    nearest: Places,
    shares: FloatArray,
) -> None:
    """Find the neighbours of probes first .. last - 1 and the part of each in the probe's update.

    Parameters
    ----------
    z, kinds, unknown
        As in `row_distances`; rows grouped by class.
    borders : ndarray of shape (n_classes + 1,)
        Class c holds rows ``borders[c]`` .. ``borders[c + 1] - 1``.
    factors : ndarray of shape (n_classes, n_classes)
        Weight of the mean difference, by class of the probe and of the neighbours.
    ranked : ndarray of shape (k,) or (0,)
        Weight of the i-th nearest neighbour; empty if all count alike.
    probes : ndarray of shape (n_probes,)
    nearest, shares : ndarray of shape (n_probes, n_classes, k)
        Written: rows, and their parts; row 0 with the part 0 where there is none.
    """
    n, n_classes, k = z.shape[1], len(borders) - 1, nearest.shape[2]
    totals, found = np.empty(n), np.empty(k)
    order, stack = np.empty(k, np.int64), np.empty(2 * k + 2, np.int64)
    for at in range(first, last):
        probe = probes[at]
        row_distances(z, kinds, unknown, probe, totals)
        own = np.searchsorted(borders, probe, side="right") - 1
        for c in range(n_classes):
            slots, parts = nearest[at, c], shares[at, c]
            count = scan(totals, probe, borders[c], borders[c + 1], found, slots)
            slots[count:] = 0
            parts[count:] = 0.0
            if len(ranked) == 0:
                parts[:count] = factors[own, c] / max(count, 1)
                continue
            sort_slots(found, count, order, stack)
            total = 0.0
            for s in range(count):
                total += ranked[s]
            for s in range(count):
                parts[order[s]] = factors[own, c] * ranked[s] / total


@jit
def exact_weights(
    z: FloatArray,
    kinds: IntArray,
    unknown: FloatArray,
    probes: IntArray,
    nearest: Places,
    shares: FloatArray,
    first: int,
    last: int,
    weights: FloatArray,
) -> None:
    """Add up share * difference over all probes and neighbours, for features first .. last - 1.

    Arrays as in `exact_neighbours`; `nearest` and `shares` of shape (n_probes, slots); `weights` (n_features,) is
    written.
    """
    for f in range(first, last):
        column = z[f]
        total = 0.0
        for at in range(len(probes)):
            own = column[probes[at]]
            rows, parts = nearest[at], shares[at]
            change = 0.0
            if kinds[f] == 0:
                for s in range(len(rows)):
                    change += parts[s] * abs(own - column[rows[s]])
            elif kinds[f] == 1:
                for s in range(len(rows)):
                    change += parts[s] * _numeric_difference(own, column[rows[s]])
            elif kinds[f] == 2:
                for s in range(len(rows)):
                    change += parts[s] if own != column[rows[s]] else 0.0
            else:
                for s in range(len(rows)):
                    x = column[rows[s]]
                    d = 1.0 if own != x else 0.0
                    change += parts[s] * (unknown[f] if own != own or x != x else d)
            total += change
        weights[f] = total


@jit
def _numeric_difference(a: float, b: float) -> float:
    """Return the difference of two scaled numbers; to a missing one the farthest that it could be."""
    d = abs(a - b)
    if d == d:
        return d
    known = b if a != a else a
    return 1.0 if known != known else max(known, 1.0 - known)
