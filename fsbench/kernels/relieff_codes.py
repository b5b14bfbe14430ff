"""ReliefF on nominal features without missing values: distances are counts of unequal bytes, hence exact."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.nearest_typed import add_unequal
from fsbench.kernels.relieff_integers import SELF
from fsbench.kernels.relieff_select import FEW_SLOTS, OF_COUNTS, QUARTERS, scan, scan_few
from fsbench.kernels.relieff_typed import ROWS, Bytes, Places, Totals
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
    totals = np.empty((2, n + ROWS), np.uint32)
    found = np.empty(-(-k // QUARTERS) * QUARTERS, np.int64)
    for at in range(first, last, 2):
        two = min(at + 1, last - 1)  # the last one of an odd number is computed twice
        _two_rows(codes, probes[at], probes[two], few0, few1, totals[0, :n], totals[1, :n])
        for i in range(at, two + 1):
            probe, distances = probes[i], totals[i - at]
            distances[probe] = SELF
            for c in range(n_classes):
                start, stop, slots = borders[c], borders[c + 1], nearest[i, c]
                if k <= FEW_SLOTS:
                    counts[i, c] = scan_few(distances, OF_COUNTS, probe, start, stop, slots)
                else:
                    counts[i, c] = scan(distances, probe, start, stop, found, slots)


@jit_bare
def _two_rows(codes: Bytes, p0: int, p1: int, few0: Bytes, few1: Bytes, totals0: Totals, totals1: Totals) -> None:
    """Count the unequal features of two rows and all rows, four features a sweep: each byte is read once for both."""
    n_features, n = codes.shape
    totals0[:] = 0
    totals1[:] = 0
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
            totals0[j] += few0[j]
            totals1[j] += few1[j]


@jit
def code_weights(
    codes: Bytes,
    owners: IntArray,
    factors: FloatArray,
    probes: IntArray,
    nearest: Places,
    counts: Places,
    weights: FloatArray,
) -> None:
    """Add up the updates of some features in the order of `fsbench.kernels.relieff_weights`.

    `codes` is (n_rows, width) bytes, the other arrays are as there. All differences of a probe and the neighbours of
    a class are 0 or 1, so the order of these changes nothing.
    """
    width, n_classes = codes.shape[1], counts.shape[1]
    sums = np.zeros(width)
    for at in range(len(probes)):
        p = probes[at]
        own = owners[p]
        for step in range(n_classes):
            c = own if step == 0 else step - 1 if step <= own else step
            count = counts[at, c]
            part = factors[own, c] * (1.0 / max(count, 1))
            for s in range(count):
                r = nearest[at, c, s]
                for f in range(width):
                    sums[f] += part if codes[p, f] != codes[r, f] else 0.0
    weights[:] = sums
