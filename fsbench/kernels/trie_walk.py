"""Queries to the trie: the walk to p+, the walk to p-, six criteria, and the pattern with the larger merit.

Serendero and Toro (2003), sections 2 and 3. A candidate is one pattern that a query may be given the class of.
Candidate 0 is p+, the others are its rivals: one p-, candidate 1; or one of each class c, candidate 1 + c. Each rival
meets p+ by itself, as p- does in the paper; the one that leads by most wins, and p+ if none leads.

Walks only go down, so what they say of the first i features is what a trie of those features alone would say:
every function works at one level, and a learning curve visits all levels of a single walk.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.trie_build import (
    CHILD,
    EXCLUSIVE,
    FIRST,
    FREQ,
    N_LABELS,
    SECOND,
    STRENGTH,
    VALUE,
    Codes,
    Trie,
)
from fsbench.values import FloatArray, IntArray

__all__ = ["N_CRITERIA", "predict", "single_hits", "trace"]

Words = npt.NDArray[np.uint64]

N_CRITERIA = 6
BY_EXCLUSIVE, BY_STRENGTH, BY_SHAPE, BY_DISTANCE, BY_FREQUENCY, BY_MAJORITY = range(N_CRITERIA)

# Which continuations a walk may take.
ANY, OTHER, OF_CLASS = range(3)

# Merits are sums of few products of fractions; closer than this, they are equal and p+ wins.
SAME = 1e-12


@jit_bare
def holds(labels: Words, q: int, c: int) -> bool:
    """Tell whether class `c` was met with the prefix `q`."""
    return bool((labels[q, c >> 6] >> np.uint64(c & 63)) & np.uint64(1))


@jit_bare
def may_follow(nodes: Codes, labels: Words, q: int, rule: int, guide: int, c: int) -> bool:
    """Tell whether a walk may take a node.

    Parameters
    ----------
    nodes, labels
        Of the trie, see `Trie`.
    q : int
        The continuation.
    rule : int
        ANY: every node. OTHER: one that holds several classes, or none of the classes of `guide`. OF_CLASS: one
        that holds class `c`.
    guide : int
        The prefix of p+ on the same level.
    c : int
        Class index.
    """
    if rule == ANY:
        return True
    if rule == OF_CLASS:
        return holds(labels, q, c)
    if nodes[q, N_LABELS] > 1:
        return True
    for w in range(labels.shape[1]):
        if labels[q, w] & labels[guide, w] != np.uint64(0):
            return False
    return True


@jit_bare
def commonest_child(nodes: Codes, labels: Words, parent: int, rule: int, guide: int, c: int) -> int:
    """Return the most frequent permitted child, the lowest value of equal ones; see `nearest_child`."""
    best = -1
    for q in range(nodes[parent, CHILD], nodes[parent + 1, CHILD]):
        if (best < 0 or nodes[q, FREQ] > nodes[best, FREQ]) and may_follow(nodes, labels, q, rule, guide, c):
            best = q
    return best


@jit_bare
def nearest_child(nodes: Codes, labels: Words, parent: int, wanted: int, rule: int, guide: int, c: int) -> int:
    """Return the permitted child whose value is nearest to `wanted`; -1 if none is permitted.

    Equally near: the more frequent; equally frequent: the lower value. A missing element (`wanted` below 0) is
    equally near to all.
    """
    begin, end = int(nodes[parent, CHILD]), int(nodes[parent + 1, CHILD])
    if end - begin == 1:  # no walk has a dead end (see walk_all), so the only child is permitted
        return begin
    if wanted < 0:
        return commonest_child(nodes, labels, parent, rule, guide, c)
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        if nodes[middle, VALUE] < wanted:
            low = middle + 1
        else:
            high = middle
    # Outwards from where the wanted value stands or would stand, the nearer side first, the left if equally near.
    left, right = low - 1, low
    far = 1 << 40
    while left >= begin or right < end:
        below = wanted - nodes[left, VALUE] if left >= begin else far
        above = nodes[right, VALUE] - wanted if right < end else far
        best = -1
        if below <= above:
            if rule == ANY or may_follow(nodes, labels, left, rule, guide, c):
                best = left
            left -= 1
        if above <= below:
            if best < 0 or nodes[right, FREQ] > nodes[best, FREQ]:
                if rule == ANY or may_follow(nodes, labels, right, rule, guide, c):
                    best = right
            right += 1
        if best >= 0:
            return best
    return -1


@jit_bare
def walk(
    nodes: Codes,
    labels: Words,
    query: Codes,
    rule: int,
    guide: IntArray,
    c: int,
    path: IntArray,
    distance: IntArray,
    shape: IntArray,
) -> None:
    """Follow the nearest permitted branch from the root to a pattern.

    Parameters
    ----------
    nodes, labels
        Of the trie, see `Trie`.
    query : ndarray of shape (n_features,)
        Interval numbers; below 0 where missing.
    rule, c
        See `may_follow`.
    guide : ndarray of shape (n_features + 1,)
        The path of p+.
    path : ndarray of shape (n_features + 1,)
        Written: the node on each level.
    distance, shape : ndarray of shape (n_features + 1,)
        Written: d(px, p) and s(px, p) of the first i elements. With e = px - p, shape is the sum of
        ``|e_i - e_(i-1)|``: the difference of the differences between neighbouring elements.
    """
    path[0] = 0
    distance[0] = 0
    shape[0] = 0
    error_before = 0
    for i in range(len(query)):
        q = nearest_child(nodes, labels, path[i], query[i], rule, guide[i + 1], c)
        path[i + 1] = q
        # A missing element takes the value of whatever pattern it is compared with.
        error = query[i] - nodes[q, VALUE] if query[i] >= 0 else 0
        distance[i + 1] = distance[i] + abs(error)
        shape[i + 1] = shape[i] + (abs(error - error_before) if i > 0 else 0)
        error_before = error


@jit
def walk_all(
    nodes: Codes, labels: Words, query: Codes, each: bool, path: IntArray, distance: IntArray, shape: IntArray
) -> None:
    """Walk to every candidate; the arrays have a line a candidate (see `walk`).

    No walk has a dead end. Up to the level where p+ becomes the pattern of one class, p- may follow p+; from there
    on the classes of p+ are one, and a prefix that holds several classes has a child with another one.
    """
    for m in range(len(path)):
        # Variables, not constants: numba would compile the walk anew for each constant.
        rule, c = ANY, m - 1
        if m > 0:
            rule = OF_CLASS if each else OTHER
        if m == 0 or has_rival(nodes, labels, each, c):
            walk(nodes, labels, query, rule, path[0], c, path[m], distance[m], shape[m])


@jit_bare
def has_rival(nodes: Codes, labels: Words, each: bool, c: int) -> bool:
    """Tell whether training holds rows of class `c` (a rival of each class), or of two classes (one rival)."""
    return holds(labels, 0, c) if each else nodes[0, N_LABELS] > 1


@jit_bare
def name_candidates(nodes: Codes, labels: Words, i: int, each: bool, path: IntArray, label: IntArray) -> None:
    """Write the class that each candidate stands for on level `i`; -1 for one that does not stand for another class.

    p+ stands for its most frequent class, p- for its most frequent class other than that.
    """
    plus = nodes[path[0, i], FIRST]
    label[0] = plus
    for m in range(1, len(path)):
        label[m] = -1
        if has_rival(nodes, labels, each, m - 1):
            q = path[m, i]
            if not each:
                label[m] = nodes[q, FIRST] if nodes[q, FIRST] != plus else nodes[q, SECOND]
            elif m - 1 != plus:
                label[m] = m - 1


@jit_bare
def nearness(x: float, whole: float) -> float:
    """Return 1 - x / whole, and 1 if the whole is 0: nearer is more."""
    return max(0.0, 1.0 - x / whole) if whole > 0.0 else 1.0


@jit_bare
def weigh(
    nodes: Codes,
    i: int,
    spans: IntArray,
    majority: int,
    path: IntArray,
    distance: IntArray,
    shape: IntArray,
    label: IntArray,
    alpha: FloatArray,
) -> None:
    """Write the six criteria of p+ and of each rival on level `i`, each brought to [0, 1], more being better.

    Parameters
    ----------
    nodes
        Of the trie, see `Trie`.
    i : int
        Level: how many features count.
    spans : ndarray of shape (2, n_features + 1)
        Largest distance and largest difference of shape of the first i elements; a negative first number asks
        for the scale of the pair instead: shares of the sum over p+ and the rival.
    majority : int
        Most frequent class in training.
    path, distance, shape
        See `walk_all`.
    label : ndarray of shape (n_candidates,)
        See `name_candidates`.
    alpha : ndarray of shape (n_candidates, 2, 6)
        Written: of each rival, first the criteria of p+ beside it, then its own.
    """
    length = float(max(1, i))
    far, bent, often = float(spans[0, i]), float(spans[1, i]), float(nodes[0, FREQ])
    for m in range(1, len(label)):
        if label[m] < 0:
            continue
        if spans[0, 0] < 0:
            far = float(distance[0, i] + distance[m, i])
            bent = float(shape[0, i] + shape[m, i])
            often = float(nodes[path[0, i], FREQ] + nodes[path[m, i], FREQ])
        for side in range(2):
            k = m * side
            q = path[k, i]
            alpha[m, side, BY_EXCLUSIVE] = nodes[q, EXCLUSIVE] / length
            alpha[m, side, BY_STRENGTH] = nodes[q, STRENGTH] / length
            alpha[m, side, BY_SHAPE] = nearness(shape[k, i], bent)
            alpha[m, side, BY_DISTANCE] = nearness(distance[k, i], far)
            alpha[m, side, BY_FREQUENCY] = nodes[q, FREQ] / often
            alpha[m, side, BY_MAJORITY] = 1.0 if label[k] == majority else 0.0


@jit_bare
def winner(alpha: FloatArray, label: IntArray, weights: FloatArray) -> int:
    """Return the rival whose merit leads that of p+ by most, the first of equal ones; 0, for p+, if none leads."""
    best, most = 0, 0.0
    for m in range(1, len(label)):
        if label[m] >= 0:
            plus, minus = 0.0, 0.0
            for j in range(N_CRITERIA):
                plus += weights[j] * alpha[m, 0, j]
                minus += weights[j] * alpha[m, 1, j]
            if minus - plus > most + SAME:
                best, most = m, minus - plus
    return best


@jit
def predict(
    trie: Trie,
    queries: Codes,
    first_level: int,
    weights: FloatArray,
    exact_wins: bool,
    each: bool,
    n_classes: int,
    spans: IntArray,
    majority: int,
) -> IntArray:
    """Return the class of every query on every level from `first_level`.

    Parameters
    ----------
    trie : Trie
    queries : ndarray of shape (n_queries, n_features)
        int32 interval numbers.
    first_level : int
        Lowest level asked for.
    weights : ndarray of shape (n_features + 1, 6)
        Weights of the criteria on each level.
    exact_wins : bool
        Whether a pattern equal to the query wins whatever its merit.
    each : bool
        Whether p+ has a rival of each other class, or one.
    n_classes : int
        Number of declared classes.
    spans, majority
        See `weigh`.

    Returns
    -------
    ndarray of shape (n_levels, n_queries)
        int64.
    """
    nodes, labels = trie.node, trie.labels
    n_queries, n_features = queries.shape
    candidates = 1 + n_classes if each else 2
    path = np.zeros((candidates, n_features + 1), dtype=np.int64)
    distance, shape = np.zeros_like(path), np.zeros_like(path)
    label = np.empty(candidates, dtype=np.int64)
    alpha = np.zeros((candidates, 2, N_CRITERIA))
    found = np.empty((n_features + 1 - first_level, n_queries), dtype=np.int64)
    for r in range(n_queries):
        walk_all(nodes, labels, queries[r], each, path, distance, shape)
        for i in range(first_level, n_features + 1):
            if exact_wins and distance[0, i] == 0:
                found[i - first_level, r] = nodes[path[0, i], FIRST]
                continue
            name_candidates(nodes, labels, i, each, path, label)
            weigh(nodes, i, spans, majority, path, distance, shape, label, alpha)
            found[i - first_level, r] = label[winner(alpha, label, weights[i])]
    return found


@jit
def single_hits(
    trie: Trie,
    queries: Codes,
    y: IntArray,
    first_level: int,
    each: bool,
    n_classes: int,
    spans: IntArray,
    majority: int,
) -> IntArray:
    """Count the queries that each criterion alone classifies rightly, on every level from `first_level`.

    Parameters
    ----------
    y : ndarray of shape (n_queries,)
        Classes of the queries. Equal queries that follow each other are walked once.
    trie, queries, first_level, each, n_classes, spans, majority
        See `predict`.

    Returns
    -------
    ndarray of shape (n_features + 1, 6)
        int64; 0 below `first_level`.
    """
    nodes, labels = trie.node, trie.labels
    n_queries, n_features = queries.shape
    candidates = 1 + n_classes if each else 2
    path = np.zeros((candidates, n_features + 1), dtype=np.int64)
    distance, shape = np.zeros_like(path), np.zeros_like(path)
    label = np.empty(candidates, dtype=np.int64)
    alpha = np.zeros((candidates, 2, N_CRITERIA))
    chosen = np.zeros((n_features + 1, N_CRITERIA), dtype=np.int64)
    hits = np.zeros((n_features + 1, N_CRITERIA), dtype=np.int64)
    for r in range(n_queries):
        if r == 0 or not equal(queries[r], queries[r - 1]):
            walk_all(nodes, labels, queries[r], each, path, distance, shape)
            for i in range(first_level, n_features + 1):
                name_candidates(nodes, labels, i, each, path, label)
                weigh(nodes, i, spans, majority, path, distance, shape, label, alpha)
                for j in range(N_CRITERIA):
                    best, most = 0, 0.0
                    for m in range(1, candidates):
                        if label[m] >= 0 and alpha[m, 1, j] - alpha[m, 0, j] > most + SAME:
                            best, most = m, alpha[m, 1, j] - alpha[m, 0, j]
                    chosen[i, j] = label[best]
        for i in range(first_level, n_features + 1):
            for j in range(N_CRITERIA):
                hits[i, j] += chosen[i, j] == y[r]
    return hits


@jit_bare
def equal(a: Codes, b: Codes) -> bool:
    """Tell whether two patterns are the same."""
    for i in range(len(a)):
        if a[i] != b[i]:
            return False
    return True


@jit
def trace(
    trie: Trie, query: Codes, each: bool, n_classes: int, spans: IntArray, majority: int
) -> tuple[IntArray, IntArray, IntArray, IntArray, FloatArray]:
    """Return everything that decides one query with all features: what `predict` does, laid open.

    Parameters
    ----------
    query : ndarray of shape (n_features,)
    trie, each, n_classes, spans, majority
        See `predict`.

    Returns
    -------
    path : ndarray of shape (n_candidates, n_features + 1)
        Node of each candidate on each level.
    distance, shape : ndarray of shape (n_candidates, n_features + 1)
        d and s over the first i elements.
    label : ndarray of shape (n_candidates,)
        The class that a candidate stands for; -1 for none.
    alpha : ndarray of shape (n_candidates, 2, 6)
        The criteria of p+ beside each rival, and its own.
    """
    nodes, labels = trie.node, trie.labels
    n_features = len(query)
    candidates = 1 + n_classes if each else 2
    path = np.zeros((candidates, n_features + 1), dtype=np.int64)
    distance, shape = np.zeros_like(path), np.zeros_like(path)
    label = np.empty(candidates, dtype=np.int64)
    alpha = np.zeros((candidates, 2, N_CRITERIA))
    walk_all(nodes, labels, query, each, path, distance, shape)
    name_candidates(nodes, labels, n_features, each, path, label)
    weigh(nodes, n_features, spans, majority, path, distance, shape, label, alpha)
    return path, distance, shape, label, alpha
