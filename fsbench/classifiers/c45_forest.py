"""The trees of all asked prefixes of rankings, from one run of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.classifiers.c45_prepare import Coded, coded, estimates
from fsbench.classifiers.c45_tasks import Tasks, one_task
from fsbench.values import Dataset, FloatArray, IntArray

if TYPE_CHECKING:
    from fsbench.kernels.tree_scratch import Size

__all__ = ["Forest", "Growth", "Weights", "any_missing", "grow_forest", "grow_ordered_tree"]

MOST_ROWS = 2**27  # of all nodes together, in a tree that keeps them
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
    cells : ndarray of shape (n_slots, n_classes) or None
        Of each class in it: that of the child, but for the last bit. None if the last bit is that of the child too.
    """

    classes: FloatArray
    totals: FloatArray
    bags: FloatArray
    cells: FloatArray | None

    def of_branches(self, slots: npt.NDArray[np.int32], chosen: Sequence[int]) -> FloatArray:
        """Return the class weights of some branches."""
        return self.classes[slots[chosen]] if self.cells is None else self.cells[chosen]


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

        found = self.nodes.take(self.roots, axis=0).astype(np.float64)
        return found[:, SIZE], found[:, LEAVES]

    def weights(self) -> Weights:
        """Return what the nodes weigh."""
        from fsbench.kernels.tree_table import COUNT, ROWS

        if self.fractions is not None:
            return self.fractions
        totals = self.nodes[:, ROWS].astype(np.float64)
        classes = self.nodes[:, COUNT:].astype(np.float64)
        return Weights(classes, totals, totals[self.slots], None)


def grow_forest(data: Dataset, train: IntArray, tasks: Tasks, growth: Growth) -> Forest:
    """Grow trees together.

    Parameters
    ----------
    data : Dataset
        All rows; only the training rows are looked at.
    train : ndarray of int64
        Training rows, each once.
    tasks : Tasks
        Which features each tree may use.
    growth : Growth

    Returns
    -------
    Forest
    """
    codes = coded(data)
    if any_missing(codes, tasks.features, train):
        return _grow_fractions(data, codes, train, tasks, growth)
    return _grow_complete(data, codes, train, tasks, growth)


def any_missing(codes: Coded, features: IntArray, rows: IntArray) -> bool:
    """Tell whether any of the features is missing in any of the rows."""
    asked = features[codes.missing[features]]
    if len(asked) == 0:
        return False
    from fsbench.kernels.tree_walk import misses

    return misses(codes.columns, asked, rows)


def _grow_complete(data: Dataset, codes: Coded, train: IntArray, tasks: Tasks, growth: Growth) -> Forest:
    from fsbench.kernels.tree_grow import grow
    from fsbench.kernels.tree_table import COUNT

    table = estimates(data.n_rows, growth.confidence)
    early = growth.confidence == CHECKED_CONFIDENCE
    options = (codes.layout[0], codes.layout[2], table.z, growth.raising, early)
    size = _size(data, codes, tasks, _first_guess(data.n_rows, len(tasks.table), COUNT + data.n_classes))
    while True:
        roots, nodes, slots = grow(
            codes.packed,
            codes.plan,
            codes.values,
            codes.reach,
            codes.ends,
            codes.cell,
            codes.columns,
            codes.rows,
            codes.y,
            codes.table,
            codes.rise,
            table.base,
            tasks.features,
            train,
            tasks.table,
            tasks.ranks,
            size,
            codes.layout,
            codes.unit,
            growth.min_leaf,
            (growth.collapse, not growth.unpruned),
            options,
        )
        if roots[0] >= 0:
            break
        size = size._replace(capacity=4 * size.capacity)
    return Forest(roots, nodes, slots, None)


def _size(data: Dataset, codes: Coded, tasks: Tasks, capacity: int) -> Size:
    """Return what bounds the memory for growing trees."""
    from fsbench.kernels.tree_scratch import Size

    numbers = (data.n_rows, len(tasks.features), len(tasks.table), len(codes.packed))
    return Size(*numbers, *codes.labels, codes.n_cells, capacity, data.n_classes)


def _grow_fractions(data: Dataset, codes: Coded, train: IntArray, tasks: Tasks, growth: Growth) -> Forest:
    from fsbench.kernels.tree_fraction_grow import grow_fractions

    size = _size(data, codes, tasks, _first_guess(data.n_rows, len(tasks.table), 9 + 2 * (3 + data.n_classes)))
    while True:
        roots, nodes, slots, classes, totals, bags = grow_fractions(
            codes.packed,
            codes.plan,
            codes.values,
            codes.reach,
            codes.ends,
            codes.cell,
            codes.columns,
            codes.y,
            codes.table,
            codes.rise,
            codes.bits,
            tasks.features,
            train,
            tasks.table,
            tasks.ranks,
            size,
            codes.layout,
            codes.unit,
            growth.min_leaf,
            (growth.collapse, not growth.unpruned),
            _fraction_options(data, growth),
        )
        if roots[0] >= 0:
            break
        size = size._replace(capacity=4 * size.capacity)
    return Forest(roots, nodes, slots, Weights(classes, totals, bags, None))


def _fraction_options(data: Dataset, growth: Growth) -> tuple[float, float, bool]:
    return estimates(data.n_rows, growth.confidence).z, float(np.float32(growth.confidence)), growth.raising


def grow_ordered_tree(data: Dataset, train: IntArray, order: IntArray, growth: Growth) -> Forest:
    """Grow one tree whose weights equal Weka's to the last bit; see `fsbench.kernels.tree_ordered_grow`.

    Parameters
    ----------
    data, train, growth
        As in `grow_forest`. With complete data all trees are so, and `grow_forest` makes them faster.
    order : ndarray of int64
        The features, best first.

    Returns
    -------
    Forest
        Of one tree. Trees so deep that their nodes' rows would fill the memory come from `grow_forest`.
    """
    from fsbench.kernels.tree_evaluate import LABELS, LANE, MANY
    from fsbench.kernels.tree_ordered_grow import grow_ordered
    from fsbench.kernels.tree_plan import MANY_LABELS

    codes = coded(data)
    if not any_missing(codes, order, train):
        return grow_forest(data, train, one_task(order), growth)
    plan, inside = codes.plan[order], np.zeros(data.n_rows, dtype=np.int32)
    plan[:, MANY] = (plan[:, LANE] == 0) & (MANY_LABELS * len(train) - plan[:, LABELS] <= 1e-6)
    inside[train] = 1
    columns, y = codes.columns[order].take(train, axis=1), codes.y[train]
    capacity = arena = 1000 + 30 * len(train)
    while arena < MOST_ROWS:
        nodes, classes, totals, slots, bags, cells = grow_ordered(
            codes.packed,
            plan,
            codes.values,
            codes.ends,
            columns,
            y,
            inside,
            codes.bits,
            data.n_classes,
            codes.layout,
            growth.min_leaf,
            (growth.collapse, not growth.unpruned),
            _fraction_options(data, growth),
            capacity,
            arena,
        )
        if len(nodes):
            return _forest_of(nodes, order, slots, Weights(classes, totals, bags, cells))
        capacity, arena = 2 * capacity, 4 * arena
    return grow_forest(data, train, one_task(order), growth)


def _forest_of(grown: IntArray, order: IntArray, slots: IntArray, weights: Weights) -> Forest:
    """Bring the tree of `grow_ordered` into the form of `grow_forest`: node 0 is every empty leaf, the root is 1."""
    from fsbench.kernels import tree_ordered_prune as old
    from fsbench.kernels import tree_table as new

    nodes = np.zeros((len(grown) + 1, new.COUNT), dtype=np.int32)
    inner = grown[:, old.FEATURE] >= 0
    nodes[1:, new.SPLIT] = np.where(inner, order[grown[:, old.FEATURE]], -1)
    nodes[0, new.SPLIT], nodes[0, new.TEST] = -1, -1
    nodes[1:, new.TEST] = np.where(inner, grown[:, old.TEST], -1)
    nodes[1:, new.FIRST], nodes[1:, new.KIDS] = grown[:, old.FIRST], grown[:, old.KIDS]
    nodes[1:, new.VOTE] = weights.classes.argmax(axis=1)
    empty = ~inner & (grown[:, old.EMPTY] != 0)
    nodes[1, new.SIZE], nodes[1, new.LEAVES] = old.count_tree(grown, slots)
    kids = np.where(empty[slots], 0, slots + 1).astype(np.int32)
    classes = np.vstack([np.zeros(weights.classes.shape[1]), weights.classes])
    totals = np.concatenate([[0.0], weights.totals])
    return Forest(np.array([1]), nodes, kids, Weights(classes, totals, weights.bags, weights.cells))


def _first_guess(n_rows: int, n_trees: int, width: int) -> int:
    """Return for how many nodes to make room: memory that is not used is never touched, so plenty costs nothing."""
    return int(min(1000 + 8 * n_rows * (1 + n_trees), 2**26 // width))
