"""Arrays of a run with missing values, by name: arguments for `fsbench.kernels.tree_fraction_loop`."""

from __future__ import annotations

from typing import NamedTuple

from fsbench.kernels.tree_table import Int32Array, UIntArray
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["FractionData", "FractionSpace", "FractionTable"]


class FractionData(NamedTuple):
    """The training part; see `fsbench.kernels.tree_fraction_grow.grow_fractions`."""

    packed: UIntArray
    plan: IntArray
    values: FloatArray
    reach: Int32Array
    ends: Int32Array
    columns: Int32Array
    y: Int32Array
    place: Int32Array
    inside: Int32Array
    prefixes: IntArray
    L: IntArray
    rise: IntArray
    table: FloatArray
    cell: Int32Array


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
    weight: FloatArray
    keep: Int32Array
    undo_row: Int32Array
    undo_weight: FloatArray
    frames: IntArray
    groups: IntArray
    kids: IntArray
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
    numbers: IntArray
    many: BoolArray
    gain: FloatArray
    ratio: FloatArray
    cut: IntArray
    pick: IntArray
    size: IntArray
    feature: IntArray
    step: IntArray
    sides: IntArray
    counts: Int32Array
    small: IntArray
    crossed: UIntArray
    known: FloatArray
    label_bags: FloatArray
    chosen: Int32Array
