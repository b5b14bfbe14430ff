"""Columns of a training part in sorted order, with the classes: what all rankers that sort start from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from fsbench.kernels.threads import map_threads
from fsbench.values import Dataset, FloatArray, IntArray

__all__ = [
    "Packed",
    "SortedColumn",
    "Stretch",
    "compiled_pays",
    "each_stretch",
    "group_counts",
    "label_counts",
    "map_columns",
    "map_sorted",
    "spread_missing",
]

PLAIN_CELLS = 60_000  # up to here numpy is done before compiled code would be loaded
KEPT_CELLS = 8_000_000  # up to here sorted columns are kept: 64 MB
ALONE = 400_000  # cells below which one thread is faster than a pool
MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)  # all bits of a double but the sign

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class SortedColumn:
    """The known values of a numeric column in ascending order, each with its class, packed in whole numbers.

    Parameters
    ----------
    keys : ndarray of shape (n_known,)
        Ascending. ``key >> shift`` is the place of the value: equal for equal values, greater for greater ones.
        The lowest `shift` bits are the class.
    shift : int
        Bits of the class.
    missing : ndarray of shape (n_classes,)
        Rows of each class whose value is missing.
    base : int
        How places become values: the magnitude of a place is its absolute value plus `base`, read as the bits of a
        double; place 0 is zero.
    distinct : ndarray, optional
        The distinct values, if places are indices into them instead.

    Notes
    -----
    The bits of a positive double are in the order of the numbers as whole numbers. Counted from the smallest
    magnitude of the column they leave room for the class, unless values differ by many orders of magnitude.
    """

    keys: IntArray
    shift: int
    missing: IntArray
    base: int = 0
    distinct: FloatArray | None = None

    def values(self, rows: IntArray) -> FloatArray:
        """Return the values at some rows of the sorted column."""
        places = self.keys[rows] >> self.shift
        if self.distinct is not None:
            values: FloatArray = self.distinct[places]
            return values
        magnitude: FloatArray = np.where(places == 0, 0, np.abs(places) + self.base).view(np.float64)
        return np.where(places < 0, -magnitude, magnitude)

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return len(self.missing)

    def classes(self) -> IntArray:
        """Return the class of each row of the sorted column."""
        return self.keys & ((1 << self.shift) - 1)

    def starts(self) -> IntArray:
        """Return the rows at which a new value begins, 0 included if there is any row."""
        if len(self.keys) == 0:
            return np.empty(0, dtype=np.int64)
        changes = (self.keys[1:] ^ self.keys[:-1]) >> self.shift != 0
        return np.concatenate([[0], np.flatnonzero(changes) + 1])


def compiled_pays(cells: int, plain: int = PLAIN_CELLS) -> bool:
    """Tell whether a compiled kernel is worth its loading time: large data, or numba is there already.

    Only for work whose result has the same bits on both paths.

    Parameters
    ----------
    cells : int
        Values to go through.
    plain : int, default 60,000
        Up to so many numpy takes less time than the compiler to load.
    """
    return cells > plain or "fsbench.kernels.jit" in sys.modules


class Packed(NamedTuple):
    """Sorted columns side by side, as compiled code takes them; see `SortedColumn`.

    Attributes
    ----------
    keys : ndarray of shape (n_columns, n_rows)
        Each line ascending; behind the known values what is not to be looked at.
    forms : ndarray of shape (n_columns, 2)
        `base`, and the number of known values.
    shift : int
    missing : ndarray of shape (n_columns, n_classes)
    """

    keys: IntArray
    forms: IntArray
    shift: int
    missing: IntArray


@dataclass(frozen=True, eq=False)
class Stretch:
    """Some numeric columns, sorted.

    Parameters
    ----------
    made : tuple of SortedColumn
        The columns, unless they are packed.
    packed : Packed, optional
    """

    made: tuple[SortedColumn, ...]
    packed: Packed | None = None

    @cached_property
    def columns(self) -> tuple[SortedColumn, ...]:
        """The columns one by one."""
        if self.packed is None:
            return self.made
        keys, forms, shift, missing = self.packed
        lines = zip(keys, forms.tolist(), missing, strict=True)
        return tuple(SortedColumn(line[:known], shift, absent, base) for line, (base, known), absent in lines)


def map_sorted(train: Dataset, function: Callable[[SortedColumn], T]) -> dict[int, T]:
    """Apply a function to every numeric column, sorted.

    Parameters
    ----------
    train : Dataset
        The training rows.
    function : callable
        Takes a `SortedColumn` and must not change it. May be called from several threads.

    Returns
    -------
    dict of int to object
        By feature index. Nominal features are left out.
    """
    found = each_stretch(train, lambda stretch: [function(column) for column in stretch.columns])
    return {j: value for features, values in found for j, value in zip(features, values, strict=True)}


def each_stretch(train: Dataset, function: Callable[[Stretch], T]) -> list[tuple[list[int], T]]:
    """Apply a function to all numeric columns, sorted, some at a time.

    Parameters
    ----------
    train : Dataset
        The training rows.
    function : callable
        Takes a `Stretch` and must not change it. May be called from several threads.

    Returns
    -------
    list of tuple
        The features of each stretch, and what the function returned. Nominal features are left out.

    Notes
    -----
    Sorted columns of up to `KEPT_CELLS` cells are kept and shared by all rankers of this training part. Those of
    larger data are sorted again for each ranker: kept, they would double the memory.
    """
    numeric = np.flatnonzero(~train.is_nominal).tolist()
    cells = train.n_rows * len(numeric)
    sort = _sort_compiled if compiled_pays(cells) else _sort_plain
    # Large columns are shared out among threads, several at a time for the sake of short ones.
    length = max(4, 200_000 // max(train.n_rows, 1)) if cells > ALONE else max(len(numeric), 1)
    parts = [numeric[i : i + length] for i in range(0, len(numeric), length)]
    if cells <= KEPT_CELLS:
        kept = train.derived("columns.sorted", lambda: map_threads(lambda part: sort(train, part), parts))
        found = map_threads(function, kept)
    else:
        found = map_threads(lambda part: function(sort(train, part)), parts)
    return list(zip(parts, found, strict=True))


def map_columns(function: Callable[[S], T], tasks: Iterable[S], train: Dataset) -> list[T]:
    """Apply a function to one task a column, on threads if the data are large.

    Parameters
    ----------
    function : callable
        Takes a task.
    tasks : iterable
    train : Dataset
        Whose size decides.

    Returns
    -------
    list
        The results, in the order of the tasks.
    """
    if train.n_rows * train.n_features > ALONE:
        return map_threads(function, tasks)
    return [function(task) for task in tasks]


def _sort_plain(train: Dataset, part: list[int]) -> Stretch:
    """Sort some columns by numpy."""
    found = []
    for j in part:
        column = train.X[:, j]
        unknown = np.isnan(column)
        values, y = column[~unknown] + 0.0, train.y[~unknown]
        missing = np.bincount(train.y[unknown], minlength=train.n_classes)
        raw = values.view(np.int64)
        magnitude = raw & MAGNITUDE
        nonzero = magnitude[magnitude != 0]
        base, shift = _form(nonzero.min(initial=MAGNITUDE), nonzero.max(initial=0), train.n_classes)
        if base < 0:
            found.append(_ranked(values, y, shift, missing))
            continue
        places = np.where(magnitude == 0, 0, np.where(raw < 0, base - magnitude, magnitude - base))
        found.append(SortedColumn(np.sort((places << shift) | y), shift, missing, base))
    return Stretch(tuple(found))


def _sort_compiled(train: Dataset, part: list[int]) -> Stretch:
    """Sort some columns, packed by compiled code."""
    from fsbench.kernels.sorting import pack_columns

    columns, shift = np.array(part, dtype=np.int64), _class_bits(train.n_classes)
    keys, forms = np.empty((len(part), train.n_rows), np.int64), np.empty((len(part), 2), np.int64)
    missing = np.zeros((len(part), train.n_classes), np.int64)
    pack_columns(train.X.T, columns, train.y, shift, keys, forms, missing)
    keys.sort(axis=1)
    packed = Stretch((), Packed(keys, forms, shift, missing))
    strange = np.flatnonzero(forms[:, 0] < 0).tolist() if len(part) else []
    if not strange:
        return packed
    made = list(packed.columns)
    for i in strange:
        column = train.X[:, part[i]]
        unknown = np.isnan(column)
        made[i] = _ranked(column[~unknown] + 0.0, train.y[~unknown], shift, missing[i])
    return Stretch(tuple(made))


def _form(low: int, high: int, n_classes: int) -> tuple[int, int]:
    """Return what is taken off each magnitude, -1 if the classes do not fit beside the places, and their bits."""
    shift = _class_bits(n_classes)
    if high == 0:
        return 0, shift
    base = int(low) - 1
    # The largest key of all stands for a missing value, hence one place is left free.
    return (base if int(high) - base < (1 << (63 - shift)) - 1 else -1), shift


def _class_bits(n_classes: int) -> int:
    return max(n_classes - 1, 0).bit_length()


def _ranked(values: FloatArray, y: IntArray, shift: int, missing: IntArray) -> SortedColumn:
    """Sort with indices of the distinct values as places: for columns of too many orders of magnitude."""
    distinct, places = np.unique(values, return_inverse=True)
    return SortedColumn(np.sort((places << shift) | y), shift, missing, 0, distinct)


def label_counts(train: Dataset, j: int) -> tuple[IntArray, IntArray]:
    """Count the classes at each declared label of a nominal column.

    Parameters
    ----------
    train : Dataset
        The training rows.
    j : int
        Index of a nominal feature.

    Returns
    -------
    counts : ndarray of shape (n_labels, n_classes)
    missing : ndarray of shape (n_classes,)
        Rows of each class whose value is missing.
    """
    column, n_labels, n_classes = train.X[:, j], train.features[j].n_labels, train.n_classes
    if compiled_pays(train.n_rows):
        from fsbench.kernels.discretize import count_labels

        table = count_labels(column, train.y, n_labels, n_classes)
        return table[:-1], table[-1]
    known = ~np.isnan(column)
    cell = column[known].astype(np.int64) * n_classes + train.y[known]
    counts = np.bincount(cell, minlength=n_labels * n_classes).reshape(n_labels, n_classes)
    return counts, np.bincount(train.y[~known], minlength=n_classes)


def group_counts(column: SortedColumn) -> IntArray:
    """Count the classes at each distinct value.

    Parameters
    ----------
    column : SortedColumn

    Returns
    -------
    ndarray of shape (n_distinct, n_classes)
        In ascending order of the values.
    """
    starts, n_classes = column.starts(), column.n_classes
    sizes = np.diff(starts, append=len(column.keys))
    cells = np.repeat(np.arange(len(starts)), sizes) * n_classes + column.classes()
    return np.bincount(cells, minlength=len(starts) * n_classes).reshape(len(starts), n_classes)


def spread_missing(counts: IntArray, missing: IntArray) -> FloatArray:
    """Spread the rows with a missing value over the values, in proportion to the values' known totals.

    Parameters
    ----------
    counts : ndarray of shape (n_values, n_classes)
        Rows with a known value.
    missing : ndarray of shape (n_classes,)
        Rows with a missing value.

    Returns
    -------
    ndarray of shape (n_values, n_classes)
        All zero if no value is known.

    Examples
    --------
    >>> spread_missing(np.array([[3, 0], [0, 1]]), np.array([0, 4])).tolist()
    [[3.0, 3.0], [0.0, 2.0]]
    """
    if not missing.any():
        return counts.astype(np.float64)
    known = counts.sum()
    if known == 0:
        return counts.astype(np.float64)
    share = counts.sum(axis=1) / known
    cells: FloatArray = counts + share[:, np.newaxis] * missing
    return cells
