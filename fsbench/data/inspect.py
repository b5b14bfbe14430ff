"""What a data set holds, counted: for ``fsbench datasets info`` and for anyone who meets it first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.values import BoolArray, Dataset

__all__ = ["LabelSummary", "Summary", "summarise", "summarise_labels"]


@dataclass(frozen=True)
class Summary:
    """Counts of a data set.

    Parameters
    ----------
    rows, features, numeric, nominal, classes : int
        Shape; `classes` counts the declared ones.
    class_counts : dict of str to int
        Rows of each declared class.
    missing_cells, rows_with_missing, features_with_missing : int
        Cells without a value, the class not counted.
    constant : tuple of str
        Features with one value at most, missing ones not counted.
    all_missing : tuple of str
        Features without any value; they are not constant.
    duplicate_rows : int
        Rows that equal an earlier one, class included.
    inconsistent_rows : int
        Rows outside the majority class of the rows that equal them in every feature.
    sparse : bool
        Whether the file stored non-zero values only.
    """

    rows: int
    features: int
    numeric: int
    nominal: int
    classes: int
    class_counts: dict[str, int]
    missing_cells: int
    rows_with_missing: int
    features_with_missing: int
    constant: tuple[str, ...]
    all_missing: tuple[str, ...]
    duplicate_rows: int
    inconsistent_rows: int
    sparse: bool


@dataclass(frozen=True)
class LabelSummary:
    """Counts of a multi-label data set.

    Parameters
    ----------
    rows, features, numeric, nominal, labels : int
        Shape.
    cardinality, density : float
        Labels of a row on average, and as a share of all labels.
    distinct : int
        Different label sets.
    single_sets : int
        Label sets that one row alone has.
    unlabelled_rows, absent_labels, full_labels : int
        Rows without a label; labels that no row carries, or every row.
    label_counts : dict of str to int
        Rows of each label.
    missing_cells : int
        Cells without a value.
    sparse : bool
        Whether the file stored non-zero values only.
    """

    rows: int
    features: int
    numeric: int
    nominal: int
    labels: int
    cardinality: float
    density: float
    distinct: int
    single_sets: int
    unlabelled_rows: int
    absent_labels: int
    full_labels: int
    label_counts: dict[str, int]
    missing_cells: int
    sparse: bool


def summarise_labels(data: MultiLabelDataset) -> LabelSummary:
    """Count what a multi-label data set holds.

    Parameters
    ----------
    data : MultiLabelDataset

    Returns
    -------
    LabelSummary
    """
    known = data.statistics
    nominal = int(data.is_nominal.sum())
    return LabelSummary(
        rows=data.n_rows,
        features=data.n_features,
        numeric=data.n_features - nominal,
        nominal=nominal,
        labels=known.labels,
        cardinality=known.cardinality,
        density=known.density,
        distinct=known.distinct,
        single_sets=known.single_sets,
        unlabelled_rows=known.unlabelled_rows,
        absent_labels=known.absent_labels,
        full_labels=known.full_labels,
        label_counts=dict(zip(data.labels, data.label_counts.tolist(), strict=True)),
        missing_cells=int(np.isnan(data.X).sum()),
        sparse=data.sparse,
    )


def summarise(data: Dataset) -> Summary:
    """Count what a data set holds.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    Summary

    Examples
    --------
    >>> from fsbench.data import load
    >>> iris = summarise(load("iris"))
    >>> iris.rows, iris.numeric, iris.missing_cells, iris.duplicate_rows
    (150, 4, 0, 3)
    """
    missing = np.isnan(data.X)
    columns = range(data.n_features)
    empty = [data.n_rows > 0 and bool(missing[:, j].all()) for j in columns]
    constant = [_is_constant(data, j, missing) for j in columns]
    duplicates, inconsistent = _repeated(data)
    return Summary(
        rows=data.n_rows,
        features=data.n_features,
        numeric=int((~data.is_nominal).sum()),
        nominal=int(data.is_nominal.sum()),
        classes=data.n_classes,
        class_counts=dict(zip(data.target.labels or (), data.class_counts.tolist(), strict=True)),
        missing_cells=int(missing.sum()),
        rows_with_missing=int(missing.any(axis=1).sum()),
        features_with_missing=int(missing.any(axis=0).sum()),
        constant=tuple(f.name for f, flag in zip(data.features, constant, strict=True) if flag),
        all_missing=tuple(f.name for f, flag in zip(data.features, empty, strict=True) if flag),
        duplicate_rows=duplicates,
        inconsistent_rows=inconsistent,
        sparse=data.sparse,
    )


def _is_constant(data: Dataset, j: int, missing: BoolArray) -> bool:
    known = data.X[~missing[:, j], j]
    return len(known) > 0 and bool((known == known[0]).all())


def _repeated(data: Dataset) -> tuple[int, int]:
    """Count rows that stand again, and rows that contradict the majority of their equals."""
    if not data.n_rows:
        return 0, 0
    rows = np.ascontiguousarray(data.X) + 0.0  # one sign of zero
    # Equal bytes are equal values, missing ones included: NaN has one bit pattern here.
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * data.n_features))).ravel()
    _, group = np.unique(keys, return_inverse=True)
    table = np.zeros((int(group.max()) + 1, max(data.n_classes, 1)), dtype=np.int64)
    np.add.at(table, (group, data.y), 1)
    return int(data.n_rows - np.count_nonzero(table)), int((table.sum(axis=1) - table.max(axis=1)).sum())
