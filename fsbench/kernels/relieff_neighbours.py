"""ReliefF on numeric features: from whole-number distances to the exact neighbours."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_integers import two_rows, two_rows_of_many
from fsbench.kernels.relieff_select import (
    FEW_SLOTS,
    NEVER,
    QUARTERS,
    SLOT_BITS,
    add_kept,
    count_keys,
    distance_keys,
    replace_kept,
    scan,
    scan_keys,
)
from fsbench.kernels.relieff_typed import ROWS, Places, Steps, Totals, as_double, as_whole, lowest_bit, smaller_rows
from fsbench.values import FloatArray, IntArray

__all__ = ["integer_neighbours", "matrix_neighbours"]

LANES = 8  # exact distances computed side by side

Work = tuple[IntArray, IntArray, FloatArray, IntArray, IntArray]


@jit
def integer_neighbours(
    q: Steps,
    fits: bool,
    z: FloatArray,
    borders: IntArray,
    errors: FloatArray,
    class_errors: FloatArray,
    probes: IntArray,
    first: int,
    last: int,
    nearest: Places,
    counts: Places,
) -> None:
    """Find the neighbours of probes first .. last - 1.

    Parameters
    ----------
    q : ndarray of shape (n_features, n_places)
        Rounded values as in `fsbench.kernels.relieff_integers`, rows grouped by class.
    fits : bool
        Whether the distance of any two rows fits 16 bits.
    z : ndarray of shape (n_rows, n_features)
        Exact scaled values.
    borders : ndarray of shape (n_classes + 1,)
        Class c holds rows ``borders[c]`` .. ``borders[c + 1] - 1``.
    errors : ndarray of shape (n_rows,)
        Rounding error e of each row, see `fsbench.kernels.relieff_integers`.
    class_errors : ndarray of shape (n_classes,)
        The largest of them in each class.
    probes : ndarray of shape (n_probes,)
    nearest : ndarray of shape (n_probes, n_classes, k)
        Written: the rows found.
    counts : ndarray of shape (n_probes, n_classes)
        Written: how many there are.
    """
    n = q.shape[1]
    few, rows = np.empty((2, n), np.uint16), np.empty((2, n), np.uint32)
    work = _work_space(n, nearest.shape[2])
    for at in range(first, last, 2):
        two = min(at + 1, last - 1)  # the last one of an odd number is computed twice
        if fits:
            two_rows(q, probes[at], probes[two], few, rows)
        else:
            two_rows_of_many(q, probes[at], probes[two], 0, rows)
        for i in range(at, two + 1):
            _classes(rows[i - at], z, borders, errors, class_errors, probes[i], work, nearest[i], counts[i])


@jit
def matrix_neighbours(
    distances: Totals,
    z: FloatArray,
    borders: IntArray,
    errors: FloatArray,
    class_errors: FloatArray,
    probes: IntArray,
    first: int,
    last: int,
    nearest: Places,
    counts: Places,
) -> None:
    """Do as `integer_neighbours` from the matrix of all distances."""
    n = len(z)
    work = _work_space(n, nearest.shape[2])
    for i in range(first, last):
        p = probes[i]
        _classes(distances[p], z, borders, errors, class_errors, p, work, nearest[i], counts[i])


@jit
def _work_space(n: int, k: int) -> Work:
    """Return keys, rows and their exact distances and keys, and slots."""
    keys, near, exact = np.empty(n + ROWS, np.int64), np.empty(n, np.int64), np.empty(n + LANES)
    return keys, near, exact, np.empty(n + ROWS, np.int64), np.empty(-(-k // QUARTERS) * QUARTERS, np.int64)


@jit
def _classes(
    distances: Totals,
    z: FloatArray,
    borders: IntArray,
    errors: FloatArray,
    class_errors: FloatArray,
    probe: int,
    work: Work,
    nearest: Places,
    counts: Places,
) -> None:
    """Find the neighbours of one probe in every class."""
    keys, near, exact, exact_keys, found = work
    few = nearest.shape[1] <= FEW_SLOTS
    count_keys(distances, keys)
    keys[probe] = NEVER
    for c in range(len(borders) - 1):
        slots, start, stop = nearest[c], borders[c], borders[c + 1]
        margin = 2 * (int(errors[probe] + class_errors[c]) + 3)  # 1 for the cut, 2 for the rounding of the doubles
        if few:
            count = _entering_few(keys, probe, start, stop, len(slots), margin, near)
        else:
            count = _entering(keys, probe, start, stop, margin, found[: len(slots)], near)
        for s in range(0, count, LANES):
            _exact_distances(z, probe, near[s : min(s + LANES, count)], exact[s:])
        if few and distance_keys(exact[:count], exact_keys):
            counts[c] = scan_keys(exact_keys, -1, 0, count, slots)
        else:
            counts[c] = scan(exact.view(np.int64), -1, 0, count, found, slots)
        for s in range(counts[c]):
            slots[s] = near[slots[s]]


@jit
def _entering(keys: IntArray, probe: int, start: int, stop: int, margin: int, nearest: IntArray, near: IntArray) -> int:
    """Write to `near` the rows that may enter k slots as `fsbench.kernels.relieff_select.scan` goes, ascending.

    A row does not enter if k earlier ones are nearer. Seen by their whole-number distances, those that are nearer by
    more than the margin are. `nearest` is work space for k numbers.
    """
    k, count = len(nearest), 0
    for j in range(start, stop):
        key = keys[j]
        if j == probe or (count >= k and key > nearest[k - 1] + (margin << SLOT_BITS)):
            continue
        near[count] = j
        s = min(count, k)
        count += 1
        if s == k:
            if key >= nearest[k - 1]:
                continue
            s -= 1
        while s > 0 and nearest[s - 1] > key:
            nearest[s] = nearest[s - 1]
            s -= 1
        nearest[s] = key
    return count


@jit
def _entering_few(keys: IntArray, probe: int, start: int, stop: int, k: int, margin: int, near: IntArray) -> int:
    """Do as `_entering` for k up to `FEW_SLOTS`, in the way of `fsbench.kernels.relieff_select.scan_keys`."""
    kept = (-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0)
    count, j, wide = 0, start, (margin << SLOT_BITS) + 1
    while count < k and j < stop:
        if j != probe:
            near[count] = j
            kept = add_kept(kept, as_double(keys[j]))
            count += 1
        j += 1
    while j < stop:
        rows = smaller_rows(keys, j, as_whole(kept[0]) + wide)
        if stop - j < ROWS:
            rows &= (1 << (stop - j)) - 1
        while rows != 0:
            row = j + lowest_bit(rows)
            rows &= rows - 1
            key = keys[row]
            if key < as_whole(kept[0]) + wide:
                near[count] = row
                count += 1
                if key < as_whole(kept[0]):
                    kept = replace_kept(kept, as_double(key))
        j += ROWS
    return count


@jit
def _exact_distances(z: FloatArray, probe: int, rows: IntArray, out: FloatArray) -> None:
    """Write the exact distances of up to LANES rows, each added feature by feature.

    Side by side, so that no addition waits for the one before it; missing places repeat the first row, and `out`
    has room for LANES numbers.
    """
    # Indices into `z`, not rows cut from it: numba counts references to every array that is cut.
    count, n_features = len(rows), z.shape[1]
    r0, r1 = rows[0], rows[1 if count > 1 else 0]
    r2, r3 = rows[2 if count > 2 else 0], rows[3 if count > 3 else 0]
    d0 = d1 = d2 = d3 = 0.0
    if count <= 4:
        for f in range(n_features):
            x = z[probe, f]
            d0 += abs(x - z[r0, f])
            d1 += abs(x - z[r1, f])
            d2 += abs(x - z[r2, f])
            d3 += abs(x - z[r3, f])
    else:
        r4, r5 = rows[4], rows[5 if count > 5 else 0]
        r6, r7 = rows[6 if count > 6 else 0], rows[7 if count > 7 else 0]
        d4 = d5 = d6 = d7 = 0.0
        for f in range(n_features):
            x = z[probe, f]
            d0 += abs(x - z[r0, f])
            d1 += abs(x - z[r1, f])
            d2 += abs(x - z[r2, f])
            d3 += abs(x - z[r3, f])
            d4 += abs(x - z[r4, f])
            d5 += abs(x - z[r5, f])
            d6 += abs(x - z[r6, f])
            d7 += abs(x - z[r7, f])
        out[4], out[5], out[6], out[7] = d4, d5, d6, d7
    out[0], out[1], out[2], out[3] = d0, d1, d2, d3
