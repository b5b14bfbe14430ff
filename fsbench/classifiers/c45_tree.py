"""A fitted C4.5 tree: plain arrays, probabilities, and the text that Weka prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fsbench.classifiers.base import Model
from fsbench.classifiers.c45_text import leaf_text, number_text
from fsbench.values import Dataset, Feature, FloatArray, IntArray

__all__ = ["C45Tree"]

EMPTY = 1e-6  # weights below this count as none, in Weka and here


@dataclass(frozen=True, eq=False)
class C45Tree(Model):
    """A decision tree as arrays over its nodes; node 0 is the root, parents stand before their children.

    Parameters
    ----------
    features : tuple of Feature
        The columns that the tree was fitted on.
    target : Feature
        The class.
    split : ndarray of shape (n_nodes,)
        Column that the node tests, -1 in a leaf.
    threshold : ndarray of shape (n_nodes,)
        Values of a numeric column up to this one go to the first child; NaN elsewhere.
    first : ndarray of shape (n_nodes,)
        Where the node's children begin in `children`.
    children : ndarray of int
        Node numbers: two for a numeric split, one a declared label for a nominal one.
    weights : ndarray of shape (n_nodes, n_classes)
        Training weight of each class. A node without weight says what its parent says.
    pruned : bool
        Whether the tree was pruned; it is said above the printed tree.
    """

    features: tuple[Feature, ...]
    target: Feature
    split: IntArray
    threshold: FloatArray
    first: IntArray
    children: IntArray
    weights: FloatArray
    pruned: bool = True

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int((self.split < 0).sum())

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included: what Weka calls the size of the tree."""
        return len(self.split)

    def measures(self) -> Mapping[str, float]:
        """Return the tree's ``size`` (nodes) and ``leaves``."""
        return {"size": float(self.n_nodes), "leaves": float(self.n_leaves)}

    def kids(self, node: int) -> IntArray:
        """Return the children of an inner node, in the order of its branches."""
        feature = self.features[self.split[node]]
        start = self.first[node]
        return self.children[start : start + (feature.n_labels if feature.is_nominal else 2)]

    def predict_proba(self, test: Dataset) -> FloatArray:
        """Return the class shares of the leaf that each row reaches; shape (n_rows, n_classes).

        A row whose tested value is missing goes down every branch, weighted by the branch's share of the
        training rows.
        """
        p = np.zeros((test.n_rows, self.target.n_labels))
        for i in range(test.n_rows):
            p[i] = self._descend(0, test.X[i], 1.0)
        return p

    def _descend(self, node: int, x: FloatArray, weight: float) -> FloatArray:
        if self.split[node] < 0:
            return weight * (self.weights[node] / self.weights[node].sum())
        value, kids = x[self.split[node]], self.kids(node)
        totals = self.weights[kids].sum(axis=1)
        if np.isnan(value):
            p = np.zeros(self.target.n_labels)
            for kid, total in zip(kids, totals, strict=True):
                if total > EMPTY:
                    p += self._descend(int(kid), x, weight * (total / totals.sum()))
            return p
        branch = int(value) if self.features[self.split[node]].is_nominal else int(value > self.threshold[node])
        if totals[branch] <= EMPTY:
            return weight * (self.weights[node] / self.weights[node].sum())
        return self._descend(int(kids[branch]), x, weight)

    def describe(self) -> str:
        """Return the tree as Weka prints it: ``(n)`` rows in a leaf, or ``(n/e)`` with e of them wrong."""
        head = f"J48 {'pruned' if self.pruned else 'unpruned'} tree\n------------------\n"
        lines = [f": {leaf_text(self.target, self.weights[0], self.weights[0])}"] if self.split[0] < 0 else []
        pending = [(0, b) for b in range(len(self.kids(0)) if self.split[0] >= 0 else 0)][::-1]
        depth = {0: 0}
        while pending:
            node, branch = pending.pop()
            kid = int(self.kids(node)[branch])
            line = "|   " * depth[node] + self._test_text(node, branch)
            if self.split[kid] < 0:
                line += f": {leaf_text(self.target, self.weights[kid], self.weights[node])}"
            else:
                depth[kid] = depth[node] + 1
                pending += [(kid, b) for b in range(len(self.kids(kid)))][::-1]
            lines.append(line)
        foot = f"\n\nNumber of Leaves  : \t{self.n_leaves}\n\nSize of the tree : \t{self.n_nodes}\n"
        return head + ("\n" if self.split[0] >= 0 else "") + "\n".join(lines) + foot

    def _test_text(self, node: int, branch: int) -> str:
        feature = self.features[self.split[node]]
        if feature.labels is not None:
            return f"{feature.name} = {feature.labels[branch]}"
        return f"{feature.name} {'>' if branch else '<='} {number_text(self.threshold[node])}"
