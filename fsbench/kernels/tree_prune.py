"""Pruning a node whose children are pruned: leaf, raise the largest branch, or keep. Complete data only.

With E the pessimistic error estimate: a node becomes a leaf if E(leaf) <= E(tree) + 0.1 and E(leaf) <= E(branch) + 0.1,
E(branch) being the estimate of the largest branch's subtree when all rows of the node are sent down it. Else, if
E(branch) <= E(tree) + 0.1, that subtree takes the node's place and is pruned again.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit_bare, jit_inline
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
    added_errors,
    i32,
    i64,
    u64,
)
from fsbench.values import FloatArray

__all__ = ["KEEP", "LEAF", "MARGIN", "RAISE", "SLACK", "decide", "estimate_with", "largest_branch"]

KEEP, LEAF, RAISE = 0, 1, 2
FUZZ, MARGIN, SLACK = 1e-6, 0.1, 1e-5


@jit_inline
def largest_branch(nodes: Int32Array, kids: Int32Array, n_kids: int) -> tuple[Number, Number, Number]:
    """Return the branch with most rows (the last among equals), where its rows begin, and where they end."""
    largest, most, begin, so_far = i64(0), i64(-1), i64(0), i64(0)
    for b in range(n_kids):
        k = i64(nodes[kids[b], ROWS])
        if k >= most:
            largest, most, begin = i64(b), k, so_far
        so_far += k
    return largest, begin, begin + most


@jit_bare
def decide(
    nodes: Int32Array,
    estimate: FloatArray,
    slots: Int32Array,
    mark: Int32Array,
    pad: Int32Array,
    trail: Int32Array,
    sums: FloatArray,
    rows: UIntArray,
    codes: Int32Array,
    kids: Int32Array,
    n_kids: int,
    as_leaf: float,
    options: tuple[int, int, float, bool, bool],
    base: FloatArray,
) -> tuple[Number, Number]:
    """Decide what becomes of a node.

    Parameters
    ----------
    nodes, estimate, slots
        The node table.
    mark, pad, trail, sums
        Work space, see `estimate_with`.
    rows : ndarray of uint64
        The node's rows, branch by branch.
    codes : ndarray of shape (n_rows, n_features)
        Of all rows.
    kids : ndarray of int32
        The pruned children: the first `n_kids` entries.
    as_leaf : float
        Estimate of the node as a leaf.
    options : tuple
        Row shift, class mask, z, whether branches are raised, whether the test may stop early.
    base : ndarray
        Estimates without errors.

    Returns
    -------
    decision, subtree : int
        KEEP, LEAF or RAISE; the subtree to raise.
    """
    raising, early = options[3], options[4]
    as_tree = 0.0
    for b in range(n_kids):
        as_tree += estimate[kids[b]]
    small = as_leaf - (as_tree + MARGIN) < FUZZ
    largest, begin, end = largest_branch(nodes, kids, n_kids)
    subtree = i64(kids[largest])
    # A branch that is a leaf estimates what the node itself does as a leaf.
    if not raising or nodes[subtree, SPLIT] < 0:
        return i64(LEAF if small else KEEP), subtree
    # An estimate from here on decides nothing any more: the leaf stays a leaf, the tree stays a tree.
    enough = as_leaf - MARGIN if small else as_tree + MARGIN
    if not early:
        enough = 1e300
    as_branch = estimate_with(
        nodes,
        estimate,
        slots,
        mark,
        pad,
        trail,
        sums,
        rows,
        begin,
        end,
        codes,
        subtree,
        enough,
        options,
        base,
    )
    if small and as_leaf - (as_branch + MARGIN) < FUZZ:
        return i64(LEAF), subtree
    return i64(RAISE if as_branch - (as_tree + MARGIN) < FUZZ else KEEP), subtree


@jit_inline
def estimate_with(
    nodes: Int32Array,
    estimate: FloatArray,
    slots: Int32Array,
    mark: Int32Array,
    pad: Int32Array,
    trail: Int32Array,
    sums: FloatArray,
    rows: UIntArray,
    begin: int,
    end: int,
    codes: Int32Array,
    subtree: int,
    enough: float,
    options: tuple[int, int, float, bool, bool],
    base: FloatArray,
) -> Number:
    """Estimate the errors of a subtree that gets more rows, or infinity as soon as they are `enough` for sure.

    Parameters
    ----------
    mark : ndarray of int32
        One entry a slot, 0 on entry and on return: the place in `pad` of a leaf that got rows.
    pad : ndarray of shape (> n_rows, n_classes + 2)
        Slot, largest class count and class counts of the leaves that got rows.
    trail, sums
        Work space for `sum_estimates`.
    rows : ndarray of uint64
        The node's rows; those from `begin` to before `end` are in the subtree already.

    Notes
    -----
    At CF = 0.25 E(n + 1, e) >= E(n, e) and E(n + 1, e + 1) >= E(n, e) + 1, so every row that makes a leaf's errors
    grow adds at least 1 to the estimate, and the others take nothing away.
    """
    shift, mask = u64(options[0]), u64(options[1])
    n_classes = pad.shape[1] - 2
    touched, errors, i = i64(0), i64(0), i64(0)
    budget = enough + SLACK - estimate[subtree]
    full = budget <= 0.0
    while i < rows.size and not full:
        if i == begin:
            i = end
            continue
        x = rows[i]
        r, c = x >> shift, (x & mask) + u64(2)
        node, slot = u64(subtree), u64(0)
        feature = nodes[node, SPLIT]
        while feature >= 0:
            code, test = codes[r, u64(feature)], nodes[node, TEST]
            slot = u64(nodes[node, FIRST]) + u64(code if test < 0 else i32(code > test))
            node = u64(slots[slot])
            feature = nodes[node, SPLIT]
        p = u64(mark[slot])
        if p == 0:
            touched += 1
            p = u64(touched)
            mark[slot] = p
            pad[p, 0] = slot
            most = i32(0)
            for j in range(n_classes):
                k = nodes[node, u64(COUNT + j)]
                pad[p, 2 + j] = k
                most = max(most, k)
            pad[p, 1] = most
        k = pad[p, c] + 1
        pad[p, c] = k
        if k > pad[p, 1]:
            pad[p, 1] = k
        else:
            errors += 1
            full = errors >= budget
        i += 1
    total = np.inf if full else sum_estimates(nodes, estimate, slots, mark, pad, trail, sums, subtree, options[2], base)
    for p in range(1, touched + 1):
        mark[pad[p, 0]] = 0
    return total


@jit_inline
def sum_estimates(
    nodes: Int32Array,
    estimate: FloatArray,
    slots: Int32Array,
    mark: Int32Array,
    pad: Int32Array,
    trail: Int32Array,
    sums: FloatArray,
    subtree: int,
    z: float,
    base: FloatArray,
) -> Number:
    """Add up the leaves' estimates, node by node, with the counts in `pad` where a leaf is marked.

    Parameters
    ----------
    trail : ndarray of shape (> depth, 2)
        Nodes on the way down and their next child.
    sums : ndarray of shape (> depth,)
        Their sums so far.
    """
    depth = i64(0)
    trail[0, 0], trail[0, 1], sums[0] = subtree, 0, 0.0
    while True:
        node = trail[depth, 0]
        if trail[depth, 1] == nodes[node, KIDS]:
            if depth == 0:
                return sums[0]
            depth -= 1
            sums[depth] += sums[depth + 1]
            continue
        slot = nodes[node, FIRST] + trail[depth, 1]
        trail[depth, 1] += 1
        kid = slots[slot]
        if nodes[kid, SPLIT] >= 0:
            depth += 1
            trail[depth, 0], trail[depth, 1], sums[depth] = kid, 0, 0.0
        elif mark[slot] == 0:
            sums[depth] += estimate[kid]
        else:
            p = mark[slot]
            n = i64(0)
            for j in range(2, pad.shape[1]):
                n += pad[p, j]
            e = float(n - pad[p, 1])
            sums[depth] += e + added_errors(float(n), e, z, base)
