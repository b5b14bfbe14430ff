"""Collapsing and pruning a tree whose nodes keep their rows in Weka's order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fsbench.kernels.jit import jit, jit_bare, jit_inline
from fsbench.kernels.tree_fraction_prune import estimate_cells
from fsbench.kernels.tree_fractions import FUZZ
from fsbench.kernels.tree_ordered_rows import count_rows, send_down, weigh_branches
from fsbench.kernels.tree_prune import MARGIN
from fsbench.kernels.tree_table import Int32Array, Number, i64
from fsbench.values import FloatArray, IntArray

__all__ = [
    "BEGIN",
    "EMPTY",
    "FEATURE",
    "FIRST",
    "KIDS",
    "NUMBER",
    "TEST",
    "Grown",
    "collapse_all",
    "count_tree",
    "prune_all",
]

# A node: its split (feature -1 in a leaf), its children in `slots`, its stretch of the arena, whether it had no rows.
FEATURE, TEST, FIRST, KIDS, BEGIN, NUMBER, EMPTY = range(7)
NODE, NEXT, TOP, PLACE = range(4)


class Grown(NamedTuple):
    """A tree that may still change, and the arena.

    Attributes
    ----------
    nodes : ndarray of int64 of shape (capacity, 7)
    classes, totals, estimates : ndarray
        Class weights, weight, and error estimate of each node.
    slots, bags, cells : ndarray
        Child, weight, and class weights of each branch.
    rows, weights : ndarray
        The arena.
    tops : ndarray of int64 of shape (3,)
        Nodes, slots and places of the arena in use.
    begins, numbers, shares, stack, sums
        Work space: stretches and shares of the branches of nodes on a path, the nodes, their sums.
    """

    nodes: IntArray
    classes: FloatArray
    totals: FloatArray
    estimates: FloatArray
    slots: IntArray
    bags: FloatArray
    cells: FloatArray
    rows: Int32Array
    weights: FloatArray
    tops: IntArray
    begins: IntArray
    numbers: IntArray
    shares: FloatArray
    stack: IntArray
    sums: FloatArray


@jit_bare
def wrong_weight(classes: FloatArray, total: float) -> Number:
    """Return the weight that is not of the largest class."""
    most = 0.0
    for c in range(classes.size):
        if classes[c] - most > FUZZ:
            most = classes[c]
    return total - most


@jit_inline
def collapse_all(grown: Grown, raws: FloatArray) -> None:
    """Make a leaf of every node whose subtree makes as many training errors as a leaf, from the top.

    Parameters
    ----------
    grown : Grown
        Children stand after their parents.
    raws : ndarray
        Work space: training errors of each subtree.
    """
    nodes, slots, count = grown.nodes, grown.slots, grown.tops[0]
    for node in range(count - 1, -1, -1):
        raws[node] = 0.0
        for s in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, KIDS]):
            raws[node] += raws[slots[s]]
        if nodes[node, FEATURE] < 0:
            raws[node] = wrong_weight(grown.classes[node], grown.totals[node])
    for node in range(count):
        # What lies below a collapsed node is reached by no one, so it does no harm to collapse it too.
        if nodes[node, FEATURE] >= 0 and raws[node] >= wrong_weight(grown.classes[node], grown.totals[node]) - 1e-3:
            nodes[node, FEATURE], nodes[node, KIDS] = -1, 0


@jit_inline
def estimate_ordered(
    grown: Grown,
    y: Int32Array,
    columns: Int32Array,
    node: int,
    begin: int,
    number: int,
    spare_cells: FloatArray,
    spare_bags: FloatArray,
    spare_classes: FloatArray,
    options: tuple[float, float, bool],
) -> Number:
    """Estimate the errors of a subtree when a stretch of rows is sent down it; -1 if there is not room enough."""
    nodes, slots, begins, numbers, shares, stack, sums = (
        grown.nodes,
        grown.slots,
        grown.begins,
        grown.numbers,
        grown.shares,
        grown.stack,
        grown.sums,
    )
    depth, used, kept = i64(0), i64(0), grown.tops[2]
    stack[0, NODE], stack[0, NEXT], sums[0] = node, -1, 0.0
    here, n = i64(begin), i64(number)
    while True:
        v = stack[depth, NODE]
        kids, first, test = nodes[v, KIDS], nodes[v, FIRST], nodes[v, TEST]
        if stack[depth, NEXT] < 0:
            if nodes[v, FEATURE] < 0:
                total = count_rows(grown.rows, grown.weights, here, n, y, spare_classes)
                sums[depth] = estimate_cells(spare_classes, options[0], options[1]) if total >= FUZZ else 0.0
                stack[depth, NEXT] = kids
            else:
                codes = columns[nodes[v, FEATURE]]
                if used + kids > shares.size or depth + 2 >= stack.shape[0]:
                    grown.tops[2] = kept
                    return -1.0
                stack[depth, TOP], stack[depth, PLACE], stack[depth, NEXT] = grown.tops[2], used, 0
                weigh_branches(
                    grown.rows,
                    grown.weights,
                    here,
                    n,
                    y,
                    codes,
                    test,
                    kids,
                    spare_classes,
                    spare_cells,
                    spare_bags,
                    shares[used:],
                    0.0,
                    True,
                )
                top = send_down(
                    grown.rows,
                    grown.weights,
                    here,
                    n,
                    codes,
                    test,
                    kids,
                    shares[used:],
                    begins[used:],
                    numbers[used:],
                    grown.tops[2],
                )
                if top < 0:
                    grown.tops[2] = kept
                    return -1.0
                grown.tops[2] = top
                sums[depth] = 0.0
                used += kids
        if stack[depth, NEXT] < kids:
            b = stack[depth, NEXT]
            stack[depth, NEXT] += 1
            here, n = begins[stack[depth, PLACE] + b], numbers[stack[depth, PLACE] + b]
            depth += 1
            stack[depth, NODE], stack[depth, NEXT] = slots[first + b], -1
            continue
        if nodes[v, FEATURE] >= 0:
            used, grown.tops[2] = stack[depth, PLACE], stack[depth, TOP]
        if depth == 0:
            return sums[0]
        depth -= 1
        sums[depth] += sums[depth + 1]


@jit_inline
def refill_ordered(
    grown: Grown, y: Int32Array, columns: Int32Array, node: int, pending: IntArray, shares: FloatArray
) -> bool:
    """Give a subtree the rows of its root's stretch; its splits stay. False if there is not room enough."""
    nodes, slots = grown.nodes, grown.slots
    top = i64(0)
    pending[0] = node
    while top >= 0:
        v = pending[top]
        top -= 1
        begin, n, kids, first, test = nodes[v, BEGIN], nodes[v, NUMBER], nodes[v, KIDS], nodes[v, FIRST], nodes[v, TEST]
        if nodes[v, FEATURE] < 0:
            grown.totals[v] = count_rows(grown.rows, grown.weights, begin, n, y, grown.classes[v])
            if grown.totals[v] >= FUZZ:
                nodes[v, EMPTY] = 0
            continue
        codes = columns[nodes[v, FEATURE]]
        grown.totals[v] = weigh_branches(
            grown.rows,
            grown.weights,
            begin,
            n,
            y,
            codes,
            test,
            kids,
            grown.classes[v],
            grown.cells[first:],
            grown.bags[first:],
            shares,
            0.0,
            True,
        )
        end = send_down(
            grown.rows,
            grown.weights,
            begin,
            n,
            codes,
            test,
            kids,
            shares,
            grown.begins,
            grown.numbers,
            grown.tops[2],
        )
        if end < 0 or top + kids + 1 >= pending.size:
            return False
        grown.tops[2] = end
        for b in range(kids):
            kid = slots[first + b]
            nodes[kid, BEGIN], nodes[kid, NUMBER] = grown.begins[b], grown.numbers[b]
            top += 1
            pending[top] = kid
    return True


@jit_bare
def prune_all(
    grown: Grown,
    y: Int32Array,
    columns: Int32Array,
    way: IntArray,
    pending: IntArray,
    shares: FloatArray,
    spare_cells: FloatArray,
    spare_bags: FloatArray,
    spare_classes: FloatArray,
    options: tuple[float, float, bool],
) -> bool:
    """Prune the tree from the bottom; see `fsbench.kernels.tree_prune` for the rules.

    Parameters
    ----------
    grown : Grown
        Its root is node 0.
    y, columns : ndarray of int32
        Class of every row; codes, one row a feature.
    way : ndarray of int64 of shape (> depth, 2)
        Work space: the nodes on the way down and their next child.
    pending, shares, spare_cells, spare_bags, spare_classes
        Work space of `refill_ordered` and `weigh_branches`.
    options : tuple
        z, CF, whether branches are raised.

    Returns
    -------
    bool
        False if there was not room enough.
    """
    nodes, slots, classes, estimates = grown.nodes, grown.slots, grown.classes, grown.estimates
    z, cf, raising = options
    depth = i64(0)
    way[0, 0], way[0, 1] = 0, 0
    while depth >= 0:
        v = way[depth, 0]
        kids, first = nodes[v, KIDS], nodes[v, FIRST]
        if way[depth, 1] < kids:
            way[depth, 1] += 1
            depth += 1
            way[depth, 0], way[depth, 1] = slots[first + way[depth - 1, 1] - 1], 0
            continue
        as_leaf = estimate_cells(classes[v], z, cf)
        estimates[v] = as_leaf
        if nodes[v, FEATURE] >= 0:
            as_tree, most, largest = 0.0, 0.0, i64(0)
            for s in range(first, first + kids):
                as_tree += estimates[slots[s]]
                if most - grown.bags[s] < FUZZ:
                    most, largest = grown.bags[s], slots[s]
            estimates[v] = as_tree
            as_branch = 1e300
            if raising:
                as_branch = estimate_ordered(
                    grown,
                    y,
                    columns,
                    largest,
                    nodes[v, BEGIN],
                    nodes[v, NUMBER],
                    spare_cells,
                    spare_bags,
                    spare_classes,
                    options,
                )
                if as_branch < 0.0:
                    return False
            if as_leaf - (as_tree + MARGIN) < FUZZ and as_leaf - (as_branch + MARGIN) < FUZZ:
                nodes[v, FEATURE], nodes[v, KIDS], estimates[v] = -1, 0, as_leaf
            elif as_branch - (as_tree + MARGIN) < FUZZ:
                for field in range(FEATURE, BEGIN):
                    nodes[v, field] = nodes[largest, field]
                if not refill_ordered(grown, y, columns, v, pending, shares):
                    return False
                way[depth, 1] = 0
                continue
        depth -= 1
    return True


@jit
def count_tree(nodes: IntArray, slots: IntArray) -> tuple[Number, Number]:
    """Return the number of nodes of the tree, and of its leaves; some nodes may belong to no tree any more."""
    pending, top, size, leaves = np.zeros(nodes.shape[0] + 1, np.int64), i64(0), i64(0), i64(0)
    while top >= 0:
        v = pending[top]
        top -= 1
        size += 1
        leaves += nodes[v, FEATURE] < 0
        for s in range(nodes[v, FIRST], nodes[v, FIRST] + nodes[v, KIDS]):
            top += 1
            pending[top] = slots[s]
    return size, leaves
