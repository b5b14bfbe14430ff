"""ReliefF of many labels: the nearest hits and misses of every label from one row of distances.

A row enters the k slots of a class if fewer than k earlier rows of the class are as near or nearer (see
`fsbench.kernels.relieff_select.scan`), and only rows that enter have any influence. Say that K > k slots are
filled from all rows, whatever their class. A row that does not enter these has K earlier rows that are as near;
if a label leaves out at most K - k of the rows that entered, k of those K remain, so that the row does not enter
the label's slots either. So the rows that entered the K slots stand for all rows, for most labels.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit, jit_bare
from fsbench.values import FloatArray, IntArray

__all__ = ["binary_shares", "powerset_shares"]

Counts = npt.NDArray[np.int32]
Marks = npt.NDArray[np.uint8]


@jit
def binary_shares(
    distances: FloatArray | Counts,
    probe: int,
    rare_start: IntArray,
    rare_rows: Counts,
    row_start: IntArray,
    row_labels: Counts,
    is_rare: Marks,
    all_rows: Counts,
    label_weights: FloatArray,
    entered: Counts,
    found: FloatArray | Counts,
    slots: Counts,
    shares: FloatArray,
    noted: Marks,
    touched: Counts,
) -> int:
    """Add the part that each row has in the updates of one probe, over all labels; return how many rows have one.

    Parameters
    ----------
    distances : ndarray of shape (n_rows,)
        From the probe to all rows.
    probe : int
    rare_start, rare_rows : ndarray of shape (n_labels + 1,) and (n_rare,)
        Rows of the smaller class of each label, ascending.
    row_start, row_labels : ndarray of shape (n_rows + 1,) and (n_rare,)
        Labels in whose smaller class each row is.
    is_rare : ndarray of shape (n_labels, n_rows)
        The same as 0 and 1.
    all_rows : ndarray of shape (n_rows,)
        0, 1, 2, ...
    label_weights : ndarray of shape (n_labels,)
    entered : ndarray of shape (2 * n_rows,)
        Work space.
    found : ndarray of shape (K,)
        Work space of the type of `distances`; K is at least k.
    slots : ndarray of shape (3, k)
        Work space.
    shares : ndarray of shape (n_rows,)
        Zero; written.
    noted : ndarray of shape (n_rows,)
        Zero; 1 afterwards for the rows that got a share, be it zero in the end.
    touched : ndarray of shape (n_rows,)
        Written: those rows.
    """
    n_labels, k, wide = len(rare_start) - 1, slots.shape[1], len(found)
    listed = entered[: _entering(distances, all_rows, probe, found, entered)]
    left_out, matters = np.zeros(n_labels, np.int32), np.zeros(n_labels, np.uint8)
    for e in range(len(listed)):
        for at in range(row_start[listed[e]], row_start[listed[e] + 1]):
            left_out[row_labels[at]] += 1
    # Where no row that enters the k slots of all rows is left out, these are the label's.
    narrow = entered[len(listed) :]
    for e in range(_entering(distances, listed, probe, found[:k], narrow)):
        for at in range(row_start[narrow[e]], row_start[narrow[e] + 1]):
            matters[row_labels[at]] = 1
    common = _scan(distances, listed, probe, found, slots[0])
    n_touched = 0
    for label in range(n_labels):
        mark = is_rare[label]
        near, far = slots[0], slots[1]
        n_near = common
        if matters[label]:
            near = slots[2]
            rows = listed if left_out[label] <= wide - k else all_rows
            n_near = _scan_without(distances, rows, mark, probe, found, near)
        n_far = _scan(distances, rare_rows[rare_start[label] : rare_start[label + 1]], probe, found, far)
        # Hits lower a weight, misses raise it.
        sign = label_weights[label] if mark[probe] else -label_weights[label]
        n_touched = _add(near, n_near, sign, shares, noted, touched, n_touched)
        n_touched = _add(far, n_far, -sign, shares, noted, touched, n_touched)
    return n_touched


@jit_bare
def powerset_shares(
    distances: FloatArray | Counts,
    probe: int,
    owner: IntArray,
    class_start: IntArray,
    class_rows: Counts,
    found: FloatArray | Counts,
    slots: Counts,
    shares: FloatArray,
    noted: Marks,
    touched: Counts,
) -> int:
    """Add the part that each row has in the update of one probe, the classes being label sets.

    Parameters
    ----------
    owner : ndarray of shape (n_rows,)
        Class of each row.
    class_start, class_rows : ndarray of shape (n_classes + 1,) and (n_rows,)
        Rows of each class, ascending.
    distances, probe, found, slots, shares, noted, touched
        As in `binary_shares`; returns what that does.
    """
    n, n_classes, own = len(owner), len(class_start) - 1, owner[probe]
    # P(c) / (1 - P(own)) is the share of class c among the rows of other classes; 1 with exactly two classes.
    others = max(n - (class_start[own + 1] - class_start[own]), 1)
    n_touched = 0
    for c in range(n_classes):
        rows = class_rows[class_start[c] : class_start[c + 1]]
        factor = 1.0 if n_classes == 2 else len(rows) / others
        if c == own:
            factor = -1.0
        if len(rows) == 1 and rows[0] != probe:
            slots[0, 0] = rows[0]
            n_touched = _add(slots[0], 1, factor, shares, noted, touched, n_touched)
            continue
        count = _scan(distances, rows, probe, found, slots[0])
        n_touched = _add(slots[0], count, factor, shares, noted, touched, n_touched)
    return n_touched


@jit_bare
def _entering(
    distances: FloatArray | Counts, rows: Counts, probe: int, found: FloatArray | Counts, entered: Counts
) -> int:
    """Write to `entered` those of ascending `rows` that enter ``len(found)`` slots at any time; return how many."""
    size = len(found)
    filled, worst, count = 0, 0, 0
    for i in range(len(rows)):
        j = rows[i]
        if j == probe:
            continue
        d = distances[j]
        if filled < size:
            found[filled] = d
            if d > found[worst]:
                worst = filled
            filled += 1
        elif d < found[worst]:
            found[worst] = d
            worst = 0
            for s in range(1, size):
                if found[s] > found[worst]:
                    worst = s
        else:
            continue
        entered[count] = j
        count += 1
    return count


@jit_bare
def _scan(distances: FloatArray | Counts, rows: Counts, probe: int, found: FloatArray | Counts, slots: Counts) -> int:
    """Fill `slots` from ascending `rows` by Weka's rule, see `relieff_select.scan`; return how many are filled."""
    size = len(slots)
    filled, worst = 0, 0
    for i in range(len(rows)):
        j = rows[i]
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
            worst = 0
            for s in range(1, size):
                if found[s] > found[worst]:
                    worst = s
    return filled


@jit_bare
def _scan_without(
    distances: FloatArray | Counts,
    rows: Counts,
    mark: Marks,
    probe: int,
    found: FloatArray | Counts,
    slots: Counts,
) -> int:
    """Do as `_scan`, leaving out the marked rows."""
    size = len(slots)
    filled, worst = 0, 0
    for i in range(len(rows)):
        j = rows[i]
        d = distances[j]
        if filled == size and d >= found[worst]:
            continue
        if mark[j] or j == probe:
            continue
        if filled < size:
            slots[filled], found[filled] = j, d
            if d > found[worst]:
                worst = filled
            filled += 1
        else:
            slots[worst], found[worst] = j, d
            worst = 0
            for s in range(1, size):
                if found[s] > found[worst]:
                    worst = s
    return filled


@jit_bare
def _add(
    rows: Counts, count: int, weight: float, shares: FloatArray, noted: Marks, touched: Counts, n_touched: int
) -> int:
    """Spread a weight evenly over some rows, and note the rows that had no share yet."""
    for s in range(count):
        j = rows[s]
        if noted[j] == 0:
            noted[j] = 1
            touched[n_touched] = j
            n_touched += 1
        shares[j] += weight / count
    return n_touched
