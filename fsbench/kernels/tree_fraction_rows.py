"""Rows with weights on their way down a tree.

A node's rows and their weights are a stretch of an arena. The branches of a split get stretches of their own behind
it, in which a row whose value is missing stands with its weight times the branch's share.
"""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.tree_fractions import FUZZ
from fsbench.kernels.tree_table import Int32Array, Number, i64, u64
from fsbench.values import FloatArray, IntArray

__all__ = ["send_down", "spread"]


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
        for c in range(lost.size):
            cells[b, c] = 0.0
    for c in range(lost.size):
        lost[c] = 0.0
    missing, unknown, known = i64(0), 0.0, 0.0
    i, end, one = u64(begin), u64(begin + n), u64(1)
    while i < end:
        r, w = u64(rows[i]), weights[i]
        code, c = codes[r], u64(y[r])
        i += one
        if code < 0:
            lost[c] += w
            unknown += w
            missing += 1
            continue
        cells[u64(code) if test < 0 else u64(code > test), c] += w
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
            for c in range(lost.size):
                cells[b, c] += shares[b] * lost[c]
    return i64(missing)


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
        As in `spread`.
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
