"""Arrays of a run on complete data, by name: arguments for `fsbench.kernels.tree_loop`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fsbench.kernels.tree_scratch import Size, choosing, ints, shorts
from fsbench.kernels.tree_table import COUNT, Int32Array, UIntArray
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["FIELDS", "RECORD", "Data", "Space", "Table", "make_memory"]

FIELDS, RECORD = 23, 6  # of a frame of the stack, and of a group of tasks: see `fsbench.kernels.tree_loop`


class Data(NamedTuple):
    """The training part; see `fsbench.kernels.tree_grow.grow`. `rise` holds the differences of `L`."""

    packed: UIntArray
    features: IntArray
    values: FloatArray
    reach: Int32Array
    ends: Int32Array
    cell: Int32Array
    column_codes: Int32Array
    row_codes: Int32Array
    y: Int32Array
    L: IntArray
    rise: IntArray
    base: FloatArray
    plan: IntArray
    order: IntArray
    train: IntArray
    tasks: IntArray
    ranks: IntArray


class Table(NamedTuple):
    """The node table; see `fsbench.kernels.tree_table`. `tops` holds the numbers of nodes and slots in use."""

    nodes: Int32Array
    estimate: FloatArray
    slots: Int32Array
    mark: Int32Array
    tops: IntArray


class Space(NamedTuple):
    """Stacks and work space: see the functions that use them."""

    inside: Int32Array
    many: BoolArray
    pool: UIntArray
    frames: IntArray
    groups: IntArray
    kids: IntArray
    member: IntArray
    results: Int32Array
    refill_stack: IntArray
    refill_kids: Int32Array
    pad: Int32Array
    trail: Int32Array
    sums: FloatArray
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
    small: IntArray
    crossed: UIntArray
    starts: IntArray
    cursor: UIntArray
    chosen: Int32Array
    cells: Int32Array
    spare: UIntArray
    hold: UIntArray


def make_memory(size: Size) -> tuple[Table, Space]:
    """Make the node table, the stacks and the work space of a run.

    Notes
    -----
    On a path every level takes rows away, a nominal feature splits but once, and every group but one of a node takes
    a task away: this bounds the stacks. A block of lists is pushed for a group with at most half of its node's tasks,
    so blocks nest log2(tasks) deep. Memory that is never touched costs nothing.
    """
    n, n_tasks, n_classes = size.rows, size.tasks, size.classes
    deep, wide, longest = n + 3, size.labels + 2 * (n + 3), max(size.longest, 2)
    capacity = size.capacity
    table = Table(
        nodes=shorts(capacity, COUNT + n_classes),
        estimate=np.empty(capacity),
        slots=shorts(capacity),
        mark=shorts(capacity),
        tops=np.zeros(2, np.int64),
    )
    space = Space(
        inside=shorts(n),
        pool=np.empty(n_tasks.bit_length() * (size.lanes + 1) * n + 1, np.uint64),
        frames=ints(deep, FIELDS),
        groups=ints(deep + n_tasks, RECORD),
        kids=ints(wide, 3),
        member=ints(2, (min(deep, n_tasks) + 3) * n_tasks),
        results=shorts(deep * n_tasks, 2),
        refill_stack=ints(deep, 6),
        refill_kids=shorts(wide),
        pad=shorts(n + 2, n_classes + 2),
        trail=shorts(deep, 2),
        sums=np.empty(deep),
        small=ints(n_classes),
        starts=ints(longest),
        cursor=np.empty(longest, np.uint64),
        cells=np.zeros(size.cells, np.int32),
        spare=np.empty(n + 1, np.uint64),
        hold=np.empty(n + 1, np.uint64),
        **choosing(size),
    )
    return table, space
