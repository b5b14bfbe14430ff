"""One cell of an experiment over its folds, and the ways in which its features were chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fsbench.values import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ALL", "ESTIMATES", "Cells", "Scores", "Way"]

# How the word for an absent value reads in a table, by status of the store.
WORDS = {"failed": "failed", "skipped": "n/a", "pending": "pending", "missing": "missing", "absent": "absent"}

# The ranker of cells that use all features, as in the store: no label of a method is empty.
ALL = ""

# What the accuracy of a prefix was measured on. The last looks at the rows that are tested on, and says so.
ESTIMATES = {
    "inner_cv": "cross-validation inside the training part",
    "train": "accuracy on the training part itself",
    "test": "accuracy on the test fold (optimistic: chosen by the test rows)",
}


@dataclass(frozen=True)
class Way:
    """How features were chosen: all of them, the best prefix by an estimate, the first k, or a reduced ranking.

    Parameters
    ----------
    selection : {"all", "ordered", "best", "first", "reduced"}
        The kind.
    estimate : str, default ""
        For best and reduced: inner_cv, train or test. For a threshold or share: that number.
    k : int, optional
        For first: how many.
    """

    selection: str
    estimate: str = ""
    k: int | None = None

    @property
    def slug(self) -> str:
        """Its name in file names: ``best-inner_cv``, ``first-3``."""
        return "-".join(str(p) for p in (self.selection, self.estimate, self.k) if p not in ("", None))

    @property
    def words(self) -> str:
        """What it is, in a title; the optimistic estimate says so."""
        if self.selection == "first":
            return (
                f"the first {self.k} features of each ranking" if self.k != 1 else "the first feature of each ranking"
            )
        if self.selection == "all":
            return "all features"
        if self.selection in ("ordered", "reduced"):
            return "all features in the order of each ranking" if self.selection == "ordered" else "reduced rankings"
        if self.selection == "threshold":
            return f"the features with a score of at least {self.estimate}"
        if self.selection == "share":
            return f"the first {100 * float(self.estimate):g} % of the features of each ranking"
        return f"the best prefix of each ranking by {ESTIMATES.get(self.estimate, self.estimate)}"


@dataclass(frozen=True, eq=False)
class Scores:
    """One cell of an experiment over its folds.

    Parameters
    ----------
    status : str
        ok if every fold is there; else failed, skipped, pending, missing or absent.
    reason : str
        Why it is not ok.
    folds : tuple of (int, int)
        Repeat and fold of each value.
    accuracy : ndarray of shape (n_folds,)
        Percent; NaN for folds that are not ok.
    n_train, n_test, n_selected, n_features : ndarray of shape (n_folds,)
        Sizes.
    tree_size, tree_leaves : ndarray of shape (n_folds,)
        NaN for classifiers without a tree.
    """

    status: str
    reason: str = ""
    folds: tuple[tuple[int, int], ...] = ()
    accuracy: FloatArray = field(default_factory=lambda: np.empty(0))
    n_train: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    n_test: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    n_selected: FloatArray = field(default_factory=lambda: np.empty(0))
    n_features: FloatArray = field(default_factory=lambda: np.empty(0))
    tree_size: FloatArray = field(default_factory=lambda: np.empty(0))
    tree_leaves: FloatArray = field(default_factory=lambda: np.empty(0))

    @property
    def ok(self) -> bool:
        """Whether every fold is there."""
        return self.status == "ok"

    @property
    def word(self) -> str:
        """What a table shows in its place when it is not ok."""
        return WORDS.get(self.status, self.status)

    @property
    def mean(self) -> float | None:
        """Mean accuracy in percent; None unless every fold is there."""
        return float(self.accuracy.mean()) if self.ok else None

    @property
    def sd(self) -> float | None:
        """Standard deviation over the folds, sample form, in points; None for fewer than two folds."""
        return float(self.accuracy.std(ddof=1)) if self.ok and len(self.accuracy) > 1 else None


class Cells:
    """The stored folds of every cell, looked up by name.

    Parameters
    ----------
    accuracies : DataFrame
        As `Store.accuracies` gives it.
    n_rows : mapping of str to int
        Rows of each data set.
    """

    def __init__(self, accuracies: pd.DataFrame, n_rows: Mapping[str, int]) -> None:
        frame = accuracies.assign(k=accuracies["k"].fillna(0).astype("int64"))
        for name in ("ranker", "estimate", "reason"):
            frame[name] = frame[name].fillna("").astype(str)
        # One pass over the frame; a cell is then a slice of plain arrays, many times faster than of the frame.
        groups = frame.groupby(list(_KEY), sort=False).indices if len(frame) else {}
        self._rows = {key: np.asarray(rows, dtype=np.intp) for key, rows in groups.items()}
        self._texts = {name: frame[name].tolist() for name in ("status", "reason")}
        self._numbers = {name: frame[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in _NUMBERS}
        self._n_rows = n_rows
        self._made: dict[tuple[str, str, str, Way], Scores] = {}

    def get(self, dataset: str, classifier: str, ranker: str, way: Way) -> Scores:
        """Return a cell; its status is ``absent`` if the results have no such cell."""
        key = (dataset, classifier, ranker, way)
        if key not in self._made:
            rows = self._rows.get((dataset, classifier, ranker, way.selection, way.estimate, way.k or 0))
            found = Scores("absent", "not among the results") if rows is None else self._gather(rows, dataset)
            self._made[key] = found
        return self._made[key]

    def _gather(self, rows: npt.NDArray[np.intp], dataset: str) -> Scores:
        statuses = [self._texts["status"][i] for i in rows]
        status, reason = _status(statuses, [self._texts["reason"][i] for i in rows])
        done = rows[np.array([s == "ok" for s in statuses], dtype=np.bool_)]
        column = {name: values[done] for name, values in self._numbers.items()}
        n_test = column.pop("n_test").astype(np.int64)
        repeats, folds = (column.pop(name).astype(int).tolist() for name in ("repeat", "fold"))
        return Scores(
            status=status,
            reason=reason,
            folds=tuple(zip(repeats, folds, strict=True)),
            accuracy=100.0 * column.pop("accuracy"),
            # A fold is trained on the rows that it is not tested on.
            n_train=np.maximum(self._n_rows.get(dataset, 0) - n_test, 0),
            n_test=n_test,
            **column,
        )


_KEY = ("dataset", "classifier", "ranker", "selection", "estimate", "k")
_NUMBERS = ("repeat", "fold", "accuracy", "n_test", "n_selected", "n_features", "tree_size", "tree_leaves")


def _status(statuses: Sequence[str], reasons: Sequence[str]) -> tuple[str, str]:
    """Return the worst status of the folds and what to say of it: how many folds, and the first reason."""
    for status in ("failed", "pending", "skipped"):
        hit = [reason for s, reason in zip(statuses, reasons, strict=True) if s == status]
        if hit:
            count = "" if len(hit) == len(statuses) else f"{len(hit)} of {len(statuses)} folds {status}"
            why = next((r for r in hit if r), "")
            return status, ": ".join(t for t in (count, why) if t)
    return "ok", ""
