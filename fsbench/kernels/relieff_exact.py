"""ReliefF in plain doubles, for columns of any kind: rows of distances of two probes at a time, then the scan."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.relieff_probes import PROBES, scan_probes
from fsbench.kernels.relieff_select import FEW_SLOTS, NEVER, OF_DOUBLES, QUARTERS, SLOTS, scan, scan_few, sort_slots
from fsbench.kernels.relieff_typed import ROWS, Places
from fsbench.values import FloatArray, IntArray

__all__ = ["exact_neighbours", "row_distances"]

# Rows of a class, and these times features, up to which it pays to go through all of them for eight probes at a time.
LONG, MUCH = 1500, 12_000


@jit_bare
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
    totals[:] = 0.0
    for f in range(z.shape[0]):
        _add_column(z[f], kinds[f], unknown[f], probe, totals)


@jit_bare
def _add_column(column: FloatArray, kind: int, unknown: float, probe: int, totals: FloatArray) -> None:
    """Add the differences in one feature between one row and all rows."""
    n = len(totals)
    own = column[probe]
    if kind == 0:
        for j in range(n):
            totals[j] += abs(own - column[j])
    elif kind == 2:
        for j in range(n):
            totals[j] += 1.0 if own != column[j] else 0.0
    elif kind == 3:
        if own != own:
            for j in range(n):
                totals[j] += unknown
        else:
            for j in range(n):
                d = 1.0 if own != column[j] else 0.0
                totals[j] += unknown if column[j] != column[j] else d
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


@jit_bare
def _two_rows(
    z: FloatArray, kinds: IntArray, unknown: FloatArray, p0: int, p1: int, t0: FloatArray, t1: FloatArray
) -> None:
    """Write the distances of two rows to all rows, four columns a sweep where they are alike and nothing is missing."""
    m = z.shape[0]
    t0[:] = 0.0
    t1[:] = 0.0
    f = 0
    while f < m:
        kind = kinds[f]
        alike = f + 4 <= m and kind == kinds[f + 1] == kinds[f + 2] == kinds[f + 3]
        if kind == 1 or not alike:
            _add_column(z[f], kind, unknown[f], p0, t0)
            _add_column(z[f], kind, unknown[f], p1, t1)
            f += 1
            continue
        c0, c1, c2, c3 = z[f], z[f + 1], z[f + 2], z[f + 3]
        if kind == 0:
            _add_numbers(c0, c1, c2, c3, p0, p1, t0, t1)
        elif kind == 2:
            _add_labels(c0, c1, c2, c3, p0, p1, t0, t1)
        else:
            u0, u1, u2, u3 = unknown[f], unknown[f + 1], unknown[f + 2], unknown[f + 3]
            for p, totals in ((p0, t0), (p1, t1)):
                _add_incomplete_labels(c0, c1, c2, c3, u0, u1, u2, u3, p, totals)
        f += 4


@jit_bare
def _add_numbers(
    c0: FloatArray,
    c1: FloatArray,
    c2: FloatArray,
    c3: FloatArray,
    p0: int,
    p1: int,
    t0: FloatArray,
    t1: FloatArray,
) -> None:
    a0, a1, a2, a3 = c0[p0], c1[p0], c2[p0], c3[p0]
    b0, b1, b2, b3 = c0[p1], c1[p1], c2[p1], c3[p1]
    for j in range(len(t0)):
        x0, x1, x2, x3 = c0[j], c1[j], c2[j], c3[j]
        t0[j] = (((t0[j] + abs(a0 - x0)) + abs(a1 - x1)) + abs(a2 - x2)) + abs(a3 - x3)
        t1[j] = (((t1[j] + abs(b0 - x0)) + abs(b1 - x1)) + abs(b2 - x2)) + abs(b3 - x3)


@jit_bare
def _add_labels(
    c0: FloatArray,
    c1: FloatArray,
    c2: FloatArray,
    c3: FloatArray,
    p0: int,
    p1: int,
    t0: FloatArray,
    t1: FloatArray,
) -> None:
    a0, a1, a2, a3 = c0[p0], c1[p0], c2[p0], c3[p0]
    b0, b1, b2, b3 = c0[p1], c1[p1], c2[p1], c3[p1]
    for j in range(len(t0)):
        x0, x1, x2, x3 = c0[j], c1[j], c2[j], c3[j]
        a = t0[j] + (1.0 if a0 != x0 else 0.0) + (1.0 if a1 != x1 else 0.0)
        t0[j] = a + (1.0 if a2 != x2 else 0.0) + (1.0 if a3 != x3 else 0.0)
        b = t1[j] + (1.0 if b0 != x0 else 0.0) + (1.0 if b1 != x1 else 0.0)
        t1[j] = b + (1.0 if b2 != x2 else 0.0) + (1.0 if b3 != x3 else 0.0)


@jit_bare
def _add_incomplete_labels(
    c0: FloatArray,
    c1: FloatArray,
    c2: FloatArray,
    c3: FloatArray,
    u0: float,
    u1: float,
    u2: float,
    u3: float,
    probe: int,
    totals: FloatArray,
) -> None:
    a0, a1, a2, a3 = c0[probe], c1[probe], c2[probe], c3[probe]
    # A label of the probe that is missing differs from any other, and by u: so u takes the place of 1.
    v0, v1, v2, v3 = u0 if a0 != a0 else 1.0, u1 if a1 != a1 else 1.0, u2 if a2 != a2 else 1.0, u3 if a3 != a3 else 1.0
    for j in range(len(totals)):
        x0, x1, x2, x3 = c0[j], c1[j], c2[j], c3[j]
        d0, d1 = v0 if a0 != x0 else 0.0, v1 if a1 != x1 else 0.0
        d2, d3 = v2 if a2 != x2 else 0.0, v3 if a3 != x3 else 0.0
        total = totals[j] + (u0 if x0 != x0 else d0) + (u1 if x1 != x1 else d1)
        totals[j] = total + (u2 if x2 != x2 else d2) + (u3 if x3 != x3 else d3)


@jit
def exact_neighbours(
    z: FloatArray,
    kinds: IntArray,
    unknown: FloatArray,
    borders: IntArray,
    ordered: bool,
    probes: IntArray,
    first: int,
    last: int,
    nearest: Places,
    counts: Places,
) -> None:
    """Find the neighbours of probes first .. last - 1.

    Parameters
    ----------
    z, kinds, unknown
        As in `row_distances`; rows grouped by class.
    borders : ndarray of shape (n_classes + 1,)
        Class c holds rows ``borders[c]`` .. ``borders[c + 1] - 1``.
    ordered : bool
        Whether the neighbours of a class are wanted in order of distance, not of their slots.
    probes : ndarray of shape (n_probes,)
    nearest : ndarray of shape (n_probes, n_classes, k)
        Written: the rows found.
    counts : ndarray of shape (n_probes, n_classes)
        Written: how many there are.
    """
    n, n_classes, k = z.shape[1], len(borders) - 1, nearest.shape[2]
    if k <= FEW_SLOTS and not ordered and _suits_probes(kinds, borders):
        first = _eight_by_eight(z, kinds, borders, probes, first, last, nearest, counts)
    totals = np.empty((2, n + ROWS))
    bits = totals.view(np.int64)
    found = np.empty(-(-k // QUARTERS) * QUARTERS, np.int64)
    order, stack, kept = np.empty(k, np.int64), np.empty(2 * k + 2, np.int64), np.empty(k, np.int32)
    for at in range(first, last, 2):
        two = min(at + 1, last - 1)  # the last one of an odd number is computed twice
        _two_rows(z, kinds, unknown, probes[at], probes[two], totals[0, :n], totals[1, :n])
        for i in range(at, two + 1):
            probe, distances = probes[i], bits[i - at]
            distances[probe] = NEVER
            for c in range(n_classes):
                slots, start, stop = nearest[i, c], borders[c], borders[c + 1]
                count = scan_few(distances, OF_DOUBLES, probe, start, stop, slots) if k <= FEW_SLOTS else -1
                if count < 0:
                    count = scan(distances, probe, start, stop, found, slots)
                if ordered:
                    _by_distance(distances, count, slots, found, order, stack, kept)
                counts[i, c] = count


@jit_bare
def _suits_probes(kinds: IntArray, borders: IntArray) -> bool:
    """Tell whether no value is missing and no class too long."""
    for kind in kinds:
        if kind == 1 or kind == 3:
            return False
    for c in range(len(borders) - 1):
        rows = borders[c + 1] - borders[c]
        if rows > LONG or rows * len(kinds) > MUCH:
            return False
    return True


@jit
def _eight_by_eight(
    z: FloatArray,
    kinds: IntArray,
    borders: IntArray,
    probes: IntArray,
    first: int,
    last: int,
    nearest: Places,
    counts: Places,
) -> int:
    """Find the neighbours of as many probes as can be taken side by side; return the first one that is left."""
    m, n = z.shape
    k = nearest.shape[2]
    rows, own = np.empty((n, m)), np.empty((m, PROBES))
    for f in range(m):
        for j in range(n):
            rows[j, f] = z[f, j]
    numeric = not kinds.any()
    lanes, slots = np.empty(PROBES, np.int64), np.empty((PROBES, SLOTS + 1), np.int32)
    while first < last:
        for lane in range(PROBES):  # the last one takes the lanes that are left over
            lanes[lane] = probes[min(first + lane, last - 1)]
            for f in range(m):
                own[f, lane] = z[f, lanes[lane]]
        for c in range(len(borders) - 1):
            start, stop = borders[c], borders[c + 1]
            if scan_probes(rows, kinds, own, lanes, start, stop, k, slots, numeric):
                return first
            for i in range(first, min(first + PROBES, last)):
                probe = probes[i]
                others = stop - start - (start <= probe < stop)
                counts[i, c] = min(k, others)
                for s in range(counts[i, c]):
                    nearest[i, c, s] = slots[i - first, s]
        first += PROBES
    return last


@jit_bare
def _by_distance(
    distances: IntArray, count: int, slots: Places, found: IntArray, order: IntArray, stack: IntArray, kept: Places
) -> None:
    """Bring neighbours from the order of their slots into that of their distances."""
    for s in range(count):
        found[s] = distances[slots[s]]
    sort_slots(found, count, order, stack)
    for s in range(count):
        kept[s] = slots[s]
    for s in range(count):
        slots[s] = kept[order[s]]
