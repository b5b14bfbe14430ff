"""Reading multi-label data: an ARFF or CSV file, and which of its columns are labels."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fsbench.data.arff import read_arff
from fsbench.data.csv import read_csv
from fsbench.data.generate import MULTILABEL
from fsbench.data.label_names import read_label_names
from fsbench.data.loading import is_path
from fsbench.data.locate import Location, available, find_file, named_instead, stem
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.data.registry import DataInfo, info, is_known
from fsbench.data.table import Table
from fsbench.errors import DataError, nearest, show
from fsbench.values import FloatArray, IntArray

__all__ = ["Labels", "load_multilabel", "meka_count", "to_multilabel"]

Labels = str | Path | int | Sequence[str] | None

_MEKA = re.compile(r"-C\s+(-?\d+)")
_HOW = "name the labels: an XML file, column names, or how many columns (-3: the last three)"
_TRUTH = {"0": 0, "1": 1, "false": 0, "true": 1}


def load_multilabel(source: str | Path, labels: Labels = None, *, fetch: bool = True) -> MultiLabelDataset:
    """Load a multi-label data set by name or from a file.

    Parameters
    ----------
    source : str or Path
        As in `fsbench.data.load`: a registry name, the name of a file in FSBENCH_DATA, or a path.
    labels : str, Path, int or sequence of str, optional
        Which columns are labels: the path of an XML file as Mulan has it; names, as a sequence or with commas
        between them; or a number, that many columns at the front, or at the end if it is negative. By default
        the XML file beside the data file that has its name, or what MEKA writes into the relation (``-C 6``).
    fetch : bool, default True
        Whether a known data set that is nowhere on this machine may be fetched from its public address.

    Returns
    -------
    MultiLabelDataset
        Labels in the order of the file's columns.

    Raises
    ------
    DataError
        No such data set or file, no way to tell the labels, a label that is no column or is not 0/1 throughout.

    Examples
    --------
    >>> load_multilabel("blobs").labels
    ('round', 'large', 'bright', 'rare')
    """
    if not is_path(source):
        name = str(source)
        found = available(name)
        if labels is None and name in MULTILABEL and (found is None or found.path is None):
            return MULTILABEL[name]()
        return _named(name, labels, fetch)
    path = Path(source)
    return _read(path, stem(path), labels)


def to_multilabel(table: Table, names: Sequence[str], *, name: str = "", source: str = "") -> MultiLabelDataset:
    """Make the named columns labels and the others features.

    Parameters
    ----------
    table : Table
        Must not be used afterwards: its values may move into the data set.
    names : sequence of str
        Columns; each must hold 0 and 1, or FALSE and TRUE, only.
    name, source : str, default ""
        For the data set; `source` names the file in error messages.

    Returns
    -------
    MultiLabelDataset
        Labels in the order of the table's columns.

    Raises
    ------
    DataError
        A name that is no column or stands twice, a column that is not 0/1, no feature left.
    """
    at = _label_columns(table, names, source)
    is_label = np.zeros(len(table.columns), dtype=np.bool_)
    is_label[at] = True
    kept = np.flatnonzero(~is_label)
    if not len(kept):
        raise DataError("every column is a label; a data set needs features", source)
    Y = np.column_stack([_truth(table, int(j), source) for j in at])
    return MultiLabelDataset(
        name=name or table.relation,
        features=tuple(table.columns[j] for j in kept),
        X=_columns(table.values, kept),
        labels=tuple(table.columns[j].name for j in at),
        Y=Y.astype(np.uint8),
        source=source,
        sparse=table.sparse,
    )


def _columns(values: FloatArray, kept: IntArray) -> FloatArray:
    """Take some columns; neighbouring ones, the usual case, without a copy."""
    if kept[-1] - kept[0] + 1 == len(kept):
        return values[:, kept[0] : kept[-1] + 1]
    return values[:, kept]


def _label_columns(table: Table, names: Sequence[str], source: str) -> IntArray:
    place = {c.name: j for j, c in enumerate(table.columns)}
    seen: set[str] = set()
    for label in names:
        if label in seen:
            raise DataError(f"the label {label!r} is named twice", source)
        if label not in place:
            raise DataError(f"the label {label!r} is no column of the data; {nearest(label, place)}", source)
        seen.add(label)
    if not seen:
        raise DataError(f"there is no label; {_HOW}", source)
    return np.sort(np.array([place[label] for label in seen], dtype=np.int64))


def _truth(table: Table, j: int, source: str) -> FloatArray:
    """Return a label's column as 0 and 1."""
    column, values = table.columns[j], table.values[:, j]
    missing = np.flatnonzero(np.isnan(values))
    if len(missing):
        raise DataError(f"the label {column.name!r} is missing in row {missing[0] + 1}; labels must be known", source)
    if column.labels is None:
        odd = np.flatnonzero((values != 0) & (values != 1))
        if len(odd):
            text = f"the label {column.name!r} must be 0 or 1, found {values[odd[0]]:g} in row {odd[0] + 1}"
            raise DataError(text, source)
        return values
    meaning = [_TRUTH.get(text.lower(), -1) for text in column.labels]
    if -1 in meaning or len(set(meaning)) < len(meaning):
        listed = ", ".join(column.labels[:5]) + (", ..." if len(column.labels) > 5 else "")
        raise DataError(
            f"the label {column.name!r} must be declared {{0,1}} or {{FALSE,TRUE}}, found {{{listed}}}", source
        )
    truth: FloatArray = np.array(meaning, dtype=np.float64)[values.astype(np.int64)]
    return truth


def _named(name: str, labels: Labels, may_fetch: bool) -> MultiLabelDataset:
    """Load from the folders of FSBENCH_DATA, or from the cache, fetched now if it is nowhere yet."""
    entry = info(name) if is_known(name) else None
    if entry is not None and not entry.labels:
        raise DataError(f"{name} is no multi-label data set: it has one class, {entry.classes} values")
    found = available(name)
    if found is None and entry is not None and entry.fetch and may_fetch:
        from fsbench.data.fetch_labels import fetch_labelled  # here: most runs fetch nothing

        found = Location("cache", fetch_labelled(entry))
    if found is None or found.path is None:
        if entry is None:
            raise DataError(f"unknown multi-label data set {name!r}; it is neither registered nor in FSBENCH_DATA")
        from fsbench.data.fetch import how_to_supply

        how = f"'fsbench datasets fetch {name}' gets it, or " if entry.fetch else ""
        raise DataError(
            f"the data set {name!r} is not on this machine; {how}{how_to_supply(name)} (source: {entry.source})"
        )
    if labels is None and entry is not None and entry.labels_file:
        labels = _beside(found.path, entry.labels_file) or find_file(entry.labels_file)
        if labels is None:
            text = (
                f"the labels of {name} are named in {entry.labels_file}, which is neither beside it nor in FSBENCH_DATA"
            )
            raise DataError(text, str(found.path))
    data = _read(found.path, name, labels)
    return replace(data, note=_difference(entry, data), _derived={}) if entry is not None else data


def _difference(entry: DataInfo, data: MultiLabelDataset) -> str:
    """Say whether a file is not the one that the registry describes."""
    if data.digest == entry.digest:
        return ""
    shape = f"{data.n_rows} rows, {data.n_features} features, {data.n_labels} labels"
    how = "other values" if shape == entry.shape else f"{shape} instead of {entry.shape}"
    return f"not the registered {entry.name}: {how}"


def _read(path: Path, name: str, labels: Labels) -> MultiLabelDataset:
    if not path.exists():
        raise DataError(f"no such file{named_instead(path)}", str(path))
    if labels is None:
        labels = _beside(path, f"{stem(path)}.xml")
    if isinstance(labels, str):
        labels = _parse(labels)
    if ".csv" in [s.lower() for s in path.suffixes[-2:]]:
        return _read_csv(path, name, labels)
    table = read_arff(path)
    counted = labels if isinstance(labels, int) else 0
    if labels is None:
        labels = meka_count(table.relation, path)
    return _labelled(table, _names(labels, table, path), name, path, counted)


def _labelled(table: Table, names: Sequence[str], name: str, path: Path, counted: int) -> MultiLabelDataset:
    """Make the named columns labels; where the user counted from the front in vain, hint at the end."""
    try:
        return to_multilabel(table, names, name=name, source=str(path))
    except DataError as error:
        raise _hinted(error, counted) from None


def _hinted(error: DataError, counted: int) -> DataError:
    if counted <= 0:
        return error
    columns = f"the last {counted} columns" if counted > 1 else "the last column"
    return DataError(f"{error.what}; {counted} counts from the front, -{counted} means {columns}", error.where)


def _read_csv(path: Path, name: str, labels: Labels) -> MultiLabelDataset:
    if labels is None:
        raise DataError(f"a CSV file does not say which columns are labels; {_HOW}", str(path))
    # The last label is given as the class, so that the reader infers the kinds of all other columns.
    names = _names(labels, None, path)
    target: Any = names[-1] if names else ("last" if int(str(labels)) < 0 else int(str(labels)))
    counted = labels if isinstance(labels, int) else 0
    try:
        table = read_csv(path, target=target)
    except DataError as error:
        raise _hinted(error, counted if "class must be nominal" in error.what else 0) from None
    return _labelled(table, names or _names(labels, table, path), name, path, counted)


def _names(labels: Labels, table: Table | None, path: Path) -> list[str]:
    """Return the names of the label columns; none if they are counted and the columns are not known yet."""
    if isinstance(labels, Path):
        return read_label_names(labels)
    if not isinstance(labels, int):
        return list(labels or ())
    if table is None:
        return []
    if labels == 0 or abs(labels) >= len(table.columns):
        raise DataError(f"{abs(labels)} of {len(table.columns)} columns cannot be labels", str(path))
    columns = table.columns[:labels] if labels > 0 else table.columns[labels:]
    return [c.name for c in columns]


def _parse(text: str) -> Labels:
    """Tell a path, a number and names apart."""
    if text.lower().endswith(".xml"):
        return Path(text)
    if re.fullmatch(r"[+-]?\d+", text.strip()):
        return int(text)
    try:
        (names,) = csv.reader(io.StringIO(text.strip(), newline=""), skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise DataError(
            f"the labels must be one line of CSV, names with commas in double quotes, found {show(text)}"
        ) from None
    return [name.strip() for name in names if name.strip()]


def meka_count(relation: str, path: Path) -> int:
    """Return the number of labels that MEKA writes into the relation; negative if they stand at the end."""
    found = _MEKA.search(relation)
    if found is None:
        raise DataError(f"nothing says which columns are labels; {_HOW}", str(path))
    if "weka.filters" in relation[found.end() :]:
        text = f"the relation says {found[0]!r}, but filters have changed the columns since; {_HOW}"
        raise DataError(text, str(path))
    return int(found[1])


def _beside(path: Path, name: str) -> Path | None:
    file = path.with_name(name)
    return file if file.is_file() else None
