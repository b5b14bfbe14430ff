"""One C4.5 tree with missing values whose weights equal Weka's to the last bit.

Where several classes weigh the same but for the last bit, the order of additions decides which is predicted. The
other kernels add up in orders of their own; this one holds the rows of every node as Weka does. It is slower, and
meant for trees on which such a tie was met, and for models that are kept.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.tree_evaluate import LABELS, LANE, MANY, PACKED, VALUES, VALUES_END
from fsbench.kernels.tree_fractions import FUZZ
from fsbench.kernels.tree_open import cut_code
from fsbench.kernels.tree_ordered_prune import (
    BEGIN,
    EMPTY,
    FEATURE,
    FIRST,
    KIDS,
    NUMBER,
    TEST,
    Grown,
    collapse_all,
    prune_all,
    wrong_weight,
)
from fsbench.kernels.tree_ordered_rows import count_rows, send_down, weigh_branches
from fsbench.kernels.tree_ordered_select import select_ordered
from fsbench.kernels.tree_table import Int32Array, UIntArray, f64, i64
from fsbench.values import FloatArray, IntArray

__all__ = ["grow_ordered"]


@jit
def grow_ordered(
    packed: UIntArray,
    plan: IntArray,
    values: FloatArray,
    ends: Int32Array,
    columns: Int32Array,
    y: Int32Array,
    inside: Int32Array,
    table: FloatArray,
    n_classes: int,
    layout: tuple[int, int, int, int],
    min_leaf: int,
    pruning: tuple[bool, bool],
    options: tuple[float, float, bool],
    capacity: int,
    arena: int,
) -> tuple[IntArray, FloatArray, FloatArray, IntArray, FloatArray, FloatArray]:
    """Grow and prune the tree of all features of the plan.

    Parameters
    ----------
    packed, plan, values, ends, columns, y, inside, table, layout, min_leaf, pruning, options
        As in `fsbench.kernels.tree_fraction_grow.grow_fractions`.
    n_classes : int
    capacity, arena : int
        How many nodes and slots to make room for, and how many rows of nodes.

    Returns
    -------
    nodes : ndarray of int64 of shape (n_nodes, 7)
        See `fsbench.kernels.tree_ordered_prune`; the root is node 0, and some nodes may belong to no tree any more.
        Without nodes there was not room enough.
    classes, totals : ndarray
        Class weights and weight of each node.
    slots, bags, cells : ndarray
        Child, weight, and class weights of each branch.
    """
    n, n_features = y.size, plan.shape[0]
    starts, many, at, longest = np.empty(n_features, np.int64), np.empty(n_features, np.bool_), i64(0), i64(2)
    for u in range(n_features):
        starts[u], many[u] = at, plan[u, MANY] != 0
        at += plan[u, LABELS] if plan[u, LANE] == 0 else 2
        longest = max(longest, plan[u, LABELS])
    deep, wide = n + 3, at + 2 * (n + 3)
    grown = Grown(
        np.empty((capacity, 7), np.int64),
        np.empty((capacity, n_classes)),
        np.empty(capacity),
        np.empty(capacity),
        np.empty(capacity, np.int64),
        np.empty(capacity),
        np.empty((capacity, n_classes)),
        np.empty(arena, np.int32),
        np.empty(arena),
        np.zeros(3, np.int64),
        np.empty(wide, np.int64),
        np.empty(wide, np.int64),
        np.empty(wide),
        np.empty((deep, 4), np.int64),
        np.empty(deep),
    )
    nodes, tops = grown.nodes, grown.tops
    classes, cells, bags, known = (
        np.empty((n_features, n_classes)),
        np.empty((at, n_classes)),
        np.empty(at),
        np.empty(n_features),
    )
    cut, gain, ratio = np.empty((n_features, 2), np.int64), np.empty(n_features), np.empty(n_features)
    keys, index, spare, stack = (
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n),
        np.empty((n + 2, 2), np.int64),
    )
    pick, shares, everything = np.empty(1, np.int64), np.empty(longest), np.full(1, n_features, np.int64)
    order = np.arange(n_features)
    full = arena < n
    for i in range(0 if full else n):
        grown.rows[i], grown.weights[i] = i, 1.0
    nodes[0, BEGIN], nodes[0, NUMBER] = 0, n
    tops[0], tops[2] = 1, n
    node = i64(-1)
    while node + 1 < tops[0] and not full:
        node += 1
        begin, number = nodes[node, BEGIN], nodes[node, NUMBER]
        nodes[node, FEATURE], nodes[node, FIRST], nodes[node, KIDS], nodes[node, TEST] = -1, tops[1], 0, -1
        total = count_rows(grown.rows, grown.weights, begin, number, y, grown.classes[node])
        grown.totals[node] = total
        nodes[node, EMPTY] = total < FUZZ
        if 2.0 * min_leaf - total > FUZZ or wrong_weight(grown.classes[node], total) < FUZZ:
            continue
        u = select_ordered(
            grown.rows,
            grown.weights,
            begin,
            number,
            total,
            y,
            columns,
            plan,
            starts,
            many,
            order,
            everything,
            values,
            table,
            min_leaf,
            classes,
            cells,
            bags,
            known,
            cut,
            gain,
            ratio,
            pick,
            keys,
            index,
            spare,
            stack,
        )
        if u < 0:
            continue
        n_kids, test = plan[u, LABELS], i64(-1)
        if plan[u, LANE] > 0:
            low, high = plan[u, VALUES], plan[u, VALUES_END]
            n_kids = i64(2)
            test = cut_code(
                packed[plan[u, PACKED]], values[low:high], ends[low:high], inside, cut[u, 0], cut[u, 1], layout
            )
        first = tops[1]
        if tops[0] + n_kids > capacity or first + n_kids > capacity:
            full = True
            continue
        for c in range(n_classes):
            grown.classes[node, c] = classes[u, c]
        for b in range(n_kids):
            grown.bags[first + b] = bags[starts[u] + b]
            for c in range(n_classes):
                grown.cells[first + b, c] = cells[starts[u] + b, c]
        grown.totals[node] = weigh_branches(
            grown.rows,
            grown.weights,
            begin,
            number,
            y,
            columns[u],
            test,
            n_kids,
            grown.classes[node],
            grown.cells[first:],
            grown.bags[first:],
            shares,
            f64(known[u]),
            False,
        )
        top = send_down(
            grown.rows,
            grown.weights,
            begin,
            number,
            columns[u],
            test,
            n_kids,
            shares,
            grown.begins,
            grown.numbers,
            tops[2],
        )
        if top < 0:
            full = True
            continue
        tops[2] = top
        nodes[node, FEATURE], nodes[node, TEST], nodes[node, KIDS] = u, test, n_kids
        for b in range(n_kids):
            kid = tops[0] + b
            grown.slots[first + b] = kid
            nodes[kid, BEGIN], nodes[kid, NUMBER] = grown.begins[b], grown.numbers[b]
        tops[0] += n_kids
        tops[1] += n_kids
    if not full and pruning[0]:
        collapse_all(grown, grown.estimates)
    if not full and pruning[1]:
        way, pending = np.empty((deep, 2), np.int64), np.empty(capacity, np.int64)
        spare_cells, spare_bags, spare_classes = np.empty((longest, n_classes)), np.empty(longest), np.empty(n_classes)
        full = not prune_all(grown, y, columns, way, pending, shares, spare_cells, spare_bags, spare_classes, options)
    used, branches = (i64(0), i64(0)) if full else (tops[0], tops[1])
    return (
        nodes[:used].copy(),
        grown.classes[:used].copy(),
        grown.totals[:used].copy(),
        grown.slots[:branches].copy(),
        grown.bags[:branches].copy(),
        grown.cells[:branches].copy(),
    )
