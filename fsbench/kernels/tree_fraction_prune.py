"""Pruning where rows have fractional weights: the rules of `fsbench.kernels.tree_prune`, by full redistribution."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_fraction_rows import part, spread
from fsbench.kernels.tree_fractions import (
    ESTIMATE,
    FUZZ,
    WEIGHT,
    add_leaf,
    add_node,
    added_weight,
)
from fsbench.kernels.tree_prune import KEEP, LEAF, MARGIN, RAISE, SLACK
from fsbench.kernels.tree_table import FIRST, KIDS, SPLIT, TEST, Int32Array, Number, i64
from fsbench.values import FloatArray, IntArray

__all__ = ["decide_fractions", "estimate_cells", "refill_fractions"]

# A node on the way down: its number, its stretch of the arena, the next child, the end of the arena before its
# children got their stretches, and where these are noted.
NODE, BEGIN, NUMBER, NEXT, TOP, OFFSET = range(6)


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
    weights: FloatArray,
    begin: int,
    number: int,
    top: int,
    y: Int32Array,
    columns: Int32Array,
    stack: IntArray,
    share: FloatArray,
    begins: IntArray,
    numbers: IntArray,
    sums: FloatArray,
    cells: FloatArray,
    spare: FloatArray,
    labels: Int32Array,
    cursor: IntArray,
    subtree: int,
    enough: float,
    options: tuple[float, float, bool],
) -> Number:
    """Estimate the errors of a subtree when the given rows are sent down it.

    Parameters
    ----------
    nodes, slots
        The node table.
    rows, weights, begin, number, top
        The arena, the stretch of the rows, and the arena's end.
    y : ndarray
        Class of every row.
    columns : ndarray of shape (n_features, n_rows)
        Codes.
    stack, share, begins, numbers, sums
        Work space: the nodes on the way down, shares and stretches of their branches, their sums so far.
    cells, spare, labels, cursor
        Work space of `spread` and `part`; `spare` of shape (2, >= n_classes and n_kids).
    subtree : int
        An inner node.
    enough : float
        From where on the estimate decides nothing any more.
    options : tuple
        z, CF, raising.

    Returns
    -------
    float
        Infinity if it is `enough` for sure; -1 if a stack or the arena is full.
    """
    z, cf = options[0], options[1]
    n_classes = cells.shape[1]
    depth, used, so_far = i64(0), i64(0), 0.0
    stack[0, NODE], stack[0, BEGIN], stack[0, NUMBER], stack[0, NEXT] = subtree, begin, number, -1
    while True:
        node, n, b = stack[depth, NODE], stack[depth, NUMBER], stack[depth, NEXT]
        n_kids, first, test = i64(nodes[node, KIDS]), i64(nodes[node, FIRST]), i64(nodes[node, TEST])
        if b < 0:
            codes = columns[nodes[node, SPLIT]]
            if used + n_kids > share.size or depth + 1 >= stack.shape[0]:
                return -1.0
            spread(
                rows,
                weights,
                stack[depth, BEGIN],
                n,
                y,
                codes,
                test,
                n_kids,
                cells,
                spare[0, :n_classes],
                spare[1],
                share[used:],
                numbers[used:],
                labels,
            )
            total, inner = 0.0, False
            for kid in range(n_kids):
                begins[used + kid] = -1
                if nodes[slots[first + kid], SPLIT] < 0:
                    total += estimate_cells(cells[kid], z, cf)
                elif numbers[used + kid] > 0:
                    inner, begins[used + kid] = True, 0
            sums[depth] = total
            # Estimates are not negative, so what is added up so far is a lower bound.
            so_far += total
            if so_far > enough:
                return np.inf
            stack[depth, OFFSET], stack[depth, TOP] = used, top
            if inner:
                top = part(
                    rows,
                    weights,
                    stack[depth, BEGIN],
                    n,
                    labels,
                    n_kids,
                    share[used:],
                    begins[used:],
                    numbers[used:],
                    cursor,
                    top,
                )
                if top < 0:
                    return -1.0
            used += n_kids
            b = i64(0)
        at = stack[depth, OFFSET]
        while b < n_kids and begins[at + b] < 0:
            b += 1
        stack[depth, NEXT] = b + 1
        if b == n_kids:
            if depth == 0:
                return sums[0]
            used, top = at, stack[depth, TOP]
            depth -= 1
            sums[depth] += sums[depth + 1]
            continue
        depth += 1
        stack[depth, NODE], stack[depth, NEXT] = slots[first + b], -1
        stack[depth, BEGIN], stack[depth, NUMBER] = begins[at + b], numbers[at + b]


@jit_bare
def decide_fractions(
    nodes: Int32Array,
    facts: FloatArray,
    slots: Int32Array,
    rows: Int32Array,
    weights: FloatArray,
    begin: int,
    number: int,
    top: int,
    y: Int32Array,
    columns: Int32Array,
    stack: IntArray,
    share: FloatArray,
    begins: IntArray,
    numbers: IntArray,
    sums: FloatArray,
    cells: FloatArray,
    spare: FloatArray,
    labels: Int32Array,
    cursor: IntArray,
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
    rows, weights, begin, number, top, y, columns, stack, share, begins, numbers, sums, cells, spare, labels, cursor
        As in `estimate_fractions`; the rows are the node's.
    kids, bags : ndarray
        The pruned children and the weights of their branches: the first `n_kids` entries.
    as_leaf : float
        Estimate of the node as a leaf.
    options : tuple
        z, CF, raising.

    Returns
    -------
    decision, subtree : int
        KEEP, LEAF or RAISE, and the subtree to raise; -1 if a stack or the arena is full.
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
        weights,
        begin,
        number,
        top,
        y,
        columns,
        stack,
        share,
        begins,
        numbers,
        sums,
        cells,
        spare,
        labels,
        cursor,
        subtree,
        (as_leaf - MARGIN if small else as_tree + MARGIN) + SLACK,
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
    weights: FloatArray,
    begin: int,
    number: int,
    top: int,
    y: Int32Array,
    columns: Int32Array,
    frames: IntArray,
    kids: Int32Array,
    branch: FloatArray,
    stack: IntArray,
    share: FloatArray,
    begins: IntArray,
    numbers: IntArray,
    sums: FloatArray,
    cells: FloatArray,
    spare: FloatArray,
    labels: Int32Array,
    cursor: IntArray,
    subtree: int,
    options: tuple[float, float, bool],
) -> Number:
    """Send rows down a pruned subtree and prune it again, children first.

    Parameters
    ----------
    nodes, facts, slots, bags, tops
        The node table.
    rows, weights, begin, number, top
        The arena, the stretch of all rows of the node whose place the subtree takes, and the arena's end.
    y, columns, stack, share, sums, cells, spare, labels, cursor
        As in `decide_fractions`.
    frames : ndarray of shape (> depth, 6)
        Work space: the nodes on the way down.
    kids, branch, begins, numbers : ndarray
        Work space: their new children, the weights and shares (two rows of `branch`) and the stretches of their
        branches.
    subtree : int
        Its node.
    options : tuple
        z, CF, raising.

    Returns
    -------
    int
        The new node, -1 if the table, a stack or the arena is full.
    """
    z, cf = options[0], options[1]
    n_classes = cells.shape[1]
    depth, used = i64(0), i64(0)
    frames[0, NODE], frames[0, BEGIN], frames[0, NUMBER], frames[0, NEXT] = subtree, begin, number, -1
    while True:
        node, low, n, b = frames[depth, NODE], frames[depth, BEGIN], frames[depth, NUMBER], frames[depth, NEXT]
        n_kids, first, test = i64(nodes[node, KIDS]), i64(nodes[node, FIRST]), i64(nodes[node, TEST])
        if tops[0] + n_kids + 1 >= nodes.shape[0]:
            return i64(-1)
        leaf, at = tops[0], frames[depth, OFFSET]
        decision, chosen = i64(LEAF), node
        if nodes[node, SPLIT] >= 0:
            codes = columns[nodes[node, SPLIT]]
            if b < 0:
                if used + n_kids > kids.size or depth + 1 >= frames.shape[0]:
                    return i64(-1)
                frames[depth, OFFSET], frames[depth, TOP], at = used, top, used
                used += n_kids
                spread(
                    rows,
                    weights,
                    low,
                    n,
                    y,
                    codes,
                    test,
                    n_kids,
                    cells,
                    spare[0, :n_classes],
                    branch[0, at:],
                    branch[1, at:],
                    numbers[at:],
                    labels,
                )
                for kid in range(n_kids):
                    begins[at + kid] = 0 if nodes[slots[first + kid], SPLIT] >= 0 else -1
                top = part(
                    rows, weights, low, n, labels, n_kids, branch[1, at:], begins[at:], numbers[at:], cursor, top
                )
                if top < 0:
                    return i64(-1)
                for kid in range(n_kids):
                    kids[at + kid] = 0
                    if nodes[slots[first + kid], SPLIT] < 0 and branch[0, at + kid] >= FUZZ:
                        for c in range(n_classes):
                            facts[tops[0], WEIGHT + c] = cells[kid, c]
                        add_leaf(nodes, facts, tops[0], z, cf)
                        kids[at + kid] = tops[0]
                        tops[0] += 1
                b = i64(0)
            while b < n_kids and nodes[slots[first + b], SPLIT] < 0:
                b += 1
            frames[depth, NEXT] = b + 1
            if b < n_kids:
                depth += 1
                frames[depth, NODE], frames[depth, NEXT] = slots[first + b], -1
                frames[depth, BEGIN], frames[depth, NUMBER] = begins[at + b], numbers[at + b]
                continue
            leaf, top = tops[0], frames[depth, TOP]
        # A leaf, or a node whose children are done.
        for c in range(n_classes):
            facts[leaf, WEIGHT + c] = 0.0
        for i in range(low, low + n):
            facts[leaf, WEIGHT + y[rows[i]]] += weights[i]
        add_leaf(nodes, facts, leaf, z, cf)
        result = leaf
        if nodes[node, SPLIT] >= 0:
            used = at
            decision, chosen = decide_fractions(
                nodes,
                facts,
                slots,
                rows,
                weights,
                low,
                n,
                top,
                y,
                columns,
                stack,
                share,
                begins[at + n_kids :],
                numbers[at + n_kids :],
                sums,
                cells,
                spare,
                labels,
                cursor,
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
