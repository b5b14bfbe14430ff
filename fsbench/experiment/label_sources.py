"""The multi-label data sets of an experiment: loaded, or missing with the reason."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from fsbench.data.locate import available
from fsbench.data.mulan import Labels, load_multilabel
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.data.registry import info, is_known
from fsbench.errors import DataError, nearest
from fsbench.experiment.experiment import DatasetRef
from fsbench.experiment.sources import Missing

__all__ = ["find_label_dataset", "load_label_dataset"]


def find_label_dataset(ref: DatasetRef, base: Path, fetch: bool = True) -> MultiLabelDataset | Missing:
    """Load a multi-label data set under its label, or say why it is missing.

    Parameters
    ----------
    ref : DatasetRef
    base : Path
        Folder that the reference's paths are relative to.
    fetch : bool, default True
        Whether the network may be used.

    Returns
    -------
    MultiLabelDataset or Missing

    Raises
    ------
    DataError
        An unknown name, a set with one class, or a file that cannot be read.
    """
    if ref.path is not None:
        path = base / ref.path
        return _load(ref, base) if path.exists() else Missing(ref.label, f"no such file: {path}")
    name = str(ref.name)
    if available(name) is not None:
        return _load(ref, base)
    entry = info(name)  # a name that is unknown everywhere is a slip of the pen, not a missing data set
    if not entry.labels:
        return _load(ref, base)
    if not (fetch and entry.fetch):
        how = "a run tries to fetch it" if entry.fetch else f"put {_files(name)} into a folder named by FSBENCH_DATA"
        return Missing(ref.label, f"not here; {how}")
    try:
        return _load(ref, base)
    except DataError as error:
        return Missing(ref.label, error.what)


# A worker meets the folds of a data set one after the other.
@lru_cache(maxsize=1)
def load_label_dataset(ref: DatasetRef, base: Path, digest: str) -> MultiLabelDataset:
    """Load a multi-label data set of known content; kept for the next fold.

    Parameters
    ----------
    ref : DatasetRef
    base : Path
    digest : str
        Of the content as it was when the run was planned.

    Returns
    -------
    MultiLabelDataset

    Raises
    ------
    DataError
        It cannot be had any more, or has changed.
    """
    data = _load(ref, base)
    if data.digest != digest:
        raise DataError("its content has changed since the run began; start the run again", ref.label)
    return data


def _load(ref: DatasetRef, base: Path) -> MultiLabelDataset:
    source = base / ref.path if ref.path is not None else str(ref.name)
    data = load_multilabel(source, _labels(ref, base))
    return replace(_without(data, ref.drop), name=ref.label)


def _labels(ref: DatasetRef, base: Path) -> Labels:
    """Return the label columns; an XML file is relative to the experiment's file."""
    if isinstance(ref.labels, str) and ref.labels.lower().endswith(".xml"):
        return base / ref.labels
    return ref.labels


def _without(data: MultiLabelDataset, drop: tuple[str, ...]) -> MultiLabelDataset:
    """Leave features out."""
    if not drop:
        return data
    names = [feature.name for feature in data.features]
    for name in drop:
        if name not in names:
            raise DataError(f"no feature {name!r} to drop; {nearest(name, names)}", data.name)
    kept = [j for j, name in enumerate(names) if name not in drop]
    if not kept:
        raise DataError("every feature is dropped", data.name)
    note = "; ".join(n for n in (data.note, f"without {', '.join(drop)}") if n)
    return replace(data.select(kept), note=note)


def _files(name: str) -> str:
    entry = info(name) if is_known(name) else None
    return f"{name}.arff" + (f" and {entry.labels_file}" if entry is not None and entry.labels_file else "")
