"""The computation behind a multi-label study: score the training part, keep the features above a threshold, test once.

No ranker and no choice is given a test row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.errors import NotApplicable
from fsbench.evaluation.multilabel_metrics import ZeroDivision, label_counts, macro_f, measure, measure_ranking
from fsbench.experiment.attempt import Attempt, attempt
from fsbench.multilabel.brknn import LabelClassifier
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.multilabel.select import FeatureChoice
from fsbench.values import IntArray, Ranking, Split

__all__ = ["BASELINE", "LabelResult", "Spread", "evaluate_labels", "spread"]

BASELINE = "baseline"
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
    predicted: IntArray
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
    train = data.take(split.train)

    def result(columns: IntArray, ranking: Ranking | None) -> LabelResult:
        outcome = classifier.evaluate(data, split, columns)
        actual = data.Y[split.test]
        found = measure(actual, outcome.predicted, zero_division) | measure_ranking(actual, outcome.confidences)
        counts = label_counts(actual, outcome.predicted)
        found |= {f"f_macro_{c}": macro_f(counts, c) for c in CONVENTIONS}
        found["reduction"] = 100.0 - 100.0 * len(columns) / max(data.n_features, 1)
        return LabelResult(columns, outcome.predicted.astype(np.int64), found, ranking)

    def ranked(ranker: LabelRanker) -> LabelResult:
        ranking = ranker.rank(train)
        columns = choice.choose(ranking)
        if not len(columns):
            raise NotApplicable(f"{choice.label} keeps no feature of {ranker.label}", data.name)
        return result(columns, ranking)

    everything = np.arange(data.n_features, dtype=np.int64)
    found = {BASELINE: attempt(lambda: result(everything, None))}
    for label, ranker in rankers.items():
        found[label] = attempt(lambda ranker=ranker: ranked(ranker))  # type: ignore[misc]
    return found


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
