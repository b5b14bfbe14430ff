"""What a transformation is: a way to score features of multi-label data by a ranker for one class."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.errors import MethodError
from fsbench.method import Method
from fsbench.rankers import Ranker
from fsbench.rankers.order import rank_order
from fsbench.values import FloatArray, Ranking

__all__ = ["Transform"]


class Transform(Method, ABC):
    """Turns a multi-label training part into single-class ones and merges what a ranker says of them.

    Authors write `score`. A transformation sees training rows only, as a ranker does.
    """

    @abstractmethod
    def score(self, ranker: Ranker, train: MultiLabelDataset) -> FloatArray:
        """Score the features.

        Parameters
        ----------
        ranker : Ranker
        train : MultiLabelDataset
            The training rows.

        Returns
        -------
        ndarray of shape (n_features,)
            In units of the ranker, in its direction.
        """

    def rank(self, ranker: Ranker, train: MultiLabelDataset) -> Ranking:
        """Order the features of a training part from best to worst.

        Parameters
        ----------
        ranker : Ranker
            Its rule for ties orders equal scores.
        train : MultiLabelDataset
            The training rows.

        Returns
        -------
        Ranking
            With the wall seconds spent.

        Raises
        ------
        NotApplicable
            The data hold something that the ranker does not take.
        """
        start = time.perf_counter()
        scores = np.asarray(self.score(ranker, train), dtype=np.float64)
        if scores.shape != (train.n_features,):
            raise MethodError(
                f"{self.label}: score() must return one number for each of the {train.n_features} features, "
                f"found shape {scores.shape}"
            )
        order = rank_order(scores, ranker.higher_is_better, ranker.ties)
        return Ranking(order, scores, ranker.unit, time.perf_counter() - start)
