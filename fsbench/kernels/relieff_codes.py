"""ReliefF on nominal features without missing values: distances are counts of unequal bytes, hence exact."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.nearest_typed import add_unequal
from fsbench.kernels.relieff_select import scan
from fsbench.kernels.relieff_typed import Bytes, Places, Totals
from fsbench.values import FloatArray, IntArray

__all__ = ["code_neighbours", "code_weights"]

BLOCK = 252  # features whose count fits a byte, a multiple of 4


@jit
def code_neighbours(
    codes: Bytes,
    borders: IntArray,
    probes: IntArray,
    first: int,
    last: int,
    nearest: Places,
    counts: Places,
) -> None:
    """Find the neighbours of probes first .. last - 1.

    Parameters
    ----------
    codes : ndarray of shape (n_features padded to a multiple of 4, n_rows)
        Label indices as bytes, rows grouped by class; the padding is 0.
    borders : ndarray of shape (n_classes + 1,)
        Class c holds rows ``borders[c]`` .. ``borders[c + 1] - 1``.
    probes : ndarray of shape (n_probes,)
    nearest : ndarray of shape (n_probes, n_classes, k)
        Written: the rows found.
    counts : ndarray of shape (n_probes, n_classes)
        Written: how many there are.
    """
    n, n_classes, k = codes.shape[1], len(borders) - 1, nearest.shape[2]
    few0, few1 = np.empty(n, np.uint8), np.empty(n, np.uint8)
    totals = np.empty((2, n), np.uint32)
    found = np.empty(k, np.uint32)
    for at in range(first, last, 2):
        two = min(at + 1, last - 1)  # the last one of an odd number is computed twice
        _two_rows(codes, probes[at], probes[two], few0, few1, totals)
        for side in range(two - at + 1):
            for c in range(n_classes):
                counts[at + side, c] = scan(
                    totals[side], probes[at + side], borders[c], borders[c + 1], found, nearest[at + side, c]
                )


@jit
def _two_rows(codes: Bytes, p0: int, p1: int, few0: Bytes, few1: Bytes, totals: Totals) -> None:
    """Count the unequal features of two rows and all rows, four features a sweep: each byte is read once for both."""
    n_features, n = codes.shape
    totals[:] = 0
    for start in range(0, n_features, BLOCK):
        few0[:] = 0
        few1[:] = 0
        for f in range(start, min(start + BLOCK, n_features), 4):
            c0, c1, c2, c3 = codes[f], codes[f + 1], codes[f + 2], codes[f + 3]
            a0, a1, a2, a3 = c0[p0], c1[p0], c2[p0], c3[p0]
            b0, b1, b2, b3 = c0[p1], c1[p1], c2[p1], c3[p1]
            for j in range(n):
                a = add_unequal(add_unequal(few0[j], a0, c0[j]), a1, c1[j])
                few0[j] = add_unequal(add_unequal(a, a2, c2[j]), a3, c3[j])
                b = add_unequal(add_unequal(few1[j], b0, c0[j]), b1, c1[j])
                few1[j] = add_unequal(add_unequal(b, b2, c2[j]), b3, c3[j])
        for j in range(n):
            totals[0, j] += few0[j]
            totals[1, j] += few1[j]


@jit
def code_weights(
    codes: Bytes,
    owners: IntArray,
    factors: FloatArray,
    probes: IntArray,
    nearest: Places,
    counts: Places,
    first: int,
    last: int,
    weights: FloatArray,
) -> None:
    """Add up factor * mean difference over probes first .. last - 1.

    `codes` is (n_rows, n_features) bytes, `owners` the class of each row, `factors` (n_classes, n_classes) the
    weight by class of probe and neighbours; the other arrays as in `code_neighbours`. `weights` (n_features,) is
    written.
    """
    n_features, n_classes = codes.shape[1], counts.shape[1]
    unequal = np.empty(n_features, np.int32)
    weights[:] = 0.0
    for at in range(first, last):
        own = codes[probes[at]]
        for c in range(n_classes):
            count = counts[at, c]
            unequal[:] = 0
            for s in range(count):
                other = codes[nearest[at, c, s]]
                for f in range(n_features):
                    unequal[f] += own[f] != other[f]
            share = factors[owners[probes[at]], c] / max(count, 1)
            for f in range(n_features):
                weights[f] += share * unequal[f]
