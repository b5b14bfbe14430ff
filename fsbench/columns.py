"""Columns of a training part in sorted order, with the classes: what all rankers that sort start from."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from fsbench.values import Dataset, FloatArray, IntArray

__all__ = ["SortedColumn", "compiled_pays", "group_counts", "label_counts", "sorted_column"]

# Below this many cells the plain path is done before numba would be loaded.
PLAIN_CELLS = 60_000


class SortedColumn(NamedTuple):
    """The known values of a numeric column in ascending order.

    Attributes
    ----------
    values : ndarray of shape (n_known,)
        float64, ascending.
    classes : ndarray of shape (n_known,)
        Class of each value; the order inside a run of equal values is arbitrary.
    missing : ndarray of shape (n_classes,)
        Rows of each class whose value is missing.
    """

    values: FloatArray
    classes: IntArray
    missing: IntArray


def compiled_pays(cells: int) -> bool:
    """Tell whether a compiled kernel is worth its loading time: large data, or numba is there already.

    Only for work whose result has the same bits on both paths.
    """
    return cells > PLAIN_CELLS or "fsbench.kernels.jit" in sys.modules


def sorted_column(train: Dataset, j: int) -> SortedColumn:
    """Return a numeric column sorted.

    Parameters
    ----------
    train : Dataset
        The training rows.
    j : int
        Index of a numeric feature.

    Returns
    -------
    SortedColumn
    """
    column = train.X[:, j]
    known = ~np.isnan(column)
    values, classes = column[known], train.y[known]
    order = np.argsort(values, kind="stable")
    missing = np.bincount(train.y[~known], minlength=train.n_classes)
    return SortedColumn(values[order], classes[order], missing)


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
    column = train.X[:, j]
    known = ~np.isnan(column)
    n_labels, n_classes = train.features[j].n_labels, train.n_classes
    cell = column[known].astype(np.int64) * n_classes + train.y[known]
    counts = np.bincount(cell, minlength=n_labels * n_classes).reshape(n_labels, n_classes)
    return counts, np.bincount(train.y[~known], minlength=n_classes)


def group_counts(column: SortedColumn, n_classes: int) -> IntArray:
    """Count the classes at each distinct value.

    Parameters
    ----------
    column : SortedColumn
    n_classes : int

    Returns
    -------
    ndarray of shape (n_distinct, n_classes)
        In ascending order of the values.
    """
    values = column.values
    group = np.zeros(len(values), dtype=np.int64)
    np.cumsum(values[1:] != values[:-1], out=group[1:])
    n_groups = int(group[-1]) + 1 if len(values) else 0
    counts = np.bincount(group * n_classes + column.classes, minlength=n_groups * n_classes)
    return counts.reshape(n_groups, n_classes)
