"""Pruning where rows have fractional weights: the rules of `fsbench.kernels.tree_prune`, by full redistribution."""

from __future__ import annotations

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_fraction_rows import put_back, spread, take_branch
from fsbench.kernels.tree_fractions import (
    ESTIMATE,
    FUZZ,
    WEIGHT,
    add_leaf,
    add_node,
    added_weight,
)
from fsbench.kernels.tree_prune import KEEP, LEAF, MARGIN, RAISE
from fsbench.kernels.tree_table import FIRST, KIDS, SPLIT, TEST, Int32Array, Number, i64
from fsbench.values import FloatArray, IntArray

__all__ = ["decide_fractions", "refill_fractions"]

NODE, NUMBER, NEXT, UNDO, OFFSET = range(5)


@jit_bare
def estimate_cells(weights: FloatArray, z: float, cf: float) -> Number:
    """Return the error estimate of a leaf with the given class weights."""
    total, most = 0.0, 0.0
    for c in range(weights.size):
        total += weights[c]
        if weights[c] - most > FUZZ:
            most = weights[c]
    return total - most + added_weight(total, total - most, z, cf) if total >= FUZZ else 0.0


@jit_inline
def estimate_fractions(
    nodes: Int32Array,
    slots: Int32Array,
    rows: Int32Array,
    weight: FloatArray,
    y: Int32Array,
    columns: Int32Array,
    stack: IntArray,
    share: FloatArray,
    sums: FloatArray,
    cells: FloatArray,
    spare: FloatArray,
    numbers: IntArray,
    undo_row: Int32Array,
    undo_weight: FloatArray,
    undo: int,
    subtree: int,
    options: tuple[float, float, bool],
) -> Number:
    """Estimate the errors of a subtree when the given rows are sent down it.

    Parameters
    ----------
    nodes, slots
        The node table.
    rows : ndarray of int32, permuted
        The rows.
    weight, y : ndarray
        Weight and class of every row. The weights are the same on return.
    columns : ndarray of shape (n_features, n_rows)
        Codes.
    stack, share, sums
        Work space: the nodes on the way down, the shares of their branches, their sums so far.
    cells, spare, numbers
        Work space of `spread`; `spare` of shape (2, >= n_classes and n_kids).
    undo_row, undo_weight, undo
        Stack of old weights, and its top.
    subtree : int
        An inner node.
    options : tuple
        z, CF, raising.

    Returns
    -------
    float
        -1 if a stack is full.
    """
    z, cf = options[0], options[1]
    n_classes = cells.shape[1]
    depth, used, bottom = i64(0), i64(0), undo
    stack[0, NODE], stack[0, NUMBER], stack[0, NEXT], stack[0, UNDO] = (
        subtree,
        rows.size,
        -1,
        0,
    )
    while True:
        node, n, b = stack[depth, NODE], stack[depth, NUMBER], stack[depth, NEXT]
        n_kids, first, test = (
            i64(nodes[node, KIDS]),
            i64(nodes[node, FIRST]),
            i64(nodes[node, TEST]),
        )
        codes = columns[nodes[node, SPLIT]]
        if b < 0:
            if used + n_kids > share.size or depth + 1 >= stack.shape[0]:
                return -1.0
            mine = share[used : used + n_kids]
            spread(
                rows[:n],
                weight,
                y,
                codes,
                test,
                n_kids,
                cells,
                spare[0, :n_classes],
                spare[1],
                mine,
                numbers,
            )
            stack[depth, OFFSET] = used
            used += n_kids
            total = 0.0
            for kid in range(n_kids):
                if nodes[slots[first + kid], SPLIT] < 0:
                    total += estimate_cells(cells[kid], z, cf)
            sums[depth] = total
            b = i64(0)
        else:
            put_back(weight, undo_row, undo_weight, stack[depth, UNDO], undo)
            undo = stack[depth, UNDO]
        while b < n_kids and nodes[slots[first + b], SPLIT] < 0:
            b += 1
        stack[depth, NEXT] = b + 1
        if b == n_kids:
            if depth == 0:
                return sums[0]
            used = stack[depth, OFFSET]
            depth -= 1
            sums[depth] += sums[depth + 1]
            continue
        stack[depth, UNDO] = undo
        front, undo = take_branch(
            rows[:n],
            weight,
            codes,
            test,
            b,
            share[stack[depth, OFFSET] + b],
            undo_row,
            undo_weight,
            undo,
        )
        if front < 0:
            put_back(weight, undo_row, undo_weight, bottom, undo)
            return -1.0
        if front == 0:
            continue
        depth += 1
        (
            stack[depth, NODE],
            stack[depth, NUMBER],
            stack[depth, NEXT],
            stack[depth, UNDO],
        ) = (
            slots[first + b],
            front,
            -1,
            undo,
        )


@jit_bare
def decide_fractions(
    nodes: Int32Array,
    facts: FloatArray,
    slots: Int32Array,
    rows: Int32Array,
    weight: FloatArray,
    y: Int32Array,
    columns: Int32Array,
    stack: IntArray,
    share: FloatArray,
    sums: FloatArray,
    cells: FloatArray,
    spare: FloatArray,
    numbers: IntArray,
    undo_row: Int32Array,
    undo_weight: FloatArray,
    undo: int,
    kids: Int32Array,
    bags: FloatArray,
    n_kids: int,
    as_leaf: float,
    options: tuple[float, float, bool],
) -> tuple[Number, Number]:
    """Decide what becomes of a node.

    Parameters
    ----------
    nodes, facts, slots
        The node table.
    rows : ndarray of int32, permuted
        The node's rows.
    weight, y, columns, stack, share, sums, cells, spare, numbers, undo_row, undo_weight, undo
        As in `estimate_fractions`.
    kids, bags : ndarray
        The pruned children and the weights of their branches: the first `n_kids` entries.
    as_leaf : float
        Estimate of the node as a leaf.
    options : tuple
        z, CF, raising.

    Returns
    -------
    decision, subtree : int
        KEEP, LEAF or RAISE, and the subtree to raise; -1 if a stack is full.
    """
    as_tree, most, largest = 0.0, 0.0, i64(0)
    for b in range(n_kids):
        as_tree += facts[kids[b], ESTIMATE]
        if most - bags[b] < FUZZ:
            largest, most = i64(b), bags[b]
    small = as_leaf - (as_tree + MARGIN) < FUZZ
    subtree = i64(kids[largest])
    if not options[2] or nodes[subtree, SPLIT] < 0:
        return i64(LEAF if small else KEEP), subtree
    as_branch = estimate_fractions(
        nodes,
        slots,
        rows,
        weight,
        y,
        columns,
        stack,
        share,
        sums,
        cells,
        spare,
        numbers,
        undo_row,
        undo_weight,
        undo,
        subtree,
        options,
    )
    if as_branch < 0.0:
        return i64(-1), subtree
    if small and as_leaf - (as_branch + MARGIN) < FUZZ:
        return i64(LEAF), subtree
    return i64(RAISE if as_branch - (as_tree + MARGIN) < FUZZ else KEEP), subtree


@jit_bare
def refill_fractions(
    nodes: Int32Array,
    facts: FloatArray,
    slots: Int32Array,
    bags: FloatArray,
    tops: IntArray,
    rows: Int32Array,
    weight: FloatArray,
    y: Int32Array,
    columns: Int32Array,
    frames: IntArray,
    kids: Int32Array,
    branch: FloatArray,
    stack: IntArray,
    share: FloatArray,
    sums: FloatArray,
    cells: FloatArray,
    spare: FloatArray,
    numbers: IntArray,
    undo_row: Int32Array,
    undo_weight: FloatArray,
    undo: int,
    subtree: int,
    options: tuple[float, float, bool],
) -> Number:
    """Send rows down a pruned subtree and prune it again, children first.

    Parameters
    ----------
    nodes, facts, slots, bags, tops
        The node table.
    rows : ndarray of int32, permuted
        All rows of the node whose place the subtree takes.
    weight, y, columns, stack, share, sums, cells, spare, numbers, undo_row, undo_weight, undo
        As in `decide_fractions`.
    frames : ndarray of shape (> depth, 5)
        Work space: the nodes on the way down.
    kids, branch : ndarray
        Work space: their new children and the weights of their branches; `branch` has two rows, the second one for
        the shares.
    subtree : int
        Its node.
    options : tuple
        z, CF, raising.

    Returns
    -------
    int
        The new node, -1 if the table or a stack is full.
    """
    z, cf = options[0], options[1]
    n_classes = cells.shape[1]
    depth, used = i64(0), i64(0)
    frames[0, NODE], frames[0, NUMBER], frames[0, NEXT] = subtree, rows.size, -1
    while True:
        node, n, b = frames[depth, NODE], frames[depth, NUMBER], frames[depth, NEXT]
        n_kids, first, test = (
            i64(nodes[node, KIDS]),
            i64(nodes[node, FIRST]),
            i64(nodes[node, TEST]),
        )
        if tops[0] + n_kids + 1 >= nodes.shape[0]:
            return i64(-1)
        leaf, at = tops[0], frames[depth, OFFSET]
        decision, chosen = i64(LEAF), node
        if nodes[node, SPLIT] >= 0:
            codes = columns[nodes[node, SPLIT]]
            if b < 0:
                if used + n_kids > kids.size or depth + 1 >= frames.shape[0]:
                    return i64(-1)
                frames[depth, OFFSET], at = used, used
                used += n_kids
                mine = branch[0, at:used]
                spread(
                    rows[:n],
                    weight,
                    y,
                    codes,
                    test,
                    n_kids,
                    cells,
                    spare[0, :n_classes],
                    mine,
                    branch[1, at:],
                    numbers,
                )
                for kid in range(n_kids):
                    kids[at + kid] = 0
                    if nodes[slots[first + kid], SPLIT] < 0 and branch[0, at + kid] >= FUZZ:
                        for c in range(n_classes):
                            facts[tops[0], WEIGHT + c] = cells[kid, c]
                        add_leaf(nodes, facts, tops[0], z, cf)
                        kids[at + kid] = tops[0]
                        tops[0] += 1
                b = i64(0)
            else:
                put_back(weight, undo_row, undo_weight, frames[depth, UNDO], undo)
                undo = frames[depth, UNDO]
            while b < n_kids and nodes[slots[first + b], SPLIT] < 0:
                b += 1
            frames[depth, NEXT] = b + 1
            if b < n_kids:
                frames[depth, UNDO] = undo
                front, undo = take_branch(
                    rows[:n],
                    weight,
                    codes,
                    test,
                    b,
                    branch[1, at + b],
                    undo_row,
                    undo_weight,
                    undo,
                )
                if front < 0:
                    return i64(-1)
                depth += 1
                frames[depth, NODE], frames[depth, NUMBER], frames[depth, NEXT] = (
                    slots[first + b],
                    front,
                    -1,
                )
                continue
            leaf = tops[0]
        # A leaf, or a node whose children are done.
        for c in range(n_classes):
            facts[leaf, WEIGHT + c] = 0.0
        for i in range(n):
            facts[leaf, WEIGHT + y[rows[i]]] += weight[rows[i]]
        add_leaf(nodes, facts, leaf, z, cf)
        result = leaf
        if nodes[node, SPLIT] >= 0:
            used = at
            decision, chosen = decide_fractions(
                nodes,
                facts,
                slots,
                rows[:n],
                weight,
                y,
                columns,
                stack,
                share,
                sums,
                cells,
                spare,
                numbers,
                undo_row,
                undo_weight,
                undo,
                kids[at:],
                branch[0, at:],
                n_kids,
                facts[leaf, ESTIMATE],
                options,
            )
        if decision == RAISE:
            frames[depth, NODE], frames[depth, NEXT] = chosen, -1
            continue
        if decision == LEAF:
            tops[0] += 1
        elif decision == KEEP:
            result = add_node(
                nodes,
                facts,
                slots,
                bags,
                tops,
                leaf,
                i64(nodes[node, SPLIT]),
                test,
                kids[at:],
                branch[0, at:],
                n_kids,
            )
        if decision < 0 or result < 0:
            return i64(-1)
        if depth == 0:
            return result
        depth -= 1
        kids[frames[depth, OFFSET] + frames[depth, NEXT] - 1] = result
