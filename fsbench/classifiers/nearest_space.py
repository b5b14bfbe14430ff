"""Where the nearest-neighbour kernels look: a training part, scaled and laid out, and how distance ties are broken."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fsbench.errors import NotApplicable
from fsbench.kernels.nearest_layout import MINMAX, NONE, UNKNOWN, ZSCORE, Codes, Space
from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

__all__ = [
    "SCALES",
    "Codes",
    "Scale",
    "Space",
    "Ties",
    "check_width",
    "class_tiles",
    "fits_codes",
    "layout",
    "prepare",
    "prepare_codes",
    "tie_places",
]

Scale = Literal["minmax", "none", "zscore"]
Layout = tuple[FloatArray, BoolArray, IntArray, IntArray, IntArray, IntArray, IntArray, tuple[int, int], int, bool]
Ties = Literal["vote", "first", "index"]

SCALES: dict[str, int] = {"minmax": MINMAX, "none": NONE, "zscore": ZSCORE}

# Tiles fit the first-level cache and hold a whole number of vectors: of doubles, and of bytes.
TILE_ROWS, VECTOR_ROWS = 512, 16
BYTE_TILE_ROWS, BYTE_VECTOR_ROWS = 2048, 32


def tie_places(n: int, ties: Ties, seed: int) -> IntArray:
    """Return the place of each training row in the order in which equally near rows are preferred.

    Parameters
    ----------
    n : int
        Number of training rows.
    ties : {"vote", "first", "index"}
        ``first``: a seeded shuffle; otherwise the rows' own order.
    seed : int

    Returns
    -------
    ndarray of shape (n,)
    """
    places = np.arange(n, dtype=np.int64)
    if ties == "first":
        places[np.random.default_rng(seed).permutation(n)] = np.arange(n)
    return places


def class_tiles(
    y: IntArray, n_classes: int, rows: int = TILE_ROWS, vector: int = VECTOR_ROWS, places: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """Group rows by class and cut each class into tiles of nearly equal size.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Class of each training row.
    n_classes : int
    rows : int
        Most rows in a tile, a multiple of `vector`.
    vector : int
        A tile is filled up to a multiple of this with copies of its last row, which change no minimum.
    places : ndarray of shape (n,), optional
        Order of the rows within a class; the rows' own order by default.

    Returns
    -------
    slots : ndarray of shape (n_slots,)
        Training row of each slot.
    tiles : ndarray of shape (n_tiles, 4)
        First slot, end, end with the filling, class.
    """
    from fsbench.kernels.nearest_prepare import cut_tiles

    order = np.argsort(y, kind="stable") if places is None else np.lexsort((places, y))
    return cut_tiles(order, np.bincount(y, minlength=n_classes), rows, vector)


def fits_codes(data: Dataset, columns: IntArray) -> bool:
    """Tell whether the columns are nominal, and their number and labels fit into bytes.

    Parameters
    ----------
    data : Dataset
    columns : ndarray of shape (M,)

    Returns
    -------
    bool
    """
    labels = data.n_labels[columns]
    return 0 < len(columns) <= 255 and bool(data.is_nominal[columns].all()) and int(labels.max()) <= UNKNOWN


def prepare_codes(data: Dataset, rows: IntArray, columns: IntArray, places: IntArray, shuffled: bool = True) -> Codes:
    """Lay out some rows and nominal columns of a data set for the kernel that counts differences.

    Parameters
    ----------
    data : Dataset
    rows : ndarray of shape (n_train,)
        The training rows.
    columns : ndarray of shape (M,)
        Distinct features for which `fits_codes` holds.
    places : ndarray of shape (n_train,)
        See `tie_places`.
    shuffled : bool, default True
        Whether the places are in another order than the rows.

    Returns
    -------
    Codes

    Raises
    ------
    NotApplicable
        No training row.
    """
    from fsbench.kernels import nearest_prepare as kernels

    _check_rows(data, rows)
    slots, tiles = class_tiles(
        data.y[rows], data.n_classes, BYTE_TILE_ROWS, BYTE_VECTOR_ROWS, places if shuffled else None
    )
    codes = np.empty((len(columns), len(slots)), dtype=np.uint8)
    kernels.gather_codes(data.X.T, columns, rows[slots], codes)
    return Codes(columns, codes, tiles, places[slots], len(rows))


def prepare(
    data: Dataset,
    rows: IntArray,
    columns: IntArray,
    scale: Scale = "minmax",
    places: IntArray | None = None,
    widening: bool = False,
    by_class: bool = True,
) -> Space:
    """Lay out some rows and columns of a data set for the kernels.

    Parameters
    ----------
    data : Dataset
    rows : ndarray of shape (n_train,)
        The training rows.
    columns : ndarray of shape (M,)
        Distinct features.
    scale : {"minmax", "none", "zscore"}
        Taken from the training rows.
    places : ndarray of shape (n_train,), optional
        See `tie_places`; the rows' own order by default.
    widening : bool, default False
        Keep the unscaled values, so that ranges can widen.
    by_class : bool, default True
        Group the rows by class; otherwise they stand in one tile in their own order.

    Returns
    -------
    Space

    Raises
    ------
    NotApplicable
        No training row, or a column whose range is no finite number.
    """
    from fsbench.kernels.nearest_prefixes import lay_out

    too_wide, space = lay_out(*layout(data, rows, columns, scale, places, widening, by_class))
    check_width(data, columns, too_wide)
    return space


def layout(
    data: Dataset,
    rows: IntArray,
    columns: IntArray,
    scale: Scale,
    places: IntArray | None,
    widening: bool,
    by_class: bool,
) -> Layout:
    """Return the arguments of `fsbench.kernels.nearest_prefixes.lay_out`; see `prepare`."""
    _check_rows(data, rows)
    if by_class:
        y = data.y[rows]
        order = np.argsort(y, kind="stable")
        counts, tiling = np.bincount(y, minlength=data.n_classes), (TILE_ROWS, VECTOR_ROWS)
    else:
        order = np.arange(len(rows))
        counts, tiling = np.array([len(rows)]), (len(rows), VECTOR_ROWS)
    if places is None:
        places = np.arange(len(rows), dtype=np.int64)
    return data.X.T, data.is_nominal, columns, rows, order, counts, places, tiling, SCALES[scale], widening


def check_width(data: Dataset, columns: IntArray, too_wide: int) -> None:
    """Refuse a column whose range is no finite number.

    Parameters
    ----------
    data : Dataset
    columns : ndarray of shape (M,)
    too_wide : int
        Place in `columns`, or -1.

    Raises
    ------
    NotApplicable
        There is one.
    """
    if too_wide >= 0:
        name = data.features[columns[too_wide]].name
        raise NotApplicable(f"column {name!r}: its values are too far apart for a distance", data.name)


def _check_rows(data: Dataset, rows: IntArray) -> None:
    if not len(rows):
        raise NotApplicable("the nearest neighbour needs at least one training row", data.name)
