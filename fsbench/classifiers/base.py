"""What a classifier is, and the plain way to compute a learning curve: refit at each prefix."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from fsbench.errors import MethodError, show
from fsbench.method import Method
from fsbench.values import Curve, Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["Classifier", "Model", "padded_rankings", "used_columns"]


class Model(ABC):
    """A fitted classifier."""

    @abstractmethod
    def predict_proba(self, test: Dataset) -> FloatArray:
        """Return the class probabilities of each row.

        Parameters
        ----------
        test : Dataset
            Rows with the features that the model was fitted on.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """

    def predict(self, test: Dataset) -> IntArray:
        """Return the most probable class of each row, the first of equal ones; shape (n_rows,)."""
        best: IntArray = np.argmax(self.predict_proba(test), axis=1).astype(np.int64)
        return best

    def describe(self) -> str:
        """Return the model as text, such as a printed tree."""
        return repr(self)

    def measures(self) -> Mapping[str, float]:
        """Return numbers that the model tells of itself, such as the size of a tree."""
        return {}


class Classifier(Method, ABC):
    """Fits on training rows and predicts test rows; authors write `fit`.

    `curve` refits at each prefix of a ranking. A subclass that shares work between prefixes overrides it and
    must give equal predictions: the method here is its oracle.
    """

    @abstractmethod
    def fit(self, train: Dataset) -> Model:
        """Fit on all rows and features of `train`.

        Parameters
        ----------
        train : Dataset
            A copy for this call. The order of its features decides ties in C4.5, the order of its rows those of
            some others.

        Returns
        -------
        Model
        """

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Fit on the training part with the given columns, in the given order, and predict the test part.

        Parameters
        ----------
        data : Dataset
            All rows, which other methods get too: to be read only, as are the other arguments. What can be prepared
            once for all splits is kept there (see `Dataset.derived`); it must not make a prediction depend on the
            class of a test row.
        split : Split
            Training and test rows.
        columns : sequence of int
            Feature indices, not empty.

        Returns
        -------
        Outcome
        """
        chosen = data.select(columns)
        model = self.fit(chosen.take(split.train))
        return Outcome(model.predict(chosen.take(split.test)), model.measures())

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict the test part at every prefix of `order`.

        Parameters
        ----------
        data, split
            As in `evaluate`.
        order : sequence of int
            Feature indices, best first.

        Returns
        -------
        Curve
            With ``len(order)`` prefixes.
        """
        points = [self.evaluate(data, split, order[:k]) for k in range(1, len(order) + 1)]
        names = points[0].measures if points else {}
        for point in points:
            if point.measures.keys() != names.keys():
                found = f"{show(sorted(names))} and {show(sorted(point.measures))}"
                raise MethodError(f"{self.label}: measures must have the same names at every prefix, found {found}")
        measures = {name: np.array([p.measures[name] for p in points], dtype=np.float64) for name in names}
        return Curve(np.array([p.predicted for p in points], dtype=np.int64), measures)

    def curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        """Return the curve of each ranking; a subclass may share work between the rankings."""
        return [self.curve(data, split, order) for order in orders]


def used_columns(n_features: int, orders: Sequence[Sequence[int] | IntArray]) -> tuple[IntArray, list[IntArray]]:
    """Return the features that any ranking names, and the rankings in terms of their places among these.

    Parameters
    ----------
    n_features : int
        Features of the data set.
    orders : sequence of ndarray
        Feature indices.

    Returns
    -------
    used : ndarray of shape (n_used,)
        Ascending.
    places : list of ndarray
        ``used[places[i]]`` is ``orders[i]``.

    Examples
    --------
    >>> used, places = used_columns(9, [[7, 2], [4, 7]])
    >>> used.tolist(), [p.tolist() for p in places]
    ([2, 4, 7], [[2, 0], [1, 2]])
    """
    rankings = [np.asarray(order, dtype=np.int64) for order in orders]
    named = np.zeros(n_features, dtype=np.bool_)
    for ranking in rankings:
        named[ranking] = True
    if named.all():
        return np.arange(n_features), rankings
    place = np.cumsum(named) - 1
    return np.flatnonzero(named), [place[ranking] for ranking in rankings]


def padded_rankings(orders: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """Return rankings side by side, as compiled code takes them.

    Parameters
    ----------
    orders : sequence of ndarray

    Returns
    -------
    padded : ndarray of shape (n_rankings, longest)
        Zeros behind the shorter ones.
    lengths : ndarray of shape (n_rankings,)
    """
    sizes = [len(order) for order in orders]
    padded = np.zeros((len(orders), max(sizes, default=0)), dtype=np.int64)
    for line, order in zip(padded, orders, strict=True):
        line[: len(order)] = order
    return padded, np.array(sizes, dtype=np.int64)
