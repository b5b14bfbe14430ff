"""Giving a pruned subtree more rows and pruning it again: what raising a branch asks for. Complete data only."""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_prune import KEEP, LEAF, decide
from fsbench.kernels.tree_table import (
    COUNT,
    FIRST,
    KIDS,
    ROWS,
    SPLIT,
    TEST,
    Int32Array,
    Number,
    UIntArray,
    i32,
    i64,
    make_leaf,
    make_split,
    u64,
)
from fsbench.values import FloatArray, IntArray

__all__ = ["add_split", "refill"]

NODE, LOW, NUMBER, NEXT, PLACE, OFFSET = range(6)


@jit_bare
def add_split(
    nodes: Int32Array,
    estimate: FloatArray,
    slots: Int32Array,
    mark: Int32Array,
    tops: IntArray,
    feature: int,
    test: int,
    kids: Int32Array,
    n_kids: int,
) -> Number:
    """Add an inner node with the given children; return its number, or -1 if the table is full.

    Parameters
    ----------
    nodes, estimate, slots, mark
        The node table.
    tops : ndarray of int64 of shape (2,), changed
        Numbers of nodes and slots in use.
    feature, test : int
        The split.
    kids : ndarray of int32
        The children: the first `n_kids` entries.
    """
    node, first = tops[0], tops[1]
    if node >= nodes.shape[0] or first + n_kids > slots.size:
        return -1
    for b in range(n_kids):
        slots[first + b] = kids[b]
        mark[first + b] = 0
    make_split(nodes, estimate, slots, node, feature, test, first, n_kids)
    tops[0] += 1
    tops[1] += n_kids
    return node


@jit_inline
def divide_by_code(
    rows: UIntArray,
    spare: UIntArray,
    codes: Int32Array,
    shift: int,
    feature: int,
    test: int,
    sizes: Int32Array,
) -> None:
    """Put rows branch by branch, in place, and fill `sizes` with the number of rows of each branch."""
    low = u64(shift)
    for b in range(sizes.size):
        sizes[b] = 0
    for i in range(rows.size):
        code = codes[rows[i] >> low, feature]
        sizes[code if test < 0 else i32(code > test)] += 1
        spare[i] = rows[i]
    at = i64(0)
    for b in range(sizes.size):
        at += sizes[b]
        sizes[b] = at - sizes[b]
    for i in range(rows.size):
        code = codes[spare[i] >> low, feature]
        b = code if test < 0 else i32(code > test)
        rows[sizes[b]] = spare[i]
        sizes[b] += 1
    for b in range(sizes.size - 1, 0, -1):
        sizes[b] -= sizes[b - 1]


@jit_bare
def refill(
    nodes: Int32Array,
    estimate: FloatArray,
    slots: Int32Array,
    mark: Int32Array,
    tops: IntArray,
    pad: Int32Array,
    trail: Int32Array,
    sums: FloatArray,
    rows: UIntArray,
    spare: UIntArray,
    codes: Int32Array,
    stack: IntArray,
    kids: Int32Array,
    subtree: int,
    options: tuple[int, int, float, bool, bool],
    base: FloatArray,
) -> Number:
    """Send rows down a pruned subtree and prune it again, children first.

    Parameters
    ----------
    nodes, estimate, slots, mark, tops
        The node table.
    pad, trail, sums
        Work space of `decide`.
    rows : ndarray of uint64, permuted
        All rows of the node whose place the subtree takes.
    spare : ndarray of uint64 of at least that size
        Work space.
    codes : ndarray of shape (n_rows, n_features)
    stack : ndarray of shape (> depth, 6)
        The nodes on the way down: number, where the rows begin, how many, next child, where its rows begin, place
        of the new children in `kids`.
    kids : ndarray of int32
        Children on the way down: the number of rows of those to come, then the new node's number.
    subtree : int
        Its node.
    options, base
        As in `decide`.

    Returns
    -------
    int
        The new node, -1 if the table is full. A subtree that gets no new rows stays what it is.
    """
    shift, mask, z = options[0], u64(options[1]), options[2]
    depth, used = i64(0), i64(0)
    stack[0, NODE], stack[0, LOW], stack[0, NUMBER], stack[0, NEXT] = (
        subtree,
        0,
        rows.size,
        -1,
    )
    while True:
        frame = stack[depth]
        node, low, n = frame[NODE], frame[LOW], frame[NUMBER]
        result, n_kids = i64(-1), i64(nodes[node, KIDS])
        if frame[NEXT] < 0 and n == nodes[node, ROWS]:
            result = node
        elif frame[NEXT] < 0 and nodes[node, SPLIT] >= 0:
            if used + n_kids > kids.size or depth + 1 >= stack.shape[0]:
                return -1
            frame[OFFSET], frame[NEXT], frame[PLACE] = used, 0, low
            used += n_kids
            sizes = kids[frame[OFFSET] : used]
            feature, test = i64(nodes[node, SPLIT]), i64(nodes[node, TEST])
            divide_by_code(rows[low : low + n], spare, codes, shift, feature, test, sizes)
            continue
        elif frame[NEXT] >= 0 and frame[NEXT] < nodes[node, KIDS]:
            size = kids[frame[OFFSET] + frame[NEXT]]
            if size == 0:
                frame[NEXT] += 1  # node 0, the empty leaf
                continue
            depth += 1
            stack[depth, NODE] = slots[nodes[node, FIRST] + frame[NEXT]]
            stack[depth, LOW], stack[depth, NUMBER], stack[depth, NEXT] = (
                frame[PLACE],
                size,
                -1,
            )
            continue
        else:
            # A leaf, or a node whose children are done: its counts go where a new leaf would stand.
            if tops[0] >= nodes.shape[0]:
                return -1
            leaf = tops[0]
            for c in range(COUNT, nodes.shape[1]):
                nodes[leaf, c] = 0
            for i in range(low, low + n):
                nodes[leaf, COUNT + i64(rows[i] & mask)] += 1
            make_leaf(nodes, estimate, leaf, z, base)
            decision, chosen = i64(LEAF), node
            if frame[NEXT] >= 0:
                mine = kids[frame[OFFSET] : frame[OFFSET] + n_kids]
                used = frame[OFFSET]
                part = rows[low : low + n]
                decision, chosen = decide(
                    nodes,
                    estimate,
                    slots,
                    mark,
                    pad,
                    trail,
                    sums,
                    part,
                    codes,
                    mine,
                    n_kids,
                    estimate[leaf],
                    options,
                    base,
                )
            if decision == LEAF:
                result = leaf
                tops[0] += 1
            elif decision == KEEP:
                result = add_split(
                    nodes,
                    estimate,
                    slots,
                    mark,
                    tops,
                    i64(nodes[node, SPLIT]),
                    i64(nodes[node, TEST]),
                    mine,
                    n_kids,
                )
                if result < 0:
                    return -1
            else:
                frame[NODE], frame[NEXT] = chosen, -1
                continue
        if depth == 0:
            return result
        depth -= 1
        frame = stack[depth]
        kids[frame[OFFSET] + frame[NEXT]] = result
        frame[PLACE] += nodes[result, ROWS]
        frame[NEXT] += 1
