"""`load`: from a name or a path to a data set."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from fsbench.data.arff import read_arff
from fsbench.data.generate import GENERATED
from fsbench.data.locate import SUFFIXES, Location, available
from fsbench.data.registry import DataInfo, info, is_known
from fsbench.data.streams import BLOCK, open_binary
from fsbench.data.table import Table
from fsbench.errors import DataError
from fsbench.values import Dataset

__all__ = ["is_path", "load"]


def load(
    source: str | Path,
    *,
    target: str | int | None = None,
    unsupported: Literal["refuse", "skip"] = "refuse",
    fetch: bool = True,
) -> Dataset:
    """Load a data set by name or from a file.

    Parameters
    ----------
    source : str or Path
        A registry name, the name of a file in FSBENCH_DATA without its ending, or the path of an ARFF or CSV
        file, plain or gzipped. A text is a path if it holds a separator or ends as such a file does.
    target : str or int, optional
        The class: a column's name, its number from 1, ``"first"`` or ``"last"``; the last column by default.
    unsupported : {"refuse", "skip"}, default "refuse"
        What to do with string, date and relational attributes.
    fetch : bool, default True
        Whether a known data set that is nowhere on this machine may be fetched from its public address.

    Returns
    -------
    Dataset
        Its note says if the data were generated, or are not those that the registry describes.

    Raises
    ------
    DataError
        No such data set or file, or something is wrong in it.

    Warns
    -----
    DataWarning
        Rows without a class, or skipped attributes, were left out.

    Examples
    --------
    >>> iris = load("iris")
    >>> iris.n_rows, iris.n_features, iris.target.labels
    (150, 4, ('Iris-setosa', 'Iris-versicolor', 'Iris-virginica'))
    """
    if is_path(source):
        path = Path(source)
        return read_table(path, unsupported=unsupported).to_dataset(target, name=_stem(path), source=str(path))
    name = str(source)
    found = available(name) or _fetched(name, fetch)
    if found.path is None:
        dataset = GENERATED[name]()
        return dataset if target is None else _retarget(dataset, target)
    table = read_table(found.path, unsupported=unsupported)
    dataset = table.to_dataset(target, name=name, source=str(found.path))
    if target is None and is_known(name) and found.kind != "shipped":
        dataset = replace(dataset, note=_difference(info(name), dataset, found.path))
    return dataset


def read_table(path: Path, *, unsupported: Literal["refuse", "skip"] = "refuse") -> Table:
    """Read a file by the reader that its name asks for."""
    return read_arff(path, unsupported=unsupported)


def is_path(source: str | Path) -> bool:
    """Whether `load` takes a source for a path rather than a name."""
    if isinstance(source, Path):
        return True
    separators = [os.sep, os.altsep or os.sep, "/"]
    return any(s in source for s in separators) or source.lower().endswith(SUFFIXES)


def _stem(path: Path) -> str:
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)]
    return path.name


def _fetched(name: str, fetch: bool) -> Location:
    entry = info(name)
    raise DataError(f"the data set {entry.name!r} is not here{' and not fetched' if not fetch else ''}")


def _retarget(dataset: Dataset, target: str | int) -> Dataset:
    """Make another column of a generated set the class."""
    values = np.empty((dataset.n_rows, dataset.n_features + 1), order="F")
    values[:, :-1], values[:, -1] = dataset.X, dataset.y
    table = Table(dataset.name, (*dataset.features, dataset.target), values)
    return replace(table.to_dataset(target, name=dataset.name, source=dataset.source), note=dataset.note)


def _difference(entry: DataInfo, dataset: Dataset, path: Path) -> str:
    """Say whether a file that was found is not the one that the registry describes."""
    if not entry.digest or _sha256(path) == entry.sha256 or dataset.digest == entry.digest:
        return ""
    shape = f"{dataset.n_rows} rows, {dataset.n_features} features, {dataset.n_classes} classes"
    how = "other values" if shape == entry.shape else f"{shape} instead of {entry.shape}"
    return f"not the registered {entry.name}: {how}"


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open_binary(path) as stream:
        while chunk := stream.read(BLOCK):
            digest.update(chunk)
    return digest.hexdigest()
