"""Measures of multi-label predictions: of label sets, of labels, and of label rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = [
    "MEASURES",
    "RANKING_MEASURES",
    "LabelCounts",
    "ZeroDivision",
    "label_counts",
    "macro_f",
    "measure",
    "measure_ranking",
    "micro_f",
]

ZeroDivision = Literal["one", "zero", "skip"]
Labels = npt.NDArray[np.generic]

# Name to title, in the order of the paper's tables; only the Hamming loss is better when smaller.
MEASURES: dict[str, str] = {
    "hamming_loss": "Hamming loss",
    "subset_accuracy": "Subset accuracy",
    "f_example": "F-measure",
    "accuracy": "Accuracy",
    "f_macro": "Macro F",
    "f_micro": "Micro F",
    "precision": "Precision",
    "recall": "Recall",
}
RANKING_MEASURES: dict[str, str] = {
    "ranking_loss": "Ranking loss",
    "one_error": "One-error",
    "coverage": "Coverage",
    "average_precision": "Average precision",
}
_VALUE = {"one": 1.0, "zero": 0.0}


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Right and wrong decisions of each label.

    Parameters
    ----------
    tp, fp, fn : ndarray of shape (n_labels,)
        Rows that carry the label and are said to; that do not but are said to; that do and are not said to.
    n_rows : int
    """

    tp: IntArray
    fp: IntArray
    fn: IntArray
    n_rows: int

    @property
    def tn(self) -> IntArray:
        """Rows that do not carry the label and are not said to."""
        return self.n_rows - self.tp - self.fp - self.fn


def label_counts(actual: Labels, predicted: Labels) -> LabelCounts:
    """Count the decisions of each label.

    Parameters
    ----------
    actual, predicted : ndarray of shape (n_rows, n_labels)
        0 and 1, or booleans.

    Returns
    -------
    LabelCounts
    """
    y, z = actual.astype(np.bool_), predicted.astype(np.bool_)
    return LabelCounts((y & z).sum(axis=0), (~y & z).sum(axis=0), (y & ~z).sum(axis=0), len(y))


def measure(actual: Labels, predicted: Labels, zero_division: ZeroDivision = "one") -> dict[str, float]:
    """Compute every measure of label sets on one test part.

    Parameters
    ----------
    actual, predicted : ndarray of shape (n_rows, n_labels)
        Y and Z: 0 and 1, or booleans; at least one row.
    zero_division : {"one", "zero", "skip"}, default "one"
        What 0/0 counts, where nothing is to be found and nothing is said: 1 as in Mulan 1.4, 0, or not at all.
        It concerns labels in macro F, and rows in the measures of rows but the first two.

    Returns
    -------
    dict of str to float
        Keys as in `MEASURES`. Precision of a row with labels but without predictions is 0, and so is recall of
        a row without labels that has predictions. NaN where every row or label is left out.

    Examples
    --------
    >>> found = measure(np.array([[1, 1, 0], [0, 0, 1]]), np.array([[1, 0, 0], [0, 0, 1]]))
    >>> round(found["hamming_loss"], 3), found["subset_accuracy"], found["accuracy"]
    (0.167, 0.5, 0.75)
    """
    y, z = actual.astype(np.bool_), predicted.astype(np.bool_)
    both, n_y, n_z = (y & z).sum(axis=1), y.sum(axis=1), z.sum(axis=1)
    wrong = (y != z).sum(axis=1)
    empty = (n_y == 0) & (n_z == 0)
    counts = label_counts(y, z)
    return {
        "hamming_loss": float((wrong / y.shape[1]).mean()),
        "subset_accuracy": float((wrong == 0).mean()),
        "f_example": _mean(2 * both, n_y + n_z, empty, zero_division),
        "accuracy": _mean(both, n_y + n_z - both, empty, zero_division),
        "f_macro": macro_f(counts, zero_division),
        "f_micro": micro_f(counts, zero_division),
        "precision": _mean(both, n_z, empty, zero_division),
        "recall": _mean(both, n_y, empty, zero_division),
    }


def _mean(part: IntArray, whole: IntArray, empty: BoolArray, zero_division: ZeroDivision) -> float:
    """Return the mean of part / whole; `empty` tells where 0/0 is meant, anywhere else it is 0."""
    shares = part / np.maximum(whole, 1)
    if zero_division == "skip":
        return float(shares[~empty].mean()) if not empty.all() else float("nan")
    return float(np.where(empty, _VALUE[zero_division], shares).mean())


def macro_f(counts: LabelCounts, zero_division: ZeroDivision = "one") -> float:
    """Return the mean over labels of 2 tp / (2 tp + fp + fn).

    Parameters
    ----------
    counts : LabelCounts
        Of one fold.
    zero_division : {"one", "zero", "skip"}, default "one"
        See `measure`.

    Returns
    -------
    float
        NaN if every label is left out.
    """
    below = 2 * counts.tp + counts.fp + counts.fn
    return _mean(2 * counts.tp, below, below == 0, zero_division)


def micro_f(counts: LabelCounts, zero_division: ZeroDivision = "one") -> float:
    """Return 2 tp / (2 tp + fp + fn) of all labels together; arguments as in `macro_f`."""
    tp, fp, fn = (int(part.sum()) for part in (counts.tp, counts.fp, counts.fn))
    below = 2 * tp + fp + fn
    return 2 * tp / below if below else _VALUE.get(zero_division, float("nan"))


def measure_ranking(actual: Labels, confidences: FloatArray) -> dict[str, float]:
    """Compute every measure of label rankings on one test part.

    Parameters
    ----------
    actual : ndarray of shape (n_rows, n_labels)
        0 and 1, or booleans.
    confidences : ndarray of shape (n_rows, n_labels)
        Higher is more certain.

    Returns
    -------
    dict of str to float
        Keys as in `RANKING_MEASURES`. `ranking_loss`: share of pairs of a wrong and a right label in which the
        wrong one is not lower (rows with no or all labels: 0). `one_error`: share of rows whose first label of
        highest confidence is wrong. `coverage`: how many places from the top hold all right labels, less one
        (rows without labels: 0). `average_precision`: mean over the right labels of the share of right ones among
        those not lower (rows without labels, or with all of them: 1).

    Notes
    -----
    Equal confidences count against the ranking, as in scikit-learn; coverage is scikit-learn's coverage error
    less one, averaged over the rows with labels and those without alike.
    """
    y = actual.astype(np.bool_)
    losses, precisions, depths = [], [], []
    for right, c in zip(y, confidences, strict=True):
        if not right.any() or right.all():
            losses.append(0.0)
            precisions.append(1.0)
            depths.append(len(right) - 1 if right.any() else 0)
            continue
        not_lower = c[np.newaxis, :] >= c[right][:, np.newaxis]
        hits, places = not_lower[:, right].sum(axis=1), not_lower.sum(axis=1)
        losses.append(float((places - hits).sum() / (right.sum() * (~right).sum())))
        precisions.append(float((hits / places).mean()))
        depths.append(int(places.max()) - 1)
    top = np.argmax(confidences, axis=1)
    return {
        "ranking_loss": float(np.mean(losses)),
        "one_error": float((~y[np.arange(len(y)), top]).mean()),
        "coverage": float(np.mean(depths)),
        "average_precision": float(np.mean(precisions)),
    }
