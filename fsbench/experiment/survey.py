"""What the planner and the store must know of each data set: its content's hash, shape, names and folds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fsbench.data.multilabel import LabelMatrix, LabelStatistics, MultiLabelDataset
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.label_sources import find_label_dataset
from fsbench.experiment.sources import Missing, find_dataset
from fsbench.experiment.splits import outer_splits, seeded_splits
from fsbench.values import Dataset, IntArray, Split

__all__ = ["DatasetFacts", "survey"]


@dataclass(frozen=True, eq=False)
class DatasetFacts:
    """A data set without its values.

    Parameters
    ----------
    label, digest : str
    features, classes : tuple of str
        Names of the features; declared classes, or labels.
    n_numeric : int
        How many features are numeric.
    y : ndarray of shape (n_rows,)
        Class indices; of multi-label data the label matrix.
    splits : tuple of Split
        The outer folds, all repeats.
    seeded : tuple of Split
        Those of further repeats, for searches alone.
    source, note : str
        See `Dataset`.
    statistics : LabelStatistics, optional
        Of multi-label data.
    missing : bool
        Whether some feature is missing in some row.
    """

    label: str
    digest: str
    features: tuple[str, ...]
    classes: tuple[str, ...]
    n_numeric: int
    y: IntArray | LabelMatrix
    splits: tuple[Split, ...]
    source: str
    note: str
    statistics: LabelStatistics | None = None
    seeded: tuple[Split, ...] = ()
    missing: bool = False


def survey(experiment: Experiment, fetch: bool = True) -> Iterator[DatasetFacts | Missing]:
    """Look at every data set of an experiment, one after the other; none is kept in memory.

    Parameters
    ----------
    experiment : Experiment
    fetch : bool, default True
        Whether the network may be used.

    Yields
    ------
    DatasetFacts or Missing

    Raises
    ------
    DataError
        A data set that is there cannot be read or split.
    """
    for ref in experiment.datasets:
        find = find_label_dataset if experiment.kind == "multilabel" else find_dataset
        data = find(ref, experiment.base, fetch)
        yield data if isinstance(data, Missing) else _facts(experiment, data)


def _facts(experiment: Experiment, data: Dataset | MultiLabelDataset) -> DatasetFacts:
    classes: tuple[str, ...]
    y: IntArray | LabelMatrix
    if isinstance(data, MultiLabelDataset):
        classes, y, statistics = data.labels, data.Y, data.statistics
    else:
        classes, y, statistics = data.target.labels or (), data.y, None
    return DatasetFacts(
        label=data.name,
        digest=data.digest,
        features=tuple(feature.name for feature in data.features),
        classes=classes,
        n_numeric=int((~data.is_nominal).sum()),
        y=y,
        splits=tuple(outer_splits(experiment, data)),
        source=data.source,
        note=data.note,
        statistics=statistics,
        seeded=tuple(seeded_splits(experiment, data)),
        missing=bool(np.isnan(data.X).any()),
    )
