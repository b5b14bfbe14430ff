"""The cells of multi-label experiments: rankings, scores of single labels, tests with the features that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from fsbench.evaluation.multilabel_metrics import ZeroDivision
from fsbench.experiment.attempt import Attempt, attempt, record_of
from fsbench.experiment.cells import Cell, Record, TestResult, Unranked
from fsbench.experiment.labelled import LabelFold, LabelResult
from fsbench.experiment.work import Work
from fsbench.kernels.cache import loaded
from fsbench.multilabel import LabelClassifier
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.multilabel.select import FeatureChoice, Threshold, TopFeatures, TopShare
from fsbench.values import Ranking

__all__ = ["compute_labelled"]


def compute_labelled(work: Work) -> Iterator[Record]:
    """Compute the cells of one fold.

    Parameters
    ----------
    work : Work

    Yields
    ------
    Record
        One for each cell; a test for which no feature is kept is skipped with the reason.
    """
    task, rankers, cells = work.task, work.rankers, work.cells
    convention: ZeroDivision = next(c for c in get_args(ZeroDivision) if c == work.experiment.zero_division)
    fold = LabelFold(work.data, task.split, convention)
    # A ranking is needed by the cells that cut it, also where it is stored already.
    needed = {cell.ranker for cell in cells if cell.kind != "label_scores"}
    rankings = {
        label: _rank(fold, ranker, task.rankings.get(label)) for label, ranker in rankers.items() if label in needed
    }
    for cell in cells:
        if cell.kind == "ranking":
            yield record_of(cell, rankings[cell.ranker])
        elif cell.kind == "label_scores":
            yield replace(record_of(cell, attempt(lambda c=cell: _scores(fold, rankers[c.ranker]))), kind="ranking")  # type: ignore[misc]
        else:
            made = _test(fold, cell, rankers, rankings, work.classifiers[cell.classifier])
            yield record_of(cell, made)


def _rank(fold: LabelFold, ranker: LabelRanker, known: Ranking | Unranked | None) -> Attempt[Ranking]:
    """Return the stored ranking or why there is none, or a new one made from the training part."""
    if isinstance(known, Unranked):
        return Attempt(None, known.status, known.reason)
    before = loaded()
    made = attempt(lambda: known if known is not None else ranker.rank(fold.train))
    if loaded() != before and known is None:
        # Its time is that of a compiler: timed again.
        made = attempt(lambda: ranker.rank(fold.train))
    return replace(made, seconds=made.value.seconds if made.value is not None else 0.0)


def _scores(fold: LabelFold, ranker: LabelRanker) -> Ranking:
    """Return the scores of each label, one label after the other, as a ranking without an order."""
    scores = ranker.label_scores(fold.train)
    return Ranking(np.empty(0, dtype=np.int64), scores.ravel(), ranker.ranker.unit)


def _test(
    fold: LabelFold,
    cell: Cell,
    rankers: Mapping[str, LabelRanker],
    rankings: Mapping[str, Attempt[Ranking]],
    classifier: LabelClassifier,
) -> Attempt[TestResult]:
    if not cell.ranker:
        columns = np.arange(fold.data.n_features, dtype=np.int64)
        return fold.test(cell.classifier, classifier, columns).then(lambda result: _stored(fold, result))
    ranker, choice = rankers[cell.ranker], _choice(cell)
    kept = rankings[cell.ranker].then(lambda ranking: fold.choose(ranker, ranking, choice))
    if kept.value is None:
        return Attempt(None, kept.status, kept.reason)
    return fold.test(cell.classifier, classifier, kept.value).then(lambda result: _stored(fold, result))


def _choice(cell: Cell) -> FeatureChoice:
    if cell.selection == "first":
        return TopFeatures(k=cell.k or 1)
    amount = float(cell.estimate)
    return Threshold(least=amount) if cell.selection == "threshold" else TopShare(share=amount)


def _stored(fold: LabelFold, result: LabelResult) -> TestResult:
    right = (result.predicted == fold.data.Y[fold.split.test]).all(axis=1)
    predicted: Any = result.predicted
    return TestResult(result.columns, predicted, int(right.sum()), result.measures)
