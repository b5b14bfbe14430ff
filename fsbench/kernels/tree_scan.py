"""The best cut of a sorted column, and the gain of nominal columns, from integer entropy tables.

Entropies are sums of L(k) = rint(k ln k * 2^s) over counts k, in int64: exact, whatever the order of addition, so
that a node of a curve equals the node of a refit by construction. The information at a node is L(n) - sum L(n_c);
after a split it is the sum over the branches of L(n_b) - sum L(n_bc). Their difference over n ln 2 * 2^s is the gain
in bits a row.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit_inline
from fsbench.kernels.tree_table import Int32Array, Number, UIntArray, f64, i32, i64, u64
from fsbench.values import IntArray

__all__ = [
    "FEW_CLASSES",
    "FEW_ROWS",
    "best_cut",
    "best_cut_few",
    "best_cut_tight",
    "count_labels",
    "cut_gain",
    "label_gain",
    "tabulate_steps",
]

FUZZ = 1e-6  # Weka's tolerance
FEW_ROWS, FEW_CLASSES = 65000, 4  # up to which the class counters fit into one register


@jit_inline
def tabulate_steps(
    counts: Int32Array, n: int, least: int, L: IntArray, rise: IntArray, step: IntArray, sides: IntArray
) -> None:
    """Tabulate what a row that crosses the cut changes, once for all numeric columns of a node.

    Parameters
    ----------
    counts : ndarray of shape (n_classes,)
        Rows of each class.
    n, least : int
        Rows at the node, and the least number on each side.
    L, rise : ndarray
        Entropy table, and L(k + 1) - L(k).
    step : ndarray of shape (n,), filled
        The j-th row of class c to cross changes the sum of L(left_c) + L(right_c) by ``step[p_c + j]``, where p_c
        is the number of rows of the classes before c.
    sides : ndarray of shape (n + 1,), filled
        ``L(i) + L(n - i)`` for i rows on the left.
    """
    one, p = u64(1), u64(0)
    for c in range(counts.size):
        k = u64(counts[c])
        j = u64(0)
        while j < k:
            step[p + j] = rise[j] - rise[k - one - j]
            j += one
        p += k
    i, end, m = u64(least), u64(n - least), u64(n)
    while i <= end:
        sides[i] = L[i] + L[m - i]
        i += one


@jit_inline
def best_cut_few(
    pool: UIntArray,
    begin: int,
    rows: int,
    least: int,
    code_shift: int,
    class_mask: int,
    start: int,
    step: IntArray,
    sides: IntArray,
    whole: int,
    limit: int,
    apart: int,
) -> tuple[Number, Number, Number]:
    """Find the cut with the least information after it, for at most four classes.

    The counters of crossed rows are four numbers of 16 bits in one register, each an index into `step`.

    Parameters
    ----------
    pool : ndarray of uint64
        Holds the node's rows, ascending by code: code, row and class in one number.
    begin, rows : int
        Where they begin, and how many they are.
    least : int
        Least number of rows on each side, at least 1.
    code_shift, class_mask : int
        Where an element holds its code and its class.
    start : int
        The four counters before any row crossed.
    step, sides : ndarray
        From `tabulate_steps`.
    whole : int
        Sum of L over the class counts.
    limit : int
        A cut must leave less information than this.
    apart : int
        By how much a later cut must be better than the best so far.

    Returns
    -------
    after : int
        Information after the best cut, plus `limit`'s margin `apart` taken off again.
    left : int
        Rows left of the best cut; 0 if there is none.
    cuts : int
        Number of places where a cut is allowed.
    """
    shift, mask = u64(code_shift), u64(class_mask)
    four, low, one = u64(4), u64(0xFFFF), u64(1)
    n, m, at = u64(rows), u64(least), u64(begin)
    crossed = u64(start)
    total, best = i64(whole), i64(limit)
    left, cuts = u64(0), i64(0)
    i = u64(0)
    while i < m:
        by = (pool[at + i] & mask) << four
        total += step[(crossed >> by) & low]
        crossed += one << by
        i += one
    previous = pool[at + m - one] >> shift
    end = n - m
    while i <= end:
        x = pool[at + i]
        code = x >> shift
        after = sides[i] - total
        cuts += code != previous
        # The rare test stands first; the one the processor cannot foresee is reached only then.
        if after < best and code != previous:
            best, left = after - apart, i
        by = (x & mask) << four
        total += step[(crossed >> by) & low]
        crossed += one << by
        previous = code
        i += one
    return best + apart, i64(left), cuts


@jit_inline
def best_cut(
    pool: UIntArray,
    begin: int,
    rows: int,
    least: int,
    code_shift: int,
    class_mask: int,
    crossed: UIntArray,
    step: IntArray,
    sides: IntArray,
    whole: int,
    limit: int,
    apart: int,
) -> tuple[Number, Number, Number]:
    """Find the cut with the least information after it, for any number of classes; see `best_cut_few`.

    Parameters
    ----------
    pool, begin, rows, least, code_shift, class_mask, step, sides, whole, limit, apart
        As there.
    crossed : ndarray of shape (2, n_classes)
        The counters before any row crossed, and work space.
    """
    shift, mask, one = u64(code_shift), u64(class_mask), u64(1)
    n, m, at = u64(rows), u64(least), u64(begin)
    total, best = i64(whole), i64(limit)
    left, cuts = u64(0), i64(0)
    for c in range(crossed.shape[1]):
        crossed[1, c] = crossed[0, c]
    i = u64(0)
    while i < m:
        c = pool[at + i] & mask
        total += step[crossed[1, c]]
        crossed[1, c] += one
        i += one
    previous = pool[at + m - one] >> shift
    end = n - m
    while i <= end:
        x = pool[at + i]
        code = x >> shift
        after = sides[i] - total
        cuts += code != previous
        if after < best and code != previous:
            best, left = after - apart, i
        c = x & mask
        total += step[crossed[1, c]]
        crossed[1, c] += one
        previous = code
        i += one
    return best + apart, i64(left), cuts


@jit_inline
def best_cut_tight(
    pool: UIntArray,
    begin: int,
    rows: int,
    least: int,
    code_shift: int,
    class_mask: int,
    crossed: UIntArray,
    step: IntArray,
    sides: IntArray,
    whole: int,
    limit: int,
    apart: int,
    reach: Int32Array,
) -> tuple[Number, Number, Number]:
    """Find the cut with the least information after it where some values are too near to be cut apart.

    Parameters
    ----------
    pool, begin, rows, least, code_shift, class_mask, crossed, step, sides, whole, limit, apart
        As in `best_cut`.
    reach : ndarray of int32
        For each code the first one whose value is far enough to be cut apart (more than 1e-5).
    """
    shift, mask, one = u64(code_shift), u64(class_mask), u64(1)
    n, m, at = u64(rows), u64(least), u64(begin)
    total, best = i64(whole), i64(limit)
    left, cuts = u64(0), i64(0)
    for c in range(crossed.shape[1]):
        crossed[1, c] = crossed[0, c]
    i = u64(0)
    while i < m:
        c = pool[at + i] & mask
        total += step[crossed[1, c]]
        crossed[1, c] += one
        i += one
    previous = pool[at + m - one] >> shift
    end = n - m
    while i <= end:
        x = pool[at + i]
        code = x >> shift
        after = sides[i] - total
        allowed = code >= u64(reach[previous])
        cuts += allowed
        if after < best and allowed:
            best, left = after - apart, i
        c = x & mask
        total += step[crossed[1, c]]
        crossed[1, c] += one
        previous = code
        i += one
    return best + apart, i64(left), cuts


@jit_inline
def count_labels(
    pool: UIntArray,
    begin: int,
    rows: int,
    row_shift: int,
    cell: Int32Array,
    wanted: IntArray,
    cells: Int32Array,
) -> None:
    """Count the node's rows by label and class, for all nominal columns in one pass.

    Parameters
    ----------
    pool, begin, rows
        As in `best_cut_few`; any order.
    row_shift : int
        Where an element holds its row.
    cell : ndarray of shape (n_rows, n_nominal)
        Which counter a row raises, for each nominal column.
    wanted : ndarray of int64
        The columns asked for.
    cells : ndarray of int32, changed
        The counters. Neighbouring increments never meet in one counter.
    """
    shift, one, n = u64(row_shift), u64(1), u64(wanted.size)
    i, end = u64(begin), u64(begin + rows)
    first = True
    for t in range(wanted.size):
        first = first and wanted[t] == t
    while i < end:
        r = pool[i] >> shift
        t = u64(0)
        if first:
            while t < n:
                cells[u64(cell[r, t])] += i32(1)
                t += one
        else:
            while t < n:
                cells[u64(cell[r, u64(wanted[t])])] += i32(1)
                t += one
        i += one


@jit_inline
def label_gain(
    cells: Int32Array,
    base: int,
    labels: int,
    n_classes: int,
    present: IntArray,
    n_present: int,
    n: int,
    least: float,
    whole: int,
    unit: float,
    L: IntArray,
) -> tuple[Number, Number]:
    """Return gain and gain ratio of a nominal column, and clear its counters.

    Parameters
    ----------
    cells : ndarray of int32
        Counters; the column's begin at `base`, label by label. Set to 0 again.
    present : ndarray of int64
        The classes at the node: the first `n_present` entries.
    n : int
        Rows at the node.
    least : float
        Least weight of two branches.
    whole : int
        Sum of L over the class counts.
    unit : float
        ln 2 times the table's scale: what one bit is worth.
    L : ndarray
        Entropy table.

    Returns
    -------
    gain, ratio : float
        In bits a row; gain is -1 if fewer than two branches are large enough.
    """
    after, branches, large = i64(0), i64(0), i64(0)
    one, end = u64(1), u64(n_present)
    for b in range(labels):
        k, line, t = i64(0), u64(base + b * n_classes), u64(0)
        while t < end:
            at = line + u64(present[t])
            x = i64(cells[at])
            cells[at] = 0
            k += x
            after -= L[u64(x)]
            t += one
        after += L[u64(k)]
        branches += L[u64(k)]
        large += k >= least
    if large < 2:
        return -1.0, 0.0
    bits = f64(L[n] - whole - after) / unit
    split = f64(L[n] - branches) / unit
    if bits < FUZZ:
        bits = 0.0
    ratio = bits / split if split >= FUZZ else 0.0
    return bits / n, ratio


@jit_inline
def cut_gain(n: int, before: int, after: int, left: int, cuts: int, unit: float, L: IntArray) -> tuple[Number, Number]:
    """Return gain and gain ratio of the best cut; the choice between `cuts` places is paid for.

    Parameters
    ----------
    n, left : int
        Rows at the node, and left of the cut.
    before, after : int
        Information before and after the cut.
    cuts : int
        Number of places where a cut was allowed.
    unit : float
        What one bit is worth.
    L : ndarray
        Entropy table.

    Returns
    -------
    gain, ratio : float
        In bits a row; gain is -1 if nothing is gained.
    """
    gain = (f64(before - after) / unit - np.log2(f64(cuts))) / n
    if gain < FUZZ:
        return -1.0, 0.0
    split = f64(L[n] - L[left] - L[n - left]) / unit
    return gain, gain / (split / n)
