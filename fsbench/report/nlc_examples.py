"""The small examples of the NLC paper's text: Figure 2, one-class intervals, a classifier on a single attribute."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fsbench.classifiers import Classifier
from fsbench.values import Dataset, Feature, FloatArray, Split

__all__ = ["figure", "one_class_run", "percents", "value_groups"]


def figure(partition: str, tied: Sequence[int] = ()) -> Dataset:
    """Return the elements of Figure 2 along one axis, as a data set of one feature.

    Parameters
    ----------
    partition : str
        Element numbers from left to right, parts divided by ``|``; odd numbers are of one class, even ones of the
        other.
    tied : sequence of int, default ()
        Parts (from 0) whose elements share one value; all others have values of their own.

    Examples
    --------
    >>> figure("1 3|4 2", tied=[1]).X[:, 0].tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    values: list[float] = []
    labels: list[int] = []
    for i, part in enumerate(partition.split("|")):
        start = values[-1] + 1.0 if values else 0.0
        for j, element in enumerate(part.split()):
            values.append(start if i in tied else start + j)
            labels.append(int(element) % 2)
    target = Feature("class", ("E", "O"))
    return Dataset("Figure 2", (Feature("x"),), np.array(values)[:, None], target, np.array(labels))


def value_groups(data: Dataset, feature: int) -> list[tuple[float, set[int]]]:
    """Return each value of a feature in ascending order with the classes met at it; missing values left out."""
    column = data.X[:, feature]
    return [(float(v), set(data.y[column == v].tolist())) for v in np.unique(column[~np.isnan(column)])]


def one_class_run(groups: Sequence[tuple[float, set[int]]], label: int) -> tuple[float | None, float | None]:
    """Return the ends of the longest run of values at which one class alone is met.

    Parameters
    ----------
    groups : sequence of (float, set of int)
        As `value_groups` gives them.
    label : int
        The class.

    Returns
    -------
    (float, float) or (None, None)
        The first of equally long runs; None without any.

    Examples
    --------
    >>> one_class_run([(1.0, {0}), (2.0, {0, 1}), (3.0, {0}), (4.0, {0})], 0)
    (3.0, 4.0)
    """
    best: list[float] = []
    run: list[float] = []
    for value, labels in groups:
        run = [*run, value] if labels == {label} else []
        best = run if len(run) > len(best) else best
    return (best[0], best[-1]) if best else (None, None)


def percents(classifier: Classifier, data: Dataset, splits: Sequence[Split], feature: int) -> FloatArray:
    """Return the accuracy on each fold, in percent, of a classifier that sees one feature only; shape (n_splits,)."""
    right = [classifier.evaluate(data, s, [feature]).predicted == data.y[s.test] for s in splits]
    return np.array([100.0 * r.mean() for r in right])
