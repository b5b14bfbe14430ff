"""A fitted C4.5 tree: plain arrays, probabilities, and the text that Weka prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fsbench.classifiers.base import Model
from fsbench.classifiers.c45_forest import Forest
from fsbench.classifiers.c45_prepare import coded
from fsbench.classifiers.c45_text import leaf_text, number_text
from fsbench.values import Dataset, Feature, FloatArray, IntArray

__all__ = ["C45Tree", "plant"]


@dataclass(frozen=True, eq=False)
class C45Tree(Model):
    """A decision tree as arrays over its nodes; node 1 is the root, node 0 stands for every empty leaf.

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
    weights, totals : ndarray of shape (n_nodes, n_classes) and (n_nodes,)
        Training weight of each class, and in all. An empty leaf says what its parent says.
    bags, cells : ndarray of shape (n_children,) and (n_children, n_classes)
        Training weight of each branch, and of each class in it.
    size, leaves : int
        Number of nodes and of leaves, empty ones included.
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
    totals: FloatArray
    bags: FloatArray
    cells: FloatArray
    size: int
    leaves: int
    pruned: bool = True

    def measures(self) -> Mapping[str, float]:
        """Return the tree's ``size`` (nodes) and ``leaves``."""
        return {"size": float(self.size), "leaves": float(self.leaves)}

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
        from fsbench.kernels.tree_walk import shares

        nodes, slots = self._table()
        arguments = (nodes, slots, self.weights, self.totals, self.bags, 1, self._codes(test))
        return shares(*arguments, np.arange(test.n_rows))

    def _table(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return nodes and children as the kernels want them: thresholds are places among a feature's thresholds."""
        from fsbench.kernels.tree_table import FIRST, KIDS, SPLIT, TEST

        nodes = np.zeros((len(self.split), 9), dtype=np.int32)
        nodes[:, SPLIT], nodes[:, FIRST], nodes[:, TEST] = self.split, self.first, -1
        numeric = ~np.isnan(self.threshold)
        for f in np.unique(self.split[numeric]):
            mine = numeric & (self.split == f)
            nodes[mine, TEST] = np.searchsorted(self._thresholds(f), self.threshold[mine])
        inner = self.split >= 0
        labels = np.array([max(2, f.n_labels) if not f.is_nominal else f.n_labels for f in self.features])
        nodes[inner, KIDS] = labels[self.split[inner]]
        return nodes, self.children.astype(np.int32)

    def _thresholds(self, feature: int) -> FloatArray:
        return np.unique(self.threshold[self.split == feature])

    def _codes(self, test: Dataset) -> npt.NDArray[np.int32]:
        """Return for each value how many thresholds of its feature lie below it, or its label; -1 is missing."""
        codes = np.full((test.n_rows, test.n_features), -1, dtype=np.int32)
        for f in np.unique(self.split[self.split >= 0]):
            known = ~np.isnan(test.X[:, f])
            x = test.X[known, f]
            codes[known, f] = x if self.features[f].is_nominal else np.searchsorted(self._thresholds(f), x)
        return codes

    def describe(self) -> str:
        """Return the tree as Weka prints it: ``(n)`` rows in a leaf, or ``(n/e)`` with e of them wrong."""
        lines = [f"J48 {'pruned' if self.pruned else 'unpruned'} tree", "-" * 18]
        if self.split[1] < 0:
            lines.append(f": {leaf_text(self.target, self.weights[1], self.totals[1], self.weights[1])}")
        else:
            lines += ["", *self._branches()]
        return "\n".join(
            [*lines, "", f"Number of Leaves  : \t{self.leaves}", "", f"Size of the tree : \t{self.size}", ""]
        )

    def _branches(self) -> Iterator[str]:
        """Give one line a branch, depth first."""
        pending = [(1, b, 0) for b in range(len(self.kids(1)))][::-1]
        while pending:
            node, branch, depth = pending.pop()
            kid = int(self.kids(node)[branch])
            line = "|   " * depth + self._test_text(node, branch)
            if self.split[kid] < 0:
                slot = self.first[node] + branch
                yield f"{line}: {leaf_text(self.target, self.cells[slot], self.bags[slot], self.weights[node])}"
            else:
                yield line
                pending += [(kid, b, depth + 1) for b in range(len(self.kids(kid)))][::-1]

    def _test_text(self, node: int, branch: int) -> str:
        feature = self.features[self.split[node]]
        if feature.labels is not None:
            return f"{feature.name} = {feature.labels[branch]}"
        return f"{feature.name} {'>' if branch else '<='} {number_text(self.threshold[node])}"


def plant(train: Dataset, forest: Forest, pruned: bool) -> C45Tree:
    """Take the first tree out of a forest.

    Parameters
    ----------
    train : Dataset
        What the forest was grown on.
    forest : Forest
    pruned : bool
        Whether it was pruned.

    Returns
    -------
    C45Tree
    """
    from fsbench.kernels.tree_table import FIRST, KIDS, LEAVES, SIZE, SPLIT, TEST

    codes, nodes, weights = coded(train), forest.nodes, forest.weights()
    root = int(forest.roots[0])
    kept, first = [0, root], [0]
    children: list[int] = []
    kept_slots: list[int] = []
    at = 1
    while at < len(kept):
        old = kept[at]
        begin, count = int(nodes[old, FIRST]), int(nodes[old, KIDS])
        first.append(len(children))
        for slot in range(begin, begin + count):
            kid = int(forest.slots[slot])
            children.append(len(kept) if kid else 0)
            kept_slots.append(slot)
            if kid:
                kept.append(kid)
        at += 1
    split, test = nodes[kept, SPLIT].astype(np.int64), nodes[kept, TEST].astype(np.int64)
    threshold = np.full(len(kept), np.nan)
    numeric = test >= 0
    starts = codes.plan[:, 6]
    threshold[numeric] = codes.values[starts[split[numeric]] + test[numeric]]
    for node in np.flatnonzero(threshold == 0.0):
        # 0 and -0 are one value, printed as the first of them in the training rows was written.
        column = train.X[:, split[node]]
        threshold[node] = column[np.argmax(column == 0.0)]
    return C45Tree(
        train.features,
        train.target,
        split,
        threshold,
        np.array(first, dtype=np.int64),
        np.array(children, dtype=np.int64),
        weights.classes[kept],
        weights.totals[kept],
        weights.bags[kept_slots],
        weights.of_branches(forest.slots, kept_slots),
        int(nodes[root, SIZE]),
        int(nodes[root, LEAVES]),
        pruned,
    )
