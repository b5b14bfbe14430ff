"""`load`: from a name or a path to a data set."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from fsbench.data.arff import read_arff
from fsbench.data.arff_header import read_header
from fsbench.data.locate import SUFFIXES, Location, available, named_instead, stem
from fsbench.data.registry import DataInfo, info, is_known
from fsbench.data.streams import BLOCK, LineReader, open_binary
from fsbench.data.table import MISSING, Table
from fsbench.errors import DataError
from fsbench.values import Dataset

__all__ = ["column_names", "is_path", "load"]


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

    def read(path: Path, name: str) -> Dataset:
        if _kind(path) == ".csv":
            from fsbench.data.csv import read_csv

            table = read_csv(path, target=target, nominal=nominal, numeric=numeric, missing=missing)
        elif nominal or numeric:
            raise DataError("only the columns of a CSV file can be said to be nominal or numeric", str(path))
        else:
            table = read_arff(path, unsupported=unsupported)
        return table.to_dataset(target, name=name, source=str(path))

    if is_path(source):
        path = Path(source)
        if _is_absent(path):
            raise DataError(f"no such file{named_instead(path)}", str(path))
        return read(path, stem(path))
    name = str(source)
    if is_known(name) and info(name).labels and (target is None or info(name).kind == "generated"):
        raise DataError(f"{name} is a multi-label data set, which has no class of its own; see load_multilabel")
    found = _find(name, fetch)
    if found.path is None:
        return _generated(name, target)
    if found.kind == "cache" and is_known(name):
        return _cached(info(name), found.path, read, fetch and target is None)
    dataset = read(found.path, name)
    if target is None and is_known(name) and found.kind != "shipped":
        dataset = replace(dataset, note=_difference(info(name), dataset, found.path))
    return dataset


def column_names(path: Path) -> list[str]:
    """Return the names of all columns of a file, the class among them, without reading its rows.

    Raises
    ------
    DataError
        As `load`, as far as the header goes.
    """
    if _kind(path) == ".csv":
        from fsbench.data.csv import csv_header

        return csv_header(path)[0]
    return [attribute.name for attribute in read_header(LineReader(path)).attributes]


def is_path(source: str | Path) -> bool:
    """Whether `load` takes a source for a path rather than a name."""
    if isinstance(source, Path):
        return True
    separators = [os.sep, os.altsep or os.sep, "/"]
    if any(s in source for s in separators) or source.lower().endswith(SUFFIXES):
        return True
    return Path(source).is_file() and not is_known(source)


def _is_absent(path: Path) -> bool:
    """Whether there is no such file; one that may not be looked at is not absent."""
    try:
        path.stat()
    except OSError as error:
        return isinstance(error, FileNotFoundError | NotADirectoryError)
    return False


def _kind(path: Path) -> str:
    kind = Path(path.name.lower().removesuffix(".gz")).suffix
    if kind in (".arff", ".csv"):
        return kind
    what = "this is a folder" if path.is_dir() else f"unknown kind of file {kind!r}"
    raise DataError(f"{what}; a data file ends in {', '.join(SUFFIXES)}", str(path))


def _find(name: str, may_fetch: bool) -> Location:
    """Return where the data set is, fetched now if it is nowhere yet."""
    if found := available(name):
        return found
    entry = info(name)
    from fsbench.data.fetch import fetch, how_to_supply  # here: most runs fetch nothing

    if entry.fetch and may_fetch:
        return Location("cache", fetch(name))
    how = f"'fsbench datasets fetch {name}' gets it, or " if entry.fetch else ""
    raise DataError(f"the data set {name!r} is not on this machine; {how}{how_to_supply(name)}")


def _cached(entry: DataInfo, path: Path, read: Callable[[Path, str], Dataset], may_fetch: bool) -> Dataset:
    """Read a cached file; one that was damaged is fetched anew."""
    from fsbench.data.fetch import fetch, is_registered

    try:
        dataset = read(path, entry.name)
        if not may_fetch or is_registered(entry, dataset):
            return dataset
    except DataError as error:
        if not may_fetch:
            raise
        reason = error.what
    else:
        reason = "it is not the registered data set"
    try:
        return read(fetch(entry), entry.name)
    except DataError as error:
        raise DataError(f"the cached file is of no use ({reason}), and {error.what}", str(path)) from None


def _generated(name: str, target: str | int | None) -> Dataset:
    from fsbench.data.generate import GENERATED

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
    import hashlib

    digest = hashlib.sha256()
    with open_binary(path) as stream:
        while chunk := stream.read(BLOCK):
            digest.update(chunk)
    return digest.hexdigest()
