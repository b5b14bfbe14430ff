"""`load`: from a name or a path to a data set."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from fsbench.data.arff import read_arff
from fsbench.data.csv import MISSING, read_csv
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
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    missing: Sequence[str] = MISSING,
    unsupported: Literal["refuse", "skip"] = "refuse",
    fetch: bool = True,
) -> Dataset:
    """Load a data set by name or from a file.

    Parameters
    ----------
    source : str or Path
        A registry name, the name of a file in FSBENCH_DATA without its ending, or the path of an ARFF or CSV
        file, plain or gzipped. A text is a path if it holds a separator, ends as such a file does, or is the
        name of a file here and of no data set.
    target : str or int, optional
        The class: a column's name, its number from 1, ``"first"`` or ``"last"``; the last column by default.
    nominal, numeric, missing : sequence of str
        For CSV files: columns whose kind is not left to inference, and what stands for a missing value (see
        `fsbench.data.csv.read_csv`). An ARFF file declares its kinds itself.
    unsupported : {"refuse", "skip"}, default "refuse"
        What to do with string, date and relational attributes of an ARFF file.
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

    def read(path: Path) -> Table:
        kind = _kind(path)
        if kind == ".csv":
            return read_csv(path, target=target, nominal=nominal, numeric=numeric, missing=missing)
        if nominal or numeric:
            raise DataError("only the columns of a CSV file can be said to be nominal or numeric", str(path))
        return read_arff(path, unsupported=unsupported)

    if is_path(source):
        path = Path(source)
        return read(path).to_dataset(target, name=_stem(path), source=str(path))
    name = str(source)
    found = available(name) or _fetched(name, fetch)
    if found.path is None:
        return _generated(name, target)
    dataset = read(found.path).to_dataset(target, name=name, source=str(found.path))
    if target is None and is_known(name) and found.kind != "shipped":
        dataset = replace(dataset, note=_difference(info(name), dataset, found.path))
    return dataset


def is_path(source: str | Path) -> bool:
    """Whether `load` takes a source for a path rather than a name."""
    if isinstance(source, Path):
        return True
    separators = [os.sep, os.altsep or os.sep, "/"]
    if any(s in source for s in separators) or source.lower().endswith(SUFFIXES):
        return True
    return Path(source).is_file() and not is_known(source)


def _kind(path: Path) -> str:
    kind = Path(path.name.lower().removesuffix(".gz")).suffix
    if kind in (".arff", ".csv"):
        return kind
    if not path.exists():
        raise DataError("no such file", str(path))
    what = "this is a folder" if path.is_dir() else f"unknown kind of file {kind!r}"
    raise DataError(f"{what}; a data file ends in {', '.join(SUFFIXES)}", str(path))


def _stem(path: Path) -> str:
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)]
    return path.name


def _fetched(name: str, fetch: bool) -> Location:
    entry = info(name)
    raise DataError(f"the data set {entry.name!r} is not here{' and not fetched' if not fetch else ''}")


def _generated(name: str, target: str | int | None) -> Dataset:
    dataset = GENERATED[name]()
    if target is None:
        return dataset
    values = np.empty((dataset.n_rows, dataset.n_features + 1), order="F")
    values[:, :-1], values[:, -1] = dataset.X, dataset.y
    table = Table(dataset.name, (*dataset.features, dataset.target), values)
    return replace(table.to_dataset(target, name=name, source=dataset.source), note=dataset.note)


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
