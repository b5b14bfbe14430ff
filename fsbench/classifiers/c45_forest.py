"""The trees of all asked prefixes of a ranking, from one run of the kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.classifiers.c45_prepare import Coded, coded, estimates
from fsbench.values import Dataset, FloatArray, IntArray

__all__ = ["Forest", "Growth", "Weights", "any_missing", "grow_forest"]

MANY_LABELS = 0.3  # share of the training rows from which on a feature's labels are very many
CHECKED_CONFIDENCE = 0.25  # where the monotony that lets the raising test stop early was checked


class Growth(NamedTuple):
    """How trees are grown and pruned; the fields are the parameters of `fsbench.classifiers.c45.C45`."""

    confidence: float
    min_leaf: int
    unpruned: bool
    raising: bool
    collapse: bool


class Weights(NamedTuple):
    """What the nodes of a forest weigh.

    Attributes
    ----------
    classes, totals : ndarray of shape (n_nodes, n_classes) and (n_nodes,)
        Training weight of each class, and in all.
    bags : ndarray of shape (n_slots,)
        Training weight of each branch.
    """

    classes: FloatArray
    totals: FloatArray
    bags: FloatArray


class Forest(NamedTuple):
    """Trees that share nodes.

    Attributes
    ----------
    roots : ndarray of shape (n_trees,)
        Node of each tree's root.
    nodes : ndarray of int32
        One row a node, see `fsbench.kernels.tree_table`; node 0 is the empty leaf. Features are columns of the data.
    slots : ndarray of int32
        Children.
    fractions : Weights or None
        None if all training values were known: then all weights are counts, and stand in `nodes`.
    """

    roots: IntArray
    nodes: npt.NDArray[np.int32]
    slots: npt.NDArray[np.int32]
    fractions: Weights | None

    def sizes(self) -> tuple[FloatArray, FloatArray]:
        """Return the number of nodes and of leaves of each tree."""
        from fsbench.kernels.tree_table import LEAVES, SIZE

        roots = self.nodes[self.roots]
        return roots[:, SIZE].astype(np.float64), roots[:, LEAVES].astype(np.float64)

    def weights(self) -> Weights:
        """Return what the nodes weigh."""
        from fsbench.kernels.tree_table import COUNT, ROWS

        if self.fractions is not None:
            return self.fractions
        totals = self.nodes[:, ROWS].astype(np.float64)
        return Weights(self.nodes[:, COUNT:].astype(np.float64), totals, totals[self.slots])


def grow_forest(data: Dataset, train: IntArray, order: IntArray, prefixes: IntArray, growth: Growth) -> Forest:
    """Grow the trees of the given prefixes of a ranking.

    Parameters
    ----------
    data : Dataset
        All rows; only the training rows are looked at.
    train : ndarray of int64
        Training rows, each once.
    order : ndarray of int64
        Features, best first.
    prefixes : ndarray of int64
        How many features each tree may use: ascending, at least 1; the last one is the length of `order`.
    growth : Growth

    Returns
    -------
    Forest
    """
    codes = coded(data)
    if any_missing(codes, order, train):
        return _grow_fractions(data, codes, train, order, prefixes, growth)
    return _grow_complete(data, codes, train, order, prefixes, growth)


def any_missing(codes: Coded, features: IntArray, rows: IntArray) -> bool:
    """Tell whether any of the features is missing in any of the rows."""
    asked = features[codes.missing[features]]
    return len(asked) > 0 and bool((codes.columns[asked][:, rows] < 0).any())


def _plan(codes: Coded, order: IntArray, n_train: int) -> IntArray:
    """Return the kernels' table of features in rank order, with the lists of numeric ones numbered."""
    from fsbench.kernels.tree_evaluate import LABELS, LANE, MANY

    plan = codes.plan[order]
    numeric = plan[:, LANE] > 0
    plan[numeric, LANE] = np.arange(1, np.count_nonzero(numeric) + 1)
    plan[:, MANY] = ~numeric & (MANY_LABELS * n_train - plan[:, LABELS] <= 1e-6)
    return plan


def _grow_complete(
    data: Dataset, codes: Coded, train: IntArray, order: IntArray, prefixes: IntArray, growth: Growth
) -> Forest:
    from fsbench.kernels.tree_grow import grow
    from fsbench.kernels.tree_table import COUNT

    table = estimates(data, growth.confidence)
    early = growth.confidence == CHECKED_CONFIDENCE
    options = (codes.layout[0], codes.layout[2], table.z, growth.raising, early)
    plan, inside = _plan(codes, order, len(train)), np.zeros(data.n_rows, dtype=np.int32)
    inside[train] = 1
    capacity = _first_guess(len(train), len(prefixes), COUNT + data.n_classes)
    while True:
        roots, nodes, slots = grow(
            codes.packed,
            plan,
            codes.values,
            codes.reach,
            codes.ends,
            codes.cell,
            codes.columns,
            codes.rows,
            codes.y,
            train,
            inside,
            prefixes,
            codes.table,
            table.base,
            codes.n_cells,
            data.n_classes,
            codes.layout,
            codes.unit,
            growth.min_leaf,
            (growth.collapse, not growth.unpruned),
            options,
            capacity,
        )
        if roots[0] >= 0:
            break
        capacity *= 4
    return Forest(roots, nodes, slots, None)


def _grow_fractions(
    data: Dataset, codes: Coded, train: IntArray, order: IntArray, prefixes: IntArray, growth: Growth
) -> Forest:
    from fsbench.kernels.tree_evaluate import BASE, LABELS, LANE
    from fsbench.kernels.tree_fraction_grow import grow_fractions
    from fsbench.kernels.tree_fractions import TOTAL, WEIGHT
    from fsbench.kernels.tree_table import SPLIT

    table, plan = estimates(data, growth.confidence), _plan(codes, order, len(train))
    cells = np.where(plan[:, LANE] == 0, (plan[:, LABELS] + 1) * data.n_classes, 0)
    plan[:, BASE] = np.cumsum(cells) - cells
    place = np.full(data.n_rows, -1, dtype=np.int32)
    place[train] = np.arange(len(train))
    capacity = _first_guess(len(train), len(prefixes), 9 + 2 * (3 + data.n_classes))
    while True:
        roots, nodes, slots, facts, bags = grow_fractions(
            codes.packed,
            plan,
            codes.values,
            codes.reach,
            codes.ends,
            codes.columns[np.ix_(order, train)],
            codes.y[train],
            place,
            (place >= 0).astype(np.int32),
            prefixes,
            codes.table,
            codes.table / codes.unit,
            data.n_classes,
            codes.layout,
            codes.unit,
            growth.min_leaf,
            (growth.collapse, not growth.unpruned),
            (table.z, float(np.float32(growth.confidence)), growth.raising),
            capacity,
        )
        if roots[0] >= 0:
            break
        capacity *= 4
    inner = nodes[:, SPLIT] >= 0
    nodes[inner, SPLIT] = order[nodes[inner, SPLIT]]
    return Forest(roots, nodes, slots, Weights(facts[:, WEIGHT:].copy(), facts[:, TOTAL].copy(), bags))


def _first_guess(n_train: int, n_trees: int, width: int) -> int:
    """Return for how many nodes to make room: memory that is not used is never touched, so plenty costs nothing."""
    return int(min(1000 + 8 * n_train * (1 + n_trees), 2**26 // width))
