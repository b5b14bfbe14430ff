"""Arrays of a run on complete data, by name: arguments for `fsbench.kernels.tree_loop`."""

from __future__ import annotations

from typing import NamedTuple

from fsbench.kernels.tree_table import Int32Array, UIntArray
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["Data", "Space", "Table"]


class Data(NamedTuple):
    """The training part; see `fsbench.kernels.tree_grow.grow`. `rise` holds the differences of `L`."""

    packed: UIntArray
    plan: IntArray
    values: FloatArray
    reach: Int32Array
    ends: Int32Array
    cell: Int32Array
    column_codes: Int32Array
    row_codes: Int32Array
    y: Int32Array
    train: IntArray
    inside: Int32Array
    prefixes: IntArray
    L: IntArray
    rise: IntArray
    base: FloatArray


class Table(NamedTuple):
    """The node table; see `fsbench.kernels.tree_table`. `tops` holds the numbers of nodes and slots in use."""

    nodes: Int32Array
    estimate: FloatArray
    slots: Int32Array
    mark: Int32Array
    tops: IntArray


class Space(NamedTuple):
    """Stacks and work space: see the functions that use them."""

    many: BoolArray
    lists: IntArray
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
