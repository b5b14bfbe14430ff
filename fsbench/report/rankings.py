"""The stored rankings of an experiment: how stable they are over folds, and how far the rankers agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fsbench.evaluation.stability import Stability, correlations, jaccard, kuncheva, nogueira, ranks_of, top
from fsbench.report.results import Results
from fsbench.values import FloatArray, IntArray

__all__ = ["Agreement", "StabilityCurve", "fold_ranks", "rank_agreement", "sizes_of", "stability_curve"]

# So many sizes of a stability curve; long rankings are sampled at sizes that grow by a factor.
_MOST_SIZES = 60


@dataclass(frozen=True, eq=False)
class StabilityCurve:
    """Stability of the first k features of a ranker on a data set, by k.

    Parameters
    ----------
    sizes : ndarray of shape (n_sizes,)
        The k, rising, all below the number of features.
    n_features, n_folds : int
    nogueira : list of Stability
        With intervals at the configured level; equal to Kuncheva's index, as all folds select k features.
    kuncheva, jaccard : list of float or None
    """

    sizes: FloatArray
    n_features: int
    n_folds: int
    nogueira: list[Stability]
    kuncheva: list[float | None]
    jaccard: list[float | None]


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


def fold_ranks(results: Results) -> Mapping[tuple[str, str], tuple[tuple[tuple[int, int], ...], FloatArray]]:
    """Return the ranks of the features on every fold.

    Parameters
    ----------
    results : Results

    Returns
    -------
    mapping
        From data set and ranker to its folds ``((repeat, fold), ...)`` and an array of shape (n_folds, n_features)
        with 1 for the best feature. Rankings of unequal length, such as those of labels, are left out.
    """
    return results.remember("fold ranks", lambda: _fold_ranks(results))


def sizes_of(n_features: int) -> list[int]:
    """Return the sizes at which stability is measured: 1 to below the number of features, at most 60 of them.

    Examples
    --------
    >>> sizes_of(4)
    [1, 2, 3]
    >>> len(sizes_of(5000)), sizes_of(5000)[-1]
    (53, 4999)
    """
    last = n_features - 1
    if last <= _MOST_SIZES:
        return list(range(1, last + 1))
    return sorted({round(k) for k in np.geomspace(1, last, _MOST_SIZES)})


def stability_curve(results: Results, dataset: str, ranker: str) -> StabilityCurve | None:
    """Return how stable the first k features of a ranker are over the folds of a data set.

    Parameters
    ----------
    results : Results
    dataset, ranker : str
        Labels.

    Returns
    -------
    StabilityCurve or None
        None without rankings, with a single fold or a single feature.
    """
    key = ("stability", dataset, ranker)
    return results.remember(key, lambda: _stability_curve(results, dataset, ranker))


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


def _fold_ranks(
    results: Results,
) -> dict[tuple[str, str], tuple[tuple[tuple[int, int], ...], FloatArray]]:
    frame = results.rankings
    if frame is None or not len(frame):
        return {}
    order = frame["feature_index"].to_numpy(dtype=np.int64)
    # The store gives each ranking as one block, best feature first.
    starts = np.flatnonzero(frame["rank"].to_numpy(dtype=np.int64) == 1)
    ends = [*starts[1:].tolist(), len(frame)]
    heads = frame.iloc[starts]
    names = ("dataset", "ranker", "repeat", "fold")
    columns = [heads[name].tolist() for name in names]
    found: dict[tuple[str, str], list[tuple[tuple[int, int], IntArray]]] = {}
    for dataset, ranker, repeat, fold, start, end in zip(*columns, starts.tolist(), ends, strict=True):
        found.setdefault((str(dataset), str(ranker)), []).append(((int(repeat), int(fold)), order[start:end]))
    return {
        key: (tuple(place for place, _ in folds), ranks_of([row for _, row in folds]))
        for key, folds in found.items()
        if len({len(row) for _, row in folds}) == 1 and all(_is_whole(row) for _, row in folds)
    }


def _is_whole(order: IntArray) -> bool:
    """Whether an order holds each feature once."""
    return len(order) > 0 and bool((np.sort(order) == np.arange(len(order))).all())


def _stability_curve(results: Results, dataset: str, ranker: str) -> StabilityCurve | None:
    if (dataset, ranker) not in fold_ranks(results):
        return None
    _, ranks = fold_ranks(results)[dataset, ranker]
    n_folds, n_features = ranks.shape
    if n_folds < 2 or n_features < 2:
        return None
    sizes = sizes_of(n_features)
    sets = [top(ranks, k) for k in sizes]
    return StabilityCurve(
        np.array(sizes, dtype=np.float64),
        n_features,
        n_folds,
        [nogueira(s, results.level) for s in sets],
        [kuncheva(s) for s in sets],
        [jaccard(s) for s in sets],
    )


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
    by_fold: dict[tuple[int, int], list[tuple[int, FloatArray]]] = {}
    for i, ranker in enumerate(results.ranked):
        places, ranks = fold_ranks(results).get((dataset, ranker), ((), np.empty((0, 0))))
        for place, row in zip(places, ranks, strict=True):
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
