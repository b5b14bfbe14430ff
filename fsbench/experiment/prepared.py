"""What an experiment does to a data set before it is split: files joined, features and incomplete rows left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fsbench.data.prepare import complete_rows, join_rows, without_features
from fsbench.errors import DataError
from fsbench.experiment.experiment import DatasetRef
from fsbench.values import Dataset, IntArray, Split

__all__ = ["holdout_split", "prepared"]


def prepared(ref: DatasetRef, parts: Sequence[Dataset]) -> Dataset:
    """Make the data set that a reference asks for from what was loaded.

    Parameters
    ----------
    ref : DatasetRef
    parts : sequence of Dataset
        The data set itself, or those to be joined, in order.

    Returns
    -------
    Dataset
        Named by the reference's label; its note says what was done. Whoever asks for its digest gets that of the
        content after all this.

    Raises
    ------
    DataError
        The parts do not fit together, a feature to be left out is not there, or no row is complete.
    """
    data = replace(parts[0], name=ref.label)
    for part in parts[1:]:
        data = join_rows(data, part, ref.label)
    if len(parts) > 1:
        text = " and ".join(f"{part.n_rows} of {part.name}" for part in parts)
        data = replace(data, note="; ".join(n for n in (data.note, f"rows: {text}") if n))
    data = without_features(data, ref.drop)
    return complete_rows(data) if ref.complete_rows else data


def holdout_split(data: Dataset, n_train: int, drawn: bool, seed: int, repeat: int = 0) -> Split:
    """Part a data set into a training part of a stated size and a test part.

    Parameters
    ----------
    data : Dataset
    n_train : int
        Rows of the training part.
    drawn : bool
        Whether they are drawn at random, the classes in equal shares as far as whole rows allow; else they are
        the first of the file.
    seed : int
        Of the draw.
    repeat : int, default 0
        Written into the split.

    Returns
    -------
    Split
        Both parts in ascending order of row.

    Raises
    ------
    DataError
        No row would be left to test.

    Examples
    --------
    >>> from fsbench.values import Feature
    >>> data = Dataset("toy", (Feature("a"),), np.zeros((6, 1)), Feature("class", ("n", "p")), np.array([0, 1] * 3))
    >>> holdout_split(data, 4, drawn=False, seed=1).test.tolist()
    [4, 5]
    >>> split = holdout_split(data, 4, drawn=True, seed=1)
    >>> data.y[split.train].tolist().count(0), len(split.test)
    (2, 2)
    """
    if n_train >= data.n_rows:
        raise DataError(f"{n_train} training rows of {data.n_rows} leave none to test", data.name)
    rows = _shuffled(data, seed) if drawn else np.arange(data.n_rows, dtype=np.int64)
    return Split(np.sort(rows[:n_train]), np.sort(rows[n_train:]), 0, repeat)


def _shuffled(data: Dataset, seed: int) -> IntArray:
    """Put rows in a random order in which every beginning holds the classes in nearly their shares of the whole."""
    rng = np.random.default_rng(seed)
    place = np.empty(data.n_rows)
    for c in range(data.n_classes):
        members = rng.permutation(np.flatnonzero(data.y == c))
        place[members] = (np.arange(len(members)) + 0.5) / max(len(members), 1)
    return np.argsort(place, kind="stable").astype(np.int64)
