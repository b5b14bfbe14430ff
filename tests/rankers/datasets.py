"""Small made-up data sets that hold what breaks rankers: ties, missing values, constants, duplicates, empty classes."""

from __future__ import annotations

import numpy as np

from fsbench.values import Dataset, Feature

KINDS = ("numeric", "integers", "nominal", "mixed", "missing", "wide")


def make(seed: int, kind: str, n_rows: int | None = None, n_features: int | None = None) -> Dataset:
    """One data set of a kind; the same for the same arguments."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    n = int(rng.integers(5, 120)) if n_rows is None else n_rows
    m = (
        (int(rng.integers(200, 260)) if kind == "wide" else int(rng.integers(1, 12)))
        if n_features is None
        else n_features
    )
    n_classes = int(rng.integers(2, 5))
    columns, features = [], []
    for j in range(m):
        nominal = kind == "nominal" or (kind in ("mixed", "missing") and rng.random() < 0.5)
        if nominal:
            n_labels = int(rng.integers(1, 6))
            columns.append(rng.integers(0, rng.integers(1, n_labels + 1), n).astype(float))
            features.append(Feature(f"f{j}", tuple(f"v{v}" for v in range(n_labels))))
        else:
            columns.append(numbers(rng, n, whole=kind == "integers"))
            features.append(Feature(f"f{j}"))
        if kind == "missing" and rng.random() < 0.7:
            columns[-1][rng.random(n) < rng.choice([0.1, 0.5, 1.0], p=[0.6, 0.3, 0.1])] = np.nan
    X = np.array(columns).T
    copies = rng.random(n) < 0.2
    X[copies] = X[rng.integers(0, n, copies.sum())]
    y = rng.integers(0, n_classes, n)
    y[rng.random(n) < 0.3] = 0
    labels = tuple(f"c{c}" for c in range(n_classes + int(rng.random() < 0.3)))
    return Dataset(f"{kind}{seed}", tuple(features), X, Feature("class", labels), y)


def numbers(rng: np.random.Generator, n: int, whole: bool) -> np.ndarray:
    """A numeric column: whole numbers, decimals, a constant, a tiny range, or few values."""
    shape = rng.integers(0, 6)
    if whole or shape == 0:
        return rng.integers(0, rng.integers(1, 8), n).astype(float)
    if shape == 1:
        return np.round(rng.normal(size=n), 1)
    if shape == 2:
        return np.full(n, 0.1) + rng.integers(0, 2, n) * 1e-7
    if shape == 3:
        return rng.choice([-3.5, 0.0, 1e9], n)
    return rng.normal(size=n)
