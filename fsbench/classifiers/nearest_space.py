"""Where the nearest-neighbour kernels look: a training part, scaled and laid out, and how distance ties are broken."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fsbench.errors import NotApplicable
from fsbench.kernels.nearest_layout import GAPPED, HIGH, LOW, MINMAX, NOMINAL, NONE, PLAIN, ZSCORE, Space
from fsbench.values import Dataset, IntArray

__all__ = ["SCALES", "Scale", "Space", "Ties", "class_tiles", "prepare", "tie_places"]

Scale = Literal["minmax", "none", "zscore"]
Ties = Literal["vote", "first", "index"]

SCALES: dict[str, int] = {"minmax": MINMAX, "none": NONE, "zscore": ZSCORE}

# Tiles fit the first-level cache and hold a whole number of vectors.
TILE_ROWS = 512
VECTOR_ROWS = 16


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
    y: IntArray, n_classes: int, rows: int = TILE_ROWS, vector: int = VECTOR_ROWS
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

    Returns
    -------
    slots : ndarray of shape (n_slots,)
        Training row of each slot; ascending within a class.
    tiles : ndarray of shape (n_tiles, 4)
        First slot, end, end with the filling, class.
    """
    order = np.argsort(y, kind="stable")
    tiles, pieces, slot, at = [], [], 0, 0
    for c, count in enumerate(np.bincount(y, minlength=n_classes).tolist()):
        parts = -(-count // rows)
        for part in range(parts):
            begin, end = at + part * count // parts, at + (part + 1) * count // parts
            filled = -(-(end - begin) // vector) * vector
            tiles.append((slot, slot + end - begin, slot + filled, c))
            pieces.append(order[np.minimum(np.arange(begin, begin + filled), end - 1)])
            slot += filled
        at += count
    return np.concatenate(pieces), np.array(tiles, dtype=np.int64)


def prepare(
    data: Dataset,
    rows: IntArray,
    columns: IntArray,
    scale: Scale = "minmax",
    places: IntArray | None = None,
    widening: bool = False,
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

    Returns
    -------
    Space

    Raises
    ------
    NotApplicable
        No training row, or a column whose range is no finite number.
    """
    from fsbench.kernels import nearest_prepare as kernels

    if not len(rows):
        raise NotApplicable("the nearest neighbour needs at least one training row", data.name)
    slots, tiles = class_tiles(data.y[rows], data.n_classes)
    nominal = data.is_nominal[columns]
    bounds, missing = kernels.column_bounds(data.X.T, columns, rows, SCALES[scale])
    with np.errstate(over="ignore"):
        too_wide = ~nominal & (missing < len(rows)) & np.isinf(bounds[:, HIGH] - bounds[:, LOW])
    if too_wide.any():
        name = data.features[columns[np.argmax(too_wide)]].name
        raise NotApplicable(f"column {name!r}: its values are too far apart for a distance", data.name)
    z = np.empty((len(columns), len(slots)))
    raw = np.empty_like(z) if widening else np.empty((0, 0))
    kernels.gather_columns(data.X.T, columns, rows[slots], nominal, bounds, raw, z)
    kinds = np.where(nominal, NOMINAL, np.where(missing > 0, GAPPED, PLAIN))
    if places is None:
        places = np.arange(len(rows), dtype=np.int64)
    return Space(columns, kinds, bounds, raw, z, tiles, places[slots], len(rows), SCALES[scale])
