"""Cuts of a sorted column with the class counts of the intervals; class counts by interval and by label."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.entropy import mdl_places
from fsbench.kernels.jit import jit, jit_bare
from fsbench.values import FloatArray, IntArray

__all__ = ["count_intervals", "count_labels", "fit_columns"]


@jit
def fit_columns(
    keys: IntArray,
    forms: IntArray,
    shift: int,
    missing: IntArray,
    rows: IntArray,
    costs: FloatArray,
    logs: FloatArray,
    count_changes: bool,
) -> tuple[FloatArray, IntArray, FloatArray, IntArray]:
    """Return the cuts of some sorted columns, ascending, and the class counts of the intervals.

    Parameters
    ----------
    keys, forms, shift, missing
        See `fsbench.columns.Packed`.
    rows, costs, logs, count_changes
        See `fsbench.kernels.entropy.mdl_places`.

    Returns
    -------
    cuts : ndarray of shape (n_intervals - n_columns,)
        Halfway between two successive distinct values; infinity between huge ones, as in Weka. Those of column i
        are ``cuts[ends[i] - i : ends[i + 1] - i - 1]``.
    counts : ndarray of shape (n_intervals, n_classes)
        Rows of known value.
    tables : ndarray of shape (n_intervals, n_classes)
        All rows, see `fsbench.columns.spread_missing`.
    ends : ndarray of shape (n_columns + 1,)
        Intervals of the columns before each column.
    """
    n_columns, n_classes = missing.shape
    ends = np.zeros(n_columns + 1, np.int64)
    cuts, counts = np.empty(8 * n_columns), np.empty((8 * n_columns, n_classes), np.int64)
    for i in range(n_columns):
        own_cuts, own_counts = _fit_cuts(keys[i, : forms[i, 1]], shift, forms[i, 0], rows, costs, logs, count_changes)
        start, stop = ends[i], ends[i] + len(own_counts)
        if stop > len(counts):
            more = np.empty(2 * stop), np.empty((2 * stop, n_classes), np.int64)
            more[0][: start - i], more[1][:start] = cuts[: start - i], counts[:start]
            cuts, counts = more
        cuts[start - i : stop - i - 1], counts[start:stop] = own_cuts, own_counts
        ends[i + 1] = stop
    cuts, counts = cuts[: ends[n_columns] - n_columns].copy(), counts[: ends[n_columns]].copy()
    tables = np.empty(counts.shape)
    for i in range(n_columns):
        _spread_missing(counts[ends[i] : ends[i + 1]], missing[i], tables[ends[i] : ends[i + 1]])
    return cuts, counts, tables, ends


@jit_bare
def _spread_missing(counts: IntArray, missing: IntArray, table: FloatArray) -> None:
    """Write ``counts + share * missing``, a value's share being that of the known rows."""
    known, absent = 0, 0
    for c in range(len(missing)):
        absent += missing[c]
        for v in range(len(counts)):
            known += counts[v, c]
    for v in range(len(counts)):
        own = 0
        for c in range(len(missing)):
            own += counts[v, c]
        share = own / known if known > 0 and absent > 0 else 0.0
        for c in range(len(missing)):
            table[v, c] = counts[v, c] + share * missing[c]


@jit
def _fit_cuts(
    keys: IntArray, shift: int, base: int, rows: IntArray, costs: FloatArray, logs: FloatArray, count_changes: bool
) -> tuple[FloatArray, IntArray]:
    """Return the cuts of one sorted column, and the class counts of its intervals."""
    places, below = mdl_places(keys, shift, rows, costs, logs, count_changes)
    n_cuts, n_classes = len(places), below.shape[1]
    order = np.argsort(places)
    bits = np.empty(2, np.int64)
    ends = bits.view(np.float64)
    cuts, counts = np.empty(n_cuts), np.empty((n_cuts + 1, n_classes), np.int64)
    kept = np.zeros(n_classes, np.int64)
    rounded = False
    for i in range(n_cuts):
        place = places[order[i]]
        _write_value(keys[place - 1] >> shift, base, bits[:1], ends[:1])
        _write_value(keys[place] >> shift, base, bits[1:], ends[1:])
        cuts[i] = (ends[0] + ends[1]) / 2.0
        rounded = rounded or cuts[i] >= ends[1]
        for c in range(n_classes):
            counts[i, c] = below[order[i], c] - kept[c]
            kept[c] = below[order[i], c]
    for c in range(n_classes):
        counts[n_cuts, c] = below[n_cuts, c] - kept[c]
    if rounded:  # halfway between neighbouring doubles may be the upper one, which then lies below the cut
        _count_again(keys, shift, base, cuts, counts)
    return cuts, counts


@jit
def _write_value(place: int, base: int, bits: IntArray, value: FloatArray) -> None:
    """Write the value that a place stands for; `value` shares its memory with `bits`."""
    bits[0] = 0 if place == 0 else abs(place) + base
    if place < 0:
        value[0] = -value[0]


@jit
def _count_again(keys: IntArray, shift: int, base: int, cuts: FloatArray, counts: IntArray) -> None:
    """Count the classes of the intervals value by value."""
    bits = np.empty(1, np.int64)
    value = bits.view(np.float64)
    counts[:] = 0
    interval = 0
    for i in range(len(keys)):
        _write_value(keys[i] >> shift, base, bits, value)
        while interval < len(cuts) and value[0] > cuts[interval]:
            interval += 1
        counts[interval, keys[i] & ((1 << shift) - 1)] += 1


@jit
def count_labels(column: FloatArray, y: IntArray, n_labels: int, n_classes: int) -> IntArray:
    """Count the classes at each label, missing values last.

    Parameters
    ----------
    column, y : ndarray of shape (n_rows,)
        Label indices, NaN if missing, and classes.
    n_labels, n_classes : int

    Returns
    -------
    ndarray of shape (n_labels + 1, n_classes)
    """
    counts = np.zeros((n_labels + 1, n_classes), np.int64)
    for i in range(len(column)):
        x = column[i]
        counts[n_labels if x != x else np.int64(x), y[i]] += 1
    return counts


@jit
def count_intervals(column: FloatArray, y: IntArray, cuts: FloatArray, n_classes: int) -> IntArray:
    """Count the classes in each interval, missing values last.

    Parameters
    ----------
    column, y : ndarray of shape (n_rows,)
        Values, NaN if missing, and classes.
    cuts : ndarray of shape (n_cuts,)
        Ascending; a value belongs to the first interval whose upper cut it does not exceed.
    n_classes : int

    Returns
    -------
    ndarray of shape (n_cuts + 2, n_classes)
    """
    n_cuts = len(cuts)
    counts = np.zeros((n_cuts + 2, n_classes), np.int64)
    for i in range(len(column)):
        x = column[i]
        if x != x:
            counts[n_cuts + 1, y[i]] += 1
            continue
        low, high = 0, n_cuts
        while low < high:
            middle = (low + high) // 2
            if x <= cuts[middle]:
                high = middle
            else:
                low = middle + 1
        counts[low, y[i]] += 1
    return counts
