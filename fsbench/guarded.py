"""Classifiers that are not ours: what they are handed cannot be spoilt, what they return is looked at before it counts.

A prediction that is no class would otherwise count as a wrong one, and a broken classifier look like a poor one; one
that writes into the data would change what the others say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from fsbench.classifiers import Classifier, Model
from fsbench.classifiers.refit import written
from fsbench.errors import MethodError, is_one_line, show
from fsbench.lent import Lender, is_ours, theirs
from fsbench.values import Curve, Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["GuardedClassifier", "guarded"]


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
    return classifier if is_ours(classifier) else GuardedClassifier(behind=classifier)


class GuardedClassifier(Classifier):
    """A classifier that cannot spoil the data, and whose errors and wrong results are one line that names it.

    `fit` and the models get rows of their own, as from every classifier's `evaluate`; what `evaluate`, `curve` and
    `curves` get is shared with the other methods, and lent (see `fsbench.lent.Lender`).

    Raises
    ------
    MethodError
        By `fit`, `evaluate`, `curve` and `curves`, and by the models: the classifier fails, writes into what is
        lent, or what it returns is not a class index of the data for every row.
    """

    behind: Any = None

    @property
    def label(self) -> str:
        """That of the classifier behind."""
        return self._label

    def identity(self) -> dict[str, Any]:
        """Return that of the classifier behind."""
        return dict(self.behind.identity())

    def fit(self, train: Dataset) -> Model:
        """Fit; see `Classifier.fit`."""
        with theirs(f"{self.label}:"):
            model = self.behind.fit(train)
        if not isinstance(model, Model):
            raise MethodError(f"{self.label}: fit() must return a Model, found {_told(model)}")
        return _GuardedModel(model, self.label)

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Fit and predict; see `Classifier.evaluate`."""
        if not self._has_own("evaluate"):
            return super().evaluate(data, split, columns)
        with self._lent(data, split, columns) as lent:
            found: Any = self.behind.evaluate(*lent)
        if not isinstance(found, Outcome):
            raise MethodError(f"{self.label}: evaluate() must return an Outcome, found {_told(found)}")
        predicted = _classes(found.predicted, (len(split.test),), data.n_classes, self.label)
        return Outcome(predicted, _measures(found.measures, self.label))

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict at every prefix; see `Classifier.curve`."""
        if not self._has_own("curve"):
            return super().curve(data, split, order)
        with self._lent(data, split, order) as lent:
            found: Any = self.behind.curve(*lent)
        return self._curve(found, "curve() must return a Curve", data, split, order)

    def curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        """Predict at every prefix of each ranking; see `Classifier.curves`."""
        if not self._has_own("curves"):
            return super().curves(data, split, orders)
        with self._lent(data, split, orders) as lent:
            made: Any = self.behind.curves(*lent)
            found = list(islice(made, len(orders) + 1)) if isinstance(made, Iterable) else made
        right = f"curves() must return a Curve for each of {len(orders)} rankings"
        if not isinstance(found, list) or len(found) != len(orders):
            what = f"{len(found)}" if isinstance(found, list) and len(found) < len(orders) else "more"
            raise MethodError(f"{self.label}: {right}, found {what if isinstance(found, list) else _told(found)}")
        return [self._curve(one, right, data, split, order) for one, order in zip(found, orders, strict=True)]

    def _has_own(self, method: str) -> bool:
        return written(type(self.behind), method)

    @cached_property
    def _label(self) -> str:
        with theirs(f"{type(self.behind).__name__}: label"):
            return str(self.behind.label)

    @cached_property
    def _lender(self) -> Lender:
        return Lender(self.behind)

    @contextmanager
    def _lent(self, *values: Any) -> Iterator[tuple[Any, ...]]:
        with theirs(f"{self.label}:"), self._lender.lent(*values) as lent:
            yield lent

    def _curve(self, found: Any, right: str, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        if not isinstance(found, Curve):
            raise MethodError(f"{self.label}: {right}, found {_told(found)}")
        predicted = _classes(found.predicted, (len(order), len(split.test)), data.n_classes, self.label)
        return Curve(predicted, _measures(found.measures, self.label, (len(order),)))


class _GuardedModel(Model):
    """A fitted model whose results are checked."""

    def __init__(self, model: Model, label: str) -> None:
        self.model, self.label = model, label

    def predict_proba(self, test: Dataset) -> FloatArray:
        with theirs(f"{self.label}:"):
            found: Any = self.model.predict_proba(test)
        return _probabilities(found, (test.n_rows, test.n_classes), self.label)

    def predict(self, test: Dataset) -> IntArray:
        if type(self.model).predict is Model.predict:  # the most probable class: the numbers are what can be wrong
            return super().predict(test)
        with theirs(f"{self.label}:"):
            found: Any = self.model.predict(test)
        return _classes(found, (test.n_rows,), test.n_classes, self.label)

    def describe(self) -> str:
        with theirs(f"{self.label}:"):
            return str(self.model.describe())

    def measures(self) -> Mapping[str, float]:
        with theirs(f"{self.label}:"):
            found: Any = self.model.measures()
        return _measures(found, self.label)


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
    return _numbers(found, shape, right, label)


def _measures(found: Any, label: str, shape: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return what a model tells of itself; refuse all but finite numbers of a shape, by names that can be printed."""
    right = "measures must be finite numbers by name"
    if not isinstance(found, Mapping):
        raise MethodError(f"{label}: {right}, found {_told(found)}")
    with theirs(f"{label}: measures"):
        items = list(found.items())
    for name, _ in items:
        if not isinstance(name, str) or not name or not is_one_line(name):
            raise MethodError(f"{label}: {right}, found the name {_told(name)}")
    many = f", one for each of the {shape[0]} prefixes" if shape else ""
    numbers = {str(name): _numbers(value, shape, f"{right}{many}: {name}", label) for name, value in items}
    return numbers if shape else {name: float(value) for name, value in numbers.items()}


def _numbers(found: Any, shape: tuple[int, ...], right: str, label: str) -> FloatArray:
    """Return finite numbers of a shape as floats."""
    values = _array(found, right, label)
    if values.shape != shape:
        raise MethodError(f"{label}: {right}, found shape {values.shape}")
    if values.dtype.kind not in "biuf":
        first = values.flat[0] if values.size else values.dtype.name
        raise MethodError(f"{label}: {right}, found {_told(first)}")
    numbers: FloatArray = values.astype(np.float64)
    wrong = ~np.isfinite(numbers)
    if wrong.any():
        first = numbers[wrong][0]
        raise MethodError(f"{label}: {right}, found {'NaN' if np.isnan(first) else _told(first)}")
    return numbers


def _array(found: Any, right: str, label: str) -> Any:
    try:
        if found is None:
            raise TypeError
        values = np.asarray(found)
        return values.astype(np.float64) if values.dtype.kind == "O" else values
    except KeyboardInterrupt:
        raise
    except BaseException:  # lists of unequal lengths, numbers too large, other objects than numbers
        raise MethodError(f"{label}: {right}, found {_told(found)}") from None


def _told(value: Any) -> str:
    """Return what was found; that of an object without a form of its own is its kind."""
    value = value.item() if isinstance(value, np.generic) else value
    plain = value is None or isinstance(value, str | int | float | list | tuple | dict)
    return show(value) if plain else f"a {type(value).__name__}"
