"""Classifiers that are not ours, with what they return looked at before it counts.

A prediction that is no class would otherwise count as a wrong one, and a broken classifier look like a poor one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from fsbench.classifiers import Classifier, Model
from fsbench.errors import MethodError, UserError, raised, show
from fsbench.values import Curve, Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["GuardedClassifier", "guarded"]

ADAPTER = "fsbench.classifiers.sklearn_adapter"


def guarded(classifier: Classifier) -> Classifier:
    """Return a classifier of ours as it is, and any other one behind a guard.

    Parameters
    ----------
    classifier : Classifier

    Returns
    -------
    Classifier
        With the same label, identity and predictions, and `MethodError` for all that goes wrong.
    """
    place = type(classifier).__module__
    ours = place.startswith("fsbench.") and place != ADAPTER
    return classifier if ours else GuardedClassifier(behind=classifier)


class GuardedClassifier(Classifier):
    """A classifier whose errors and wrong results are one line that names it.

    Raises
    ------
    MethodError
        By `fit`, `evaluate`, `curve` and `curves`, and by the models: the classifier fails, or what it returns is
        not a class index of the data for every row.
    """

    behind: Any = None

    @property
    def label(self) -> str:
        """That of the classifier behind."""
        return str(self.behind.label)

    def identity(self) -> dict[str, Any]:
        """Return that of the classifier behind."""
        return dict(self.behind.identity())

    def fit(self, train: Dataset) -> Model:
        """Fit; see `Classifier.fit`."""
        with _blamed(self.label):
            model = self.behind.fit(train)
        if not isinstance(model, Model):
            raise MethodError(f"{self.label}: fit() must return a Model, found {_told(model)}")
        return _GuardedModel(model, self.label)

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Fit and predict; see `Classifier.evaluate`."""
        if not self._has_own("evaluate"):
            return super().evaluate(data, split, columns)
        with _blamed(self.label):
            outcome = self.behind.evaluate(data, split, columns)
        predicted = _classes(outcome.predicted, (len(split.test),), data.n_classes, self.label)
        return Outcome(predicted, outcome.measures)

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict at every prefix; see `Classifier.curve`."""
        if not self._has_own("curve"):
            return super().curve(data, split, order)
        with _blamed(self.label):
            curve = self.behind.curve(data, split, order)
        return self._checked(curve, data, split, order)

    def curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        """Predict at every prefix of each ranking; see `Classifier.curves`."""
        if not self._has_own("curves"):
            return super().curves(data, split, orders)
        with _blamed(self.label):
            curves = list(self.behind.curves(data, split, orders))
        if len(curves) != len(orders):
            raise MethodError(
                f"{self.label}: curves() must return one for each of {len(orders)} rankings, found {len(curves)}"
            )
        return [self._checked(curve, data, split, order) for curve, order in zip(curves, orders, strict=True)]

    def _has_own(self, method: str) -> bool:
        """Tell whether the author wrote a method that comes with every classifier."""
        return getattr(type(self.behind), method) is not getattr(Classifier, method)

    def _checked(self, curve: Curve, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        shape = (len(order), len(split.test))
        return Curve(_classes(curve.predicted, shape, data.n_classes, self.label), curve.measures)


class _GuardedModel(Model):
    """A fitted model whose results are checked."""

    def __init__(self, model: Model, label: str) -> None:
        self.model, self.label = model, label

    def predict_proba(self, test: Dataset) -> FloatArray:
        with _blamed(self.label):
            found: Any = self.model.predict_proba(test)
        return _probabilities(found, (test.n_rows, test.n_classes), self.label)

    def predict(self, test: Dataset) -> IntArray:
        if type(self.model).predict is Model.predict:  # the most probable class: the numbers are what can be wrong
            return super().predict(test)
        with _blamed(self.label):
            found: Any = self.model.predict(test)
        return _classes(found, (test.n_rows,), test.n_classes, self.label)

    def describe(self) -> str:
        with _blamed(self.label):
            return str(self.model.describe())

    def measures(self) -> Mapping[str, float]:
        with _blamed(self.label):
            found: Any = self.model.measures()
        try:
            return {str(name): float(value) for name, value in found.items()}
        except (AttributeError, TypeError, ValueError):
            raise MethodError(f"{self.label}: measures() must return numbers by name, found {_told(found)}") from None


@contextmanager
def _blamed(label: str) -> Iterator[None]:
    """Make one line of whatever goes wrong."""
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise MethodError(f"{label}: failed with {raised(error)}") from error


def _classes(found: Any, shape: tuple[int, ...], n_classes: int, label: str) -> IntArray:
    """Return predictions as int64 class indices; refuse what is none."""
    right = f"predictions must be class indices, whole numbers from 0 to {n_classes - 1}"
    values = _array(found, right, label)
    if values.shape != shape:
        raise MethodError(f"{label}: predictions must have shape {shape}, found {values.shape}")
    if values.dtype.kind not in "biuf":
        first = values.flat[0].item() if values.size else values.dtype.name
        raise MethodError(f"{label}: {right}, found {show(first)}")
    wrong = ~((values >= 0) & (values < n_classes) & (values == np.floor(values)))
    if wrong.any():
        raise MethodError(f"{label}: {right}, found {show(values[wrong][0].item())}")
    classes: IntArray = values.astype(np.int64)
    return classes


def _probabilities(found: Any, shape: tuple[int, int], label: str) -> FloatArray:
    """Return class probabilities as floats; refuse rows that prefer no class."""
    right = f"predict_proba() must return numbers of shape {shape}, a column for each class"
    values = _array(found, right, label)
    if values.shape != shape:
        raise MethodError(f"{label}: {right}, found shape {values.shape}")
    if values.dtype.kind not in "biuf":
        first = values.flat[0] if values.size else values.dtype.name
        raise MethodError(f"{label}: {right}, found {_told(first)}")
    if np.isnan(values).any():
        raise MethodError(f"{label}: {right}, found NaN")
    numbers: FloatArray = values.astype(np.float64)
    return numbers


def _array(found: Any, right: str, label: str) -> Any:
    try:
        if found is None:
            raise TypeError
        values = np.asarray(found)
        return values.astype(np.float64) if values.dtype.kind == "O" and values.ndim else values
    except (TypeError, ValueError):  # lists of unequal lengths, or other objects than numbers
        raise MethodError(f"{label}: {right}, found {_told(found)}") from None


def _told(value: Any) -> str:
    """Return what was found; that of an object without a form of its own is its kind."""
    value = value.item() if isinstance(value, np.generic) else value
    plain = value is None or isinstance(value, str | int | float | list | tuple | dict)
    return show(value) if plain else f"a {type(value).__name__}"
