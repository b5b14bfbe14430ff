"""The stored rankings of an experiment, fold by fold, and how far the rankers agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fsbench.evaluation.stability import correlations
from fsbench.report.results import Results
from fsbench.values import FloatArray

__all__ = [
    "Agreement",
    "Fold",
    "fold_ranks",
    "rank_agreement",
    "stacked_ranks",
]

# Repeat and fold.
Fold = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Agreement:
    """Mean correlation of the rankings of every two rankers.

    Parameters
    ----------
    rankers : tuple of str
        Labels in the order of the configuration.
    matrix : ndarray of shape (n_rankers, n_rankers)
        Mean over the folds of a data set, then over data sets; NaN where no data set has both.
    datasets : ndarray of shape (n_rankers, n_rankers)
        How many data sets a mean is of.
    """

    rankers: tuple[str, ...]
    matrix: FloatArray
    datasets: FloatArray


def fold_ranks(results: Results) -> dict[str, dict[str, dict[Fold, FloatArray]]]:
    """Return the rank of every feature (1 the best) by data set, ranker, and repeat and fold; read once.

    Parameters
    ----------
    results : Results

    Returns
    -------
    dict
        Arrays of shape (n_features,); empty without rankings. Orders that do not hold every feature once are left out.
    """
    return results.remember("fold ranks", lambda: _fold_ranks(results))


def stacked_ranks(results: Results) -> Mapping[tuple[str, str], tuple[tuple[Fold, ...], FloatArray]]:
    """Return the ranks of `fold_ranks` by data set and ranker, the folds below each other.

    Parameters
    ----------
    results : Results

    Returns
    -------
    mapping
        To the folds and an array of shape (n_folds, n_features); without rankings of unequal lengths.
    """
    return results.remember("stacked ranks", lambda: _stacked_ranks(results))


def rank_agreement(results: Results, kind: str = "kendall", dataset: str | None = None) -> Agreement:
    """Return how far the rankers agree.

    Parameters
    ----------
    results : Results
    kind : {"kendall", "spearman"}, default "kendall"
    dataset : str, optional
        Only this one; by default the mean over all.

    Returns
    -------
    Agreement
    """
    key = ("agreement", kind, dataset)
    return results.remember(key, lambda: _rank_agreement(results, kind, dataset))


def _fold_ranks(results: Results) -> dict[str, dict[str, dict[Fold, FloatArray]]]:
    frame = results.rankings
    found: dict[str, dict[str, dict[Fold, FloatArray]]] = {}
    if frame is None or frame.empty:
        return found
    features, ranks = (frame[c].to_numpy(dtype=np.int64) for c in ("feature_index", "rank"))
    groups: Any = frame.groupby(["dataset", "ranker", "repeat", "fold"], sort=False).indices
    for (dataset, ranker, repeat, fold), rows in groups.items():
        order = features[rows]
        if (np.sort(order) == np.arange(len(rows))).all():
            row = np.empty(len(rows))
            row[order] = ranks[rows]
            found.setdefault(str(dataset), {}).setdefault(str(ranker), {})[int(repeat), int(fold)] = row
    return found


def _stacked_ranks(results: Results) -> dict[tuple[str, str], tuple[tuple[Fold, ...], FloatArray]]:
    return {
        (dataset, ranker): (tuple(folds), np.array(list(folds.values())))
        for dataset, rankers in fold_ranks(results).items()
        for ranker, folds in rankers.items()
        if len({len(row) for row in folds.values()}) == 1
    }


def _rank_agreement(results: Results, kind: str, dataset: str | None) -> Agreement:
    n = len(results.ranked)
    total, count = np.zeros((n, n)), np.zeros((n, n))
    for name in results.datasets if dataset is None else [dataset]:
        mean = _agreement_on(results, kind, name)
        there = np.isfinite(mean)
        total[there] += mean[there]
        count += there
    return Agreement(tuple(results.ranked), _means(total, count), count)


def _agreement_on(results: Results, kind: str, dataset: str) -> FloatArray:
    """Return the mean over the folds of a data set; NaN for pairs without a common fold."""
    n = len(results.ranked)
    total, count = np.zeros((n, n)), np.zeros((n, n))
    by_fold: dict[Fold, list[tuple[int, FloatArray]]] = {}
    for i, ranker in enumerate(results.ranked):
        for place, row in fold_ranks(results).get(dataset, {}).get(ranker, {}).items():
            by_fold.setdefault(place, []).append((i, row))
    for rows in by_fold.values():
        if len({len(row) for _, row in rows}) == 1:
            where = np.ix_([i for i, _ in rows], [i for i, _ in rows])
            total[where] += correlations(np.array([row for _, row in rows]), kind)
            count[where] += 1
    return _means(total, count)


def _means(total: FloatArray, count: FloatArray) -> FloatArray:
    found: FloatArray = np.full(total.shape, np.nan)
    return np.divide(total, count, out=found, where=count > 0)
