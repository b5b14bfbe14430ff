"""Node table and error estimate where rows have fractional weights: values are missing.

The node table of complete data is kept (`fsbench.kernels.tree_table`), without counts. What a node weighs stands
beside it in `facts`: TOTAL, WRONG (weight not of the largest class), ESTIMATE, then the weight of each class. `bags`
holds the weight of each slot's branch.
"""

from __future__ import annotations

import math

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_table import (
    ERRORS,
    FIRST,
    KIDS,
    LEAVES,
    ROWS,
    SIZE,
    SPLIT,
    TEST,
    VOTE,
    Int32Array,
    Number,
    f64,
    i64,
    u64,
)
from fsbench.values import FloatArray, IntArray

__all__ = [
    "ESTIMATE",
    "FUZZ",
    "TOTAL",
    "WEIGHT",
    "WRONG",
    "add_leaf",
    "add_node",
    "added_weight",
    "xlog",
]

TOTAL, WRONG, ESTIMATE, WEIGHT = range(4)
FUZZ = 1e-6  # Weka's tolerance


@jit_bare
def xlog(x: float, table: FloatArray) -> Number:
    """Return x log2 x; 0 for weights that count as none. Whole numbers are looked up."""
    k = i64(x)
    if f64(k) == x:
        return table[u64(k)]
    return x * math.log2(x) if x >= FUZZ else 0.0


@jit_bare
def added_weight(n: float, e: float, z: float, cf: float) -> Number:
    """Errors to add to e of n, as `fsbench.kernels.tree_table.added_errors`, for fractions too.

    Below one error the value lies on the line between those of no error and of one.
    """
    if e < 1.0:
        base = n * (1.0 - cf ** (1.0 / n))
        if e == 0.0:
            return base
        one = max(n - 1.0, 0.0)
        if n > 1.5:
            f = 1.5 / n
            one = n * ((f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n))
            one -= 1.0
        return base + e * (one - base)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    f = (e + 0.5) / n
    r = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return r * n - e


@jit_inline
def weigh(nodes: Int32Array, facts: FloatArray, node: int) -> None:
    """Fill in what follows from the class weights: TOTAL, WRONG and VOTE."""
    total, most, most_exact = 0.0, 0.0, 0.0
    vote, largest = i64(0), i64(0)
    for c in range(facts.shape[1] - WEIGHT):
        w = facts[node, WEIGHT + c]
        total += w
        if w - most > FUZZ:
            most, largest = w, c
        if w > most_exact:
            most_exact, vote = w, c
    facts[node, TOTAL] = total
    facts[node, WRONG] = total - facts[node, WEIGHT + largest]
    nodes[node, VOTE] = vote


@jit_bare
def add_leaf(nodes: Int32Array, facts: FloatArray, node: int, z: float, cf: float) -> None:
    """Finish the leaf whose class weights stand in `facts` already."""
    weigh(nodes, facts, node)
    nodes[node, SPLIT], nodes[node, TEST], nodes[node, FIRST], nodes[node, KIDS] = (
        -1,
        -1,
        0,
        0,
    )
    nodes[node, SIZE], nodes[node, LEAVES], nodes[node, ROWS], nodes[node, ERRORS] = (
        1,
        1,
        0,
        0,
    )
    total, wrong = facts[node, TOTAL], facts[node, WRONG]
    facts[node, ESTIMATE] = wrong + added_weight(total, wrong, z, cf) if total >= FUZZ else 0.0


@jit_bare
def add_node(
    nodes: Int32Array,
    facts: FloatArray,
    slots: Int32Array,
    bags: FloatArray,
    tops: IntArray,
    leaf: int,
    feature: int,
    test: int,
    kids: Int32Array,
    weights: FloatArray,
    n_kids: int,
) -> Number:
    """Add an inner node with the given children; return its number, or -1 if the table is full.

    Parameters
    ----------
    nodes, facts, slots, bags
        The node table.
    tops : ndarray of int64 of shape (2,), changed
        Numbers of nodes and slots in use.
    leaf : int
        The node as a leaf, whose class weights are the new node's.
    feature, test : int
        The split.
    kids, weights : ndarray
        The children and the weights of their branches: the first `n_kids` entries.
    """
    node, first = tops[0], tops[1]
    if node >= nodes.shape[0] or first + n_kids > slots.size:
        return i64(-1)
    size, leaves, estimate = i64(1), i64(0), 0.0
    for b in range(n_kids):
        kid = kids[b]
        slots[first + b] = kid
        bags[first + b] = weights[b]
        size += nodes[kid, SIZE]
        leaves += nodes[kid, LEAVES]
        estimate += facts[kid, ESTIMATE]
    for c in range(facts.shape[1]):
        facts[node, c] = facts[leaf, c]
    facts[node, ESTIMATE] = estimate
    for c in range(nodes.shape[1]):
        nodes[node, c] = nodes[leaf, c]
    nodes[node, SPLIT], nodes[node, TEST] = feature, test
    nodes[node, FIRST], nodes[node, KIDS], nodes[node, SIZE], nodes[node, LEAVES] = (
        first,
        n_kids,
        size,
        leaves,
    )
    tops[0] += 1
    tops[1] += n_kids
    return node
