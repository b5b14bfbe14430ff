"""The computation behind searches: one scorer for all of them, and the test of what they found.

Inside a training part a search gets a copy of its rows, as rankers do; on all folds of a repeat it sees them all, and
the error is that which it was searched on.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from fsbench.classifiers import Classifier
from fsbench.classifiers.nearest_scorer import subset_scorer
from fsbench.errors import MethodError
from fsbench.evaluation.folds import plain_splits
from fsbench.evaluation.metrics import count_correct
from fsbench.experiment.attempt import Attempt, attempt, record_of
from fsbench.experiment.cells import Record, SearchResult, TestResult
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.searched_cells import ALL_FOLDS
from fsbench.experiment.splits import inner_seed, inner_splits, repeat_splits
from fsbench.experiment.work import Work
from fsbench.guarded import guarded
from fsbench.lent import is_ours, theirs
from fsbench.searches import Search
from fsbench.searches.foreign import trace_of
from fsbench.searches.plus_l_take_away_r import SBG, SFG
from fsbench.searches.scorer import Scorer
from fsbench.searches.subsets import Subset, mask_of, toggled
from fsbench.searches.trace import Trace
from fsbench.values import Dataset, Split

__all__ = ["SharedScorer", "compute_searched"]


def compute_searched(work: Work) -> Iterator[Record]:
    """Compute searches on one fold, or on all folds of a repeat.

    Parameters
    ----------
    work : Work

    Yields
    ------
    Record
        One for each cell.
    """
    experiment, data = work.experiment, work.data
    split, searches = work.task.split, experiment.make_searches()
    ground = attempt(lambda: _ground(experiment, data, split))
    for label, classifier in work.classifiers.items():
        mine = [cell for cell in work.cells if cell.classifier == label]
        if not mine:
            continue
        judge = attempt(lambda classifier=classifier: guarded(_of_split(classifier, split)))  # type: ignore[misc]
        if ground.value is not None:
            _warm(classifier, ground.value[0])
        base: Attempt[Any] = judge if judge.value is None else ground
        shared = base.then(lambda found, judge=judge: SharedScorer(subset_scorer(judge.value, *found)))  # type: ignore[misc]
        for name in dict.fromkeys(cell.ranker for cell in mine):
            found = _search(shared, searches[name])
            for cell in (cell for cell in mine if cell.ranker == name):
                made = found
                if cell.kind == "result":
                    made = found.then(lambda value, judge=judge: _test(judge.value, data, split, value))  # type: ignore[misc]
                yield record_of(cell, made)


class SharedScorer:
    """Hands one scorer to several searches, and keeps account of what each would have cost by itself.

    Parameters
    ----------
    scorer : Scorer
        Scores each subset once, whichever search asks first.
    """

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self._seconds: dict[int, float] = {}  # by mask: what scoring that subset took
        self._borrowed = 0.0
        self._scored = 0

    def score(self, subset: Subset) -> float:
        """Return the usefulness of a subset; see `Scorer.score`."""
        start = time.perf_counter()
        value = self.scorer.score(subset)
        self._charge([mask_of(subset)], start)
        return value

    def score_many(self, current: Subset, candidates: Sequence[int]) -> list[float]:
        """Return the usefulness of `current` with each candidate toggled; see `Scorer.score_many`."""
        start = time.perf_counter()
        values = self.scorer.score_many(current, candidates)
        self._charge(toggled(current, candidates), start)
        return values

    def run(self, search: Search) -> tuple[SearchResult, float]:
        """Search.

        Parameters
        ----------
        search : Search

        Returns
        -------
        result : SearchResult
        seconds : float
            What the search would have taken without those before it.
        """
        self._borrowed, self._scored = 0.0, 0
        names = [feature.name for feature in self.scorer.data.features]
        start = time.perf_counter()
        trace = trace_of(search, self, names)
        seconds = time.perf_counter() - start + self._borrowed
        best = frozenset(trace.best.subset)
        sizes = np.array([len(split.test) for split in self.scorer.splits], dtype=np.int64)
        correct = np.rint((1.0 - self.scorer.fold_errors(best)) * sizes).astype(np.int64)
        return SearchResult(trace, self.scorer.error(best), correct, sizes, self._scored), seconds

    def _charge(self, masks: Sequence[int], start: float) -> None:
        """Share the time since `start` among the subsets that were new; add what the others took when they were."""
        fresh = [mask for mask in masks if mask not in self._seconds]
        self._borrowed += sum(self._seconds[mask] for mask in masks if mask in self._seconds)
        share = (time.perf_counter() - start) / max(len(fresh), 1)
        self._seconds.update(dict.fromkeys(fresh, share))
        self._scored += len(fresh)


def _ground(experiment: Experiment, data: Dataset, split: Split) -> tuple[Dataset, list[Split]]:
    """Return the rows that may be searched on, and their folds."""
    if split.fold == ALL_FOLDS:
        return data, repeat_splits(experiment, data, split.repeat)
    train = data.take(split.train)
    seed = inner_seed(experiment, split)
    return train, inner_splits(train.y, train.n_classes, experiment.searching.folds, seed)


def _search(shared: Attempt[SharedScorer], search: Search) -> Attempt[SearchResult]:
    """Search; the time counted is that of the search alone, as if no other had scored subsets before it."""
    ran = shared.then(lambda scorer: scorer.run(search))
    if ran.value is None:
        return ran
    result, seconds = ran.value
    return Attempt(result, seconds=shared.seconds + seconds)


def _test(classifier: Classifier, data: Dataset, split: Split, found: SearchResult) -> TestResult:
    """Fit on the whole training part with the best subset, and predict the test part."""
    columns = np.array(found.trace.best.subset, dtype=np.int64)
    outcome = classifier.evaluate(data, split, columns)
    if outcome.predicted.shape != split.test.shape:
        shape = outcome.predicted.shape
        raise MethodError(f"{classifier.label}: predictions must have shape {split.test.shape}, found {shape}")
    correct = int(count_correct(outcome.predicted, data.y[split.test]))
    return TestResult(columns, outcome.predicted, correct, outcome.measures)


def _of_split(classifier: Classifier, split: Split) -> Classifier:
    """Return a classifier with the seed of a repeat on all its folds, if it has a seed: what is drawn is drawn anew."""
    fields: Mapping[str, Any] = getattr(type(classifier), "__dataclass_fields__", {})
    if split.fold != ALL_FOLDS or "seed" not in fields or not isinstance(classifier.seed, int):  # type: ignore[attr-defined]
        return classifier
    with nullcontext() if is_ours(classifier) else theirs(f"{classifier.label}:"):
        return dataclasses.replace(classifier, seed=classifier.seed + split.repeat)  # type: ignore[attr-defined,call-arg]


# Classifiers whose compiled parts are ready in this process.
_WARMED: set[type] = set()


def _warm(classifier: Classifier, data: Dataset) -> None:
    """Search a few rows and columns once, so that no search's time holds that of a compiler."""
    kind = type(classifier)
    if kind in _WARMED or not kind.__module__.startswith("fsbench."):
        return
    _WARMED.add(kind)
    few = data.take(np.arange(min(data.n_rows, 24))).select(range(min(data.n_features, 4)))
    for kind_of in (SFG, SBG):
        # What goes wrong here goes wrong, and is told, when it counts.
        attempt(lambda kind_of=kind_of: _dry_run(kind_of, classifier, few))  # type: ignore[misc]


def _dry_run(kind: type[Search], classifier: Classifier, data: Dataset) -> Trace:
    scorer = subset_scorer(classifier, data, plain_splits(data.n_rows, 2, 1))
    return kind.from_params({"remainder": 0.8}).run(scorer, data.n_features)
