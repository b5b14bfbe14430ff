"""Multi-label problems: made into single-class ones for rankers, and solved by nearest neighbours."""

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.multilabel.base import Transform
from fsbench.multilabel.binary_relevance import BinaryRelevance
from fsbench.multilabel.brknn import BRkNN, BRkNNa, BRkNNb, LabelClassifier, LabelOutcome
from fsbench.multilabel.label_powerset import LabelPowerset
from fsbench.multilabel.select import Threshold, TopFeatures, TopShare

__all__ = [
    "BRkNN",
    "BRkNNa",
    "BRkNNb",
    "BinaryRelevance",
    "LabelClassifier",
    "LabelOutcome",
    "LabelPowerset",
    "MultiLabelDataset",
    "Threshold",
    "TopFeatures",
    "TopShare",
    "Transform",
]
