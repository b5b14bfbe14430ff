"""A plain recursive C4.5, one row at a time; stands in until the compiled form is there."""

# mypy: ignore-errors
# ruff: noqa: D102, D401
from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from fsbench.rankers.order import weka_sort

__all__ = ["Tree", "plain_tree"]

SMALL = 1e-6


def eq(a, b):
    return abs(a - b) < SMALL


def gr(a, b):
    return a - b > SMALL


def sm(a, b):
    return b - a > SMALL


def gr_or_eq(a, b):
    return b - a < SMALL or a >= b


def sm_or_eq(a, b):
    return a - b < SMALL or a <= b


def xlog2(x):
    return x * math.log(x) / math.log(2.0) if x >= SMALL else 0.0


def first_max(weights):
    """Index of the largest weight; a later one must be larger by more than the tolerance."""
    best, index = 0.0, 0
    for i, w in enumerate(weights):
        if gr(w, best):
            best, index = w, i
    return index


class Bags:
    """Class weights of each branch."""

    def __init__(self, n_bags, n_classes):
        self.cell = [[0.0] * n_classes for _ in range(n_bags)]
        self.bag = [0.0] * n_bags
        self.cls = [0.0] * n_classes
        self.total = 0.0

    def add(self, bag, cls, weight):
        self.cell[bag][cls] += weight
        self.bag[bag] += weight
        self.cls[cls] += weight
        self.total += weight

    def shares(self):
        n = len(self.bag)
        return [1.0 / n] * n if eq(self.total, 0) else [b / self.total for b in self.bag]

    def add_missing(self, rows, y):
        """Spread rows whose value is missing over the branches, in proportion to the known rows."""
        shares = self.shares()
        for row, weight in rows:
            c = y[row]
            self.cls[c] += weight
            self.total += weight
            for b, share in enumerate(shares):
                self.cell[b][c] += share * weight
                self.bag[b] += share * weight

    def errors(self):
        return self.total - self.cls[first_max(self.cls)]

    def entropy_before(self):
        return xlog2(self.total) - sum(xlog2(c) for c in self.cls)

    def entropy_after(self):
        return -sum(sum(xlog2(c) for c in cells) - xlog2(bag) for cells, bag in zip(self.cell, self.bag, strict=True))


class Node:
    """A leaf, or a split: ``feature``, ``threshold`` (None if nominal), ``kids``; ``bags`` are its branches."""

    def __init__(self, bags, rows):
        self.bags, self.rows = bags, rows
        self.feature = self.threshold = None
        self.kids = []
        self.empty = eq(sum(w for _, w in rows), 0)

    @property
    def is_leaf(self):
        return not self.kids

    def become_leaf(self):
        leaf = Bags(1, len(self.bags.cls))
        leaf.cls, leaf.total = self.bags.cls, self.bags.total
        leaf.cell, leaf.bag = [list(leaf.cls)], [leaf.total]
        self.bags, self.kids, self.feature = leaf, [], None


class Tree:
    """J48 on the given columns: X of shape (n, features) with NaN missing, n_labels[f] = 0 for a numeric column."""

    def __init__(
        self, X, y, n_labels, n_classes, *, min_leaf=2, confidence=0.25, unpruned=False, raising=True, collapse=True
    ):
        self.X, self.y, self.n_labels, self.n_classes = X.tolist(), [int(c) for c in y], list(n_labels), n_classes
        self.min_leaf, self.cf, self.raising = min_leaf, float(np.float32(confidence)), raising
        self.z = NormalDist().inv_cdf(1 - self.cf)
        self.known = [sorted({r[f] for r in self.X if r[f] == r[f]}) for f in range(len(self.n_labels))]
        self.root = self.grow([(i, 1.0) for i in range(len(self.y))])
        if collapse:
            self.collapse(self.root)
        if not unpruned:
            self.prune(self.root)

    # Growing.

    def grow(self, rows):
        split, rows = self.select(rows)
        if split is None:
            return Node(self.count(rows), rows)
        feature, threshold, bags = split
        node = Node(bags, rows)
        node.feature, node.threshold = feature, threshold
        node.kids = [self.grow(part) for part in self.distribute(node, rows)]
        return node

    def count(self, rows):
        bags = Bags(1, self.n_classes)
        for row, weight in rows:
            bags.add(0, self.y[row], weight)
        return bags

    def select(self, rows):
        everything = self.count(rows)
        total = everything.total
        if sm(total, 2 * self.min_leaf) or eq(total, everything.cls[first_max(everything.cls)]):
            return None, rows
        many = [n >= 0.3 * len(self.y) and not sm(n, 0.3 * len(self.y)) for n in self.n_labels]
        found = []
        for f, labels in enumerate(self.n_labels):
            if labels:
                split = self.nominal(rows, f, total)
            else:
                rows = self.sorted_by(rows, f)
                split = self.numeric(rows, f, total)
            if split is not None:
                found.append((f, *split))
        counted = [gain for f, gain, _, _, _ in found if not self.n_labels[f] or all(many) or not many[f]]
        if not counted:
            return None, rows
        mean = 0.0
        for gain in counted:
            mean += gain
        mean /= len(counted)
        best, top = None, 0.0
        for f, gain, ratio, threshold, bags in found:
            if gain >= mean - 1e-3 and gr(ratio, top):
                best, top = (f, threshold, bags), ratio
        if best is None:
            return None, rows
        f, threshold, bags = best
        bags.add_missing([(r, w) for r, w in rows if self.X[r][f] != self.X[r][f]], self.y)
        if threshold is not None:
            threshold = max(v for v in self.known[f] if v <= threshold)
        return (f, threshold, bags), rows

    def sorted_by(self, rows, f):
        values = np.array([self.X[r][f] for r, _ in rows])
        values[np.isnan(values)] = np.finfo(float).max
        return [rows[i] for i in weka_sort(values)]

    def nominal(self, rows, f, total):
        bags = Bags(self.n_labels[f], self.n_classes)
        for row, weight in rows:
            value = self.X[row][f]
            if value == value:
                bags.add(int(value), self.y[row], weight)
        if sum(gr_or_eq(b, self.min_leaf) for b in bags.bag) < 2:
            return None
        gain = self.gain(bags, total, bags.entropy_before())
        return gain, self.ratio(bags, total, gain), None, bags

    def numeric(self, rows, f, total):
        known = [(r, w) for r, w in rows if self.X[r][f] == self.X[r][f]]
        bags = Bags(2, self.n_classes)
        for row, weight in known:
            bags.add(1, self.y[row], weight)
        least = 0.1 * bags.total / self.n_classes
        if sm_or_eq(least, self.min_leaf):
            least = self.min_leaf
        elif gr(least, 25):
            least = 25
        if sm(len(known), 2 * least):
            return None
        before = bags.entropy_before()
        best, at, cuts = 0.0, None, 0
        for i in range(1, len(known)):
            row, weight = known[i - 1]
            bags.cell[1][self.y[row]] -= weight
            bags.bag[1] -= weight
            bags.cell[0][self.y[row]] += weight
            bags.bag[0] += weight
            if self.X[row][f] + 1e-5 >= self.X[known[i][0]][f]:
                continue
            if gr_or_eq(bags.bag[0], least) and gr_or_eq(bags.bag[1], least):
                cuts += 1
                gain = self.gain(bags, total, before)
                if gr(gain, best):
                    best, at = gain, i
        if cuts == 0:
            return None
        best -= math.log2(cuts) / total
        if sm_or_eq(best, 0):
            return None
        a, b = self.X[known[at - 1][0]][f], self.X[known[at][0]][f]
        threshold = (a + b) / 2
        if threshold == b:
            threshold = a
        bags = Bags(2, self.n_classes)
        for i, (row, weight) in enumerate(known):
            bags.add(int(i >= at), self.y[row], weight)
        bags.total = bags.bag[0] + bags.bag[1]
        return best, self.ratio(bags, total, best), threshold, bags

    def gain(self, bags, total, before):
        numerator = (1 - (total - bags.total) / total) * (before - bags.entropy_after())
        return 0.0 if eq(numerator, 0) else numerator / bags.total

    def ratio(self, bags, total, gain):
        info = 0.0
        if gr(bags.total, 0):
            info = xlog2(total) - xlog2(total - bags.total) - sum(xlog2(b) for b in bags.bag)
        return 0.0 if eq(info, 0) else gain / (info / total)

    # Sending rows down.

    def branch(self, node, row):
        """Which branch takes the row, or None if its value is missing."""
        value = self.X[row][node.feature]
        if value != value:
            return None
        return int(value) if node.threshold is None else int(value > node.threshold)

    def distribute(self, node, rows):
        parts = [[] for _ in node.bags.bag]
        shares = node.bags.shares()
        for row, weight in rows:
            b = self.branch(node, row)
            if b is not None:
                parts[b].append((row, weight))
            else:
                for part, share in zip(parts, shares, strict=True):
                    if gr(share, 0):
                        part.append((row, share * weight))
        return parts

    def rebag(self, node, rows):
        if node.is_leaf:
            return self.count(rows)
        bags = Bags(len(node.kids), self.n_classes)
        missing = []
        for row, weight in rows:
            b = self.branch(node, row)
            if b is None:
                missing.append((row, weight))
            else:
                bags.add(b, self.y[row], weight)
        bags.add_missing(missing, self.y)
        return bags

    def refill(self, node, rows):
        """Give the subtree other rows; its splits stay."""
        node.bags, node.rows = self.rebag(node, rows), rows
        if node.is_leaf:
            node.empty = node.empty and eq(sum(w for _, w in rows), 0)
            return
        for kid, part in zip(node.kids, self.distribute(node, rows), strict=True):
            self.refill(kid, part)

    # Pruning.

    def collapse(self, node):
        if node.is_leaf:
            return
        if self.training_errors(node) >= node.bags.errors() - 1e-3:
            node.become_leaf()
        for kid in node.kids:
            self.collapse(kid)

    def training_errors(self, node):
        return node.bags.errors() if node.is_leaf else sum(self.training_errors(kid) for kid in node.kids)

    def prune(self, node):
        if node.is_leaf:
            return
        for kid in node.kids:
            self.prune(kid)
        largest, top = -1, 0.0
        for b, weight in enumerate(node.bags.bag):
            if gr_or_eq(weight, top):
                largest, top = b, weight
        as_branch = self.estimate_with(node.kids[largest], node.rows) if self.raising else math.inf
        as_leaf = self.estimate(node.bags)
        as_tree = self.estimate_tree(node)
        if sm_or_eq(as_leaf, as_tree + 0.1) and sm_or_eq(as_leaf, as_branch + 0.1):
            node.become_leaf()
        elif sm_or_eq(as_branch, as_tree + 0.1):
            kid = node.kids[largest]
            node.feature, node.threshold, node.kids = kid.feature, kid.threshold, kid.kids
            self.refill(node, node.rows)
            self.prune(node)

    def estimate(self, bags):
        return 0.0 if eq(bags.total, 0) else bags.errors() + self.added(bags.total, bags.errors())

    def estimate_tree(self, node):
        return self.estimate(node.bags) if node.is_leaf else sum(self.estimate_tree(kid) for kid in node.kids)

    def estimate_with(self, node, rows):
        bags = self.rebag(node, rows)
        if node.is_leaf:
            return self.estimate(bags)
        kept, node.bags = node.bags, bags
        parts = self.distribute(node, rows)
        node.bags = kept
        return sum(self.estimate_with(kid, part) for kid, part in zip(node.kids, parts, strict=True))

    def added(self, n, e):
        """Errors to add to e of n: upper limit of the binomial at the confidence level, by normal approximation."""
        if e < 1:
            base = n * (1 - self.cf ** (1 / n))
            return base if e == 0 else base + e * (self.added(n, 1.0) - base)
        if e + 0.5 >= n:
            return max(n - e, 0.0)
        z, f = self.z, (e + 0.5) / n
        r = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
        return r * n - e

    # What the tree says.

    def proba(self, x):
        return [self.share(self.root, x, c, 1.0) for c in range(self.n_classes)]

    def predict(self, X):
        return np.array([int(np.argmax(self.proba(x))) for x in X.tolist()], dtype=np.int64)

    def share(self, node, x, c, weight):
        if node.is_leaf:
            return weight * self.class_share(node.bags, c)
        value = x[node.feature]
        if value != value:
            total = 0.0
            for kid, share in zip(node.kids, node.bags.shares(), strict=True):
                if not kid.empty:
                    total += self.share(kid, x, c, share * weight)
            return total
        b = int(value) if node.threshold is None else int(value > node.threshold)
        if node.kids[b].empty:
            return weight * self.class_share(node.bags, c)
        return self.share(node.kids[b], x, c, weight)

    @staticmethod
    def class_share(bags, c):
        return 0.0 if eq(bags.total, 0) else bags.cls[c] / bags.total

    def leaves(self, node=None):
        node = node or self.root
        return 1 if node.is_leaf else sum(self.leaves(kid) for kid in node.kids)

    def size(self, node=None):
        node = node or self.root
        return 1 + sum(self.size(kid) for kid in node.kids)

    def shape(self, node=None):
        """The tree as nested tuples, for comparisons."""
        node = node or self.root
        weights = tuple(round(c, 9) for c in node.bags.cls)
        if node.is_leaf:
            return weights if not node.empty else ()
        return (node.feature, node.threshold, weights, *(self.shape(kid) for kid in node.kids))


def plain_tree(train, **params):
    """Fit in plain Python; stands in for the compiled missing path."""
    import sys

    from fsbench.classifiers.c45_tree import C45Tree

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10000))
    tree = Tree(train.X, train.y, train.n_labels, train.n_classes, **params)
    nodes = [None, tree.root]
    split, threshold, first, children, weights, bags = [-1], [np.nan], [0], [], [[0.0] * train.n_classes], []
    at = 1
    while at < len(nodes):
        node = nodes[at]
        at += 1
        split.append(-1 if node.is_leaf else node.feature)
        threshold.append(np.nan if node.is_leaf or node.threshold is None else node.threshold)
        first.append(len(children))
        for kid, bag in zip(node.kids, node.bags.bag, strict=False):
            children.append(0 if kid.empty else len(nodes))
            bags.append(bag)
            if not kid.empty:
                nodes.append(kid)
        weights.append(node.bags.cls)
    ints = [np.array(a, dtype=np.int64) for a in (split, first, children)]
    w = np.array(weights)
    totals = np.array([0.0] + [n.bags.total for n in nodes[1:]])
    return C45Tree(
        train.features,
        train.target,
        ints[0],
        np.array(threshold),
        ints[1],
        ints[2],
        w,
        totals,
        np.array(bags, dtype=float),
        tree.size(),
        tree.leaves(),
        not params["unpruned"],
    )
