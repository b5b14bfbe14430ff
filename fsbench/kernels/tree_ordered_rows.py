"""Rows in the order in which Weka holds them, so that fractional weights are added up in Weka's order.

The rows of a node are a stretch of the arena: numbers and weights. Every numeric feature that is looked at sorts them
with Weka's unstable quicksort; the branches inherit the order.
"""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_fractions import FUZZ
from fsbench.kernels.tree_table import Int32Array, Number, i64
from fsbench.values import FloatArray, IntArray

__all__ = ["count_rows", "send_down", "sort_rows", "weigh_branches"]

LAST = 2**31 - 1  # missing values sort last


@jit_inline
def exchange(index: Int32Array, keys: Int32Array, i: int, j: int) -> None:
    """Swap two places if their keys are out of order."""
    if keys[index[i]] > keys[index[j]]:
        index[i], index[j] = index[j], index[i]


@jit_inline
def sort_rows(
    rows: Int32Array,
    weights: FloatArray,
    begin: int,
    n: int,
    codes: Int32Array,
    keys: Int32Array,
    index: Int32Array,
    spare: FloatArray,
    stack: IntArray,
) -> Number:
    """Sort a stretch of the arena by code, equal ones as `fsbench.rankers.order.weka_sort` leaves them.

    Parameters
    ----------
    rows, weights : ndarray, changed
        The arena.
    begin, n : int
        The stretch.
    codes : ndarray of int32
        Code of every row; -1 is missing.
    keys, index, spare, stack : ndarray
        Work space of n entries; `stack` of two columns.

    Returns
    -------
    int
        Number of rows whose code is known; they stand first.
    """
    known = i64(0)
    for i in range(n):
        code = codes[rows[begin + i]]
        keys[i] = code if code >= 0 else LAST
        known += code >= 0
        index[i] = i
    top = 0
    stack[0, 0], stack[0, 1] = 0, n - 1
    while top >= 0:
        left, right = stack[top, 0], stack[top, 1]
        top -= 1
        if right <= left:
            continue
        if right - left == 1:
            exchange(index, keys, left, right)
            continue
        middle = (left + right) // 2
        exchange(index, keys, left, middle)
        exchange(index, keys, left, right)
        exchange(index, keys, middle, right)
        if right - left == 2:
            continue
        i, j = left, right - 1
        index[middle], index[j] = index[j], index[middle]
        pivot = keys[index[j]]
        while True:
            i += 1
            while keys[index[i]] < pivot:
                i += 1
            j -= 1
            while keys[index[j]] > pivot:
                j -= 1
            if i >= j:
                break
            index[i], index[j] = index[j], index[i]
        index[i], index[right - 1] = index[right - 1], index[i]
        stack[top + 1, 0], stack[top + 1, 1] = left, i - 1
        stack[top + 2, 0], stack[top + 2, 1] = i + 1, right
        top += 2
    for i in range(n):
        spare[i] = weights[begin + index[i]]
        keys[i] = rows[begin + index[i]]
    for i in range(n):
        weights[begin + i], rows[begin + i] = spare[i], keys[i]
    return known


@jit_bare
def count_rows(rows: Int32Array, weights: FloatArray, begin: int, n: int, y: Int32Array, classes: FloatArray) -> Number:
    """Add up the class weights of a stretch, in order; return the total."""
    total = 0.0
    for c in range(classes.size):
        classes[c] = 0.0
    for i in range(begin, begin + n):
        classes[y[rows[i]]] += weights[i]
        total += weights[i]
    return total


@jit_bare
def weigh_branches(
    rows: Int32Array,
    weights: FloatArray,
    begin: int,
    n: int,
    y: Int32Array,
    codes: Int32Array,
    test: int,
    n_kids: int,
    classes: FloatArray,
    cells: FloatArray,
    bags: FloatArray,
    shares: FloatArray,
    total: float,
    known_too: bool,
) -> Number:
    """Add up a split's weights: first the rows whose value is known, then the others, spread over the branches.

    Parameters
    ----------
    rows, weights, begin, n
        A stretch of the arena.
    y, codes : ndarray of int32
        Class of every row, and its code of the split's feature.
    test, n_kids : int
        The code up to which rows go to the first branch, -1 for a nominal feature; number of branches.
    classes, cells, bags : ndarray, filled
        Weight of each class; of each branch and class (one row a branch); of each branch.
    shares : ndarray, filled
        Each branch's share of the weight, with which missing rows go on.
    total : float
        What the known rows weigh, if they are counted already.
    known_too : bool
        Whether the known rows are still to be counted.

    Returns
    -------
    float
        Weight of all.
    """
    if known_too:
        total = 0.0
        for c in range(classes.size):
            classes[c] = 0.0
        for b in range(n_kids):
            bags[b] = 0.0
            for c in range(classes.size):
                cells[b, c] = 0.0
        for i in range(begin, begin + n):
            code, w = codes[rows[i]], weights[i]
            if code >= 0:
                b, c = i64(code) if test < 0 else i64(code > test), y[rows[i]]
                cells[b, c] += w
                bags[b] += w
                classes[c] += w
                total += w
    for b in range(n_kids):
        shares[b] = bags[b] / total if abs(total) >= FUZZ else 1.0 / n_kids
    for i in range(begin, begin + n):
        if codes[rows[i]] < 0:
            w, c = weights[i], y[rows[i]]
            classes[c] += w
            total += w
            for b in range(n_kids):
                part = shares[b] * w
                cells[b, c] += part
                bags[b] += part
    for b in range(n_kids):
        shares[b] = bags[b] / total if abs(total) >= FUZZ else 1.0 / n_kids
    return total


@jit_bare
def send_down(
    rows: Int32Array,
    weights: FloatArray,
    begin: int,
    n: int,
    codes: Int32Array,
    test: int,
    n_kids: int,
    shares: FloatArray,
    begins: IntArray,
    numbers: IntArray,
    top: int,
) -> Number:
    """Copy a stretch of the arena to its end, branch by branch.

    Parameters
    ----------
    rows, weights, begin, n, codes, test, n_kids, shares
        As in `weigh_branches`.
    begins, numbers : ndarray of int64, filled
        The stretch of each branch.
    top : int
        End of the arena.

    Returns
    -------
    int
        Its new end, -1 if there is not room enough.
    """
    missing = i64(0)
    for b in range(n_kids):
        numbers[b] = 0
    for i in range(begin, begin + n):
        code = codes[rows[i]]
        if code < 0:
            missing += 1
        else:
            numbers[i64(code) if test < 0 else i64(code > test)] += 1
    at = top
    for b in range(n_kids):
        begins[b] = at
        at += numbers[b] + (missing if shares[b] > FUZZ else 0)
        numbers[b] = 0
    if at > rows.size:
        return i64(-1)
    for i in range(begin, begin + n):
        code = codes[rows[i]]
        if code >= 0:
            b = i64(code) if test < 0 else i64(code > test)
            rows[begins[b] + numbers[b]], weights[begins[b] + numbers[b]] = rows[i], weights[i]
            numbers[b] += 1
            continue
        for b in range(n_kids):
            if shares[b] > FUZZ:
                rows[begins[b] + numbers[b]], weights[begins[b] + numbers[b]] = rows[i], shares[b] * weights[i]
                numbers[b] += 1
    return at
