"""Learning curves of classifiers that know no shortcut from one prefix to the next: fitted anew at each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsbench.classifiers.base import Classifier, Model
from fsbench.values import Curve, Dataset, IntArray, Outcome, Split

__all__ = ["refits", "refitted_curves"]


def refits(classifier: Classifier) -> bool:
    """Tell whether a classifier is fitted anew at each prefix: its author wrote neither `curve` nor `curves`.

    Examples
    --------
    >>> from fsbench.registry import make
    >>> refits(make("classifier", "sklearn.svm:SVC")), refits(make("classifier", "nb"))
    (True, False)
    """
    kind = type(classifier)
    return kind.curve is Classifier.curve and kind.curves is Classifier.curves


def refitted_curves(classifier: Classifier, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
    """Return the curve of each ranking; a prefix that several rankings begin with is fitted once.

    Parameters
    ----------
    classifier : Classifier
        One that `refits`, perhaps behind a guard.
    data, split
        As in `Classifier.evaluate`.
    orders : sequence of ndarray
        Feature indices, best first.

    Returns
    -------
    list of Curve
        Those of `Classifier.curve`. Equal columns in another order are another prefix: the last bits of a sum, and
        with them a prediction, may depend on the order.
    """
    return _Once(behind=classifier, known={}).curves(data, split, orders)


class _Once(Classifier):
    """Asks a classifier once for each sequence of columns; for one split only."""

    behind: Any = None
    known: Any = None

    @property
    def label(self) -> str:
        """That of the classifier behind."""
        return str(self.behind.label)

    def fit(self, train: Dataset) -> Model:
        model: Model = self.behind.fit(train)
        return model

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        key = tuple(int(column) for column in columns)
        if key not in self.known:
            self.known[key] = self.behind.evaluate(data, split, columns)
        outcome: Outcome = self.known[key]
        return outcome
