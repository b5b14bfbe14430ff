"""Sending rows down finished trees."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.tree_table import FIRST, KIDS, SPLIT, TEST, VOTE, Int32Array, Number, i32, i64, u64
from fsbench.values import FloatArray, IntArray

__all__ = ["misses", "shares", "vote", "vote_shares"]

EMPTY = 1e-6  # a branch with less weight than this counts as empty, in Weka and here


@jit_bare
def misses(columns: Int32Array, features: IntArray, rows: IntArray) -> bool:
    """Tell whether any of the features is missing in any of the rows."""
    for j in range(features.size):
        for i in range(rows.size):
            if columns[features[j], rows[i]] < 0:
                return True
    return False


@jit_bare
def first_like(roots: IntArray, t: int) -> Number:
    """Return the first tree with the same root."""
    for i in range(t):
        if roots[i] == roots[t]:
            return i64(i)
    return i64(t)


@jit
def vote(
    nodes: Int32Array,
    slots: Int32Array,
    roots: IntArray,
    codes: Int32Array,
    rows: IntArray,
) -> IntArray:
    """Return the class that each tree gives each row; no value that is asked for may be missing.

    Parameters
    ----------
    nodes, slots
        The node table; node 0 is the empty leaf.
    roots : ndarray of int64 of shape (n_trees,)
    codes : ndarray of shape (n_all, n_features)
    rows : ndarray of int64 of shape (n_rows,)
        Which of all rows.

    Returns
    -------
    ndarray of shape (n_trees, n_rows)
        A row in an empty leaf gets the class of the leaf's parent.
    """
    votes = np.empty((roots.size, rows.size), np.int64)
    for t in range(roots.size):
        same = first_like(roots, t)
        if same < t:
            for i in range(rows.size):
                votes[t, i] = votes[same, i]
            continue
        for i in range(rows.size):
            r, node = u64(rows[i]), u64(roots[t])
            says, feature = node, nodes[node, SPLIT]
            while feature >= 0:
                code, test = codes[r, u64(feature)], nodes[node, TEST]
                node = u64(slots[u64(nodes[node, FIRST]) + u64(code if test < 0 else i32(code > test))])
                feature = nodes[node, SPLIT]
                if node > 0:
                    says = node
            votes[t, i] = nodes[says, VOTE]
    return votes


@jit_bare
def share_row(
    nodes: Int32Array,
    slots: Int32Array,
    weights: FloatArray,
    totals: FloatArray,
    bags: FloatArray,
    root: int,
    codes: Int32Array,
    path: IntArray,
    carried: FloatArray,
    sums: FloatArray,
) -> None:
    """Add up the class shares of the leaves that a row reaches, into ``sums[0]``.

    A row whose value is missing goes down every branch with weight, in proportion to the branches' weights. The
    additions are nested as a recursion would nest them.

    Parameters
    ----------
    weights, totals, bags : ndarray
        Class weights and total weight of each node, and the weight of each slot's branch.
    codes : ndarray of int32 of shape (n_features,)
        The row; -1 is missing.
    path : ndarray of int64 of shape (> depth, 2)
        Work space: the nodes whose branches are all taken, and the next branch.
    carried : ndarray of shape (> depth,)
        Work space: the weight with which the row came there.
    sums : ndarray of shape (> depth, n_classes)
        Work space: what its branches gave so far.
    """
    depth, node, weight, says = i64(0), i64(root), 1.0, i64(root)
    for c in range(weights.shape[1]):
        sums[0, c] = 0.0
    while True:
        # Down to a leaf, or to a node that asks for a missing value.
        says = node
        while nodes[node, SPLIT] >= 0:
            code, test = codes[nodes[node, SPLIT]], nodes[node, TEST]
            if code < 0:
                break
            node = i64(slots[nodes[node, FIRST] + (code if test < 0 else i32(code > test))])
            if node > 0:
                says = node
        if nodes[node, SPLIT] >= 0:
            depth += 1
            path[depth, 0], path[depth, 1], carried[depth] = node, 0, weight
            for c in range(weights.shape[1]):
                sums[depth, c] = 0.0
        else:
            for c in range(weights.shape[1]):
                sums[depth, c] += weight * (weights[says, c] / totals[says])
        # On to the next branch with weight; a node that has no more passes its sum on.
        while depth > 0:
            node = path[depth, 0]
            first, b = i64(nodes[node, FIRST]), path[depth, 1]
            while b < nodes[node, KIDS] and slots[first + b] == 0:
                b += 1
            if b < nodes[node, KIDS]:
                path[depth, 1] = b + 1
                weight = bags[first + b] / totals[node] * carried[depth]
                node = i64(slots[first + b])
                break
            depth -= 1
            for c in range(weights.shape[1]):
                sums[depth, c] += sums[depth + 1, c]
        if depth == 0:
            return


@jit
def shares(
    nodes: Int32Array,
    slots: Int32Array,
    weights: FloatArray,
    totals: FloatArray,
    bags: FloatArray,
    root: int,
    codes: Int32Array,
    rows: IntArray,
) -> FloatArray:
    """Return the class shares that a tree gives each row; shape (n_rows, n_classes). See `share_row`."""
    deep = nodes.shape[0] + 1
    path, carried, sums = (
        np.empty((deep, 2), np.int64),
        np.empty(deep),
        np.empty((deep, weights.shape[1])),
    )
    p = np.empty((rows.size, weights.shape[1]))
    for i in range(rows.size):
        share_row(
            nodes,
            slots,
            weights,
            totals,
            bags,
            root,
            codes[rows[i]],
            path,
            carried,
            sums,
        )
        for c in range(weights.shape[1]):
            p[i, c] = sums[0, c]
    return p


@jit_bare
def largest_share(sums: FloatArray) -> tuple[Number, Number]:
    """Return the class with the largest share, the first of equal ones, and its lead over the second."""
    best, second = 0, -1.0
    for c in range(1, sums.size):
        if sums[c] > sums[best]:
            best, second = c, sums[best]
        else:
            second = max(second, sums[c])
    return i64(best), sums[best] - second


@jit_bare
def judge_leaf(weights: FloatArray, total: float, sums: FloatArray) -> tuple[Number, Number]:
    """Return what a node says by itself, and the lead; 1 with whole weights, whose order is certain."""
    whole = True
    for c in range(weights.size):
        sums[c] = weights[c] / total
        whole = whole and weights[c] == np.floor(weights[c])
    best, lead = largest_share(sums)
    return best, 1.0 if whole else lead


@jit
def vote_shares(
    nodes: Int32Array,
    slots: Int32Array,
    weights: FloatArray,
    totals: FloatArray,
    bags: FloatArray,
    roots: IntArray,
    codes: Int32Array,
    rows: IntArray,
) -> tuple[IntArray, FloatArray]:
    """Return the class with the largest share that each tree gives each row, the first of equal ones.

    Returns
    -------
    votes : ndarray of shape (n_trees, n_rows)
    lead : ndarray of shape (n_trees,)
        The least lead of a tree's votes over the second class. Votes of a single leaf with whole weights do not
        count: their order is certain, whatever the order of additions.
    """
    deep, n_classes = nodes.shape[0] + 1, weights.shape[1]
    path, carried, sums = np.empty((deep, 2), np.int64), np.empty(deep), np.empty((deep, n_classes))
    votes, lead = np.empty((roots.size, rows.size), np.int64), np.empty(roots.size)
    # What a node says by itself, worked out when it is first asked.
    said, said_lead = np.full(nodes.shape[0], -1), np.empty(nodes.shape[0])
    for t in range(roots.size):
        same = first_like(roots, t)
        lead[t] = 1.0 if same == t else lead[same]
        for i in range(rows.size):
            if same < t:
                votes[t, i] = votes[same, i]
                continue
            row = codes[rows[i]]
            node, says = i64(roots[t]), i64(roots[t])
            while nodes[node, SPLIT] >= 0 and row[nodes[node, SPLIT]] >= 0:
                code, test = row[nodes[node, SPLIT]], nodes[node, TEST]
                node = i64(slots[nodes[node, FIRST] + (code if test < 0 else i32(code > test))])
                if node > 0:
                    says = node
            if nodes[node, SPLIT] < 0:
                if said[says] < 0:
                    said[says], said_lead[says] = judge_leaf(weights[says], totals[says], sums[0])
                votes[t, i], ahead = said[says], said_lead[says]
            else:
                share_row(nodes, slots, weights, totals, bags, roots[t], row, path, carried, sums)
                votes[t, i], ahead = largest_share(sums[0])
            lead[t] = min(lead[t], ahead)
    return votes, lead
