"""What fsbench knows of each data set by name: shape, hashes, licence, citation, mirrors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from fsbench.errors import DataError, nearest

__all__ = ["PAPERS", "DataInfo", "Kind", "SourceFile", "describe", "info", "is_known", "names"]

Kind = Literal["shipped", "generated", "fetched", "supplied", "missing"]
PAPERS = ("nlc2003", "rsa2007", "exclusiveness2003", "multilabel2013")


@dataclass(frozen=True)
class SourceFile:
    """A file to fetch: its public addresses, the SHA-256 that it must have, and the member if it is an archive."""

    urls: tuple[str, ...]
    sha256: str
    member: str = ""


@dataclass(frozen=True)
class DataInfo:
    """One entry of ``registry.toml``.

    Parameters
    ----------
    name : str
        The registry name.
    kind : {"shipped", "generated", "fetched", "supplied", "missing"}
        How the set is had: it ships with fsbench, a recipe makes it, it is fetched on demand, it is public and
        must be put into a folder of FSBENCH_DATA, or it is not public.
    rows, features, nominal, classes, missing : int or None
        Shape: instances, features (of which nominal), declared classes, missing cells; None if not known.
    class_counts : tuple of int
        Rows of each declared class.
    file : str
        The shipped file.
    sha256 : str
        Of the unzipped file.
    digest : str
        Of the content as loaded (see `fsbench.values.Dataset.digest`).
    papers : tuple of str
        The shipped experiments that use the set.
    licence, citation, source, note : str
        Prose.
    uci, openml : int or None
        The set's number in the UCI and OpenML archives.
    uci_path : str
        Where the files lie under UCI's ``machine-learning-databases``.
    checked : tuple of str
        Which of `uci`, `openml` and `uci_path` were verified; the others are from memory.
    recipe : str
        How the fetched files become the data set (see `fsbench.data.recipes`).
    fetch : tuple of SourceFile
        The files to fetch, in the order that the recipe takes them.
    labels : int
        Of a multi-label set: its labels; 0 for a set with one class.
    labels_file : str
        Of a multi-label set: the XML file that names the labels.
    cardinality, density : float or None
        Of a multi-label set: labels of a row on average, and as a share of all labels.
    distinct : int or None
        Of a multi-label set: different label sets.
    """

    name: str
    kind: Kind
    rows: int
    features: int
    classes: int
    citation: str
    note: str
    nominal: int | None = None
    missing: int | None = None
    class_counts: tuple[int, ...] = ()
    file: str = ""
    sha256: str = ""
    digest: str = ""
    papers: tuple[str, ...] = ()
    licence: str = ""
    source: str = ""
    uci: int | None = None
    openml: int | None = None
    uci_path: str = ""
    checked: tuple[str, ...] = ()
    recipe: str = ""
    fetch: tuple[SourceFile, ...] = ()
    labels: int = 0
    labels_file: str = ""
    cardinality: float | None = None
    density: float | None = None
    distinct: int | None = None

    @property
    def shape(self) -> str:
        """Rows, features and classes, or labels, in words."""
        if self.labels:
            return f"{self.rows} rows, {self.features} features, {self.labels} labels"
        return f"{self.rows} rows, {self.features} features, {self.classes} classes"


def info(name: str) -> DataInfo:
    """Return the registry entry of a data set.

    Raises
    ------
    DataError
        There is none of that name.

    Examples
    --------
    >>> info("iris").shape
    '150 rows, 4 features, 3 classes'
    >>> info("irsi")
    Traceback (most recent call last):
    ...
    fsbench.errors.DataError: unknown data set 'irsi'; did you mean 'iris'?
    """
    if name not in _sections():
        raise DataError(f"unknown data set {name!r}; {nearest(name, _sections())}")
    return _parsed(name)


def is_known(name: str) -> bool:
    """Whether the registry has a data set of that name."""
    return name in _sections()


def names(paper: str | None = None) -> list[str]:
    """Return the names of all data sets, or of those that a paper's experiment uses.

    Examples
    --------
    >>> len(names("nlc2003")), "wine" in names()
    (18, True)
    """
    if paper is not None and paper not in PAPERS:
        raise DataError(f"unknown paper {paper!r}; {nearest(paper, PAPERS)}")
    return [n for n in _sections() if paper is None or paper in info(n).papers]


def describe(name: str) -> dict[str, Any]:
    """Return what the registry says of a data set as plain values, empty ones left out."""
    entry = info(name)
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in vars(entry).items() if v not in ("", (), None)}
    del plain["classes" if entry.labels else "labels"]
    plain["fetch"] = [url for file in entry.fetch for url in file.urls]
    unchecked = [k for k in ("uci", "openml", "uci_path") if k in plain and k not in entry.checked]
    return plain | ({"from_memory": unchecked} if unchecked else {})


@cache
def _sections() -> Mapping[str, str]:
    """Return each entry's text. A run asks for a few entries, and to parse them all takes longer than to rank iris."""
    text = Path(__file__).with_name("registry.toml").read_text(encoding="utf-8")
    parts = re.split(r"^\[\"?([^\[\]\"]+)\"?\]$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@cache
def _parsed(name: str) -> DataInfo:
    import tomllib  # here: names alone need none

    # What belongs to an entry is named by the whole path: [[iris.fetch]].
    section = re.sub(r"^\[\[.*\]\]$", "[[fetch]]", _sections()[name], flags=re.MULTILINE)
    return _entry(name, tomllib.loads(section))


def _entry(name: str, fields: dict[str, Any]) -> DataInfo:
    files = tuple(SourceFile(tuple(f.pop("urls")), **f) for f in fields.pop("fetch", []))
    plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
    return DataInfo(name=name, fetch=files, **plain)
