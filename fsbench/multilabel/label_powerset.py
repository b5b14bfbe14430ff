"""Label powerset: each distinct label set is a class."""

from __future__ import annotations

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.errors import NotApplicable
from fsbench.method import param
from fsbench.multilabel.base import Transform
from fsbench.multilabel.shared_gain import powerset_gains, shares_gain
from fsbench.multilabel.shared_relieff import powerset_weights, shares_work
from fsbench.rankers import Ranker
from fsbench.rankers.base import ranking_of
from fsbench.values import FloatArray

__all__ = ["LabelPowerset"]


class LabelPowerset(Transform):
    """Score features once, on the data set whose classes are the label sets of the training part.

    Parameters
    ----------
    prune : int, default 0
        Rows whose label set is that of fewer rows are left out; 0 or 1 leaves out none, as the paper does.

    References
    ----------
    M. Boutell, J. Luo, X. Shen, C. Brown: Learning multi-label scene classification, Pattern Recognition 37, 2004.
    J. Read: A pruned problem transformation method for multi-label classification, NZCSRS 2008.
    """

    name = "lp"
    title = "Label powerset"
    reference = "Boutell, Luo, Shen, Brown: Learning Multi-Label Scene Classification, Pattern Recognition 37, 2004"

    prune: int = param(0, "leave out rows whose label set fewer rows have; 0: none", low=0)

    def score(self, ranker: Ranker, train: MultiLabelDataset) -> FloatArray:
        """Return the ranker's scores on the label sets.

        Raises
        ------
        NotApplicable
            The ranker does not take the data, or pruning leaves no row.
        """
        train = self._pruned(train)
        if shares_work(ranker, train):
            return powerset_weights(ranker, train)
        if shares_gain(ranker, train) and train.is_nominal.all():
            return powerset_gains(ranker, train)
        return ranking_of(ranker, train.powerset()).scores

    def _pruned(self, train: MultiLabelDataset) -> MultiLabelDataset:
        if self.prune < 2:
            return train
        sets, counts = train.label_sets
        kept = np.flatnonzero(counts[sets] >= self.prune)
        if not len(kept):
            raise NotApplicable(f"{self.label}: no label set has {self.prune} rows", train.name)
        return train.take(kept)
