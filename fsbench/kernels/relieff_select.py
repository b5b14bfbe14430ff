"""ReliefF: which rows are the k nearest of a class, with the ties that Weka's scan leaves."""

from __future__ import annotations

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_typed import Places, Totals
from fsbench.values import FloatArray, IntArray

__all__ = ["scan", "sort_slots", "worst_slot"]


@jit
def scan(
    distances: FloatArray | Totals, probe: int, start: int, stop: int, found: FloatArray | Totals, slots: Places
) -> int:
    """Fill `slots` with the nearest rows of start .. stop - 1; return how many there are.

    The rows are visited in ascending order, `probe` left out. The first ``len(slots)`` fill the slots; a later
    one enters only if it is strictly nearer than the worst and takes the lowest slot among the worst. `found`
    gets the distances. Both lengths are k; distances may be doubles or whole numbers.
    """
    size = len(slots)
    filled, worst = 0, 0
    for j in range(start, stop):
        if j == probe:
            continue
        d = distances[j]
        if filled < size:
            slots[filled], found[filled] = j, d
            if d > found[worst]:
                worst = filled
            filled += 1
        elif d < found[worst]:
            slots[worst], found[worst] = j, d
            worst = worst_slot(found)
    return filled


@jit
def worst_slot(found: FloatArray | Totals) -> int:
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
def sort_slots(found: FloatArray, count: int, order: IntArray, stack: IntArray) -> None:
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
