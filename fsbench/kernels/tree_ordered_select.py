"""The best split of a node, its weights added up in Weka's order of rows."""

from __future__ import annotations

import math

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_choose import choose
from fsbench.kernels.tree_evaluate import LABELS, LANE, VALUES, VALUES_END, least_rows
from fsbench.kernels.tree_fractions import FUZZ, xlog
from fsbench.kernels.tree_ordered_rows import sort_rows
from fsbench.kernels.tree_table import Int32Array, Number, f64, i64
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["select_ordered"]

CLOSE = 1e-5


@jit_bare
def information(classes: FloatArray, total: float, table: FloatArray) -> Number:
    """Return the information of class weights, in bits times weight."""
    bits = xlog(total, table)
    for c in range(classes.size):
        bits -= xlog(max(classes[c], 0.0), table)
    return bits


@jit_inline
def gain_of(
    cells: FloatArray, bags: FloatArray, n_kids: int, known: float, total: float, before: float, table: FloatArray
) -> Number:
    """Return the gain of a split in bits a row."""
    after = 0.0
    for b in range(n_kids):
        after += information(cells[b], bags[b], table)
    bits = (1.0 - (total - known) / total) * (before - after)
    return bits / known if abs(bits) >= FUZZ else 0.0


@jit_inline
def ratio_of(bags: FloatArray, n_kids: int, known: float, total: float, gain: float, table: FloatArray) -> Number:
    """Return the gain over the information of the split itself, missing values as one more branch."""
    split = xlog(total, table) - xlog(max(total - known, 0.0), table)
    for b in range(n_kids):
        split -= xlog(bags[b], table)
    return gain / (split / total) if split >= FUZZ else 0.0


@jit_bare
def select_ordered(
    rows: Int32Array,
    weights: FloatArray,
    begin: int,
    n: int,
    total: float,
    y: Int32Array,
    columns: Int32Array,
    plan: IntArray,
    starts: IntArray,
    many: BoolArray,
    order: IntArray,
    everything: IntArray,
    values: FloatArray,
    table: FloatArray,
    min_leaf: int,
    classes: FloatArray,
    cells: FloatArray,
    bags: FloatArray,
    known: FloatArray,
    cut: IntArray,
    gain: FloatArray,
    ratio: FloatArray,
    pick: IntArray,
    keys: Int32Array,
    index: Int32Array,
    spare: FloatArray,
    stack: IntArray,
) -> Number:
    """Evaluate all features and choose one; the node's rows are left in the order of the last numeric feature.

    Parameters
    ----------
    rows, weights, begin, n
        The node's stretch of the arena, sorted anew.
    total : float
        Its weight.
    y, columns : ndarray of int32
        Class of every row; codes, one row a feature.
    plan : ndarray of shape (n_features, 10)
        See `fsbench.kernels.tree_evaluate`.
    starts : ndarray of int64
        Where the branches of each feature stand in `cells` and `bags`.
    many, order, everything : ndarray
        For `choose`: features with very many labels; all features, and their number.
    values : ndarray
        Distinct values of the numeric features.
    table : ndarray
        k log2 k.
    min_leaf : int
        Least weight of two branches.
    classes, cells, bags, known : ndarray, filled
        Of each feature's split, over the rows whose value is known: class weights, class weights of each branch,
        weight of each branch, and in all.
    cut : ndarray of int64 of shape (n_features, 2), filled
        The codes below and above a numeric feature's cut.
    gain, ratio, pick, keys, index, spare, stack : ndarray
        Work space.

    Returns
    -------
    int
        The chosen feature, -1 for none.
    """
    n_classes = classes.shape[1]
    for u in range(plan.shape[0]):
        at, n_kids = starts[u], plan[u, LABELS] if plan[u, LANE] == 0 else i64(2)
        gain[u], ratio[u], known[u] = -1.0, 0.0, 0.0
        for c in range(n_classes):
            classes[u, c] = 0.0
        for b in range(at, at + n_kids):
            bags[b] = 0.0
            for c in range(n_classes):
                cells[b, c] = 0.0
        codes = columns[u]
        if plan[u, LANE] == 0:
            for i in range(begin, begin + n):
                code, w = codes[rows[i]], weights[i]
                if code >= 0:
                    c = y[rows[i]]
                    cells[at + code, c] += w
                    bags[at + code] += w
                    classes[u, c] += w
                    known[u] += w
            large = 0
            for b in range(at, at + n_kids):
                large += min_leaf - bags[b] < FUZZ
            if large < 2:
                continue
            before = information(classes[u], known[u], table)
            gain[u] = gain_of(cells[at:], bags[at:], n_kids, known[u], total, before, table)
            ratio[u] = ratio_of(bags[at:], n_kids, known[u], total, gain[u], table)
            continue
        m = sort_rows(rows, weights, begin, n, codes, keys, index, spare, stack)
        right = at + 1
        for i in range(begin, begin + m):
            c, w = y[rows[i]], weights[i]
            cells[right, c] += w
            bags[right] += w
            classes[u, c] += w
            known[u] += w
        least = least_rows(known[u], n_classes, min_leaf)
        if 2 * least - m > FUZZ:
            continue
        before = information(classes[u], known[u], table)
        best, left, cuts = 0.0, i64(0), i64(0)
        x = values[plan[u, VALUES] : plan[u, VALUES_END]]
        for i in range(1, m):
            c, w = y[rows[begin + i - 1]], weights[begin + i - 1]
            cells[right, c] -= w
            cells[at, c] += w
            bags[right] -= w
            bags[at] += w
            below, above = codes[rows[begin + i - 1]], codes[rows[begin + i]]
            if below == above or x[below] + CLOSE >= x[above]:
                continue
            if least - bags[at] >= FUZZ or least - bags[right] >= FUZZ:
                continue
            cuts += 1
            g = gain_of(cells[at:], bags[at:], 2, known[u], total, before, table)
            if g - best > FUZZ:
                best, left = g, i64(i)
        if cuts == 0:
            continue
        best -= math.log2(f64(cuts)) / total
        if best < FUZZ:
            continue
        for b in range(at, at + 2):
            bags[b] = 0.0
            for c in range(n_classes):
                cells[b, c] = 0.0
        for c in range(n_classes):
            classes[u, c] = 0.0
        for i in range(m):
            b, c, w = at + i64(i >= left), y[rows[begin + i]], weights[begin + i]
            cells[b, c] += w
            bags[b] += w
            classes[u, c] += w
        known[u] = bags[at] + bags[right]
        gain[u], ratio[u] = best, ratio_of(bags[at:], 2, known[u], total, best, table)
        cut[u, 0], cut[u, 1] = codes[rows[begin + left - 1]], codes[rows[begin + left]]
    choose(gain, ratio, many, order, everything, pick)
    return pick[0]
