"""Binary relevance: features are scored for each label by itself."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.method import param
from fsbench.multilabel.base import Transform
from fsbench.multilabel.shared_gain import gains, shares_gain
from fsbench.multilabel.shared_relieff import binary_weights, shares_work
from fsbench.rankers import Ranker
from fsbench.rankers.base import ranking_of
from fsbench.values import FloatArray

__all__ = ["BinaryRelevance"]


class BinaryRelevance(Transform):
    """Score features on each label's binary data set and combine the scores.

    Parameters
    ----------
    combine : {"mean", "max", "weighted"}, default "mean"
        The mean over labels, as the paper does; the best score of any label; or the mean weighted by how many
        rows carry a label. A label of which no row, or every row, is positive counts like any other in the mean.

    Notes
    -----
    ReliefF and information gain share what does not depend on the label: see `fsbench.multilabel.shared_relieff`
    and `fsbench.multilabel.shared_gain`. Any other ranker is asked once a label.
    """

    name = "br"
    title = "Binary relevance"
    reference = "Tsoumakas, Katakis, Vlahavas: Mining Multi-label Data, 2010"

    combine: Literal["mean", "max", "weighted"] = param("mean", "over labels: mean, max, or weighted by their rows")

    def score(self, ranker: Ranker, train: MultiLabelDataset) -> FloatArray:
        """Return the combined scores.

        Raises
        ------
        NotApplicable
            The ranker does not take the data.
        """
        if self.combine != "max" and shares_work(ranker, train):
            return binary_weights(ranker, train, self._weights(train))
        scores = self.label_scores(ranker, train)
        if self.combine == "max":
            best: FloatArray = scores.max(axis=0) if ranker.higher_is_better else scores.min(axis=0)
            return best
        return self._weights(train) @ scores

    def label_scores(self, ranker: Ranker, train: MultiLabelDataset) -> FloatArray:
        """Return the scores of each label by itself.

        Parameters
        ----------
        ranker : Ranker
        train : MultiLabelDataset

        Returns
        -------
        ndarray of shape (n_labels, n_features)
        """
        if shares_gain(ranker, train):
            return gains(ranker, train)
        return np.array([ranking_of(ranker, train.binary(label)).scores for label in range(train.n_labels)])

    def _weights(self, train: MultiLabelDataset) -> FloatArray:
        """Return the weight of each label, adding up to 1."""
        counts = train.label_counts.astype(np.float64)
        if self.combine == "mean" or not counts.any():
            return np.full(train.n_labels, 1.0 / train.n_labels)
        weights: FloatArray = counts / counts.sum()
        return weights
