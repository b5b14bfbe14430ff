"""The outer folds of a data set and the inner folds of a training part, as an experiment asks for them."""

from __future__ import annotations

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.errors import DataError
from fsbench.evaluation.folds import file_splits, mulan_splits, plain_splits, stratified_splits, weka_splits
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.prepared import holdout_split
from fsbench.values import Dataset, IntArray, Split

__all__ = ["inner_seed", "inner_splits", "outer_splits", "repeat_splits", "seeded_splits"]


def outer_splits(experiment: Experiment, data: Dataset | MultiLabelDataset) -> list[Split]:
    """Split a data set into outer folds, all repeats; every method sees the same ones.

    Parameters
    ----------
    experiment : Experiment
    data : Dataset or MultiLabelDataset

    Returns
    -------
    list of Split
        Repeat 0 first.

    Raises
    ------
    DataError
        More folds than rows, or fold numbers that do not fit.
    """
    scheme = experiment.folds
    try:
        if scheme.file is not None:
            path = experiment.base / scheme.file.replace("{dataset}", data.name)
            return file_splits(path, data.n_rows)
        # Only drawn rows differ from repeat to repeat.
        given = scheme.scheme == "holdout" and experiment.dataset(data.name).first_rows is not None
        repeats = 1 if given else scheme.repeats
        return [split for repeat in range(repeats) for split in _splits(experiment, data, repeat)]
    except DataError as error:
        raise DataError(error.what, f"{data.name}: {error.where}" if error.where else data.name) from None


def seeded_splits(experiment: Experiment, data: Dataset | MultiLabelDataset) -> list[Split]:
    """Return the folds of the repeats that only the searches of a data set have: see `DatasetRef.seeds`.

    Parameters
    ----------
    experiment : Experiment
    data : Dataset

    Returns
    -------
    list of Split
        From the first repeat after those of `outer_splits`.
    """
    seeds = experiment.dataset(data.name).seeds or 0
    return [s for repeat in range(experiment.folds.repeats, seeds) for s in _splits(experiment, data, repeat)]


def repeat_splits(experiment: Experiment, data: Dataset, repeat: int) -> list[Split]:
    """Return the folds of one repeat, be it one of `outer_splits` or of `seeded_splits`."""
    if experiment.folds.file is not None:
        return [split for split in outer_splits(experiment, data) if split.repeat == repeat]
    return _splits(experiment, data, repeat)


def _splits(experiment: Experiment, data: Dataset | MultiLabelDataset, repeat: int) -> list[Split]:
    scheme, seed = experiment.folds, experiment.folds.seed + repeat
    if scheme.scheme == "mulan":
        return mulan_splits(data.n_rows, scheme.folds, seed, repeat)
    if scheme.scheme == "plain":
        return plain_splits(data.n_rows, scheme.folds, seed, repeat)
    assert isinstance(data, Dataset)  # the other schemes need a class, which the configuration has made sure of
    if scheme.scheme == "holdout":
        ref = experiment.dataset(data.name)
        return [holdout_split(data, ref.train_rows or ref.first_rows or 0, ref.train_rows is not None, seed, repeat)]
    if scheme.scheme == "weka":
        return weka_splits(data.y, data.n_classes, scheme.folds, seed, repeat)
    return stratified_splits(data.y, data.n_classes, scheme.folds, seed, repeat)


def inner_seed(experiment: Experiment, split: Split) -> tuple[int, int, int]:
    """Return the seed of the inner folds of one training part: another for each repeat and fold."""
    return experiment.seed, split.repeat, split.fold


def inner_splits(y: IntArray, n_classes: int, folds: int, seed: tuple[int, int, int]) -> list[Split]:
    """Split a training part for the estimate ``inner_cv``: stratified, shared by all rankers and classifiers.

    Parameters
    ----------
    y : ndarray of shape (n_train,)
    n_classes : int
    folds : int
        As many as there are rows if those are fewer: each row is then left out once.
    seed : tuple of int
        See `inner_seed`.

    Returns
    -------
    list of Split
        Row numbers count within the training part.

    Raises
    ------
    DataError
        Fewer than two rows.
    """
    if len(y) < 2:
        raise DataError(f"an inner cross-validation needs at least 2 training rows, found {len(y)}")
    return stratified_splits(y, n_classes, min(folds, len(y)), seed)
