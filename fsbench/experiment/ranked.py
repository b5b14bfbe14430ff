"""The computation behind a ranking study: rank the training part, choose a prefix, test it once.

No ranker, estimate or choice is given a test row, except by the estimate ``test``, whose name says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from fsbench.classifiers import Classifier
from fsbench.classifiers.refit import refits, refitted_curves
from fsbench.errors import MethodError
from fsbench.evaluation.metrics import best_prefix, count_correct
from fsbench.evaluation.reduction import reduce_ranking
from fsbench.experiment.attempt import LONG, Attempt, attempt, record_of, timed
from fsbench.experiment.cells import Cell, CurveCounts, Record, TestResult, Unranked
from fsbench.experiment.splits import inner_seed, inner_splits
from fsbench.experiment.work import Work
from fsbench.guarded import guarded
from fsbench.kernels.cache import loaded
from fsbench.rankers import Ranker
from fsbench.rankers.base import ranking_of
from fsbench.values import Curve, Dataset, IntArray, Outcome, Ranking, Split

__all__ = ["compute_ranked"]

T = TypeVar("T")
Estimate = tuple[str, int | None]


def compute_ranked(work: Work) -> Iterator[Record]:
    """Compute rankings, curves and results of one fold.

    Parameters
    ----------
    work : Work

    Yields
    ------
    Record
        One for each cell.
    """
    data, task, cells = work.data, work.task, work.cells
    fold = _Fold(data, task.split, inner_seed(work.experiment, task.split))
    needed = {cell.ranker for cell in cells}
    rankings = {
        label: _rank(fold, ranker, task.rankings.get(label))
        for label, ranker in work.rankers.items()
        if label in needed
    }
    yield from (record_of(cell, rankings[cell.ranker]) for cell in cells if cell.kind == "ranking")
    length = work.experiment.prefixes(data.n_features)
    orders = {label: made.then(lambda ranking: ranking.order[:length]) for label, made in rankings.items()}
    for label, classifier in work.classifiers.items():
        tests = _Tests(fold, guarded(classifier), refits(classifier), rankings, orders)
        yield from tests.records([c for c in cells if c.classifier == label])


def _rank(fold: _Fold, ranker: Ranker, known: Ranking | Unranked | None) -> Attempt[Ranking]:
    """Return the stored ranking or why there is none, or a new one made from the training part."""
    if isinstance(known, Unranked):
        return Attempt(None, known.status, known.reason)
    before = loaded()
    made = attempt(lambda: known if known is not None else ranking_of(ranker, fold.train))
    if loaded() != before and made.seconds < LONG:
        # Its time is that of a compiler. Timed again, on rows of its own, so that nothing lies ready.
        made = attempt(lambda: ranking_of(ranker, fold.data.take(fold.split.train)))
    # The ranker's own clock counts what it borrowed from the work of another one as well.
    return Attempt(made.value, made.status, made.reason, made.value.seconds if made.value is not None else 0.0)


@dataclass(eq=False)
class _Fold:
    """One fold: the data, the split, and the parts of it that are made once for all methods."""

    data: Dataset
    split: Split
    seed: tuple[int, int, int]

    def __post_init__(self) -> None:
        self.actual = self.data.y[self.split.test]
        self._inner: dict[int, list[Split]] = {}

    @cached_property
    def train(self) -> Dataset:
        """The training rows, cut off from the rest."""
        return self.data.take(self.split.train)

    def inner(self, folds: int) -> list[Split]:
        """Return the inner folds of the training part, the same for every method."""
        if folds not in self._inner:
            self._inner[folds] = inner_splits(self.train.y, self.train.n_classes, folds, self.seed)
        return self._inner[folds]


@dataclass(frozen=True)
class _Tests:
    """What one classifier has to say on one fold, given the rankings."""

    fold: _Fold
    classifier: Classifier
    refits: bool
    rankings: Mapping[str, Attempt[Ranking]]
    orders: Mapping[str, Attempt[IntArray]]

    def records(self, cells: Sequence[Cell]) -> Iterator[Record]:
        """Yield the record of each cell."""
        yield from (record_of(cell, timed(self._baseline)) for cell in cells if not cell.ranker)
        ranked = [cell for cell in cells if cell.ranker]
        # Results are read from the curve on the test part, so whatever needs one is computed there together.
        outer = self._all_at_once(self._outer, [c.ranker for c in ranked if c.kind == "result" or c.estimate == "test"])
        counts = {
            estimate: self._counts(estimate, [c.ranker for c in ranked if (c.estimate, c.folds) == estimate], outer)
            for estimate in dict.fromkeys((c.estimate, c.folds) for c in ranked if c.estimate)
        }
        for cell in ranked:
            counted = counts[cell.estimate, cell.folds][cell.ranker] if cell.estimate else None
            yield record_of(cell, self._made(cell, counted, outer.get(cell.ranker)))

    def _made(self, cell: Cell, counted: Attempt[CurveCounts] | None, outer: Attempt[Curve] | None) -> Attempt[Any]:
        """Return a curve's counts, or the test with the prefix that the cell asks for."""
        if counted is None:
            ranking = self.rankings[cell.ranker].value
            length = len(ranking.order) if cell.selection == "ordered" and ranking is not None else cell.k or 1
            return self._tested(cell.ranker, outer, length)
        if cell.kind == "curve" or counted.value is None:
            return counted
        chosen = counted.then(lambda counts: self._prefix(cell, counts))
        if chosen.value is None:
            return chosen
        made = self._tested(cell.ranker, outer, chosen.value)
        return made if cell.estimate == "test" else replace(made, seconds=made.seconds + counted.seconds)

    def _prefix(self, cell: Cell, counts: CurveCounts) -> int:
        """Choose how many of the best features to keep."""
        if cell.reduction is None:
            return best_prefix(counts.correct)
        ranking, rule = self.rankings[cell.ranker].value, cell.reduction
        assert ranking is not None
        return reduce_ranking(ranking, counts.correct, counts.n, rule.tolerance, rule.thresholds).k

    def _tested(self, ranker: str, outer: Attempt[Curve] | None, k: int) -> Attempt[TestResult]:
        """Read the test with the first `k` features from the curve on the test part."""
        assert outer is not None
        order = self.orders[ranker].value
        return outer.then(lambda curve: self._result(curve.at(min(k, len(order))), order[:k]))  # type: ignore[arg-type,index]

    def _result(self, outcome: Outcome, columns: IntArray) -> TestResult:
        correct = int(count_correct(outcome.predicted, self.fold.actual))
        return TestResult(columns, outcome.predicted, correct, outcome.measures)

    def _baseline(self) -> TestResult:
        """Test with all features, in file order."""
        columns = np.arange(self.fold.data.n_features, dtype=np.int64)
        outcome = self.classifier.evaluate(self.fold.data, self.fold.split, columns)
        self._check(outcome.predicted, (len(self.fold.actual),))
        return self._result(outcome, columns)

    def _counts(
        self, estimate: Estimate, rankers: Sequence[str], outer: Mapping[str, Attempt[Curve]]
    ) -> dict[str, Attempt[CurveCounts]]:
        """Count the right predictions at every prefix, by one estimate, for some rankers."""
        name, folds = estimate
        if name == "test":
            return {label: outer[label].then(lambda curve: _count(curve, self.fold.actual)) for label in rankers}
        return self._all_at_once(lambda orders: self._estimate(orders, folds), rankers)

    def _estimate(self, orders: Sequence[IntArray], folds: int | None) -> list[CurveCounts]:
        """Estimate from the training part alone: by inner folds, or, without, on the part itself."""
        train = self.fold.train
        rows = np.arange(train.n_rows, dtype=np.int64)
        splits = self.fold.inner(folds) if folds is not None else [Split(rows, rows)]
        total = [np.zeros(len(order), dtype=np.int64) for order in orders]
        for split in splits:
            for sums, curve in zip(total, self._curves(train, split, orders), strict=True):
                sums += _count(curve, train.y[split.test]).correct
        return [CurveCounts(sums, train.n_rows) for sums in total]

    def _outer(self, orders: Sequence[IntArray]) -> list[Curve]:
        return self._curves(self.fold.data, self.fold.split, orders)

    def _curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        if self.refits:
            curves = refitted_curves(self.classifier, data, split, orders)
        else:
            curves = self.classifier.curves(data, split, orders)
        for curve, order in zip(curves, orders, strict=True):
            self._check(curve.predicted, (len(order), len(split.test)))
        return curves

    def _check(self, predicted: IntArray, shape: tuple[int, ...]) -> None:
        if predicted.shape != shape:
            text = f"{self.classifier.label}: predictions must have shape {shape}, found {predicted.shape}"
            raise MethodError(text)

    def _all_at_once(
        self, function: Callable[[Sequence[IntArray]], list[T]], rankers: Sequence[str]
    ) -> dict[str, Attempt[T]]:
        """Apply a function to the orders of some rankers at once; should it fail, to each order alone."""
        asked = {label: self.orders[label] for label in dict.fromkeys(rankers)}
        orders = {label: made.value for label, made in asked.items() if made.value is not None}
        together = timed(lambda: function(list(orders.values())))
        found: dict[str, Attempt[T]]
        if together.value is not None:
            share = together.seconds / max(len(orders), 1)
            found = {label: Attempt(v, seconds=share) for label, v in zip(orders, together.value, strict=True)}
        else:
            found = {label: timed(lambda order=order: function([order])[0]) for label, order in orders.items()}  # type: ignore[misc]
        return {label: found.get(label) or Attempt(None, made.status, made.reason) for label, made in asked.items()}


def _count(curve: Curve, actual: IntArray) -> CurveCounts:
    return CurveCounts(count_correct(curve.predicted, actual), len(actual))
