"""The file of label names that may lie beside a data file: whoever overlooks it takes labels for features."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fsbench.data.loading import column_names, is_path
from fsbench.data.locate import available, stem
from fsbench.data.registry import is_known
from fsbench.errors import DataError

__all__ = ["Beside", "check_one_class", "labels_beside"]


@dataclass(frozen=True)
class Beside:
    """An XML file as Mulan has it, beside a data file and of its name.

    Parameters
    ----------
    path : Path
        The XML file.
    data : str
        The data file.
    labels : tuple of str
        That it names; at least one is a column.
    strange : tuple of str
        Those that are no column of the data.
    """

    path: Path
    data: str
    labels: tuple[str, ...]
    strange: tuple[str, ...]

    @property
    def partly(self) -> str:
        """What there is to say if some labels are no columns."""
        return (
            f"{self.path} lies beside it, but {self.strange[0]!r} is no column of {self.data}: "
            f"taken as data with one class"
        )


def labels_beside(source: str | Path) -> Beside | None:
    """Return the labels that are named beside a data file; None if no column of it is.

    Parameters
    ----------
    source : str or Path
        As in `fsbench.data.load`. What the registry knows says itself if it is multi-label data.
    """
    path = _file(source)
    if path is None or stem(path) == path.name or not path.is_file():
        return None
    beside = path.with_name(f"{stem(path)}.xml")
    if not beside.is_file():
        return None
    from fsbench.data.label_names import read_label_names

    try:
        labels, columns = tuple(read_label_names(beside)), set(column_names(path))
    except DataError:  # some other XML file, or data of which more will be said where they are read
        return None
    strange = tuple(label for label in labels if label not in columns)
    return Beside(beside, str(path), labels, strange) if len(strange) < len(labels) else None


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
        A file beside the data names columns of it as labels.
    """
    found = labels_beside(source) if target is None else None
    if found is None or found.strange:
        return "" if found is None else found.partly
    raise DataError(f"{found.path} beside it names {len(found.labels)} columns as labels; {remedy}", found.data)


def _file(source: str | Path) -> Path | None:
    if is_path(source):
        return Path(source)
    found = None if is_known(str(source)) else available(str(source))
    return None if found is None else found.path
