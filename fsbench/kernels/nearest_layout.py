"""How a training part lies in memory for the nearest-neighbour kernels; nothing here is compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fsbench.values import FloatArray, IntArray

__all__ = ["ABSENT", "CLASS", "FAR", "FILLED", "GAPPED", "HIGH", "LOW", "MINMAX", "NEAR", "NOMINAL", "NONE", "PLAIN"]
__all__ += ["SHIFT", "START", "STOP", "UNKNOWN", "WIDTH", "ZSCORE", "Codes", "Space"]

PLAIN, NOMINAL, GAPPED, ABSENT = range(4)
LOW, HIGH, SHIFT, WIDTH, NEAR, FAR = range(6)
START, STOP, FILLED, CLASS = range(4)
MINMAX, NONE, ZSCORE = range(3)
UNKNOWN = 254  # code of a missing training value


class Space(NamedTuple):
    """A training part, scaled and grouped by class.

    A *slot* is a place in the kernels' row order: rows of one class stand together, cut into tiles, and a tile is
    filled up with copies of its last row.

    Attributes
    ----------
    columns : ndarray of shape (M,)
        The features that take part, as indices into the data set; everything else numbers them 0..M-1.
    kinds : ndarray of shape (M,)
        PLAIN numbers, NOMINAL, or GAPPED: numbers of which some are missing. (A test row that misses a number meets
        the column as ABSENT.)
    bounds : ndarray of shape (M, 6)
        LOW and HIGH: range of the known values. SHIFT and WIDTH: the scaled value is (x - SHIFT) / WIDTH, or 0
        where WIDTH is 0. NEAR and FAR: the ends of the range in scaled units.
    raw : ndarray of shape (M, n_slots) or (0, 0)
        Unscaled values, kept where ranges may widen.
    z : ndarray of shape (M, n_slots)
        Scaled values, NaN where missing; codes of nominal columns, -1 where missing.
    tiles : ndarray of shape (n_tiles, 4)
        START and STOP of the tile's slots, FILLED: their end with the filling, CLASS.
    places : ndarray of shape (n_slots,)
        Place of the slot's row in the order that breaks ties.
    n_train : int
        Number of training rows.
    mode : int
        Scale: MINMAX, NONE or ZSCORE.
    """

    columns: IntArray
    kinds: IntArray
    bounds: FloatArray
    raw: FloatArray
    z: FloatArray
    tiles: IntArray
    places: IntArray
    n_train: int
    mode: int


class Codes(NamedTuple):
    """A training part of nominal columns only, at most 255 of at most 254 labels; else as `Space`.

    Attributes
    ----------
    columns : ndarray of shape (M,)
    codes : ndarray of shape (M, n_slots)
        Label codes, UNKNOWN where missing.
    tiles : ndarray of shape (n_tiles, 4)
    places : ndarray of shape (n_slots,)
        Ascending within a class.
    n_train : int
    """

    columns: IntArray
    codes: npt.NDArray[np.uint8]
    tiles: IntArray
    places: IntArray
    n_train: int
