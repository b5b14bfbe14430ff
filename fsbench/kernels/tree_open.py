"""Opening a split: the threshold, the children's leaves, and their lists of rows. Complete data only."""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_evaluate import LANE, PACKED, VALUES, VALUES_END
from fsbench.kernels.tree_partition import (
    divide_many,
    divide_two,
    keep_first,
    keep_second,
)
from fsbench.kernels.tree_table import (
    COUNT,
    ERRORS,
    ROWS,
    Int32Array,
    Number,
    UIntArray,
    i64,
    make_leaf,
    u64,
)
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["K_LEAF", "K_RESULT", "K_ROWS", "cut_code_at", "fill_pool", "open_split"]

# A child: its node if it is a leaf, its rows, and where the results of one that goes on are (else -1).
K_LEAF, K_ROWS, K_RESULT = range(3)


@jit_inline
def fill_pool(
    pool: UIntArray,
    packed: UIntArray,
    plan: IntArray,
    y: Int32Array,
    train: IntArray,
    inside: Int32Array,
    layout: tuple[int, int, int, int],
) -> None:
    """Fill the first block of the pool with the lists of the training part.

    Every sorted list of the data is filtered, so nothing is sorted again.
    """
    low, rows = u64(layout[0]), u64(layout[3])
    n = train.size
    for i in range(n):
        pool[i] = (u64(train[i]) << low) | u64(y[train[i]])
    for u in range(plan.shape[0]):
        if plan[u, LANE] == 0:
            continue
        at = u64(plan[u, LANE] * n)
        source = packed[plan[u, PACKED]]
        for i in range(source.size):
            x = source[i]
            pool[at] = x
            at += u64(inside[(x >> low) & rows])


@jit_bare
def cut_code(
    column: UIntArray,
    values: FloatArray,
    ends: Int32Array,
    inside: Int32Array,
    below: int,
    above: int,
    layout: tuple[int, int, int, int],
) -> Number:
    """Return the code of the threshold between two neighbouring codes of a node.

    The midpoint of the two values is lowered to the largest value in the whole training part that does not exceed
    it; the midpoint counts as the lower value if it rounds to the upper one.

    Parameters
    ----------
    column : ndarray of uint64
        The column's sorted list over all rows.
    values : ndarray
        Its distinct values.
    ends : ndarray of int32
        For each of them, the number of rows up to it.
    inside : ndarray of int32
        1 for training rows.
    """
    low, shift, rows = u64(layout[0]), u64(layout[1]), u64(layout[3])
    middle = (values[below] + values[above]) / 2
    if middle == values[above]:
        middle = values[below]
    i, j = below, above - 1
    if not middle < values[above]:
        i, j = 0, values.size - 1  # the sum of the two was too large for a double
    while i < j:
        k = (i + j + 1) // 2
        if values[k] <= middle:
            i = k
        else:
            j = k - 1
    at = i64(ends[i]) - 1
    while at > 0 and inside[(column[at] >> low) & rows] == 0:
        at -= 1
    return i64(column[at] >> shift)


@jit_inline
def cut_code_at(
    pool: UIntArray,
    packed: UIntArray,
    feature: IntArray,
    values: FloatArray,
    ends: Int32Array,
    inside: Int32Array,
    place: tuple[int, int, int, int],
    left: int,
    layout: tuple[int, int, int, int],
) -> Number:
    """Return the code of the threshold after the first `left` rows of a node's list; `feature` is a row of the plan."""
    first = place[0] + feature[LANE] * place[1] + place[2] + left
    shift = u64(layout[1])
    below, above = i64(pool[first - 1] >> shift), i64(pool[first] >> shift)
    a, b = feature[VALUES], feature[VALUES_END]
    return cut_code(packed[feature[PACKED]], values[a:b], ends[a:b], inside, below, above, layout)


@jit_bare
def open_split(
    pool: UIntArray,
    spare: UIntArray,
    plan: IntArray,
    asked: IntArray,
    dead: BoolArray,
    column_codes: Int32Array,
    nodes: Int32Array,
    estimate: FloatArray,
    tops: IntArray,
    kids: IntArray,
    starts: IntArray,
    cursor: UIntArray,
    source_place: tuple[int, int, int, int],
    target: tuple[int, int, int],
    split: tuple[int, int, int, int, int],
    least: int,
    layout: tuple[int, int, int, int],
    z: float,
    base: FloatArray,
) -> Number:
    """Divide a node's lists among the branches of a split and make the children's leaves.

    Parameters
    ----------
    plan, asked, dead : ndarray
        The features; the lines of those whose lists are still needed, but for dead ones.
    column_codes : ndarray of int32
        The splitting feature's code of each row.
    nodes, estimate, tops
        The node table.
    kids : ndarray of shape (n_kids, 3), filled
        K_LEAF and K_ROWS of every child; K_RESULT 0 for those that go on, -1 for the others.
    starts, cursor : ndarray
        Work space for n_kids entries.
    source_place : tuple
        Block, stride, begin and number of the node's lists.
    target : tuple
        Block, stride and begin of the lists to write; the same ones for dividing in place.
    split : tuple
        Lane of a numeric feature or 0, rows left of the cut, number of children, test code (0 for a nominal feature
        of two labels), the node as a leaf.
    least : int
        Rows from which on a child that is not pure goes on.

    Returns
    -------
    int
        Number of children that go on, -1 if the table is full.
    """
    block, stride, begin, n = source_place
    lane, left, n_kids, test, node = split
    low, mask, rows = u64(layout[0]), u64(layout[2]), layout[3]
    first_leaf = tops[0]
    if first_leaf + n_kids + 1 > nodes.shape[0]:
        return -1
    # Count the classes of each branch into the rows of new nodes.
    for b in range(n_kids):
        for c in range(COUNT, nodes.shape[1]):
            nodes[first_leaf + b, c] = 0
    if lane > 0:
        # Sorted: the first branch stands first, and the second one is what it leaves.
        first = block + lane * stride + begin
        for i in range(first, first + left):
            nodes[first_leaf, COUNT + i64(pool[i] & mask)] += 1
        for c in range(COUNT, nodes.shape[1]):
            nodes[first_leaf + 1, c] = nodes[node, c] - nodes[first_leaf, c]
    else:
        for i in range(block + begin, block + begin + n):
            nodes[first_leaf + column_codes[pool[i] >> low], COUNT + i64(pool[i] & mask)] += 1
    going, at, used = i64(0), i64(0), first_leaf
    for b in range(n_kids):
        starts[b] = at
        for c in range(COUNT, nodes.shape[1]):
            nodes[used, c] = nodes[first_leaf + b, c]
        make_leaf(nodes, estimate, used, z, base)
        k = i64(nodes[used, ROWS])
        kids[b, K_LEAF], kids[b, K_ROWS], kids[b, K_RESULT] = used, k, -1
        if k == 0:
            kids[b, K_LEAF] = 0
        else:
            used += 1
        if k >= least and nodes[kids[b, K_LEAF], ERRORS] > 0:
            kids[b, K_RESULT] = 0
            going += 1
        at += k
    tops[0] = used
    # List 0 is always divided, since pruning looks at the rows of every branch; the others where a child goes on.
    for j in range(-1, asked.size if going > 0 else 0):
        q = plan[asked[j], LANE] if j >= 0 else i64(0)
        if j >= 0 and (q == 0 or dead[asked[j]]):
            continue
        s, t = block + q * stride + begin, target[0] + q * target[1] + target[2]
        if q > 0 and q == lane:
            for i in range(n if s != t else 0):
                pool[t + i] = pool[s + i]
        elif lane == 0 and n_kids != 2:
            divide_many(pool, s, t, n, spare, column_codes, layout[0], rows, starts, n_kids, cursor)
        elif q == 0 or going == 2:
            divide_two(pool, s, t, n, spare, column_codes, test, layout[0], rows)
        elif kids[0, K_RESULT] == 0:
            keep_first(pool, s, t, n, column_codes, test, layout[0], rows)
        else:
            keep_second(pool, s, t, n, column_codes, test, layout[0], rows)
    return going
