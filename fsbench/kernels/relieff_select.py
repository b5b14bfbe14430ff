"""ReliefF: which rows are the k nearest of a class, with the ties that Weka's scan leaves.

The rows of a class are visited in ascending order. The first k fill slots 0 to k - 1; a later one enters only if it is
strictly nearer than the worst kept so far, and takes the lowest slot among the worst. `scan` does just that.
`scan_few` does the same for few slots, with whole numbers that hold a distance and, in the lowest bits, a slot: those
kept stand sorted in registers, and the largest tells which slot is given up.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.relieff_typed import ROWS, Places, Totals, as_double, as_whole, lowest_bit, smaller_rows
from fsbench.values import IntArray

__all__ = [
    "FEW_SLOTS",
    "NEVER",
    "OF_COUNTS",
    "OF_DOUBLES",
    "QUARTERS",
    "Kept",
    "push",
    "scan",
    "scan_few",
    "sort_slots",
]

FEW_SLOTS = 10  # slots that fit the registers
QUARTERS = 4  # runs of slots of which the worst are looked for side by side
SLOT_BITS = 4
SLOTS = 2**SLOT_BITS - 1  # the bits of a key that hold 15 minus the slot
# Keys are read as doubles too, which are in the same order: so none may be as large as those of no number. For bits of
# doubles that leaves room for 126 powers of 2, from 2**-107 on; and 0.
MOST = 126 << 52
OF_DOUBLES = -((1023 - 107) << 52)
OF_COUNTS = 1 << 52
NEVER = 2047 << 52  # the bits of infinity, for a row that is no candidate

Kept = tuple[float, float, float, float, float, float, float, float, float, float]


@jit_bare
def scan_few(distances: IntArray | Totals, offset: int, probe: int, start: int, stop: int, slots: Places) -> int:
    """Fill `slots` with the nearest rows of start .. stop - 1; return how many there are, -1 if distances are strange.

    Parameters
    ----------
    distances : ndarray of shape (n_rows + ROWS,)
        Whole numbers, or the bits of doubles that are not negative, which are in the order of the doubles. That of
        the probe is larger than all.
    offset : int
        `OF_COUNTS` or `OF_DOUBLES`: what makes numbers of 58 bits of them. Doubles for which it does not are strange.
    probe : int
        A row that is left out.
    start, stop : int
    slots : ndarray of shape (k,)
        Written: the rows; k is at most `FEW_SLOTS`.
    """
    size, filled, j = len(slots), 0, start
    if stop - start <= size:  # all are near, whatever their distances
        for row in range(start, stop):
            if row != probe:
                slots[filled] = row
                filled += 1
        return filled
    kept = (-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0)
    strange = False
    while filled < size and j < stop:
        if j != probe:
            value = np.int64(distances[j])
            above = value + offset
            strange |= (above >= MOST) | ((above <= 0) & (value != 0))
            slots[filled] = j
            kept = _insert(kept, as_double(_key(int(above), SLOTS - filled)))
            filled += 1
        j += 1
    if strange:
        return -1
    while j < stop:
        near = smaller_rows(distances, j, (as_whole(kept[0]) >> SLOT_BITS) - offset)
        if stop - j < ROWS:
            near &= (1 << (stop - j)) - 1
        while near != 0:
            row = j + lowest_bit(near)
            near &= near - 1
            value = np.int64(distances[row])
            above = value + offset
            worst = as_whole(kept[0])
            if above < worst >> SLOT_BITS:
                strange |= (above <= 0) & (value != 0)
                slots[SLOTS - (worst & SLOTS)] = row
                kept = push(kept, as_double(_key(int(above), worst & SLOTS)))
        j += ROWS
    return -1 if strange else filled


@jit_bare
def _key(above: int, slot: int) -> int:
    return ((above if above > 0 else 0) << SLOT_BITS) | slot


@jit_bare
def _insert(kept: Kept, x: float) -> Kept:
    """Insert a number into numbers in descending order, of which the last one goes."""
    a, b, c, d, e, f, g, h, i, j = kept
    return (
        _larger(a, x), _larger(b, _smaller(a, x)), _larger(c, _smaller(b, x)), _larger(d, _smaller(c, x)),
        _larger(e, _smaller(d, x)), _larger(f, _smaller(e, x)), _larger(g, _smaller(f, x)),
        _larger(h, _smaller(g, x)), _larger(i, _smaller(h, x)), _larger(j, _smaller(i, x)),
    )  # fmt: skip


@jit_bare
def push(kept: Kept, x: float) -> Kept:
    """Insert a number into numbers in descending order, of which the largest goes, be it this one."""
    a, b, c, d, e, f, g, h, i, j = kept
    return (
        _larger(b, _smaller(a, x)), _larger(c, _smaller(b, x)), _larger(d, _smaller(c, x)),
        _larger(e, _smaller(d, x)), _larger(f, _smaller(e, x)), _larger(g, _smaller(f, x)),
        _larger(h, _smaller(g, x)), _larger(i, _smaller(h, x)), _larger(j, _smaller(i, x)), _smaller(j, x),
    )  # fmt: skip


@jit_bare
def _smaller(a: float, b: float) -> float:
    return a if a < b else b


@jit_bare
def _larger(a: float, b: float) -> float:
    return a if a > b else b


@jit_bare
def scan(distances: IntArray | Totals, probe: int, start: int, stop: int, found: IntArray, slots: Places) -> int:
    """Fill `slots` with the nearest rows of start .. stop - 1; return how many there are.

    Parameters
    ----------
    distances : ndarray of shape (n_rows,)
        Whole numbers; or the bits of doubles that are not negative, which are in the order of the doubles.
    probe, start, stop : int
    found : ndarray of shape (k, rounded up to a multiple of QUARTERS,)
        Written: the distances. Work space behind the k-th.
    slots : ndarray of shape (k,)
        Written: the rows.
    """
    size = len(slots)
    filled, j = 0, start
    while filled < size and j < stop:
        if j != probe:
            slots[filled], found[filled] = j, distances[j]
            filled += 1
        j += 1
    if j == stop:
        return filled
    found[size:] = -1
    worst = worst_slot(found)
    limit = found[worst]
    for later in range(j, stop):
        d = distances[later]
        if d < limit and later != probe:
            slots[worst], found[worst] = later, d
            worst = worst_slot(found)
            limit = found[worst]
    return filled


@jit_bare
def worst_slot(found: IntArray) -> int:
    """Return the lowest of the slots with the largest distance; the length is a multiple of `QUARTERS`.

    Four runs of slots are searched side by side, by comparisons that need not be guessed.
    """
    quarter = len(found) // QUARTERS
    half, last = 2 * quarter, 3 * quarter
    w0, w1, w2, w3 = 0, quarter, half, last
    m0, m1, m2, m3 = found[0], found[quarter], found[half], found[last]
    for s in range(1, quarter):
        x0, x1, x2, x3 = found[s], found[quarter + s], found[half + s], found[last + s]
        w0, m0 = (s, x0) if x0 > m0 else (w0, m0)
        w1, m1 = (quarter + s, x1) if x1 > m1 else (w1, m1)
        w2, m2 = (half + s, x2) if x2 > m2 else (w2, m2)
        w3, m3 = (last + s, x3) if x3 > m3 else (w3, m3)
    w0, m0 = (w1, m1) if m1 > m0 else (w0, m0)
    w2, m2 = (w3, m3) if m3 > m2 else (w2, m2)
    return w2 if m2 > m0 else w0


@jit_bare
def sort_slots(found: IntArray, count: int, order: IntArray, stack: IntArray) -> None:
    """Write to `order` the slots 0 .. count - 1 by ascending distance, equal ones as Weka's quicksort leaves them.

    Median of three, the pivot parked at the right end but one, scans that stop at equal values; see
    `fsbench.rankers.order.weka_sort`. `stack` holds 2 * (count + 1) numbers.
    """
    for s in range(count):
        order[s] = s
    stack[0], stack[1] = 0, count - 1
    depth = 1
    while depth > 0:
        depth -= 1
        left, right = stack[2 * depth], stack[2 * depth + 1]
        if right <= left:
            continue
        middle = (left + right) // 2 if right - left > 1 else left
        for a, b in ((left, middle), (left, right), (middle, right)):
            if found[order[a]] > found[order[b]]:
                order[a], order[b] = order[b], order[a]
        if right - left <= 2:
            continue
        park = right - 1
        order[middle], order[park] = order[park], order[middle]
        pivot = found[order[park]]
        i, j = left, park
        while True:
            i += 1
            while found[order[i]] < pivot:
                i += 1
            j -= 1
            while found[order[j]] > pivot:
                j -= 1
            if i >= j:
                break
            order[i], order[j] = order[j], order[i]
        order[i], order[park] = order[park], order[i]
        stack[2 * depth], stack[2 * depth + 1] = left, i - 1
        stack[2 * depth + 2], stack[2 * depth + 3] = i + 1, right
        depth += 2
