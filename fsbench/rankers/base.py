"""What a ranker is."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from fsbench.errors import MethodError, NotApplicable, UserError, raised
from fsbench.method import Method, param
from fsbench.rankers.order import rank_order
from fsbench.values import Dataset, FloatArray, Ranking

__all__ = ["Ranker"]


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
            The training rows.

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
        if not type(self).__module__.startswith("fsbench."):
            train = _read_only(train)  # ours are known not to write; another's must not spoil the rows of the rest
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
        """Call `score`; what goes wrong in a ranker that is not ours is one line."""
        try:
            found = np.asarray(self.score(train))
            if found.dtype.kind not in "biufO":
                raise TypeError(f"it must return numbers, found {found.dtype}")
            scores = found.astype(np.float64)
        except UserError:
            raise
        except (Exception, SystemExit) as error:
            if type(self).__module__.startswith("fsbench."):
                raise
            raise MethodError(f"{self.label}: score() failed with {raised(error)}") from error
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


def _read_only(train: Dataset) -> Dataset:
    """Return the same rows in arrays that cannot be written to."""
    X, y = train.X.view(), train.y.view()
    X.setflags(write=False)
    y.setflags(write=False)
    return replace(train, X=X, y=y, _derived={}, _borrowed=[0.0])
