"""What a data file, or one beside it, says of labels: whoever overlooks it takes labels for features."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from fsbench.data.loading import column_names, is_path
from fsbench.data.locate import available, stem
from fsbench.data.registry import is_known
from fsbench.data.streams import LineReader, open_binary
from fsbench.errors import DataError

__all__ = ["Named", "check_one_class", "labels_named"]


_MEKA = re.compile(rb"^[^\S\n]*@relation[^\n]*-C\s+-?\d", re.IGNORECASE | re.MULTILINE)
_HEAD = 1 << 13  # bytes in which the relation stands
_BINARY = ({"0", "1"}, {"false", "true"})


@dataclass(frozen=True)
class Named:
    """What a data file, or an XML file beside it, says of its labels.

    Parameters
    ----------
    where : str
        Where it is said, for messages.
    given : str
        The same for ``--labels``.
    data : str
        The data file.
    count : int
        Number of labels; at least one is a column unless the file cannot be used.
    strange : tuple of str
        Those that are no column of the data.
    fault : str
        Why the XML file cannot be used at all, though it speaks of labels.
    """

    where: str
    given: str
    data: str
    count: int
    strange: tuple[str, ...] = ()
    fault: str = ""

    @property
    def doubt(self) -> str:
        """What there is to say if some labels are no columns, or the file cannot be used; "" otherwise."""
        if not self.strange and not self.fault:
            return ""
        why = self.fault or f"{self.strange[0]!r} is no column of {self.data}"
        return f"{self.given} lies beside it, but {why}: taken as data with one class"


def labels_named(source: str | Path) -> Named | None:
    """Return the labels that are named in a data file, as MEKA does, or beside it, as Mulan does; None without any.

    Parameters
    ----------
    source : str or Path
        As in `fsbench.data.load`. What the registry knows says itself if it is multi-label data.
    """
    path = _file(source)
    if path is None or stem(path) == path.name or not path.is_file():
        return None
    try:
        return _beside(path) or _inside(path)
    except (DataError, OSError):  # some other XML file, or data of which more will be said where they are read
        return None


def _beside(path: Path) -> Named | None:
    beside = path.with_name(f"{stem(path)}.xml")
    if not beside.is_file():
        return None
    from fsbench.data.label_names import read_label_names

    try:
        labels = read_label_names(beside)
    except DataError as error:
        speaks = b"<label" in beside.read_bytes()[:_HEAD]
        return Named("", str(beside), str(path), 0, fault=f"cannot be used ({error.what})") if speaks else None
    columns = set(column_names(path))
    strange = tuple(label for label in labels if label not in columns)
    if len(strange) == len(labels):
        return None
    return Named(f"{beside} beside it", str(beside), str(path), len(labels), strange)


def _inside(path: Path) -> Named | None:
    """Return what MEKA has written into the relation, if the columns can be labels."""
    with open_binary(path) as stream:
        if not _MEKA.search(stream.read(_HEAD)):
            return None
    from fsbench.data.arff_header import read_header
    from fsbench.data.mulan import meka_count

    header = read_header(LineReader(path))
    count, attributes = meka_count(header.relation, path), header.attributes
    chosen = attributes[:count] if count > 0 else attributes[count:]
    binary = all({label.lower() for label in attribute.labels or ()} in _BINARY for attribute in chosen)
    if not 0 < abs(count) < len(attributes) or not binary:
        return None
    return Named(f"its relation (-C {count})", str(count), str(path), abs(count))


def check_one_class(source: str | Path, target: str | int | None, remedy: str) -> str:
    """Refuse multi-label data where one class is needed and none is named: all labels but one would be features.

    Parameters
    ----------
    source : str or Path
        As in `fsbench.data.load`.
    target : str, int or None
        The class that was named.
    remedy : str
        What the user can do.

    Returns
    -------
    str
        What there is to say of a file that names some columns only; "" otherwise.

    Raises
    ------
    DataError
        The file itself, or one beside it, names columns as labels.
    """
    found = labels_named(source) if target is None else None
    if found is None or found.doubt:
        return "" if found is None else found.doubt
    raise DataError(f"{found.where} names {found.count} columns as labels; {remedy}", found.data)


def _file(source: str | Path) -> Path | None:
    if is_path(source):
        return Path(source)
    found = None if is_known(str(source)) else available(str(source))
    return None if found is None else found.path
