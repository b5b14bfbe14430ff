"""Small multi-label data sets with what breaks methods."""

from __future__ import annotations

import numpy as np

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.values import Feature

KINDS = ("numeric", "nominal", "binary", "rarely", "mixed", "missing", "sparse numeric")


def draw(kind: str, seed: int, n: int = 45, m: int = 9, q: int = 6) -> MultiLabelDataset:
    """Ties, a constant, duplicates, unused labels; multi-labels that nobody carries, everybody, one row, most rows."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, m)), 1)
    features = [Feature(f"f{j}") for j in range(m)]
    nominal = {"nominal": range(m), "binary": range(m), "rarely": range(m), "mixed": (0, 3, 4), "missing": (0, 3, 4)}
    for j in nominal.get(kind, ()):
        declared = 2 if kind in ("binary", "rarely") and j else 4
        X[:, j] = rng.integers(0, declared - 1 if declared > 2 else 2, n)
        if kind == "rarely":
            X[:, j] *= rng.random(n) < 0.15
        features[j] = Feature(f"f{j}", tuple("abcd"[:declared]))
    X[:, 1] = 1.0
    if kind == "sparse numeric":
        X[rng.random(X.shape) < 0.6] = 0.0
    X[-5:] = X[:5]
    if kind == "missing":
        X[rng.random(X.shape) < 0.15] = np.nan
        X[:, 4] = np.nan
    Y = rng.random((n, q)) < rng.choice([0.1, 0.3, 0.7], q)
    if q > 4:
        Y[:, 0], Y[:, 1], Y[:, 2] = False, True, np.arange(n) == 7
    names = tuple(f"l{i}" for i in range(q))
    return MultiLabelDataset(kind, tuple(features), X, names, Y, sparse=kind == "sparse numeric")
