"""Rows with weights on their way down a tree.

A node's rows and their weights are a stretch of an arena. The branches of a split get stretches of their own behind
it, in which a row whose value is missing stands with its weight times the branch's share.
"""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.tree_fractions import FUZZ
from fsbench.kernels.tree_table import Int32Array, Number, i64, u64
from fsbench.values import FloatArray, IntArray

__all__ = ["part", "spread"]


@jit_bare
def spread(
    rows: Int32Array,
    weights: FloatArray,
    begin: int,
    n: int,
    y: Int32Array,
    codes: Int32Array,
    test: int,
    n_kids: int,
    cells: FloatArray,
    lost: FloatArray,
    bags: FloatArray,
    shares: FloatArray,
    numbers: IntArray,
    labels: Int32Array,
) -> Number:
    """Weigh the branches of a split.

    Parameters
    ----------
    rows, weights, begin, n
        A stretch of the arena.
    y, codes : ndarray of int32
        Class of every row, and its code of the split's feature; code -1 is missing.
    test : int
        The code up to which rows go to the first branch, -1 for a nominal feature.
    n_kids : int
        Number of branches.
    cells : ndarray of shape (>= n_kids, n_classes), filled
        Class weights of each branch, shares of missing rows included.
    lost : ndarray of shape (n_classes,)
        Work space.
    bags, shares : ndarray, filled
        Weight of each branch, and its share of the node's weight.
    numbers : ndarray of int64, filled
        Rows that go to each branch.
    labels : ndarray of int32 of shape (>= n,), filled
        The branch of each row of the stretch; `n_kids` if its value is missing.

    Returns
    -------
    int
        Number of rows whose value is missing.

    Notes
    -----
    Missing rows are spread in proportion to the known weights; the share with which a row goes on is that of the
    branches' weights after this, which is the same but for the last bit.
    """
    for b in range(n_kids):
        numbers[b] = 0
        for c in range(lost.size):
            cells[b, c] = 0.0
    for c in range(lost.size):
        lost[c] = 0.0
    missing, unknown, known = i64(0), 0.0, 0.0
    i, at, end, one = u64(0), u64(begin), u64(n), u64(1)
    while i < end:
        r, w = u64(rows[at + i]), weights[at + i]
        code, c = codes[r], u64(y[r])
        if code < 0:
            labels[i] = n_kids
            lost[c] += w
            unknown += w
            missing += 1
        else:
            b = u64(code) if test < 0 else u64(code > test)
            labels[i] = b
            numbers[b] += 1
            cells[b, c] += w
        i += one
    for b in range(n_kids):
        bag = 0.0
        for c in range(lost.size):
            bag += cells[b, c]
        bags[b] = bag
        known += bag
    if missing == 0:
        for b in range(n_kids):
            shares[b] = bags[b] / known
        return i64(0)
    for b in range(n_kids):
        bags[b] += unknown * (bags[b] / known if known >= FUZZ else 1.0 / n_kids)
    for b in range(n_kids):
        shares[b] = bags[b] / (known + unknown)
        if shares[b] > FUZZ:
            numbers[b] += missing
            for c in range(lost.size):
                cells[b, c] += shares[b] * lost[c]
    return i64(missing)


@jit_bare
def part(
    rows: Int32Array,
    weights: FloatArray,
    begin: int,
    n: int,
    labels: Int32Array,
    n_kids: int,
    shares: FloatArray,
    begins: IntArray,
    numbers: IntArray,
    cursor: IntArray,
    top: int,
) -> Number:
    """Copy the rows of a stretch to the end of the arena, branch by branch.

    Parameters
    ----------
    rows, weights, begin, n, n_kids
        As in `spread`.
    labels, shares, numbers
        From `spread`.
    begins : ndarray of int64, changed
        On entry -1 for branches whose rows are not needed; filled with where the stretches of the others begin.
    cursor : ndarray of int64 of shape (2, >= n_kids)
        Work space.
    top : int
        End of the arena.

    Returns
    -------
    int
        Its new end, -1 if there is not room enough.
    """
    end = i64(top)
    for b in range(n_kids):
        needed = begins[b] >= 0
        cursor[0, b], cursor[1, b] = end, needed
        if needed:
            begins[b] = end
            end += numbers[b]
    if end >= rows.size:
        return i64(-1)
    for b in range(n_kids):
        if begins[b] < 0:
            cursor[0, b] = end  # a place where all of them may be written
    i, first, stop, one, several = u64(0), u64(begin), u64(n), u64(1), u64(n_kids)
    while i < stop:
        r, w, label = rows[first + i], weights[first + i], u64(labels[i])
        i += one
        if label < several:
            at = u64(cursor[0, label])
            rows[at], weights[at] = r, w
            cursor[0, label] += cursor[1, label]
            continue
        for b in range(n_kids):
            if shares[b] > FUZZ and begins[b] >= 0:
                at = u64(cursor[0, b])
                rows[at], weights[at] = r, shares[b] * w
                cursor[0, b] += 1
    return end
