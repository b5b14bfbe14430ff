"""Small random data sets with what breaks classifiers: ties, gaps, constants, twins, unused labels, rare classes."""

from __future__ import annotations

import numpy as np

from fsbench.classifiers.base import Classifier
from fsbench.values import Dataset, Feature, Split

__all__ = ["KINDS", "refitted", "sample", "split_of"]

KINDS = [
    "numeric",
    "continuous",
    "nominal",
    "nominal gaps",
    "mixed",
    "mixed gaps",
    "numeric gaps",
    "wide",
    "one class",
    "all missing",
    "twins",
    "offset",
    "mirrored",
]
NUMERIC = ("numeric", "continuous", "numeric gaps", "offset", "mirrored")


def sample(kind: str, seed: int) -> Dataset:
    """Make a data set of the given kind."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    n = int(rng.integers(25, 70))
    m = 90 if kind == "wide" else int(rng.integers(1, 12))
    n_classes = 1 if kind == "one class" else int(rng.integers(2, 6))
    y = rng.integers(0, n_classes, n)
    X = rng.normal(y[:, None] * rng.random(m), 1.0, (n, m)) * 10.0 ** rng.integers(-3, 4, m)
    features = [Feature(f"f{j}") for j in range(m)]
    if kind != "continuous":
        X = np.round(X, 1)
    for j in range(m):
        if kind.startswith("nominal") or (
            kind not in ("numeric", "continuous", "numeric gaps", "offset", "mirrored") and rng.random() < 0.5
        ):
            labels = int(rng.integers(1, 6))
            X[:, j] = np.where(rng.random(n) < 0.5, y % labels, rng.integers(0, labels, n))
            features[j] = Feature(f"f{j}", tuple(f"v{i}" for i in range(labels + int(rng.integers(0, 3)))))
        elif rng.random() < 0.1:
            X[:, j] = 0.1  # a constant
    if "gaps" in kind:
        X[rng.random(X.shape) < 0.15] = np.nan
        X[:, rng.integers(0, m)] = np.nan
    if kind == "all missing":
        X[:] = np.nan
    if kind == "twins":
        X[n // 2 :] = X[: n - n // 2]
    if kind == "offset":
        X = X * 10.0 ** rng.integers(-6, 1, m) + 10.0 ** rng.integers(0, 6, m)  # spread far below the mean
    if kind == "mirrored":  # the same rows in another order under another class: classes tie up to rounding
        half = n // 2
        X[half : 2 * half] = X[rng.permutation(half)] / 3.0
        X[:half] /= 3.0
        y = np.arange(n) // half % n_classes
    labels = tuple(f"c{i}" for i in range(n_classes + int(rng.integers(0, 2))))
    return Dataset(kind, tuple(features), X, Feature("class", labels), y)


def split_of(data: Dataset, seed: int) -> Split:
    """Split the rows at random; neither part is in ascending order."""
    rows = np.random.default_rng(seed).permutation(data.n_rows)
    return Split(rows[: data.n_rows * 3 // 4], rows[data.n_rows * 3 // 4 :])


def refitted(method: Classifier, data: Dataset, split: Split, order: np.ndarray) -> np.ndarray:
    """Fit on a copy of the training rows and the first columns of `order`, and predict, for every prefix."""
    lines = []
    for k in range(1, len(order) + 1):
        part = data.select(order[:k])
        lines.append(method.fit(part.take(split.train)).predict(part.take(split.test)))
    return np.array(lines)
