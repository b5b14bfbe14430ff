"""The computation behind a multi-label study: score the training part, keep the best features, test once.

No ranker and no choice is given a test row. What several methods have in common is computed once a fold: the training
part, a ranking that several selections cut, the votes of the neighbours for equal features.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fsbench.data.multilabel import LabelMatrix, MultiLabelDataset
from fsbench.errors import MethodError, NotApplicable, show
from fsbench.evaluation.multilabel_metrics import ZeroDivision, label_counts, macro_f, measure, measure_ranking
from fsbench.experiment.attempt import Attempt, attempt, timed
from fsbench.lent import Lender, is_ours, theirs
from fsbench.multilabel.brknn import BRkNN, LabelClassifier, LabelOutcome
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.multilabel.select import FeatureChoice
from fsbench.multilabel.votes import Votes, count_votes
from fsbench.values import IntArray, Ranking, Split

__all__ = ["BASELINE", "CONVENTIONS", "EMPTY", "LabelFold", "LabelResult", "Spread", "evaluate_labels", "spread"]

BASELINE = "baseline"
EMPTY = "keeps no feature"  # part of the reason where a selection is empty
CONVENTIONS: tuple[ZeroDivision, ...] = ("one", "zero", "skip")


@dataclass(frozen=True, eq=False)
class LabelResult:
    """What came out of one method on one fold.

    Parameters
    ----------
    columns : ndarray of shape (n_kept,)
        Features kept, ascending.
    predicted : ndarray of shape (n_test, n_labels)
    measures : mapping of str to float
        Those of `fsbench.evaluation.multilabel_metrics`, macro F under every convention for 0/0 besides
        (``f_macro_one``, ``f_macro_zero``, ``f_macro_skip``), and ``reduction``, the per cent of features left out.
    ranking : Ranking, optional
        None for the baseline.
    """

    columns: IntArray
    predicted: LabelMatrix
    measures: Mapping[str, float]
    ranking: Ranking | None = None


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation over folds.

    Parameters
    ----------
    mean, std : float
        The deviation is that of the population, as Mulan has it: divided by the number of folds.
    folds : int
        Folds with a result.
    """

    mean: float
    std: float
    folds: int


@dataclass(eq=False)
class LabelFold:
    """One fold of multi-label data, and what is made once for all methods.

    Parameters
    ----------
    data : MultiLabelDataset
        All rows; what is ranked is a copy of the training rows alone.
    split : Split
    zero_division : {"one", "zero", "skip"}, default "one"
        For all measures; macro F is given under all three besides.
    """

    data: MultiLabelDataset
    split: Split
    zero_division: ZeroDivision = "one"
    _votes: dict[tuple[int, bytes], Votes] = field(default_factory=dict)
    _tested: dict[tuple[str, bytes], Attempt[LabelResult]] = field(default_factory=dict)

    @cached_property
    def train(self) -> MultiLabelDataset:
        """The training rows, cut off from the rest."""
        return self.data.take(self.split.train)

    def choose(self, ranker: LabelRanker, ranking: Ranking, choice: FeatureChoice) -> IntArray:
        """Return the features that a rule keeps of a ranking, in file order.

        Raises
        ------
        NotApplicable
            It keeps none.
        """
        columns = choice.choose(ranking, ranker.ranker.higher_is_better)
        if not len(columns):
            raise NotApplicable(f"{choice.label} {EMPTY} of {ranker.label}", self.data.name)
        return columns

    def test(self, label: str, classifier: LabelClassifier, columns: IntArray) -> Attempt[LabelResult]:
        """Learn with the given features, predict the test part and measure; once for equal features.

        Parameters
        ----------
        label : str
            The classifier's, unique within the fold.
        classifier : LabelClassifier
        columns : ndarray of shape (n_columns,)
            Ascending.

        Returns
        -------
        Attempt of LabelResult
            Its seconds are those of the first time.
        """
        key = label, columns.tobytes()
        if key not in self._tested:
            self._tested[key] = timed(lambda: self._result(classifier, columns))
        return self._tested[key]

    def _result(self, classifier: LabelClassifier, columns: IntArray) -> LabelResult:
        outcome = self._outcome(classifier, columns)
        actual = self.data.Y[self.split.test]
        _check(classifier, outcome, actual)
        found = measure(actual, outcome.predicted, self.zero_division)
        found |= measure_ranking(actual, outcome.confidences)
        counts = label_counts(actual, outcome.predicted)
        found |= {f"f_macro_{c}": macro_f(counts, c) for c in CONVENTIONS}
        found["reduction"] = 100.0 - 100.0 * len(columns) / max(self.data.n_features, 1)
        return LabelResult(columns, outcome.predicted, found)

    def _outcome(self, classifier: LabelClassifier, columns: IntArray) -> LabelOutcome:
        # A class derived from BRkNN may look for neighbours otherwise, or change the votes: it is asked itself.
        if not is_ours(classifier):
            return _lent_outcome(classifier, self.data, self.split, columns)
        if not isinstance(classifier, BRkNN):
            return classifier.evaluate(self.data, self.split, columns)
        key = classifier.k, columns.tobytes()
        if key not in self._votes:
            self._votes[key] = count_votes(self.data, self.split, columns, classifier.k)
        return classifier.decide(self._votes[key])


def _lent_outcome(
    classifier: LabelClassifier, data: MultiLabelDataset, split: Split, columns: IntArray
) -> LabelOutcome:
    """Ask a classifier that is not ours, and look at what it returns before it counts."""
    label = classifier.label
    with theirs(f"{label}:"), Lender(classifier).lent(data, split, columns) as lent:
        found: Any = classifier.evaluate(*lent)
        if not isinstance(found, LabelOutcome):
            raise MethodError(f"{label}: evaluate() must return a LabelOutcome, found {show(found)}")
        predicted, confidences = np.array(found.predicted), np.array(found.confidences, dtype=np.float64)
        if predicted.dtype.kind not in "biuf" or not np.isin(predicted, (0, 1)).all():
            raise MethodError(f"{label}: predicted must hold 1 where a label is predicted and 0 elsewhere")
        if np.isnan(confidences).any():
            raise MethodError(f"{label}: confidences must be numbers, found NaN")
        return LabelOutcome(predicted.astype(np.uint8), confidences)


def _check(classifier: LabelClassifier, outcome: LabelOutcome, actual: LabelMatrix) -> None:
    for what, found in (("predicted", outcome.predicted), ("confidences", outcome.confidences)):
        if np.shape(found) != actual.shape:
            text = f"{classifier.label}: {what} must have shape {actual.shape}, found {np.shape(found)}"
            raise MethodError(text)


def evaluate_labels(
    data: MultiLabelDataset,
    split: Split,
    rankers: Mapping[str, LabelRanker],
    choice: FeatureChoice,
    classifier: LabelClassifier,
    zero_division: ZeroDivision = "one",
) -> dict[str, Attempt[LabelResult]]:
    """Compute one fold: the baseline with all features, and every ranker.

    Parameters
    ----------
    data : MultiLabelDataset
        All rows; what is ranked is a copy of the training rows alone.
    split : Split
    rankers : mapping of str to LabelRanker
        By label.
    choice : FeatureChoice
    classifier : LabelClassifier
    zero_division : {"one", "zero", "skip"}, default "one"
        For all measures; macro F is given under all three besides.

    Returns
    -------
    dict of str to Attempt
        `BASELINE` first, then the rankers in order. Skipped where no feature is kept.
    """
    fold = LabelFold(data, split, zero_division)
    everything = np.arange(data.n_features, dtype=np.int64)
    found = {BASELINE: fold.test("", classifier, everything)}
    for label, ranker in rankers.items():
        made = attempt(lambda ranker=ranker: ranker.rank(fold.train))  # type: ignore[misc]
        kept = made.then(lambda ranking, ranker=ranker: fold.choose(ranker, ranking, choice))  # type: ignore[misc]
        found[label] = kept if kept.value is None else _with_ranking(fold.test("", classifier, kept.value), made.value)
    return found


def _with_ranking(tested: Attempt[LabelResult], ranking: Ranking | None) -> Attempt[LabelResult]:
    return tested.then(lambda r: LabelResult(r.columns, r.predicted, r.measures, ranking))


def spread(values: Sequence[float]) -> Spread | None:
    """Return mean and population standard deviation over the folds that have a value, or None if none has.

    Examples
    --------
    >>> spread([1.0, 3.0])
    Spread(mean=2.0, std=1.0, folds=2)
    """
    known = [v for v in values if v == v]
    if not known:
        return None
    return Spread(float(np.mean(known)), float(np.std(known)), len(known))
