"""Learning curves of classifiers that know no shortcut from one prefix to the next: fitted anew at each."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from fsbench.classifiers.base import Classifier, Model
from fsbench.values import Curve, Dataset, IntArray, Outcome, Split

__all__ = ["refits", "refitted_curves", "written"]


def refits(classifier: Classifier) -> bool:
    """Tell whether a classifier is fitted anew at each prefix: its author wrote neither `curve` nor `curves`.

    Examples
    --------
    >>> from fsbench.registry import make
    >>> refits(make("classifier", "sklearn.svm:SVC")), refits(make("classifier", "nb"))
    (True, False)
    """
    return not any(written(type(classifier), method) for method in ("curve", "curves"))


def written(kind: type, method: str) -> bool:
    """Tell whether the author of a class wrote a method that comes with every classifier.

    A class derived from another one may override what the method of that one should go through: `fit`, say, of a class
    whose `curve` shares work between prefixes, and never asks for it. Then the method is as good as not written.

    Parameters
    ----------
    kind : type
        A subclass of `Classifier`.
    method : {"evaluate", "curve", "curves"}

    Examples
    --------
    >>> from fsbench.classifiers.naive_bayes import NaiveBayes
    >>> class Other(NaiveBayes):
    ...     def fit(self, train): ...
    >>> written(NaiveBayes, "curve"), written(Other, "curve")
    (True, False)
    """
    depth = {name: _depth(kind, name) for name in ("fit", "evaluate", "curve", "curves")}
    through = [depth[name] for name in itertools.takewhile(lambda name: name != method, depth)]
    return getattr(kind, method) is not getattr(Classifier, method) and depth[method] <= min(through)


def _depth(kind: type, name: str) -> int:
    """Return how far up the classes it is derived from a class finds a method."""
    return next(i for i, cls in enumerate(kind.__mro__) if name in vars(cls))


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
