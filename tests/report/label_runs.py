"""Real multi-label runs, small enough for a test."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fsbench.data.generate import blobs
from fsbench.data.multilabel import MultiLabelDataset
from tests.experiment.label_toys import write
from tests.report.runs import make_run

# Two data sets in two setups; on one of them IG-BR keeps no feature, in some folds or in all.
LABELLED = """
name: labelled
kind: multilabel
datasets: [one.arff, two.arff, gone.arff]
setups: {first: [one, gone], second: [one, two]}
folds: {folds: 3}
rankers:
  - {method: relieff, transform: br, label: RF-BR}
  - {method: ig, transform: br, label: IG-BR}
classifiers: [{method: brknn-b, label: B}]
selections: [all, {threshold: 0.01}]
"""


def noise() -> MultiLabelDataset:
    """Labels that no feature tells anything of."""
    data, rng = blobs(n_rows=60), np.random.default_rng(5)
    X = rng.normal(size=(60, 3))
    return MultiLabelDataset("noise", data.features[:3], X, ("a", "b"), rng.integers(0, 2, (60, 2)))


def make_labelled(folder: Path, text: str = LABELLED) -> Path:
    """Run the experiment; return where its results are."""
    write(folder, "one")
    write(folder, "two", noise())
    return make_run(folder, "results/labelled", text)
