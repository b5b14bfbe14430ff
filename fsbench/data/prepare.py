"""What is done to a data set before an experiment: incomplete rows out, features out, two files made one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from fsbench.errors import DataError, nearest
from fsbench.values import Dataset

if TYPE_CHECKING:
    from fsbench.data.multilabel import MultiLabelDataset

__all__ = ["check_classes", "complete_rows", "join_rows", "without_features"]

AnyDataset = TypeVar("AnyDataset", Dataset, "MultiLabelDataset")


def check_classes(data: Dataset) -> None:
    """Refuse data in which there is nothing to tell apart.

    Parameters
    ----------
    data : Dataset

    Raises
    ------
    DataError
        There are rows, and all are of one class.

    Examples
    --------
    >>> from fsbench.values import Feature
    >>> data = Dataset("toy", (Feature("a"),), np.zeros((2, 1)), Feature("class", ("n", "p")), np.array([1, 1]))
    >>> check_classes(data)
    Traceback (most recent call last):
    ...
    fsbench.errors.DataError: toy: all 2 rows are of the class 'p'; two classes are needed, at least
    """
    occurring = np.flatnonzero(data.class_counts)
    if len(occurring) == 1:
        rows = f"all {data.n_rows} rows are" if data.n_rows > 1 else "the only row is"
        label = (data.target.labels or ())[occurring[0]]
        raise DataError(f"{rows} of the class {label!r}; two classes are needed, at least", data.source or data.name)


def complete_rows(data: Dataset) -> Dataset:
    """Return the rows without a missing value.

    Parameters
    ----------
    data : Dataset

    Returns
    -------
    Dataset
        The data set itself if no value is missing; otherwise with a note that says how many rows are left.

    Raises
    ------
    DataError
        No row is complete; the message names the feature that is missing most often.

    Examples
    --------
    >>> from fsbench.values import Feature
    >>> X = np.array([[1.0, 2.0], [np.nan, 3.0]])
    >>> data = Dataset("toy", (Feature("a"), Feature("b")), X, Feature("class", ("n", "p")), np.array([0, 1]))
    >>> complete_rows(data).n_rows, complete_rows(data).note
    (1, '1 of 2 rows: those without missing values')
    """
    if not data.has_missing:
        return data
    unknown = np.isnan(data.X)
    complete = ~unknown.any(axis=1)
    if not complete.any():
        by_feature = unknown.sum(axis=0)
        worst = int(by_feature.argmax())
        raise DataError(
            f"no row is without missing values; {data.features[worst].name!r} is missing in {by_feature[worst]} of "
            f"{data.n_rows} rows: leave it out first",
            data.name,
        )
    kept = data.take(np.flatnonzero(complete))
    return _noted(kept, f"{kept.n_rows} of {data.n_rows} rows: those without missing values")


def without_features(data: AnyDataset, names: Sequence[str]) -> AnyDataset:
    """Return the data set without some features.

    Parameters
    ----------
    data : Dataset or MultiLabelDataset
    names : sequence of str
        Names of features to leave out.

    Returns
    -------
    Dataset or MultiLabelDataset
        With a note that names them; the data set itself if `names` is empty.

    Raises
    ------
    DataError
        A name that is no feature, or no feature would remain.
    """
    known = [f.name for f in data.features]
    for name in names:
        if name not in known:
            raise DataError(f"there is no feature {name!r} to drop; {nearest(name, known)}", data.name)
    if not names:
        return data
    kept = [j for j, name in enumerate(known) if name not in names]
    if not kept:
        raise DataError("to drop every feature leaves nothing to learn from", data.name)
    return _noted(data.select(kept), "without " + ", ".join(dict.fromkeys(names)))


def join_rows(first: Dataset, second: Dataset, name: str) -> Dataset:
    """Put the rows of a second data set under those of the first, such as a test file under its training file.

    Parameters
    ----------
    first, second : Dataset
        With the same features and class, in the same order. The declared labels may be ordered differently, and
        each may declare labels that the other does not: those of the second come after those of the first.
    name : str
        Name of the result.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        A column differs in name or kind.
    """
    if len(first.features) != len(second.features):
        raise DataError(f"{len(first.features)} features cannot be joined with {len(second.features)}", second.name)
    columns, features = [], []
    ours, theirs = (*first.features, first.target), (*second.features, second.target)
    lower = np.column_stack([second.X, second.y.astype(np.float64)])
    for j, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if a.name != b.name or a.is_nominal != b.is_nominal:
            raise DataError(f"column {j + 1} is {_told(a)} in {first.name!r} but {_told(b)} here", second.name)
        column = lower[:, j]
        if a.labels is not None and b.labels is not None:
            labels = a.labels + tuple(label for label in b.labels if label not in a.labels)
            place = np.array([*(labels.index(label) for label in b.labels), np.nan])
            column = place[np.where(np.isnan(column), len(b.labels), column).astype(np.int64)]
            a = replace(a, labels=labels)
        columns.append(column)
        features.append(a)
    X = np.vstack([first.X, np.column_stack(columns[:-1])])
    y = np.concatenate([first.y, columns[-1].astype(np.int64)])
    note = "; ".join(dict.fromkeys(part for part in (first.note, second.note) if part))
    source = ", ".join(part for part in (first.source, second.source) if part)
    return Dataset(name, tuple(features[:-1]), X, features[-1], y, source, note, first.sparse and second.sparse)


def _told(feature: object) -> str:
    name, labels = getattr(feature, "name", ""), getattr(feature, "labels", None)
    return f"{name!r} ({'numeric' if labels is None else 'nominal'})"


def _noted(data: AnyDataset, text: str) -> AnyDataset:
    """Add to the note of a data set that was just cut out of another one, of which nothing is derived yet."""
    return replace(data, note=f"{data.note}; {text}" if data.note else text)
