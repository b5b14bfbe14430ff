r"""A trie of patterns in flat arrays: sort the rows, number the distinct prefixes level by level, label them.

Serendero and Toro (2003), section 2: freq(q), labels(q), nlabels(q) and strength(q) of every prefix q.

    rows sorted as words         level 0     level 1    level 2
      0 1   a                     root ------- 0 --------- 1       nodes are numbered level by level, left to
      0 1   b                       \           \--------- 2       right: children of one node stand side by
      0 2   a                        \------ 3 --------- 0        side, sorted by value, and those of the next
      3 0   b                                                      node follow
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit
from fsbench.values import BoolArray, IntArray

__all__ = [
    "CHILD",
    "EXCLUSIVE",
    "FIRST",
    "FREQ",
    "N_LABELS",
    "SECOND",
    "STRENGTH",
    "VALUE",
    "Codes",
    "Trie",
    "build_trie",
    "sort_rows",
]

Codes = npt.NDArray[np.int32]


# Columns of `Trie.node`. Eight numbers of four bytes: a node takes half a cache line, and is fetched at once.
CHILD, VALUE, FREQ, N_LABELS, FIRST, SECOND, STRENGTH, EXCLUSIVE = range(8)


class Trie(NamedTuple):
    """Nodes of the trie; a node is a prefix of a training pattern. Node 0 is the empty prefix.

    Attributes
    ----------
    level : ndarray of shape (n_features + 2,)
        int64: the nodes of level i are ``level[i] .. level[i + 1] - 1``.
    node : ndarray of shape (n_nodes + 1, 8)
        int32, of node q:

        - CHILD: its children are ``node[q, CHILD] .. node[q + 1, CHILD] - 1``, by ascending value; the extra last
          line is there for this only;
        - VALUE: the last interval number of the prefix;
        - FREQ: rows with the prefix;
        - N_LABELS: number of classes met with it;
        - FIRST, SECOND: the most frequent and the next most frequent class, the lowest of equal ones; -1 for none;
        - STRENGTH: how many prefixes of the prefix, itself included, the empty one not, have one class only;
        - EXCLUSIVE: how many of its elements are semi-exclusive intervals.
    labels : ndarray of shape (n_nodes, n_words)
        uint64: the set of classes met with the prefix, a bit a class.
    right : ndarray of shape (n_features + 1,)
        int64: rows that have the most frequent class of their prefix, on each level.
    """

    level: IntArray
    node: Codes
    labels: npt.NDArray[np.uint64]
    right: IntArray


@jit
def sort_rows(codes: Codes) -> IntArray:
    """Return the rows in lexicographic order of their patterns, equal ones in row order.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_rows)
        Interval numbers from 0.

    Returns
    -------
    ndarray of shape (n_rows,)

    Notes
    -----
    Counting sort by the last element first; each pass is stable, so the first element decides in the end.
    """
    n_features, n_rows = codes.shape
    order = np.arange(n_rows)
    target = np.empty(n_rows, dtype=np.int64)
    for i in range(n_features - 1, -1, -1):
        column = codes[i]
        most = 0
        for r in range(n_rows):
            most = max(most, column[r])
        start = np.zeros(most + 2, dtype=np.int64)
        for r in range(n_rows):
            start[column[r] + 1] += 1
        for k in range(most + 1):
            start[k + 1] += start[k]
        for r in range(n_rows):
            row = order[r]
            k = column[row]
            target[start[k]] = row
            start[k] += 1
        order, target = target, order
    return order


@jit
def shared_lengths(codes: Codes, order: IntArray) -> Codes:
    """Return how many leading elements each sorted row shares with the row before it; 0 for the first.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_rows)
    order : ndarray of shape (n_rows,)
        From `sort_rows`.

    Returns
    -------
    ndarray of shape (n_rows,)
    """
    n_features, n_rows = codes.shape
    shared = np.full(n_rows, n_features, dtype=np.int32)
    if n_rows:
        shared[0] = 0
    for r in range(1, n_rows):
        a, b = order[r - 1], order[r]
        for i in range(n_features):
            if codes[i, a] != codes[i, b]:
                shared[r] = i
                break
    return shared


@jit
def top_two(counts: IntArray, met: IntArray, n_met: int) -> tuple[int, int, int]:
    """Return the most frequent and the next most frequent class among those met, and the rows of the first.

    Of equal ones the lowest class comes first; -1 if there is none. Clears the counts for the next node.
    """
    first, second = -1, -1
    most, next_most = 0, 0
    for m in range(n_met):
        c = met[m]
        n = counts[c]
        counts[c] = 0
        if n > most or (n == most and c < first):
            second, next_most = first, most
            first, most = c, n
        elif n > next_most or (n == next_most and c < second):
            second, next_most = c, n
    return first, second, most


@jit
def label_level(trie: Trie, i: int, node_of: IntArray, order: IntArray, y: IntArray, counts: IntArray) -> None:
    """Fill in frequencies and classes of the nodes of level `i`, whose rows stand side by side in `order`."""
    n_rows = len(order)
    met = np.empty(len(counts), dtype=np.int64)
    r = 0
    while r < n_rows:
        q = node_of[r]
        n_met, start = 0, r
        while r < n_rows and node_of[r] == q:
            c = y[order[r]]
            if counts[c] == 0:
                met[n_met] = c
                n_met += 1
                trie.labels[q, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
            counts[c] += 1
            r += 1
        trie.node[q, FREQ] = r - start
        trie.node[q, N_LABELS] = n_met
        first, second, most = top_two(counts, met, n_met)
        trie.node[q, FIRST], trie.node[q, SECOND] = first, second
        trie.right[i] += most
        if i > 0 and n_met == 1:
            trie.node[q, STRENGTH] += 1


@jit
def build_trie(codes: Codes, y: IntArray, n_classes: int, marks: BoolArray) -> Trie:
    """Build the trie of training patterns.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_rows)
        int32 interval numbers from 0; at least one row.
    y : ndarray of shape (n_rows,)
        Class indices.
    n_classes : int
        Number of declared classes.
    marks : ndarray of shape (n_features, n_intervals)
        Which intervals are semi-exclusive.

    Returns
    -------
    Trie

    Notes
    -----
    Time is proportional to rows times features, memory to the number of distinct prefixes.
    """
    n_features, n_rows = codes.shape
    order = sort_rows(codes)
    shared = shared_lengths(codes, order)

    # A row begins a new node on every level below the length that it shares with the row before.
    begins = np.zeros(n_features + 1, dtype=np.int64)
    for r in range(n_rows):
        begins[shared[r]] += 1
    level = np.zeros(n_features + 2, dtype=np.int64)
    level[1] = 1
    nodes = 0
    for i in range(1, n_features + 1):
        nodes += begins[i - 1]
        level[i + 1] = level[i] + nodes
    total = level[n_features + 1]

    node = np.zeros((total + 1, 8), dtype=np.int32)
    node[:, CHILD] = total
    labels = np.zeros((total, (n_classes + 63) // 64), dtype=np.uint64)
    trie = Trie(level, node, labels, np.zeros(n_features + 1, dtype=np.int64))
    counts = np.zeros(n_classes, dtype=np.int64)
    node_of = np.zeros(n_rows, dtype=np.int64)
    for i in range(n_features + 1):
        q, parent_before = level[i] - 1, -1
        for r in range(n_rows if i > 0 else 0):
            parent = node_of[r]
            if shared[r] < i:
                q += 1
                value = codes[i - 1, order[r]]
                node[q, VALUE] = value
                node[q, STRENGTH] = node[parent, STRENGTH]
                node[q, EXCLUSIVE] = node[parent, EXCLUSIVE] + (1 if marks[i - 1, value] else 0)
                if parent != parent_before:
                    node[parent, CHILD] = q
                    parent_before = parent
            node_of[r] = q
        label_level(trie, i, node_of, order, y, counts)
    return trie
