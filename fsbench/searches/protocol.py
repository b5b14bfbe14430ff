"""How good a search's subset is: by the folds that it was searched on, or by folds that it never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from fsbench.errors import DataError
from fsbench.evaluation.folds import stratified_splits
from fsbench.searches.base import Search
from fsbench.searches.foreign import trace_of
from fsbench.searches.scorer import Evaluates, Scorer
from fsbench.searches.trace import Step, Trace
from fsbench.values import Dataset, FloatArray, IntArray, Split

__all__ = ["Found", "MakeScorer", "Tested", "inner_splits", "search_cv", "search_nested"]

MakeScorer = Callable[[Dataset, Sequence[Split]], Scorer]


@dataclass(frozen=True, eq=False)
class Found:
    """A search on given folds, with the error that it was searched on.

    Parameters
    ----------
    trace : Trace
    error : float
        Mean error rate of the best subset over the folds, in [0, 1]. The subset was chosen by this very number
        among many, so it is optimistic.
    fold_errors : ndarray of shape (n_folds,)
        Error rate in each fold, in [0, 1].
    """

    trace: Trace
    error: float
    fold_errors: FloatArray

    @property
    def subset(self) -> tuple[int, ...]:
        """The best subset, ascending feature indices."""
        return self.trace.best.subset

    @property
    def sigma(self) -> float:
        """Standard deviation of the folds' error rates, population form as in Prat-Masramon and Belanche (2007)."""
        return float(np.std(self.fold_errors))


@dataclass(frozen=True, eq=False)
class Tested:
    """A search inside one training part, tried on the test part that it never saw.

    Parameters
    ----------
    split : Split
        The outer fold.
    found : Found
        The search on inner folds of the training part.
    predicted : ndarray of shape (n_test,)
        Classes predicted for the test part by the classifier fitted on the whole training part with the best subset.
    error : float
        Error rate on the test part, in [0, 1].
    """

    split: Split
    found: Found
    predicted: IntArray
    error: float


def search_cv(search: Search, scorer: Scorer, watch: Callable[[Step], object] | None = None) -> Found:
    """Search on the folds of a scorer and report the error on the same folds, as the paper does.

    Parameters
    ----------
    search : Search
    scorer : Scorer
    watch : callable, optional
        Is told each step as soon as it is taken.

    Returns
    -------
    Found
    """
    names = [feature.name for feature in scorer.data.features]
    trace = trace_of(search, scorer, names, watch)
    best = frozenset(trace.best.subset)
    return Found(trace, scorer.error(best), scorer.fold_errors(best))


def search_nested(
    search: Search,
    classifier: Evaluates,
    data: Dataset,
    splits: Sequence[Split],
    make_scorer: MakeScorer,
    inner: Callable[[Dataset, Split], Sequence[Split]],
    watch: Callable[[Split, Step], object] | None = None,
) -> list[Tested]:
    """Search inside the training part of each outer fold, and test each subset found on the rows left out.

    Parameters
    ----------
    search : Search
    classifier : Evaluates
        Fitted on the whole training part with the subset found.
    data : Dataset
    splits : sequence of Split
        The outer folds.
    make_scorer : callable
        ``make_scorer(train, splits)`` gives the scorer of a training part.
    inner : callable
        ``inner(train, outer_split)`` gives the inner folds of a training part.
    watch : callable, optional
        Is told the outer fold and each step as soon as it is taken.

    Returns
    -------
    list of Tested
        One per outer fold.
    """
    tested = []
    for split in splits:
        train = data.take(split.train)
        told = None if watch is None else partial(watch, split)
        found = search_cv(search, make_scorer(train, inner(train, split)), told)
        predicted = classifier.evaluate(data, split, found.subset).predicted
        error = float(np.mean(predicted != data.y[split.test]))
        tested.append(Tested(split, found, predicted, error))
    return tested


def inner_splits(train: Dataset, split: Split, folds: int, seed: int) -> list[Split]:
    """Return stratified inner folds of one training part, other ones for each outer fold and repetition.

    Parameters
    ----------
    train : Dataset
        The rows of the training part.
    split : Split
        The outer fold.
    folds : int
        Number of inner folds; a training part of fewer rows has a fold a row.
    seed : int

    Returns
    -------
    list of Split

    Raises
    ------
    DataError
        Fewer than two training rows.
    """
    if train.n_rows < 2:
        raise DataError(
            f"outer fold {split.fold + 1} leaves {train.n_rows} training row, too few to search on", train.name
        )
    return stratified_splits(train.y, train.n_classes, min(folds, train.n_rows), (seed, split.repeat, split.fold))
