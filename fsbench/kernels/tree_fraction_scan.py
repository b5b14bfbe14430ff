"""Gain and gain ratio of every feature at one node, where values are missing or rows have fractional weights.

With W the weight of the node and K that of the rows whose value is known, the gain is K/W times the gain among the
known rows; missing values count as one more branch in the split information.
"""

from __future__ import annotations

import math

import numpy as np

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.kernels.tree_evaluate import (
    BASE,
    LABELS,
    LANE,
    TIGHT,
    VALUES,
    VALUES_END,
    least_rows,
)
from fsbench.kernels.tree_fractions import FUZZ, xlog
from fsbench.kernels.tree_scan import best_cut, best_cut_tight, tabulate_steps
from fsbench.kernels.tree_table import Int32Array, Number, UIntArray, f64, i64, u64
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["evaluate_fractions"]


@jit_inline
def weigh_labels(rows: Int32Array, weights: FloatArray, cell: Int32Array, wanted: IntArray, cells: FloatArray) -> None:
    """Weigh the node's rows by label and class; see `fsbench.kernels.tree_scan.count_labels`."""
    one, n = u64(1), u64(wanted.size)
    first = True
    for j in range(wanted.size):
        first = first and wanted[j] == j
    for i in range(rows.size):
        r, w, t = u64(rows[i]), weights[i], u64(0)
        if first:
            while t < n:
                cells[u64(cell[r, t])] += w
                t += one
        else:
            while t < n:
                cells[u64(cell[r, u64(wanted[t])])] += w
                t += one


@jit_inline
def label_gain_fractions(
    cells: FloatArray,
    base: int,
    n_labels: int,
    n_classes: int,
    present: IntArray,
    n_present: int,
    classes: FloatArray,
    total: float,
    entropy: float,
    least: float,
    bags: FloatArray,
    table: FloatArray,
) -> tuple[Number, Number]:
    """Return gain and gain ratio of a nominal feature, and clear its counters.

    Parameters
    ----------
    cells : ndarray
        Weight of each label and class from `base` on, set to 0; the last line is that of the missing values.
    present : ndarray of int64
        The classes at the node: the first `n_present` entries.
    classes : ndarray
        Class weights of the node.
    total, entropy : float
        Weight of the node, and its information in bits times weight.
    least : float
        Least weight of two branches.
    bags : ndarray of shape (> n_labels,)
        Work space.
    table : ndarray
        k log2 k.
    """
    one, end, wide = u64(1), u64(n_present), u64(n_classes)
    large, line, lost = i64(0), u64(base), u64(base + n_labels * n_classes)
    for b in range(n_labels + 1):
        bag, t = 0.0, u64(0)
        while t < end:
            bag += cells[line + u64(present[t])]
            t += one
        bags[b] = bag
        large += least - bag < FUZZ
        line += wide
    unknown = bags[n_labels]
    large -= least - unknown < FUZZ
    known = total - unknown
    line = u64(base)
    if large < 2:
        for _ in range(n_labels + 1):
            t = u64(0)
            while t < end:
                cells[line + u64(present[t])] = 0.0
                t += one
            line += wide
        return -1.0, 0.0
    before, after, branches = entropy, 0.0, 0.0
    if unknown > 0.0:
        before = xlog(known, table)
        for p in range(n_present):
            c = u64(present[p])
            rest = classes[c] - cells[lost + c]
            cells[lost + c] = 0.0
            before -= xlog(rest, table) if rest >= FUZZ else 0.0
    # Most cells are whole numbers, and 0 is one: to look up that too is cheaper than a guess that goes wrong.
    for b in range(n_labels):
        t = u64(0)
        while t < end:
            at = line + u64(present[t])
            w = cells[at]
            cells[at] = 0.0
            after -= xlog(w, table)
            t += one
        line += wide
        f = xlog(bags[b], table)
        after += f
        branches += f
    bits = known / total * (before - after)
    gain = bits / known if abs(bits) >= FUZZ else 0.0
    split = xlog(total, table) - branches - (xlog(unknown, table) if unknown >= FUZZ else 0.0)
    return gain, (gain / (split / total) if split >= FUZZ else 0.0)


@jit_inline
def best_cut_fractions(
    column: UIntArray,
    least: float,
    layout: tuple[int, int, int, int],
    weight: FloatArray,
    known: FloatArray,
    left: FloatArray,
    logs: FloatArray,
    stale: IntArray,
    reach: Int32Array,
    apart: float,
    before: float,
    table: FloatArray,
) -> tuple[Number, Number, Number]:
    """Find the cut with the least information after it; see `fsbench.kernels.tree_scan.best_cut`.

    Parameters
    ----------
    column : ndarray of uint64
        The rows whose value is known, ascending by code.
    least : float
        Least weight on each side.
    weight : ndarray
        Weight of every row.
    known : ndarray of shape (n_classes,)
        Class weights of the column's rows.
    left, logs, stale : ndarray of shape (n_classes,)
        Work space: class weights on the left; f(left) + f(right) of each class; classes that changed.
    reach : ndarray of int32
        For each code the first one far enough to be cut apart; empty if that is the next one.
    apart, before : float
        In bits times weight.
    """
    low, shift, mask, rows = (
        u64(layout[0]),
        u64(layout[1]),
        u64(layout[2]),
        u64(layout[3]),
    )
    n_classes = known.size
    inside, whole, bag = 0.0, 0.0, 0.0
    for c in range(n_classes):
        left[c] = 0.0
        logs[c] = xlog(known[c], table)
        inside += logs[c]
        whole += known[c]
    best, at, cuts, changed = before - apart, i64(0), i64(0), i64(0)
    previous = column[0] >> shift
    tight = reach.size > 0
    for i in range(column.size):
        x = column[i]
        code = x >> shift
        allowed = code >= u64(reach[previous]) if tight else code != previous
        if allowed and least - bag < FUZZ and least - (whole - bag) < FUZZ:
            cuts += 1
            for t in range(changed):
                c = stale[t]
                rest = known[c] - left[c]
                f = xlog(left[c], table) + (xlog(rest, table) if rest >= FUZZ else 0.0)
                inside += f - logs[c]
                logs[c] = f
            changed = i64(0)
            after = xlog(bag, table) + xlog(whole - bag, table) - inside
            if after < best:
                best, at = after - apart, i64(i)
        c = i64(x & mask)
        w = weight[(x >> low) & rows]
        left[c] += w
        bag += w
        seen = False
        for t in range(changed):
            seen = seen or stale[t] == c
        if not seen:
            stale[changed] = c
            changed += 1
        previous = code
    return best + apart, at, cuts


@jit_bare
def evaluate_fractions(
    pool: UIntArray,
    place: tuple[int, int],
    lengths: IntArray,
    rows: Int32Array,
    weights: FloatArray,
    weight: FloatArray,
    whole: bool,
    asked: IntArray,
    wanted: IntArray,
    plan: IntArray,
    classes: FloatArray,
    cell: Int32Array,
    cells: FloatArray,
    reach: Int32Array,
    L: IntArray,
    rise: IntArray,
    table: FloatArray,
    step: IntArray,
    sides: IntArray,
    counts: Int32Array,
    small: IntArray,
    crossed: UIntArray,
    known: FloatArray,
    bags: FloatArray,
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
        Sorted lists of the rows whose value is known.
    place : tuple
        Block and stride: list l begins at ``block + (l - 1) * stride``.
    lengths : ndarray of int64
        Length of each list, from list 1 on.
    rows, weights : ndarray
        The node's rows, and their weights.
    weight : ndarray of shape (n_rows,)
        Work space: the weights by row.
    whole : bool
        Whether all weights are 1.
    asked, wanted, plan, cell, reach, L, step, sides, layout, unit, min_leaf, gain, ratio, cut, dead
        As in `fsbench.kernels.tree_evaluate.evaluate`. A nominal feature has a counter more a class, for the missing
        values.
    classes : ndarray of shape (n_classes,)
        Class weights of the node.
    cells : ndarray of float64
        Counters, 0 on entry and on return.
    table : ndarray
        k log2 k.
    counts, small, crossed, known
        Work space of n_classes entries; `small` of twice, `known` of three times as many, `crossed` of two rows.
    bags : ndarray
        Work space of one entry more than labels.
    """
    n_classes, n = classes.size, rows.size
    present, total, entropy = i64(0), 0.0, 0.0
    for c in range(n_classes):
        total += classes[c]
        entropy -= xlog(classes[c], table)
        if classes[c] > 0.0:
            small[present] = c
            present += 1
    entropy += xlog(total, table)
    if wanted.size > 0:
        weigh_labels(rows, weights, cell, wanted, cells)
    if wanted.size < asked.size and not whole:
        for i in range(n):
            weight[rows[i]] = weights[i]
    full = False
    stale = small[n_classes:]
    for j in range(asked.size):
        u = asked[j]
        lane = plan[u, LANE]
        gain[u], ratio[u] = -1.0, 0.0
        if lane == 0:
            base, labels = plan[u, BASE], plan[u, LABELS]
            gain[u], ratio[u] = label_gain_fractions(
                cells,
                base,
                labels,
                n_classes,
                small,
                present,
                classes,
                total,
                entropy,
                float(min_leaf),
                bags,
                table,
            )
            dead[u] = gain[u] < 0.0
            continue
        first, m = place[0] + (lane - 1) * place[1], lengths[lane]
        if m == 0 or pool[first] >> u64(layout[1]) == pool[first + m - 1] >> u64(layout[1]):
            dead[u] = True
            continue
        column = pool[first : first + m]
        near = reach[plan[u, VALUES] : plan[u, VALUES_END]] if plan[u, TIGHT] else reach[:0]
        if whole:
            bound = least_rows(float(m), n_classes, min_leaf)
            least = i64(np.ceil(bound - FUZZ))
            if m < 2 * least:
                continue
            if m < n or not full:
                # The tables of a column without missing values serve all others of this kind.
                full = m == n
                for c in range(n_classes):
                    counts[c] = i64(classes[c]) if full else 0
                for i in range(0 if full else m):
                    counts[i64(column[i] & u64(layout[2]))] += 1
                tabulate_steps(counts, m, least, L, rise, step, sides)
            at, inside = i64(0), i64(0)
            for c in range(n_classes):
                crossed[0, c] = u64(at)
                at += counts[c]
                inside += L[counts[c]]
            before = f64(L[m] - inside) / unit
            apart = i64(np.rint(FUZZ * total * unit))
            limit = L[m] - inside - apart
            if plan[u, TIGHT]:
                found, left, cuts = best_cut_tight(
                    pool, first, m, least, layout[1], layout[2], crossed, step, sides, inside, limit, apart, near
                )
            else:
                found, left, cuts = best_cut(
                    pool, first, m, least, layout[1], layout[2], crossed, step, sides, inside, limit, apart
                )
            after, on_left, weighed = f64(found) / unit, f64(left), f64(m)
        else:
            for c in range(n_classes):
                known[c] = 0.0
            for i in range(m):
                x = column[i]
                known[i64(x & u64(layout[2]))] += weight[(x >> u64(layout[0])) & u64(layout[3])]
            weighed, before = 0.0, 0.0
            for c in range(n_classes):
                weighed += known[c]
                before -= xlog(known[c], table)
            before += xlog(weighed, table)
            bound = least_rows(weighed, n_classes, min_leaf)
            if 2 * bound - m > FUZZ:
                continue
            after, left, cuts = best_cut_fractions(
                column,
                bound,
                layout,
                weight,
                known[:n_classes],
                known[n_classes : 2 * n_classes],
                known[2 * n_classes :],
                stale,
                near,
                FUZZ * total,
                before,
                table,
            )
            on_left = 0.0
            for i in range(left):
                on_left += weight[(column[i] >> u64(layout[0])) & u64(layout[3])]
        if left == 0:
            continue
        cut[u] = left
        g = (before - after) / total - math.log2(f64(cuts)) / total
        if g < FUZZ:
            continue
        split = xlog(total, table) - xlog(on_left, table) - xlog(weighed - on_left, table)
        unknown = total - weighed
        if unknown >= FUZZ:
            split -= xlog(unknown, table)
        gain[u], ratio[u] = g, (g / (split / total) if split >= FUZZ else 0.0)
