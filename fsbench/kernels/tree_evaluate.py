"""Gain and gain ratio of every feature at one node. Complete data only."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_scan import (
    FEW_CLASSES,
    FEW_ROWS,
    FUZZ,
    best_cut,
    best_cut_few,
    best_cut_tight,
    count_labels,
    cut_gain,
    label_gain,
    tabulate_steps,
)
from fsbench.kernels.tree_table import Int32Array, Number, UIntArray, i64, u64
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = [
    "BASE",
    "CELL",
    "FEATURE",
    "LABELS",
    "LANE",
    "MANY",
    "PACKED",
    "TIGHT",
    "VALUES",
    "VALUES_END",
]
__all__ += ["evaluate", "least_rows"]

# The plan has one line a feature. FEATURE: its column in the data. LANE: its list in the pool, 0 if it
# is nominal. PACKED: its sorted list in the data. CELL, BASE, LABELS: of a nominal feature, its column in `cell`, its
# first counter, its labels. VALUES to VALUES_END: its distinct values. TIGHT: some of them are too near to be cut
# apart. MANY: it has very many labels.
FEATURE, LANE, PACKED, CELL, BASE, LABELS, VALUES, VALUES_END, TIGHT, MANY = range(10)


@jit_inline
def least_rows(n: float, n_classes: int, min_leaf: int) -> Number:
    """Return the least weight on each side of a cut: a tenth of the mean class, but not above 25 nor below min_leaf."""
    least = 0.1 * n / n_classes
    if least - min_leaf < FUZZ:
        return float(min_leaf)
    return min(least, 25.0)


@jit_bare
def evaluate(
    pool: UIntArray,
    place: tuple[int, int, int, int],
    asked: IntArray,
    wanted: IntArray,
    plan: IntArray,
    counts: Int32Array,
    cell: Int32Array,
    cells: Int32Array,
    reach: Int32Array,
    L: IntArray,
    rise: IntArray,
    step: IntArray,
    sides: IntArray,
    small: IntArray,
    crossed: UIntArray,
    layout: tuple[int, int, int, int],
    unit: float,
    min_leaf: int,
    gain: FloatArray,
    ratio: FloatArray,
    cut: IntArray,
    dead: BoolArray,
) -> None:
    """Evaluate the features that are asked for.

    Parameters
    ----------
    pool : ndarray of uint64
        Lists of the node's rows: list 0 in any order, the others sorted by a feature's code.
    place : tuple
        Block, stride, begin, number: list l is ``pool[block + l * stride + begin:][:number]``.
    asked, wanted : ndarray of int64
        Their lines of the plan, and CELL of those that are nominal.
    plan : ndarray of shape (n_features, 10)
        See above.
    counts : ndarray of shape (n_classes,)
        The node's rows of each class.
    cell, cells
        As in `count_labels`; `cells` is 0 on entry and on return.
    reach : ndarray of int32
        For each distinct value the first one far enough to be cut apart; empty if no feature is TIGHT.
    L, rise, unit
        Entropy table, its differences, and what one bit is worth in it.
    step, sides, small, crossed
        Work space of shapes (n,), (n + 1,), (n_classes,) and (2, n_classes).
    layout : tuple
        Row shift, code shift, class mask, row mask of the elements.
    min_leaf : int
        Least weight of two branches.
    gain, ratio, cut : ndarray, filled
        In bits a row; gain -1 where a feature does not split; rows left of the cut.
    dead : ndarray of bool, changed
        True for a feature that can split no part of these rows either: fewer than two labels have rows enough, or
        there is but one value.
    """
    block, stride, begin, n = place
    row_shift, code_shift, class_mask, _ = layout
    n_classes = counts.size
    whole, present, start, at = i64(0), i64(0), i64(0), i64(0)
    few = n_classes <= FEW_CLASSES and n <= FEW_ROWS
    for c in range(n_classes):
        whole += L[counts[c]]
        crossed[0, c] = u64(at)
        if few:
            start |= at << (16 * c)
        at += counts[c]
        if counts[c] > 0:
            small[present] = c
            present += 1
    bound = least_rows(float(n), n_classes, min_leaf)
    least = i64(np.ceil(bound - FUZZ))
    before = L[n] - whole
    apart = i64(np.rint(FUZZ * n * unit))
    if wanted.size < asked.size and n >= 2 * least:
        tabulate_steps(counts, n, least, L, rise, step, sides)
    if wanted.size > 0:
        count_labels(pool, block + begin, n, row_shift, cell, wanted, cells)
    for i in range(asked.size):
        u = asked[i]
        lane = plan[u, LANE]
        if lane == 0:
            gain[u], ratio[u] = label_gain(
                cells,
                plan[u, BASE],
                plan[u, LABELS],
                n_classes,
                small,
                present,
                n,
                min_leaf - FUZZ,
                whole,
                unit,
                L,
            )
            dead[u] = gain[u] < 0.0
            continue
        gain[u], ratio[u] = -1.0, 0.0
        if n < 2 * least:
            continue
        first = block + lane * stride + begin
        if pool[first] >> u64(code_shift) == pool[first + n - 1] >> u64(code_shift):
            dead[u] = True
            continue
        limit = before - apart
        if plan[u, TIGHT]:
            near = reach[plan[u, VALUES] : plan[u, VALUES_END]]
            after, left, cuts = best_cut_tight(
                pool,
                first,
                n,
                least,
                code_shift,
                class_mask,
                crossed,
                step,
                sides,
                whole,
                limit,
                apart,
                near,
            )
        elif few:
            after, left, cuts = best_cut_few(
                pool, first, n, least, code_shift, class_mask, start, step, sides, whole, limit, apart
            )
        else:
            after, left, cuts = best_cut(
                pool, first, n, least, code_shift, class_mask, crossed, step, sides, whole, limit, apart
            )
        if left > 0:
            gain[u], ratio[u] = cut_gain(n, before, after, left, cuts, unit, L)
            cut[u] = left
