"""The multi-label data sets of an experiment: loaded, or missing with the reason."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from fsbench.data.locate import available
from fsbench.data.mulan import Labels, load_multilabel
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.data.prepare import without_features
from fsbench.data.registry import info
from fsbench.experiment.experiment import DatasetRef
from fsbench.experiment.sources import Missing, find, unchanged

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
    if ref.path is None and not available(str(ref.name)) and not info(str(ref.name)).labels:
        return _load(ref, base)  # says that it has one class
    return find(ref, base, fetch, _load)


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
    return unchanged(_load(ref, base), digest)


def _load(ref: DatasetRef, base: Path) -> MultiLabelDataset:
    source = base / ref.path if ref.path is not None else str(ref.name)
    data = load_multilabel(source, _labels(ref, base))
    return replace(without_features(data, ref.drop), name=ref.label)


def _labels(ref: DatasetRef, base: Path) -> Labels:
    """Return the label columns; an XML file is relative to the experiment's file."""
    if isinstance(ref.labels, str) and ref.labels.lower().endswith(".xml"):
        return base / ref.labels
    return ref.labels
