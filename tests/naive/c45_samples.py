"""Small random data sets with what breaks decision trees, and the parameters to try on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from fsbench.values import Dataset, Feature

__all__ = ["PARAMETERS", "tree_sample"]

PARAMETERS: list[dict[str, Any]] = [
    {},
    {},
    {"confidence": 0.1, "min_leaf": 3},
    {"confidence": 0.4, "raising": False},
    {"confidence": 0.05, "min_leaf": 5},
    {"collapse": False},
    {"unpruned": True},
    {"confidence": 0.5, "min_leaf": 1},
]
GAPS = [0.0, 0.0, 0.02, 0.15, 0.4, 0.6]


def tree_sample(seed: int) -> Dataset:
    """Make the data set of a seed; the share of missing values goes by ``seed % 6``, none for 0 and 1."""
    rng = np.random.default_rng([45, seed])
    n, m = int(rng.choice([8, 20, 50, 90, 150])), int(rng.integers(1, 9))
    n_classes = int(rng.integers(2, 7))
    y = rng.choice(n_classes, n, p=rng.dirichlet(np.full(n_classes, rng.choice([0.3, 1.0, 5.0]))))
    y[0] = n_classes - 1  # maybe the only row of its class
    features, columns = [], []
    for j in range(m):
        labels, x = _column(rng, y)
        columns.append(x)
        features.append(Feature(f"f{j}", tuple(f"v{i}" for i in range(labels)) if labels else None))
    if m > 2 and rng.random() < 0.4:
        columns[1], features[1] = columns[0].copy(), Feature("f1", features[0].labels)  # twins
    X = np.column_stack(columns)
    X[rng.random(X.shape) < GAPS[seed % 6] * rng.choice([0.0, 0.5, 1.0, 1.5], m)] = np.nan
    if GAPS[seed % 6] and rng.random() < 0.2:
        X[:, rng.integers(0, m)] = np.nan
    declared = tuple(f"c{i}" for i in range(n_classes + int(rng.integers(0, 3))))
    return Dataset(f"tree{seed}", tuple(features), X, Feature("class", declared), y)


def _column(rng: np.random.Generator, y: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the number of labels (0: numeric) and the values of one feature."""
    n, kind = len(y), rng.integers(0, 9)
    x = y * rng.normal() + rng.normal(0.0, rng.choice([0.3, 1.0, 3.0]), n)
    if kind == 0:
        return 0, np.round(x, int(rng.integers(0, 3)))  # ties, and zeros of both signs
    if kind == 1:
        return 0, x
    if kind == 2:
        return 0, np.round(x * 3) * 1e-5  # gaps about as wide as the least that is cut
    if kind == 3:
        return 0, np.round(x * 3) * 0.5e-5 + rng.integers(0, 3, n)
    if kind == 4:
        return 0, np.full(n, 3.5)
    labels = int(rng.choice([2, 3, 4, 7, 20, int(0.3 * n) + 1]))
    value = np.clip(np.round(x * labels / 6 + labels / 2), 0, labels - 1)
    if rng.random() < 0.3:
        value = rng.integers(0, labels, n).astype(float)
    return labels + int(rng.integers(0, 3)), value
