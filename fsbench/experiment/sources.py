"""The data sets of an experiment: loaded, or missing with the reason and what can be done."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from fsbench.data.beside import check_one_class
from fsbench.data.loading import load
from fsbench.data.locate import available, named_instead
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.data.prepare import check_classes
from fsbench.data.registry import info
from fsbench.data.table import DataWarning
from fsbench.errors import DataError
from fsbench.experiment.experiment import DatasetRef
from fsbench.experiment.prepared import prepared
from fsbench.values import Dataset

__all__ = ["Missing", "find", "find_dataset", "load_dataset", "unchanged"]

D = TypeVar("D", Dataset, MultiLabelDataset)


@dataclass(frozen=True)
class Missing:
    """A data set that is not there.

    Parameters
    ----------
    label : str
    reason : str
        What was looked for and how to supply it.
    """

    label: str
    reason: str


def find_dataset(ref: DatasetRef, base: Path, fetch: bool = True) -> Dataset | Missing:
    """Load a data set under its label, or say why it is missing.

    Parameters
    ----------
    ref : DatasetRef
    base : Path
        Folder that the reference's path is relative to.
    fetch : bool, default True
        Whether the network may be used.

    Returns
    -------
    Dataset or Missing

    Raises
    ------
    DataError
        An unknown name, or a file that cannot be read: the user's to mend before hours are spent on the others.
    """
    for each in ref.join or (ref,):
        _check_labels(each, base)
    parts = [find(part, base, fetch, _read) for part in ref.join or (ref,)]
    for part in parts:
        if isinstance(part, Missing):
            return Missing(ref.label, f"{part.label}: {part.reason}" if ref.join else part.reason)
    return _prepared(ref, [part for part in parts if isinstance(part, Dataset)])


def find(ref: DatasetRef, base: Path, fetch: bool, read: Callable[[DatasetRef, Path], D]) -> D | Missing:
    """Read what one name or path stands for, or say why it is missing.

    Parameters
    ----------
    ref : DatasetRef
        Not of joined parts.
    base : Path
        Folder that the reference's path is relative to.
    fetch : bool
        Whether the network may be used.
    read : callable
        Makes the data set from reference and folder.

    Returns
    -------
    data set or Missing

    Raises
    ------
    DataError
        As `find_dataset`.
    """
    if ref.path is not None:
        path = base / ref.path
        return read(ref, base) if path.exists() else Missing(ref.label, f"no such file: {path}{named_instead(path)}")
    name = str(ref.name)
    if available(name):
        return read(ref, base)
    entry = info(name)  # a name that is unknown everywhere is a slip of the pen, not a missing data set
    if not (fetch and entry.fetch):
        from fsbench.data.fetch import how_to_supply  # here: most runs fetch nothing

        return Missing(ref.label, f"not here; {'a run tries to fetch it' if entry.fetch else how_to_supply(name)}")
    try:
        return read(ref, base)
    except DataError as error:
        return Missing(ref.label, error.what)


def unchanged(data: D, digest: str) -> D:
    """Return a data set whose content is what it was when the run was planned.

    Raises
    ------
    DataError
        It has changed.
    """
    if data.digest != digest:
        raise DataError("its content has changed since the run began; start the run again", data.name)
    return data


# A worker meets the folds of a data set one after the other; two sets, should the order mix them at a border.
@lru_cache(maxsize=2)
def load_dataset(ref: DatasetRef, base: Path, digest: str) -> Dataset:
    """Load a data set of known content; kept for the next fold.

    Parameters
    ----------
    ref : DatasetRef
    base : Path
    digest : str
        Of the content as it was when the run was planned.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        It cannot be had any more, or has changed.
    """
    return unchanged(_prepared(ref, [_read(part, base) for part in ref.join or (ref,)]), digest)


def _read(ref: DatasetRef, base: Path) -> Dataset:
    return replace(load(_source(ref, base), target=ref.target), name=ref.label)


def _source(ref: DatasetRef, base: Path) -> str | Path:
    return base / ref.path if ref.path is not None else str(ref.name)


def _check_labels(ref: DatasetRef, base: Path) -> None:
    """Refuse labels that would be taken for features."""
    remedy = "'kind: multilabel' is for such data, or 'target' of the data set says which one column is the class"
    if partly := check_one_class(_source(ref, base), ref.target, remedy):
        warnings.warn(partly, DataWarning, stacklevel=3)


def _prepared(ref: DatasetRef, parts: list[Dataset]) -> Dataset:
    data = prepared(ref, parts)
    if data.n_features == 0:
        raise DataError("there is no feature, only the class", ref.label)
    check_classes(data)
    return data
