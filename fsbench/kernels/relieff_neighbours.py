"""ReliefF on numeric features: from whole-number distances to the exact neighbours, and their update."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.relieff_integers import SELF, two_rows, two_rows_of_many
from fsbench.kernels.relieff_select import FEW_SLOTS, OF_DOUBLES, Kept, push, scan_few
from fsbench.kernels.relieff_typed import ROWS, Places, Steps, Totals, lower_rows, lowest_bit, smaller_rows
from fsbench.values import FloatArray, IntArray

__all__ = ["integer_neighbours", "integer_weights", "matrix_neighbours"]

PLACES = 2**20  # what a whole-number distance is multiplied by to make room for a place in a list
LANES = 8  # exact distances computed side by side
MOST_NEAR = 128  # rows that may be near beyond which all are looked at one by one

Work = tuple[Totals, IntArray, FloatArray, IntArray, FloatArray, IntArray]


@jit
def integer_neighbours(
    q: Steps,
    fits: bool,
    z: FloatArray,
    borders: IntArray,
    errors: FloatArray,
    class_errors: FloatArray,
    scale: float,
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
    scale : float
    probes : ndarray of shape (n_probes,)
    nearest : ndarray of shape (n_probes, n_classes, k)
        Written: the rows found.
    counts : ndarray of shape (n_probes, n_classes)
        Written: how many there are.
    """
    n = q.shape[1]
    few, rows = np.empty((2, n), np.uint16), np.empty((3, n), np.uint32)[:2]  # more is read than there is
    work = _work_space(len(z), nearest.shape[2])
    for at in range(first, last, 2):
        two = min(at + 1, last - 1)  # the last one of an odd number is computed twice
        if fits:
            two_rows(q, probes[at], probes[two], few, rows)
        else:
            two_rows_of_many(q, probes[at], probes[two], 0, rows)
        for i in range(at, two + 1):
            distances = rows[i - at]
            distances[probes[i]] = SELF
            _classes(distances, z, borders, errors, class_errors, scale, probes[i], work, nearest[i], counts[i])


@jit
def matrix_neighbours(
    distances: Totals,
    z: FloatArray,
    borders: IntArray,
    errors: FloatArray,
    class_errors: FloatArray,
    scale: float,
    probes: IntArray,
    first: int,
    last: int,
    nearest: Places,
    counts: Places,
) -> None:
    """Do as `integer_neighbours` from the matrix of all distances, of shape (n_rows or more, n_places)."""
    work = _work_space(len(z), nearest.shape[2])
    for i in range(first, last):
        p = probes[i]
        _classes(distances[p], z, borders, errors, class_errors, scale, p, work, nearest[i], counts[i])


@jit
def _work_space(n: int, k: int) -> Work:
    """Return smallest distances of stretches; rows that may be near, keys; open rows, exact distances; slots."""
    return (
        np.empty(ROWS, np.uint32), np.empty(n, np.int64), np.empty(n), np.empty(n, np.int64),
        np.empty(n + ROWS), np.empty(max(k, LANES), np.int64),
    )  # fmt: skip


@jit
def _classes(
    distances: Totals,
    z: FloatArray,
    borders: IntArray,
    errors: FloatArray,
    class_errors: FloatArray,
    scale: float,
    probe: int,
    work: Work,
    nearest: Places,
    counts: Places,
) -> None:
    """Find the neighbours of one probe in every class."""
    k = nearest.shape[1]
    for c in range(len(borders) - 1):
        start, stop = borders[c], borders[c + 1]
        others = stop - start - (1 if start <= probe < stop else 0)
        counts[c] = min(k, others)
        if others <= k:
            s = 0
            for j in range(start, stop):
                if j != probe:
                    nearest[c, s] = j
                    s += 1
            continue
        bound = int(errors[probe] + class_errors[c]) + 3  # 1 for the cut, 2 for the rounding of the doubles
        few = k <= FEW_SLOTS
        if few and _choose(distances, z, probe, start, stop, 2 * bound, work, nearest[c]):
            continue
        if not few or not _replay_few(distances, z, probe, start, stop, 2 * bound, work, nearest[c]):
            _replay(distances, z, probe, start, stop, bound, scale, work[5], nearest[c])


@jit_bare
def _choose(
    distances: Totals, z: FloatArray, probe: int, start: int, stop: int, margin: int, work: Work, chosen: Places
) -> bool:
    """Choose the k nearest rows; False if exact distances are equal at the border, or too many rows may be near.

    Of whole-number distances, those of the k best are sorted in registers together with the places of their rows in
    the list `near`. A row of them is one of the k nearest for certain if all that are not among them are farther by
    more than the margin; exact distances settle which of the others are.
    """
    k, (minima, near, keys, open_, exact, _) = len(chosen), work
    limit = _limit(distances, start, stop, k, minima) + margin
    best, count = _nothing(k), 0
    for j in range(start, stop, ROWS):
        rows = smaller_rows(distances, j, min(limit + 1, SELF))
        if stop - j < ROWS:
            rows &= (1 << (stop - j)) - 1
        while rows != 0:
            row = j + lowest_bit(rows)
            rows &= rows - 1
            near[count] = row
            keys[count] = float(distances[row]) * PLACES + count
            best = push(best, keys[count])
            count += 1
        if count > MOST_NEAR:
            return False
    worst, following, n_open = best[0], np.inf, 0
    most = worst + float(margin * PLACES) + PLACES
    for i in range(count):
        if worst < keys[i] < most:
            open_[n_open] = near[i]
            n_open += 1
            following = min(following, keys[i])
    n_others, sure = n_open, 0
    certain = following - float((margin + 1) * PLACES)
    for i in range(count):
        if keys[i] > worst:
            continue
        if keys[i] < certain:
            chosen[sure] = near[i]
            sure += 1
        else:
            open_[n_open] = near[i]
            n_open += 1
    if n_others == 0:
        return True
    for s in range(0, n_open, LANES):
        _exact_distances(z, probe, open_[s : min(s + LANES, n_open)], exact[s:])
    for i in range(n_open):
        nearer, equal = 0, 0
        for other in range(n_open):
            nearer += exact[other] < exact[i]
            equal += exact[other] == exact[i]
        if nearer < n_open - n_others < nearer + equal:
            return False
        if nearer + equal <= n_open - n_others:
            chosen[sure] = open_[i]
            sure += 1
    return True


@jit_bare
def _limit(distances: Totals, start: int, stop: int, k: int, minima: Totals) -> int:
    """Return a number that is not below the k-th smallest distance.

    Stretch t holds rows t, t + ROWS / 2, ...: so the smallest distances of all stretches are found by element-wise
    minima. Their k-th smallest is such a number.
    """
    if stop - start < ROWS:
        return SELF - 1
    minima[:] = SELF
    for top in range(start, stop - ROWS + 1, ROWS):
        lower_rows(minima, distances, top)
    best, half = _nothing(k), ROWS // 2
    for t in range(half):
        best = push(best, float(min(minima[t], minima[half + t])))
    return min(int(best[0]), SELF - 1)


@jit_bare
def _nothing(k: int) -> Kept:
    """Return a list for the k smallest numbers: infinity where there is room, -1 behind."""
    a, b = np.inf, -1.0
    return (
        a, a if k > 1 else b, a if k > 2 else b, a if k > 3 else b, a if k > 4 else b, a if k > 5 else b,
        a if k > 6 else b, a if k > 7 else b, a if k > 8 else b, a if k > 9 else b,
    )  # fmt: skip


@jit_bare
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


@jit_bare
def _replay_few(
    distances: Totals, z: FloatArray, probe: int, start: int, stop: int, margin: int, work: Work, slots: Places
) -> bool:
    """Fill the slots as `fsbench.kernels.relieff_select.scan_few` does; False if it does not.

    A row does not enter if k earlier ones are nearer, and by their whole-number distances those are that are nearer by
    more than the margin. The exact distances of the others decide.
    """
    k, (_, near, _, _, exact, _) = len(slots), work
    best, count, j = _nothing(k), 0, start
    while j < stop:
        limit = best[0] + margin
        rows = smaller_rows(distances, j, int(min(limit + 1.0, float(SELF))))
        if stop - j < ROWS:
            rows &= (1 << (stop - j)) - 1
        while rows != 0:
            row = j + lowest_bit(rows)
            rows &= rows - 1
            x = float(distances[row])
            if x <= best[0] + margin:
                near[count] = row
                best = push(best, x)
                count += 1
        j += ROWS
    for s in range(0, count, LANES):
        _exact_distances(z, probe, near[s : min(s + LANES, count)], exact[s:])
    found = scan_few(exact.view(np.int64), OF_DOUBLES, -1, 0, count, slots)
    for s in range(found):
        slots[s] = near[slots[s]]
    return found >= 0


@jit
def _replay(
    distances: Totals,
    z: FloatArray,
    probe: int,
    start: int,
    stop: int,
    bound: int,
    scale: float,
    batch: IntArray,
    slots: Places,
) -> None:
    """Fill the slots as `fsbench.kernels.relieff_select.scan` does, with exact distances where they can matter.

    A row enters only if it is nearer than the worst kept; ``distances[j] - bound > scale * worst`` rules that
    out. The others are gathered by LANES, their exact distances computed together and the slots then filled in
    order: the worst can only have become smaller meanwhile.
    """
    size = len(slots)
    found, exact = np.empty(size), np.empty(LANES)
    filled, worst, waiting = 0, 0, 0
    limit = np.int64(SELF) - 1  # rows beyond it cannot enter; the probe itself never does
    for j in range(start, stop + 1):
        if j < stop:
            if np.int64(distances[j]) > limit:
                continue
            batch[waiting] = j
            waiting += 1
            if waiting < LANES:
                continue
        if waiting == 0:
            break
        _exact_distances(z, probe, batch[:waiting], exact)
        for w in range(waiting):
            d = exact[w]
            if filled < size:
                slots[filled], found[filled] = batch[w], d
                if d > found[worst]:
                    worst = filled
                filled += 1
            elif d < found[worst]:
                slots[worst], found[worst] = batch[w], d
                worst = _worst_slot(found)
        if filled == size:
            limit = np.int64(scale * found[worst]) + bound + 1
        waiting = 0


@jit_bare
def _worst_slot(found: FloatArray) -> int:
    """Return the lowest of the slots with the largest distance.

    In two sweeps: the first has no branch that the processor would have to guess.
    """
    largest = found[0]
    for s in range(1, len(found)):
        largest = found[s] if found[s] > largest else largest
    worst = 0
    while found[worst] != largest:
        worst += 1
    return worst


@jit
def integer_weights(
    z: FloatArray,
    owners: IntArray,
    factors: FloatArray,
    probes: IntArray,
    nearest: Places,
    counts: Places,
    first: int,
    last: int,
    start: int,
    stop: int,
    weights: FloatArray,
) -> None:
    """Add up factor * mean difference over probes first .. last - 1, for features start .. stop - 1.

    `owners` is the class of each row, `factors` (n_classes, n_classes) the weight by class of probe and
    neighbours; the other arrays as in `integer_neighbours`. `weights` (n_features,) is written between start and
    stop. Five neighbours a sweep: the sum is loaded and stored once for them.
    """
    width = stop - start
    sums = np.zeros(width)
    for at in range(first, last):
        own = z[probes[at], start:stop]
        for c in range(counts.shape[1]):
            count = counts[at, c]
            share = factors[owners[probes[at]], c] / max(count, 1)
            rows = nearest[at, c]
            s = 0
            while s + 5 <= count:
                z0, z1, z2 = z[rows[s], start:stop], z[rows[s + 1], start:stop], z[rows[s + 2], start:stop]
                z3, z4 = z[rows[s + 3], start:stop], z[rows[s + 4], start:stop]
                for f in range(width):
                    x = own[f]
                    near = abs(x - z0[f]) + abs(x - z1[f]) + abs(x - z2[f]) + abs(x - z3[f]) + abs(x - z4[f])
                    sums[f] += share * near
                s += 5
            while s < count:
                z0 = z[rows[s], start:stop]
                for f in range(width):
                    sums[f] += share * abs(own[f] - z0[f])
                s += 1
    weights[start:stop] = sums
