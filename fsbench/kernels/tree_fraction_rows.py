"""Rows with weights on their way down a tree.

The rows of a node are the first ones of a list. To go on with one branch its rows are brought to the front, and a
row whose value is missing gets its weight times the branch's share; the old weight is kept on a stack, so that the
node's weights can be put back when the branch is done.
"""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.tree_fractions import FUZZ
from fsbench.kernels.tree_table import Int32Array, Number, i64, u64
from fsbench.values import FloatArray, IntArray

__all__ = ["put_back", "spread", "take_branch"]


@jit_bare
def spread(
    rows: Int32Array,
    weight: FloatArray,
    y: Int32Array,
    codes: Int32Array,
    test: int,
    n_kids: int,
    cells: FloatArray,
    lost: FloatArray,
    bags: FloatArray,
    shares: FloatArray,
    numbers: IntArray,
) -> Number:
    """Weigh the branches of a split.

    Parameters
    ----------
    rows : ndarray of int32
        The node's rows.
    weight, y, codes : ndarray
        Weight, class, and code of the split's feature, of every row; code -1 is missing.
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
        bags[b], numbers[b] = 0.0, 0
        for c in range(lost.size):
            cells[b, c] = 0.0
    for c in range(lost.size):
        lost[c] = 0.0
    missing, unknown, known = i64(0), 0.0, 0.0
    for i in range(rows.size):
        r = u64(rows[i])
        code, w, c = codes[r], weight[r], u64(y[r])
        if code < 0:
            lost[c] += w
            unknown += w
            missing += 1
            continue
        b = u64(code) if test < 0 else u64(code > test)
        cells[b, c] += w
        bags[b] += w
        numbers[b] += 1
        known += w
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
def take_branch(
    rows: Int32Array,
    weight: FloatArray,
    codes: Int32Array,
    test: int,
    branch: int,
    share: float,
    undo_row: Int32Array,
    undo_weight: FloatArray,
    undo: int,
) -> tuple[Number, Number]:
    """Bring a branch's rows to the front and weigh those whose value is missing.

    Parameters
    ----------
    rows : ndarray of int32, permuted
        The node's rows.
    weight : ndarray, changed
        Weight of every row.
    codes, test
        As in `spread`.
    branch : int
        Which branch.
    share : float
        Its share.
    undo_row, undo_weight : ndarray, changed
        Stack of old weights.
    undo : int
        Its top.

    Returns
    -------
    n, undo : int
        Number of the branch's rows, and the stack's new top; -1 if the stack is full.
    """
    front = i64(0)
    for i in range(rows.size):
        r = rows[i]
        code = codes[u64(r)]
        if code < 0:
            if share <= FUZZ:
                continue
            if undo >= undo_row.size:
                return i64(-1), i64(undo)
            undo_row[undo], undo_weight[undo] = r, weight[u64(r)]
            undo += 1
            weight[u64(r)] *= share
        elif (i64(code) if test < 0 else i64(code > test)) != branch:
            continue
        rows[i] = rows[front]
        rows[front] = r
        front += 1
    return i64(front), i64(undo)


@jit_bare
def put_back(
    weight: FloatArray,
    undo_row: Int32Array,
    undo_weight: FloatArray,
    low: int,
    high: int,
) -> None:
    """Put back the weights on the stack from `low` to before `high`."""
    for i in range(low, high):
        weight[undo_row[i]] = undo_weight[i]
