"""A ranker and a transformation together: what ranks the features of multi-label data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.errors import NotApplicable
from fsbench.lent import Lender, is_ours, theirs
from fsbench.multilabel.base import Transform
from fsbench.multilabel.binary_relevance import BinaryRelevance
from fsbench.rankers import Ranker
from fsbench.rankers.base import checked
from fsbench.values import FloatArray, Ranking

__all__ = ["LabelRanker"]


@dataclass(frozen=True)
class LabelRanker:
    """Ranks the features of a multi-label training part.

    Parameters
    ----------
    transform : Transform
    ranker : Ranker

    Examples
    --------
    >>> from fsbench.data import load_multilabel
    >>> from fsbench.rankers.information_gain import InformationGain
    >>> ranker = LabelRanker(BinaryRelevance(), InformationGain())
    >>> ranker.label
    'ig br'
    >>> data = load_multilabel("blobs")
    >>> [data.features[j].name for j in ranker.rank(data).order[:3]]
    ['size', 'light', 'outline']
    """

    transform: Transform
    ranker: Ranker

    @property
    def label(self) -> str:
        """Name of the ranker, then of the transformation."""
        return f"{self.ranker.label} {self.transform.label}"

    @property
    def name(self) -> str:
        """The names of both, as in YAML."""
        return f"{self.ranker.name} {self.transform.name}"

    @property
    def title(self) -> str:
        """The names of both in prose."""
        return f"{self.ranker.title or self.ranker.name}, {(self.transform.title or self.transform.name).lower()}"

    @property
    def reference(self) -> str:
        """The publications that define both."""
        return "; ".join(text for text in (self.ranker.reference, self.transform.reference) if text)

    def rank(self, train: MultiLabelDataset) -> Ranking:
        """Order the features from best to worst; see `Transform.rank`."""
        if is_ours(self.transform):
            return self.transform.rank(self.ranker, train)
        with theirs(f"{self.transform.label}: rank()"), Lender(self.transform).lent(train) as (rows,):
            return checked(self.transform.rank(self.ranker, rows), train.n_features, self.transform.label)

    def label_scores(self, train: MultiLabelDataset) -> FloatArray:
        """Return the scores of each label by itself, shape (n_labels, n_features); see `BinaryRelevance`.

        Raises
        ------
        NotApplicable
            The transformation has no scores of single labels.
        """
        if not isinstance(self.transform, BinaryRelevance):
            raise NotApplicable(f"{self.label} has no scores of single labels; 'br' has")
        if is_ours(self.transform):
            return self.transform.label_scores(self.ranker, train)
        with theirs(f"{self.transform.label}: label_scores()"), Lender(self.transform).lent(train) as (rows,):
            scores = np.array(self.transform.label_scores(self.ranker, rows), dtype=np.float64)
            if scores.shape != (train.n_labels, train.n_features):
                raise TypeError(f"it must return shape {(train.n_labels, train.n_features)}, found {scores.shape}")
        return scores

    def explain(self, train: MultiLabelDataset) -> str:
        """Return a table of the scores for each label, features from best to worst.

        Raises
        ------
        NotApplicable
            The transformation has no scores of single labels.
        """
        scores = self.label_scores(train)
        assert isinstance(self.transform, BinaryRelevance)
        ranking = self.rank(train)
        head = ["feature", self.transform.combine, *train.labels]
        rows = [
            [train.features[j].name, *(f"{v:.6g}" for v in (ranking.scores[j], *scores[:, j]))]
            for j in ranking.order.tolist()
        ]
        widths = np.max([[len(cell) for cell in row] for row in [head, *rows]], axis=0).tolist()
        lines = [
            "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
            for row in [head, *rows]
        ]
        return f"{self.label}: {self.ranker.unit} for each label\n" + "\n".join(lines)
