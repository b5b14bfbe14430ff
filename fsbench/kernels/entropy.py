"""Fayyad and Irani's cuts of a sorted column, with every sum in the order of the plain path.

The cost of a cut is ``sum over both sides of (N ln N - sum of c ln c)``, N and c being the rows of the side and of
its classes: the entropy times the rows. Moving one row of class c from the right to the left changes it by
``D(N_left) - D(c_left) - D(N_right - 1) + D(c_right - 1)`` with ``D(x) = (x + 1) ln(x + 1) - x ln x``, which grows
with x. That bounds from below what the cuts inside a block of rows can cost, and a block that cannot hold the best
cut is passed over: the result is the same, and far less than the whole column is looked at. Rows of equal value and
class, a run, are counted at once.
"""

from __future__ import annotations

import math

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.sorting import compress, count_runs
from fsbench.values import FloatArray, IntArray

__all__ = ["classes_entropy", "entropy_given_value", "gains", "mdl_places", "times_log", "values_entropy"]

LN2 = math.log(2.0)
BLOCK = 64  # runs
MARGIN = 1e-3  # nats; far above the rounding of a cost, far below what tells cuts apart


@jit
def mdl_places(
    keys: IntArray, shift: int, rows: IntArray, costs: FloatArray, logs: FloatArray, count_changes: bool
) -> tuple[IntArray, IntArray]:
    """Return the accepted cuts of a sorted column, in no order.

    Parameters
    ----------
    keys : ndarray of shape (n,)
        Ascending; equal values are equal above the lowest `shift` bits, which are the class.
    shift : int
    rows : ndarray of shape (n + 1,) or longer
        0, 1, 2, ...
    costs : ndarray of shape (n_classes + 1,)
        ``log2(3^k - 2)`` of k classes.
    logs : ndarray of shape (n_rows + 1,)
        ``i * ln(i)``.
    count_changes : bool
        Whether naming a cut costs the logarithm of the number of value changes, or of the rows less one.

    Returns
    -------
    places : ndarray of shape (n_cuts,)
        Number of rows below each cut.
    below : ndarray of shape (n_cuts + 1, n_classes)
        Class counts of the rows below each cut, and of all rows.

    Notes
    -----
    A subset is cut where H(class | side) is smallest, at the lowest place among equal ones, if
    ``gain > (log2(n_candidates) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / n`` (Fayyad and Irani 1993).
    """
    n, n_classes = len(keys), len(costs) - 1
    runs, ends, n_runs = keys, rows, count_runs(keys)
    if 2 * n_runs > n:
        n_runs = n  # hardly any ties: every row is a run of its own
    else:
        runs, ends = np.empty(n_runs, np.int64), np.zeros(n_runs + 1, np.int64)
        compress(keys, runs, ends[1:])
    before, changes = _by_blocks(runs, ends, shift, n_classes)
    places, starts, stops = (
        np.empty(n_runs + 1, np.int64),
        np.empty(n_runs + 1, np.int64),
        np.empty(n_runs + 1, np.int64),
    )
    base, whole, left, best = np.empty((4, n_classes), np.int64)
    n_places, pending = 0, 1
    starts[0], stops[0] = 0, n_runs
    while pending > 0:
        pending -= 1
        start, stop = starts[pending], stops[pending]
        size = ends[stop] - ends[start]
        if size < 2:
            continue
        _below(runs, ends, shift, before, start, base)
        _below(runs, ends, shift, before, stop, whole)
        for c in range(n_classes):
            whole[c] -= base[c]
        candidates = _changes_below(runs, shift, changes, stop) - _changes_below(runs, shift, changes, start + 1)
        if candidates == 0:
            continue
        place, lowest = _best_place(runs, ends, shift, start, stop, before, base, whole, left, best, logs)
        k, prior = _entropy(whole, size, logs)
        gain = prior - lowest
        if place == 0 or gain <= 0.0:
            continue
        k1, h1 = _entropy(best, ends[place] - ends[start], logs)
        for c in range(n_classes):
            best[c] = whole[c] - best[c]
        k2, h2 = _entropy(best, ends[stop] - ends[place], logs)
        named = candidates if count_changes else size - 1
        delta = costs[k] - (k * prior - k2 * h2 - k1 * h1)
        if gain > (math.log(named) / LN2 + delta) / size:
            places[n_places] = place
            n_places += 1
            starts[pending], stops[pending] = start, place
            starts[pending + 1], stops[pending + 1] = place, stop
            pending += 2
    below = np.empty((n_places + 1, n_classes), np.int64)
    places[n_places] = n_runs
    for i in range(n_places + 1):
        _below(runs, ends, shift, before, places[i], below[i])
        places[i] = ends[places[i]]
    return places[:n_places].copy(), below


@jit
def _by_blocks(runs: IntArray, ends: IntArray, shift: int, n_classes: int) -> tuple[IntArray, IntArray]:
    """Count rows of each class and value changes before each block; a change at run i tells runs i - 1 and i apart."""
    mask = (1 << shift) - 1
    n_blocks = len(runs) // BLOCK
    before, changes = np.zeros((n_blocks + 1, n_classes), np.int64), np.zeros(n_blocks + 1, np.int64)
    for b in range(n_blocks):
        counts = before[b + 1]
        counts[:] = before[b]
        count = changes[b]
        for i in range(b * BLOCK, (b + 1) * BLOCK):
            counts[runs[i] & mask] += ends[i + 1] - ends[i]
            count += i > 0 and runs[i] >> shift != runs[i - 1] >> shift
        changes[b + 1] = count
    return before, changes


@jit_bare
def _below(runs: IntArray, ends: IntArray, shift: int, before: IntArray, run: int, counts: IntArray) -> None:
    """Count the rows of each class before a run."""
    block = run // BLOCK
    for c in range(len(counts)):
        counts[c] = before[block, c]
    for i in range(block * BLOCK, run):
        counts[runs[i] & ((1 << shift) - 1)] += ends[i + 1] - ends[i]


@jit_bare
def _changes_below(runs: IntArray, shift: int, changes: IntArray, run: int) -> int:
    """Count the value changes at the runs before a run."""
    block = run // BLOCK
    count = changes[block]
    for i in range(max(block * BLOCK, 1), run):
        count += runs[i] >> shift != runs[i - 1] >> shift
    return int(count)


@jit_bare
def _best_place(
    runs: IntArray,
    ends: IntArray,
    shift: int,
    start: int,
    stop: int,
    before: IntArray,
    base: IntArray,
    whole: IntArray,
    left: IntArray,
    best: IntArray,
    logs: FloatArray,
) -> tuple[int, float]:
    """Find the cut of lowest entropy inside runs start .. stop - 1; `best` gets the class counts below it.

    `base` holds the class counts of the rows before `start`, `whole` those of the subset. Returns the run above
    the cut, 0 if there is none, and the entropy.
    """
    n_classes, size, mask = len(whole), ends[stop] - ends[start], (1 << shift) - 1
    scale = float(size) * LN2
    # Long subsets are looked at by four blocks first.
    step = 4 if stop - start > 512 * BLOCK else 1
    left[:] = 0
    enough = _cost(left, whole, size, logs)
    for b in range(start // BLOCK + 1, (stop - 1) // BLOCK + 1, 4):
        run = b * BLOCK
        if runs[run] >> shift != runs[run - 1] >> shift:
            for c in range(n_classes):
                left[c] = before[b, c] - base[c]
            enough = min(enough, _cost(left, whole, size, logs))
    enough += MARGIN
    left[:] = 0
    place, lowest, least, run = 0, 0.0, np.inf, start
    while run < stop:
        block = run // BLOCK
        end = min((block + 1) * BLOCK, stop)
        reach = 0
        if run == block * BLOCK and (block + 1) * BLOCK <= stop:
            below = ends[run] - ends[start]
            if step > 1 and block % step == 0 and (block + step) * BLOCK <= stop:
                if _least_cost(left, before, block + step, base, whole, below, size, logs) > enough:
                    reach = block + step
            if reach == 0 and _least_cost(left, before, block + 1, base, whole, below, size, logs) > enough:
                reach = block + 1
        if reach > 0:
            for c in range(n_classes):
                left[c] = before[reach, c] - base[c]
            run = reach * BLOCK
            continue
        below = ends[run] - ends[start]
        gained = 0.0
        for c in range(n_classes):
            gained += logs[left[c]] + logs[whole[c] - left[c]]
        for i in range(run, min(end, stop - 1)):
            c, moved = runs[i] & mask, ends[i + 1] - ends[i]
            own, other = left[c], whole[c] - left[c]
            gained += logs[own + moved] - logs[own] + logs[other - moved] - logs[other]
            left[c] = own + moved
            below += moved
            if runs[i] >> shift == runs[i + 1] >> shift:
                continue
            # Kept up row by row, the cost is off by rounding; only one that may be the lowest is added up in order.
            if logs[below] + logs[size - below] - gained > enough:
                continue
            cost = _cost(left, whole, size, logs)
            if cost >= least:  # dividing cannot make it the smaller one
                continue
            least = cost
            enough = min(enough, least + MARGIN)
            if place == 0 or cost / scale < lowest:
                place, lowest = i + 1, cost / scale
                for c in range(n_classes):
                    best[c] = left[c]
        run = end
    return place, lowest


@jit_bare
def _cost(left: IntArray, whole: IntArray, size: int, logs: FloatArray) -> float:
    """Return the cost of the cut that has class counts `left` below it, in nats."""
    total, below = 0.0, np.int64(0)
    for c in range(len(whole)):
        total += logs[left[c]]
        below += left[c]
    total -= logs[below]
    for c in range(len(whole)):
        total += logs[whole[c] - left[c]]
    total -= logs[size - below]
    return float(-total)


@jit_bare
def _least_cost(
    left: IntArray,
    before: IntArray,
    reach: int,
    base: IntArray,
    whole: IntArray,
    below: int,
    size: int,
    logs: FloatArray,
) -> float:
    """Return a bound from below of the cost of all cuts up to block `reach`.

    `left` holds the class counts before them, ``before[reach] - base`` those behind them. The terms that raise the
    cost are taken where they are smallest, those that lower it where they are largest; D(x) lies between
    ``ln(x) + 1`` and ``ln(x + 1) + 1``.
    """
    least = _cost(left, whole, size, logs)
    odds = below / (size - below)
    for c in range(len(whole)):
        reached = before[reach, c] - base[c]
        moved = reached - left[c]
        if moved > 0:
            slope = math.log(odds * (whole[c] - reached) / reached)
            least += moved * min(slope, 0.0)
    return float(least)


@jit_bare
def _entropy(counts: IntArray, n: int, logs: FloatArray) -> tuple[int, float]:
    """Return the number of classes present and their entropy in bits."""
    present, total = 0, 0.0
    for c in range(len(counts)):
        present += counts[c] > 0
        total -= logs[counts[c]]
    return present, (total + logs[n]) / (n * LN2)


@jit
def times_log(table: FloatArray) -> None:
    """Multiply each number but the first by its natural logarithm."""
    for i in range(1, len(table)):
        table[i] *= math.log(table[i])


@jit
def classes_entropy(cells: FloatArray, logs: FloatArray) -> float:
    """Return the entropy of the column sums of a table in bits; see `fsbench.entropy.class_entropy`."""
    sums = np.zeros(cells.shape[1])
    for v in range(len(cells)):
        for c in range(len(sums)):
            sums[c] += cells[v, c]
    return _sums_entropy(sums, logs)


@jit
def values_entropy(cells: FloatArray, logs: FloatArray) -> float:
    """Return the entropy of the row sums of a table in bits; see `fsbench.entropy.row_entropy`."""
    return _sums_entropy(_row_sums(cells), logs)


@jit
def _row_sums(cells: FloatArray) -> FloatArray:
    sums = np.zeros(len(cells))
    for v in range(len(cells)):
        for c in range(cells.shape[1]):
            sums[v] += cells[v, c]
    return sums


@jit_bare
def _sums_entropy(sums: FloatArray, logs: FloatArray) -> float:
    total = 0.0
    for x in sums:
        total += x
    if total <= 0.0:
        return 0.0
    whole, inner = _whole(sums), 0.0
    for x in sums:
        inner -= _times_own_log(x, whole, logs)
    inner += _times_own_log(total, total == np.floor(total), logs)
    return float(inner / (total * LN2))


@jit
def entropy_given_value(cells: FloatArray, logs: FloatArray) -> float:
    """Return the entropy of the classes given the row of a table; see `fsbench.entropy.conditional_entropy`."""
    sums, total = _row_sums(cells), 0.0
    for x in sums:
        total += x
    if total <= 0.0:
        return 0.0
    whole_cells, whole_sums = True, _whole(sums)
    for v in range(len(cells)):
        whole_cells = whole_cells and _whole(cells[v])
    inner = 0.0
    for v in range(len(cells)):
        for c in range(cells.shape[1]):
            inner += _times_own_log(cells[v, c], whole_cells, logs)
        inner -= _times_own_log(sums[v], whole_sums, logs)
    return -inner / (total * LN2)


@jit
def gains(tables: FloatArray, ends: IntArray, logs: FloatArray) -> FloatArray:
    """Return the information gain of each of some tables in bits; 0 for a table of one value.

    Parameters
    ----------
    tables : ndarray of shape (n_values, n_classes)
        One below the other.
    ends : ndarray of shape (n_tables + 1,)
        Lines before each table.
    logs : ndarray
        ``i * ln(i)``.
    """
    scores = np.zeros(len(ends) - 1)
    for i in range(len(scores)):
        if ends[i + 1] - ends[i] > 1:
            cells = tables[ends[i] : ends[i + 1]]
            scores[i] = classes_entropy(cells, logs) - entropy_given_value(cells, logs)
    return scores


@jit_bare
def _whole(counts: FloatArray) -> bool:
    for x in counts:
        if x != np.floor(x):
            return False
    return True


@jit_bare
def _times_own_log(x: float, whole: bool, logs: FloatArray) -> float:
    """Return x ln x, 0 for 0; whole numbers are looked up."""
    if whole:
        return float(logs[np.int64(x)])
    return x * math.log(x) if x > 0.0 else 0.0
