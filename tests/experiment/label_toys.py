"""Multi-label files and methods for the tests of the engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fsbench.cli.rank_labels import file_columns
from fsbench.data import write_arff
from fsbench.data.generate import blobs
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.multilabel import BRkNN, LabelClassifier, LabelOutcome
from fsbench.rankers import Ranker


def write(folder: Path, name: str, data: MultiLabelDataset | None = None, names: tuple[str, ...] | None = None) -> Path:
    """Write a data set and, beside it, the XML file of its labels."""
    data = data or blobs(n_rows=60)
    path = folder / f"{name}.arff"
    write_arff(file_columns(data, range(data.n_features)), path)
    inside = "".join(f'<label name="{label}"/>' for label in names or data.labels)
    path.with_suffix(".xml").write_text(f"<labels>{inside}</labels>")
    return path


def with_labels(Y: np.ndarray, labels: tuple[str, ...] = ()) -> MultiLabelDataset:
    """The features of `blobs` with other labels."""
    data = blobs(n_rows=len(Y))
    return MultiLabelDataset("own", data.features, data.X, labels or tuple("abcdefgh"[: Y.shape[1]]), Y)


class Variance(Ranker):
    """A ranker of the user's; `shift` moves the scores."""

    shift: float = 0.0

    def score(self, train):
        return train.X.var(axis=0) + self.shift


class Smallest(Ranker):
    """Low scores are good."""

    higher_is_better = False

    def score(self, train):
        return np.arange(train.n_features) / 10


class Breaks(Ranker):
    def score(self, train):
        raise ValueError("no\nway")


class Everything(LabelClassifier):
    """Predicts all labels."""

    def evaluate(self, data, split, columns):
        ones = np.ones((len(split.test), data.n_labels))
        return LabelOutcome(ones.astype(np.uint8), ones)


class TooFew(LabelClassifier):
    def evaluate(self, data, split, columns):
        return LabelOutcome(np.ones((1, 1), dtype=np.uint8), np.ones((1, 1)))


class Farther(BRkNN):
    """Looks for its neighbours in its own way."""

    def evaluate(self, data, split, columns):
        return super().evaluate(data, split, columns[:1])
