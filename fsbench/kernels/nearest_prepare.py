"""Columns of a training part as the nearest-neighbour kernels want them; see `nearest_layout.Space`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.nearest_layout import (
    CLASS,
    FAR,
    FILLED,
    HIGH,
    LOW,
    MINMAX,
    NEAR,
    NONE,
    SHIFT,
    START,
    STOP,
    UNKNOWN,
    WIDTH,
    ZSCORE,
)
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["column_bounds", "gather_codes", "gather_columns", "lowest", "most", "rescale", "set_scale", "widen"]
__all__ += ["cut_tiles", "first_too_wide", "widest"]


@jit
def cut_tiles(order: IntArray, counts: IntArray, rows: int, vector: int) -> tuple[IntArray, IntArray]:
    """Cut rows that stand by class into tiles; see `fsbench.classifiers.nearest_space.class_tiles`.

    Parameters
    ----------
    order : ndarray of shape (n,)
        Rows, those of a class together.
    counts : ndarray of shape (n_classes,)
        Rows of each class.
    rows, vector : int
        Most rows in a tile, and what it is filled up to a multiple of.

    Returns
    -------
    slots : ndarray of shape (n_slots,)
    tiles : ndarray of shape (n_tiles, 4)
    """
    n_tiles = 0
    for count in counts:
        n_tiles += -(-count // rows)
    slots, tiles = np.empty(len(order) + n_tiles * vector, np.int64), np.empty((n_tiles, 4), np.int64)
    tile = slot = at = 0
    for c in range(len(counts)):
        parts = -(-counts[c] // rows)
        for part in range(parts):
            begin, end = at + part * counts[c] // parts, at + (part + 1) * counts[c] // parts
            filled = slot - (begin - end) // vector * vector
            tiles[tile, START], tiles[tile, STOP] = slot, slot + end - begin
            tiles[tile, FILLED], tiles[tile, CLASS] = filled, c
            for j in range(slot, filled):
                slots[j] = order[min(begin + j - slot, end - 1)]
            tile, slot = tile + 1, filled
        at += counts[c]
    return slots[:slot].copy(), tiles


@jit
def first_too_wide(bounds: FloatArray, nominal: BoolArray, missing: IntArray, n: int) -> int:
    """Return the first numeric column with a known value whose range is infinite, -1 if there is none."""
    for f in range(len(bounds)):
        if not nominal[f] and missing[f] < n and np.isinf(bounds[f, HIGH] - bounds[f, LOW]):
            return f
    return -1


@jit_bare
def set_scale(bound: FloatArray, mode: int) -> None:
    """Derive SHIFT, WIDTH, NEAR and FAR of one column from its range; the z-score's SHIFT and WIDTH are given.

    Parameters
    ----------
    bound : ndarray of shape (6,)
        Changed in place.
    mode : int
        MINMAX, NONE or ZSCORE.
    """
    if mode == MINMAX:
        bound[SHIFT], bound[WIDTH] = bound[LOW], bound[HIGH] - bound[LOW]
        # Without two distinct values every scaled value is 0, yet a missing one still counts as the full width.
        bound[NEAR], bound[FAR] = 0.0, 1.0
        if not bound[HIGH] > bound[LOW]:
            bound[SHIFT], bound[WIDTH] = 0.0, 0.0
        return
    if mode == NONE:
        bound[SHIFT], bound[WIDTH] = 0.0, 1.0
    bound[NEAR], bound[FAR] = 0.0, 0.0
    if bound[HIGH] >= bound[LOW] and bound[WIDTH] > 0.0:
        bound[NEAR] = (bound[LOW] - bound[SHIFT]) / bound[WIDTH]
        bound[FAR] = (bound[HIGH] - bound[SHIFT]) / bound[WIDTH]


@jit
def column_bounds(XT: FloatArray, columns: IntArray, rows: IntArray, mode: int) -> tuple[FloatArray, IntArray]:
    """Take the range and the scale of each column over the given rows, and count its missing values.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns, rows : ndarray of int64
    mode : int
        MINMAX, NONE or ZSCORE (population standard deviation).

    Returns
    -------
    bounds : ndarray of shape (n_columns, 6)
    missing : ndarray of shape (n_columns,)
    """
    bounds = np.zeros((len(columns), 6))
    missing = np.zeros(len(columns), np.int64)
    for f in range(len(columns)):
        column, low, high, total, known = XT[columns[f]], np.inf, -np.inf, 0.0, 0
        for i in rows:
            x = column[i]
            if x == x:
                low, high = min(low, x), max(high, x)
                total += x
                known += 1
        missing[f] = len(rows) - known
        bounds[f, LOW], bounds[f, HIGH] = low, high
        if mode == ZSCORE and high > low:
            mean, squares = total / known, 0.0
            for i in rows:
                x = column[i]
                if x == x:
                    squares += (x - mean) * (x - mean)
            bounds[f, SHIFT], bounds[f, WIDTH] = mean, np.sqrt(squares / known)
        set_scale(bounds[f], mode)
    return bounds, missing


@jit_bare
def rescale(raw: FloatArray, bound: FloatArray, out: FloatArray) -> None:
    """Write the scaled values of one column to `out`; a missing value stays NaN.

    Parameters
    ----------
    raw, out : ndarray of shape (n_slots,)
    bound : ndarray of shape (6,)
    """
    shift, width = bound[SHIFT], bound[WIDTH]
    if width == 0.0:
        for j in range(len(raw)):
            out[j] = 0.0 if raw[j] == raw[j] else np.nan
    else:
        for j in range(len(raw)):
            out[j] = (raw[j] - shift) / width


@jit
def gather_columns(
    XT: FloatArray,
    columns: IntArray,
    slots: IntArray,
    nominal: BoolArray,
    bounds: FloatArray,
    raw: FloatArray,
    z: FloatArray,
) -> None:
    """Fill `raw` (may be empty: then it is left alone) and `z` with the columns' values in slot order.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
    slots : ndarray of shape (n_slots,)
        The row that stands in each slot.
    nominal : ndarray of shape (M,)
        A nominal column keeps its codes, -1 where the value is missing.
    bounds : ndarray of shape (M, 6)
    raw : ndarray of shape (M, n_slots) or (0, 0)
    z : ndarray of shape (M, n_slots)
    """
    keep = len(raw) > 0
    buffer = np.empty(len(slots))
    for f in range(len(columns)):
        column = XT[columns[f]]
        values = raw[f] if keep else buffer
        for j in range(len(slots)):
            values[j] = column[slots[j]]
        if nominal[f]:
            for j in range(len(slots)):
                z[f, j] = values[j] if values[j] == values[j] else -1.0
        else:
            rescale(values, bounds[f], z[f])


@jit
def gather_codes(XT: FloatArray, columns: IntArray, slots: IntArray, out: npt.NDArray[np.uint8]) -> None:
    """Fill `out` with the label codes of nominal columns in slot order, UNKNOWN where the value is missing.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
    slots : ndarray of shape (n_slots,)
        The row that stands in each slot.
    out : ndarray of shape (M, n_slots)
        uint8.
    """
    for f in range(len(columns)):
        column = XT[columns[f]]
        for j in range(len(slots)):
            x = column[slots[j]]
            out[f, j] = np.uint8(x) if x == x else UNKNOWN


@jit_bare
def widen(bound: FloatArray, x: float, mode: int) -> bool:
    """Let `x` widen the range of one column; return whether the scaled values of the column have changed.

    Parameters
    ----------
    bound : ndarray of shape (6,)
        Changed in place.
    x : float
        A value of a test row; NaN widens nothing.
    mode : int

    Returns
    -------
    bool
    """
    if not (x < bound[LOW] or x > bound[HIGH]):
        return False
    bound[LOW], bound[HIGH] = min(bound[LOW], x), max(bound[HIGH], x)
    set_scale(bound, mode)
    return mode == MINMAX


@jit_bare
def widest(tiles: IntArray) -> int:
    """Return the largest number of slots in a tile.

    Parameters
    ----------
    tiles : ndarray of shape (n_tiles, 4)

    Returns
    -------
    int
    """
    width = 0
    for tile in range(len(tiles)):
        width = max(width, tiles[tile, FILLED] - tiles[tile, START])
    return width


@jit_bare
def most(votes: IntArray) -> int:
    """Return the first class with the most votes.

    Parameters
    ----------
    votes : ndarray of shape (n_classes,)

    Returns
    -------
    int
    """
    best = 0
    for c in range(1, len(votes)):
        if votes[c] > votes[best]:
            best = c
    return best


@jit_bare
def lowest(places: IntArray) -> int:
    """Return the first class with the lowest place.

    Parameters
    ----------
    places : ndarray of shape (n_classes,)

    Returns
    -------
    int
    """
    best = 0
    for c in range(1, len(places)):
        if places[c] < places[best]:
            best = c
    return best
