"""Folds: which rows are trained on and which are tested, by seed, from a file, or as Weka makes them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fsbench.errors import DataError
from fsbench.evaluation.java_random import JavaRandom
from fsbench.values import IntArray, Split

__all__ = ["file_splits", "mulan_splits", "plain_splits", "read_folds", "splits_of", "stratified_splits", "weka_splits"]


def stratified_splits(
    y: IntArray, n_classes: int, folds: int, seed: int | Sequence[int], repeat: int = 0
) -> list[Split]:
    """Split rows into folds that hold the classes in equal shares.

    The rows of each class, classes in declared order, are permuted by ``numpy.random.default_rng(seed)`` and
    dealt to the folds one after the other; the deal goes on from class to class, so that fold sizes differ by
    one at most, and so do the rows of a class. A class with fewer rows than folds is in the test part of some
    folds only.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class indices.
    n_classes : int
        Declared classes.
    folds : int
        Number of folds, at least 2.
    seed : int or sequence of int
        Seed of numpy's default generator.
    repeat : int, default 0
        Written into the splits.

    Returns
    -------
    list of Split
        Both parts of each in ascending order of row.

    Raises
    ------
    DataError
        More folds than rows.

    Examples
    --------
    >>> [s.test.tolist() for s in stratified_splits(np.array([0, 0, 1, 1]), 2, folds=2, seed=1)]
    [[0, 2], [1, 3]]
    """
    _check(len(y), folds)
    rng = np.random.default_rng(seed)
    dealt = np.concatenate([rng.permutation(np.flatnonzero(y == c)) for c in range(n_classes)])
    return splits_of(_deal(dealt, folds), repeat)


def plain_splits(n_rows: int, folds: int, seed: int | Sequence[int], repeat: int = 0) -> list[Split]:
    """Split rows into folds whatever their class: permuted by seed, then dealt one after the other.

    Parameters
    ----------
    n_rows, folds : int
    seed : int or sequence of int
    repeat : int, default 0

    Returns
    -------
    list of Split

    Raises
    ------
    DataError
        More folds than rows.
    """
    _check(n_rows, folds)
    return splits_of(_deal(np.random.default_rng(seed).permutation(n_rows), folds), repeat)


def weka_splits(y: IntArray, n_classes: int, folds: int, seed: int, repeat: int = 0) -> list[Split]:
    """Split rows as Weka's cross-validation does for a seed, so that its figures come out to the digit.

    One java.util.Random shuffles the rows, which are then stratified, and shuffles each training part again,
    fold after fold. Both orders are kept in the split: the training order decides which of equal neighbours
    ReliefF meets first, the test order how IBk's ranges widen.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
    n_classes, folds, seed, repeat : int

    Returns
    -------
    list of Split

    Raises
    ------
    DataError
        More folds than rows.
    """
    _check(len(y), folds)
    rng = JavaRandom(seed)
    order = rng.shuffle(np.arange(len(y), dtype=np.int64))
    if n_classes > 1:
        order = _interleave(_group_classes(order, y), folds)
    edges = np.cumsum([0, *(len(y) // folds + (f < len(y) % folds) for f in range(folds))])
    splits = []
    for fold, (start, stop) in enumerate(itertools.pairwise(edges.tolist())):
        train = rng.shuffle(np.concatenate([order[:start], order[stop:]]))
        splits.append(Split(train, order[start:stop].copy(), fold, repeat))
    return splits


def mulan_splits(n_rows: int, folds: int, seed: int, repeat: int = 0) -> list[Split]:
    """Split rows as Mulan's cross-validation does for a seed: shuffled, then consecutive blocks, not stratified.

    Both parts keep the shuffled order, which decides ties of ReliefF and the random draws of BRkNN.

    Parameters
    ----------
    n_rows, folds, seed, repeat : int

    Returns
    -------
    list of Split

    Raises
    ------
    DataError
        More folds than rows.

    Examples
    --------
    >>> [s.test.tolist() for s in mulan_splits(5, folds=2, seed=1)]
    [[2, 3, 1], [4, 0]]
    """
    _check(n_rows, folds)
    order = JavaRandom(seed).shuffle(np.arange(n_rows, dtype=np.int64))
    edges = np.cumsum([0, *(n_rows // folds + (f < n_rows % folds) for f in range(folds))])
    return [
        Split(np.concatenate([order[:start], order[stop:]]), order[start:stop].copy(), fold, repeat)
        for fold, (start, stop) in enumerate(itertools.pairwise(edges.tolist()))
    ]


def file_splits(path: Path, n_rows: int, repeat: int = 0) -> list[Split]:
    """Split rows by the fold numbers in a file; see `read_folds` and `splits_of`."""
    fold_of = read_folds(path)
    if len(fold_of) != n_rows:
        raise DataError(f"{len(fold_of)} fold numbers, but the data set has {n_rows} rows", str(path))
    if len(np.unique(fold_of)) < 2:
        raise DataError(f"every row is in fold {fold_of[0] if n_rows else '?'}; two folds are the least", str(path))
    return splits_of(fold_of, repeat)


def read_folds(path: Path) -> IntArray:
    """Read a file of fold numbers, one a row of the data.

    Parameters
    ----------
    path : Path
        Text; blank lines at the end are ignored.

    Returns
    -------
    ndarray of shape (n_rows,)

    Raises
    ------
    DataError
        No such file, or a line that is not a whole number of at least 0.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").rstrip().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise DataError(f"cannot read the folds: {reason}", str(path)) from None
    return np.array([_fold_number(text, path, i) for i, text in enumerate(lines, 1)], dtype=np.int64)


def splits_of(fold_of: IntArray, repeat: int = 0) -> list[Split]:
    """Make the splits from the fold of each row.

    Parameters
    ----------
    fold_of : ndarray of shape (n_rows,)
        Any whole numbers; the folds are the distinct ones in ascending order, counted from 0.
    repeat : int, default 0

    Returns
    -------
    list of Split
        Both parts of each in ascending order of row.
    """
    return [
        Split(np.flatnonzero(fold_of != number), np.flatnonzero(fold_of == number), fold, repeat)
        for fold, number in enumerate(np.unique(fold_of))
    ]


def _deal(rows: IntArray, folds: int) -> IntArray:
    fold_of = np.empty(len(rows), dtype=np.int64)
    fold_of[rows] = np.arange(len(rows)) % folds
    return fold_of


def _check(n_rows: int, folds: int) -> None:
    if folds < 2:
        raise DataError(f"two folds are the least, found {folds}")
    if n_rows < folds:
        raise DataError(f"{folds} folds need at least {folds} rows, found {n_rows}")


def _fold_number(text: str, path: Path, line: int) -> int:
    if not text.strip().isdecimal():
        raise DataError(
            f"expected a fold number (a whole number of at least 0), found {text.strip()!r}", f"{path}:{line}"
        )
    return int(text)


def _group_classes(order: IntArray, y: IntArray) -> IntArray:
    """Bring rows of one class together by the swaps that Weka makes; their order inside a class matters."""
    rows, classes = order.tolist(), y[order].tolist()
    place = 1
    while place < len(rows):
        wanted = classes[place - 1]
        for j in range(place, len(rows)):
            if classes[j] == wanted:
                rows[j], rows[place] = rows[place], rows[j]
                classes[j], classes[place] = classes[place], classes[j]
                place += 1
        place += 1
    return np.array(rows, dtype=np.int64)


def _interleave(rows: IntArray, folds: int) -> IntArray:
    """Return positions 0, k, 2k, ..., then 1, k+1, ... for k folds."""
    return np.concatenate([rows[start::folds] for start in range(folds)])
