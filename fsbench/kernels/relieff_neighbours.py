"""ReliefF on numeric features: from whole-number distances to the exact neighbours, and their update."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_integers import SELF, two_rows, two_rows_of_many
from fsbench.kernels.relieff_typed import Places, Steps, Totals, smaller_count
from fsbench.values import FloatArray, IntArray

__all__ = ["integer_neighbours", "integer_weights", "matrix_neighbours"]

TILE = 16  # rows of which only the smallest distance is looked at first
LANES = 8  # exact distances computed side by side


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
    few, rows = np.empty((2, n), np.uint16), np.empty((2, n), np.uint32)
    tiles, near = np.empty(n // TILE + 1, np.uint32), np.empty(n, np.int64)
    for at in range(first, last, 2):
        two = min(at + 1, last - 1)  # the last one of an odd number is computed twice
        if fits:
            two_rows(q, probes[at], probes[two], few, rows)
        else:
            two_rows_of_many(q, probes[at], probes[two], 0, rows)
        for i in range(at, two + 1):
            distances = rows[i - at]
            distances[probes[i]] = SELF
            _classes(distances, z, borders, errors, class_errors, scale, probes[i], tiles, near, nearest[i], counts[i])


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
    """Do as `integer_neighbours` from the matrix of all distances."""
    n = len(z)
    tiles, near = np.empty(n // TILE + 1, np.uint32), np.empty(n, np.int64)
    for i in range(first, last):
        p = probes[i]
        _classes(distances[p], z, borders, errors, class_errors, scale, p, tiles, near, nearest[i], counts[i])


@jit
def _classes(
    distances: Totals,
    z: FloatArray,
    borders: IntArray,
    errors: FloatArray,
    class_errors: FloatArray,
    scale: float,
    probe: int,
    tiles: Totals,
    near: IntArray,
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
        n_near = _candidates(distances, start, stop, k, 2 * bound, tiles, near)
        if n_near > 4 * k + 64 or not _settle(distances, z, probe, k, 2 * bound, near, n_near, nearest[c]):
            _replay(distances, z, probe, start, stop, bound, scale, near, nearest[c])


@jit
def _candidates(distances: Totals, start: int, stop: int, k: int, margin: int, tiles: Totals, near: IntArray) -> int:
    """Write to `near` the rows that may be among the k nearest, and return their number.

    Tile t holds rows t, t + n_tiles, ...: so the minima of all tiles are found by element-wise minima of 16
    stretches. The k-th smallest of them is not below the k-th smallest distance.
    """
    n_tiles = (stop - start) // TILE
    minima = tiles[:n_tiles]
    tail = start + TILE * n_tiles
    if n_tiles < k:
        tail, n_tiles, minima = start, 0, distances[start:stop]
    else:
        stretches = distances[start:tail].reshape((TILE, n_tiles))
        minima[:] = stretches[0]
        for r in range(1, TILE):
            for t in range(n_tiles):
                minima[t] = smaller_count(minima[t], stretches[r, t])
    limit = _kth_smallest(minima, k, near) + margin
    count = 0
    for t in range(n_tiles):
        if minima[t] <= limit:
            for j in range(start + t, tail, n_tiles):
                if distances[j] <= limit:
                    near[count] = j
                    count += 1
    for j in range(tail, stop):
        if distances[j] <= limit:
            near[count] = j
            count += 1
    return count


@jit
def _kth_smallest(values: Totals, k: int, smallest: IntArray) -> int:
    """Return the k-th smallest value; `smallest` is work space for k numbers."""
    for i in range(len(values)):
        value = int(values[i])
        if i >= k and value >= smallest[k - 1]:
            continue
        s = min(i, k - 1)
        while s > 0 and smallest[s - 1] > value:
            smallest[s] = smallest[s - 1]
            s -= 1
        smallest[s] = value
    return int(smallest[k - 1])


@jit
def _settle(
    distances: Totals,
    z: FloatArray,
    probe: int,
    k: int,
    margin: int,
    near: IntArray,
    n_near: int,
    chosen: Places,
) -> bool:
    """Choose the k nearest of the candidates; False if exact distances are equal at the border."""
    for i in range(1, n_near):
        j, s = near[i], i
        d = distances[j]
        while s > 0 and distances[near[s - 1]] > d:
            near[s] = near[s - 1]
            s -= 1
        near[s] = j
    worst = int(distances[near[k - 1]])
    following = int(distances[near[k]]) if n_near > k else worst + margin + 1
    sure = 0
    while sure < k and int(distances[near[sure]]) + margin < following:
        chosen[sure] = near[sure]
        sure += 1
    wanted = k - sure
    if wanted == 0:
        return True
    end = sure
    while end < n_near and int(distances[near[end]]) <= worst + margin:
        end += 1
    open_ = near[sure:end]
    exact = np.empty(len(open_) + LANES)
    for s in range(0, len(open_), LANES):
        _exact_distances(z, probe, open_[s : s + LANES], exact[s:])
    for i in range(len(open_)):
        nearer, equal = 0, 0
        for other in range(len(open_)):
            nearer += exact[other] < exact[i]
            equal += exact[other] == exact[i]
        if nearer < wanted < nearer + equal:
            return False
        if nearer + equal <= wanted:
            chosen[sure] = open_[i]
            sure += 1
    return True


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


@jit
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
