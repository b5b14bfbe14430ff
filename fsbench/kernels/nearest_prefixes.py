"""The nearest neighbour from rows to the classes at all prefixes in one call, which for small data counts."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.nearest_curve import curve_by_tiles
from fsbench.kernels.nearest_layout import GAPPED, NOMINAL, PLAIN, Space
from fsbench.kernels.nearest_prepare import column_bounds, cut_tiles, first_too_wide, gather_columns
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["lay_out", "predict_prefixes"]


@jit
def lay_out(
    XT: FloatArray,
    nominal: BoolArray,
    columns: IntArray,
    rows: IntArray,
    order: IntArray,
    counts: IntArray,
    places: IntArray,
    tiling: tuple[int, int],
    mode: int,
    widening: bool,
) -> tuple[int, Space]:
    """Lay out some rows and columns of a data set for the kernels; see `fsbench.classifiers.nearest_space.prepare`.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    nominal : ndarray of shape (n_features,)
    columns : ndarray of shape (M,)
    rows : ndarray of shape (n_train,)
    order : ndarray of shape (n_train,)
        Places in `rows`, by group.
    counts : ndarray of shape (n_groups,)
        Rows of each group.
    places : ndarray of shape (n_train,)
        Which of equally near rows comes first.
    tiling : tuple of int
        Most rows of a tile, and what it is filled up to a multiple of.
    mode : int
        MINMAX, NONE or ZSCORE.
    widening : bool
        Whether the unscaled values are kept.

    Returns
    -------
    too_wide : int
        A column whose range is no finite number, or -1.
    space : Space
    """
    slots, tiles = cut_tiles(order, counts, tiling[0], tiling[1])
    chosen = nominal[columns]
    bounds, missing = column_bounds(XT, columns, rows, mode)
    z = np.empty((len(columns), len(slots)))
    raw = np.empty((len(columns), len(slots))) if widening else np.empty((0, 0))
    gather_columns(XT, columns, rows[slots], chosen, bounds, raw, z)
    kinds = np.empty(len(columns), np.int64)
    for f in range(len(columns)):
        kinds[f] = NOMINAL if chosen[f] else GAPPED if missing[f] > 0 else PLAIN
    too_wide = first_too_wide(bounds, chosen, missing, len(rows))
    return too_wide, Space(columns, kinds, bounds, raw, z, tiles, places[slots], len(rows), mode)


@jit
def predict_prefixes(
    XT: FloatArray,
    nominal: BoolArray,
    columns: IntArray,
    rows: IntArray,
    order: IntArray,
    counts: IntArray,
    places: IntArray,
    tiling: tuple[int, int],
    mode: int,
    widening: bool,
    test: IntArray,
    rankings: IntArray,
    lengths: IntArray,
    by_place: bool,
    predicted: IntArray,
) -> int:
    """Enter the class of some rows at every prefix of each ranking; return a column that is too wide, or -1.

    Parameters
    ----------
    XT, nominal, columns, rows, order, counts, places, tiling, mode, widening
        See `lay_out`; the groups are the classes.
    test, rankings, lengths, by_place, predicted
        See `fsbench.kernels.nearest_curve.curve_by_tiles`.
    """
    too_wide, space = lay_out(XT, nominal, columns, rows, order, counts, places, tiling, mode, widening)
    if too_wide < 0:
        nothing = np.empty((0, len(counts)), np.int64)
        curve_by_tiles(space, XT, test, rankings, lengths, 0, widening, by_place, predicted, nothing)
    return too_wide
