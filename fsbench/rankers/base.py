"""What a ranker is."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np

from fsbench.errors import MethodError, NotApplicable, is_one_line, show
from fsbench.lent import Lender, is_ours, theirs
from fsbench.method import Method, param
from fsbench.rankers.order import rank_order
from fsbench.values import Dataset, FloatArray, Ranking

__all__ = ["Ranker", "checked", "ranking_of"]


class Ranker(Method, ABC):
    """Scores every feature of a training part by itself; authors write `score`.

    `rank` checks what the ranker says it can take, calls `score`, checks the result and orders it. A ranker
    never sees a test row: what it is given holds the training rows only.

    Attributes
    ----------
    unit : str
        What a score counts; shown in table headers.
    higher_is_better : bool
        Direction of the score.
    takes_nominal, takes_numeric, takes_missing : bool
        What the ranker can handle. What it cannot is refused with `NotApplicable`.

    Examples
    --------
    >>> class Spread(Ranker):
    ...     unit = "variance"
    ...     takes_nominal = False
    ...     def score(self, train):
    ...         return train.X.var(axis=0)
    """

    unit: ClassVar[str] = "score"
    higher_is_better: ClassVar[bool] = True
    takes_nominal: ClassVar[bool] = True
    takes_numeric: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True

    ties: Literal["index", "weka"] = param("index", "order of equal scores: lowest feature index, or Weka's own")

    @abstractmethod
    def score(self, train: Dataset) -> FloatArray:
        """Score the features.

        Parameters
        ----------
        train : Dataset
            The training rows, which other rankers get too: to be read only. The arrays of one that is not ours
            refuse to be written to; a class derived from one of ours gets copies, and is refused if it writes.

        Returns
        -------
        ndarray of shape (n_features,)
            In file order, in units of `unit`; NaN puts a feature last.
        """

    def rank(self, train: Dataset) -> Ranking:
        """Order the features of a training part from best to worst.

        Parameters
        ----------
        train : Dataset
            The training rows.

        Returns
        -------
        Ranking
            With the wall seconds spent, work shared with other rankers included.

        Raises
        ------
        NotApplicable
            The data hold something that the ranker does not take.
        MethodError
            `score` returned something that is not one number a feature.
        """
        self._check(train)
        start, borrowed = time.perf_counter(), train.borrowed_seconds
        scores = self._scores(train)
        if scores.shape != (train.n_features,):
            raise MethodError(
                f"{self.label}: score() must return one number for each of the {train.n_features} features, "
                f"found shape {scores.shape}"
            )
        order = rank_order(scores, self.higher_is_better, self.ties)
        seconds = time.perf_counter() - start + train.borrowed_seconds - borrowed
        return Ranking(order=order, scores=scores, unit=self.unit, seconds=seconds)

    def _scores(self, train: Dataset) -> FloatArray:
        """Call `score`; a ranker that is not ours cannot spoil the rows, and what goes wrong in it is one line."""
        if is_ours(self):
            return np.array(self.score(train), dtype=np.float64)
        with theirs(f"{self.label}: score()"), Lender(self).lent(train) as (rows,):
            found = np.asarray(self.score(rows))
            if found.dtype.kind not in "biufO":
                raise TypeError(f"it must return numbers, found {found.dtype}")
            scores: FloatArray = found.astype(np.float64)
        # Tests of scikit-learn give none to constant features, which may be all there are.
        if scores.size and np.isnan(scores).all() and not type(self).__module__.startswith("fsbench."):
            raise MethodError(f"{self.label}: score() gave no feature a number")
        return scores

    def _check(self, train: Dataset) -> None:
        refused = [
            ("nominal features", not self.takes_nominal and bool(train.is_nominal.any())),
            ("numeric features", not self.takes_numeric and not bool(train.is_nominal.all())),
            ("missing values", not self.takes_missing and train.has_missing),
        ]
        for what, found in refused:
            if found:
                raise NotApplicable(f"{self.label} does not take {what}", train.name)


def ranking_of(ranker: Ranker, train: Dataset) -> Ranking:
    """Return ``ranker.rank(train)``; whatever a ranker does that is not ours, the rows stay, and errors name it.

    Parameters
    ----------
    ranker : Ranker
    train : Dataset
        The training rows.

    Returns
    -------
    Ranking

    Raises
    ------
    NotApplicable
        The data hold something that the ranker does not take.
    MethodError
        It fails, or what it returns is no ranking of the features.
    """
    if is_ours(ranker):
        return ranker.rank(train)
    if type(ranker).rank is Ranker.rank:
        with theirs(f"{ranker.label}:"):
            return ranker.rank(train)
    with theirs(f"{ranker.label}: rank()"), Lender(ranker).lent(train) as (rows,):
        return checked(ranker.rank(rows), train.n_features, ranker.label)


def checked(found: Any, n_features: int, label: str) -> Ranking:
    """Return a copy of what a `rank` that is not ours made; `MethodError` if it is no ranking of the features."""
    wrong = MethodError(
        f"{label}: rank() must return a Ranking that holds each of the {n_features} features once, "
        f"with as many scores, and a text as unit, found {show(found)}"
    )
    if not isinstance(found, Ranking):
        raise wrong
    order, scores = np.array(found.order), np.array(found.scores, dtype=np.float64)
    if order.dtype.kind not in "iu" or not np.array_equal(np.sort(order, axis=None), np.arange(n_features)):
        raise wrong
    if scores.shape != order.shape or not isinstance(found.unit, str) or not is_one_line(found.unit):
        raise wrong
    seconds = float(found.seconds)
    return Ranking(order.astype(np.int64), scores, found.unit, seconds if np.isfinite(seconds) else 0.0)
