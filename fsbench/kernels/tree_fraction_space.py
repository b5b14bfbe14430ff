"""Arrays of a run with missing values, by name: arguments for `fsbench.kernels.tree_fraction_loop`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fsbench.kernels.tree_fractions import WEIGHT
from fsbench.kernels.tree_scratch import Size, choosing, ints, shorts
from fsbench.kernels.tree_table import Int32Array, UIntArray
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["FIELDS", "FractionData", "FractionSpace", "FractionTable", "make_fraction_memory"]

FIELDS = 23  # of a frame of the stack, see `fsbench.kernels.tree_fraction_loop`


class FractionData(NamedTuple):
    """The training part; see `fsbench.kernels.tree_fraction_grow.grow_fractions`."""

    packed: UIntArray
    features: IntArray
    values: FloatArray
    reach: Int32Array
    ends: Int32Array
    cell: Int32Array
    column_codes: Int32Array
    y: Int32Array
    L: IntArray
    rise: IntArray
    table: FloatArray
    plan: IntArray
    order: IntArray
    train: IntArray
    tasks: IntArray
    ranks: IntArray


class FractionTable(NamedTuple):
    """The node table; see `fsbench.kernels.tree_fractions`. `tops` holds the numbers of nodes and slots in use."""

    nodes: Int32Array
    facts: FloatArray
    slots: Int32Array
    bags: FloatArray
    tops: IntArray


class FractionSpace(NamedTuple):
    """Stacks and work space: see the functions that use them."""

    pool: UIntArray
    lengths: IntArray
    rows: Int32Array
    weights: FloatArray
    weight: FloatArray
    inside: Int32Array
    keep: Int32Array
    frames: IntArray
    groups: IntArray
    kids: IntArray
    begins: IntArray
    numbers: IntArray
    labels: Int32Array
    cursor: IntArray
    branch: FloatArray
    member: IntArray
    results: Int32Array
    raws: FloatArray
    refill_frames: IntArray
    refill_kids: Int32Array
    refill_branch: FloatArray
    stack: IntArray
    share: FloatArray
    sums: FloatArray
    cells: FloatArray
    spread_cells: FloatArray
    spare: FloatArray
    many: BoolArray
    gain: FloatArray
    ratio: FloatArray
    cut: IntArray
    pick: IntArray
    size: IntArray
    feature: IntArray
    seen: IntArray
    dead: BoolArray
    graves: IntArray
    asked: IntArray
    wanted: IntArray
    chosen_from: IntArray
    met: IntArray
    going_at: IntArray
    step: IntArray
    sides: IntArray
    counts: Int32Array
    small: IntArray
    crossed: UIntArray
    known: FloatArray
    label_bags: FloatArray
    chosen: Int32Array


def make_fraction_memory(size: Size) -> tuple[FractionTable, FractionSpace]:
    """Make the node table, the stacks and the work space of a run; bounds as in `fsbench.kernels.tree_space`."""
    n, n_tasks, n_classes = size.rows, size.tasks, size.classes
    deep, wide, longest = n + 3, size.labels + 2 * (n + 3), max(size.longest, 2)
    capacity = size.capacity
    table = FractionTable(
        nodes=shorts(capacity, 9),
        facts=np.empty((capacity, WEIGHT + n_classes)),
        slots=shorts(capacity),
        bags=np.empty(capacity),
        tops=np.zeros(2, np.int64),
    )
    space = FractionSpace(
        pool=np.empty(2 * size.lanes * n + capacity + 1, np.uint64),
        lengths=ints(deep, size.lanes + 1),
        rows=shorts(n + capacity + 1),
        weights=np.empty(n + capacity + 1),
        weight=np.empty(n),
        inside=shorts(n),
        keep=shorts(n),
        frames=ints(deep, FIELDS),
        groups=ints(deep + n_tasks, 5),
        kids=ints(wide, 2),
        begins=ints(3 * wide),
        numbers=ints(3 * wide),
        labels=shorts(n),
        cursor=ints(2, longest),
        branch=np.empty((2, wide)),
        member=ints(2, (min(deep, n_tasks) + 3) * n_tasks),
        results=shorts(deep * n_tasks),
        raws=np.empty(deep * n_tasks),
        refill_frames=ints(deep, 6),
        refill_kids=shorts(wide),
        refill_branch=np.empty((2, wide)),
        stack=ints(deep, 6),
        share=np.empty(wide),
        sums=np.empty(deep),
        cells=np.zeros(size.cells),
        spread_cells=np.empty((longest, n_classes)),
        spare=np.empty((2, max(longest, n_classes))),
        counts=shorts(n_classes),
        small=ints(2 * n_classes),
        known=np.empty(3 * n_classes),
        label_bags=np.empty(longest + 1),
        **choosing(size),
    )
    return table, space
