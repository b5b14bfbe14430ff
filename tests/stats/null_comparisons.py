"""How often the tests find a difference between two equal methods: the figures of fsbench/docs/statistics.md.

    python -m tests.stats.null_comparisons

Each comparison draws a data set of two classes and two independent sets of features of the same distribution. The
methods are one classifier, trained on the one and on the other set: equally good on average over data sets, each better
on some. Cross-validation is done for real: folds are stratified and shared by the methods, the classifier is trained on
nine tenths of the rows, and the tests get the accuracies on the folds. So training parts overlap as they do in an
experiment. The classifier is the nearest class mean: on three equally good features, or on the one of ten, from
useless to good, whose class means lie furthest apart on the training part (the choice changes from data set to data set
more than from fold to fold).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fsbench.stats import corrected_t, paired_t

COMPARISONS = 5000
FOLDS = 10

# How far the means of the classes lie from zero in each feature, in opposite directions.
ALL = np.full(3, 0.5)
CHOICE = np.linspace(0.0, 0.6, 10)


def accuracies(n_rows: int, repeats: int, comparisons: int, seed: int, shifts: np.ndarray = ALL) -> np.ndarray:
    """Return the accuracies on the folds, of shape (comparisons, 2 methods, repeats * FOLDS).

    Half of the rows belong to each class. With `CHOICE` one feature is chosen on each training part.
    """
    rng = np.random.default_rng(seed)
    batches = [_batch(rng, n_rows, repeats, min(100, comparisons - i), shifts) for i in range(0, comparisons, 100)]
    return np.concatenate(batches)


def rejections(folds: np.ndarray, n_rows: int, level: float = 0.05) -> dict[str, float]:
    """Return the share of comparisons that each test takes for different."""
    n = folds.shape[2]
    n_test = [n_rows // FOLDS] * n
    n_train = [n_rows - n_rows // FOLDS] * n
    plain = [paired_t(a, b).p_value for a, b in folds]
    corrected = [corrected_t(a, b, n_train, n_test).p_value for a, b in folds]
    return {
        "paired t": float(np.mean([p < level for p in plain])),
        "corrected resampled t": float(np.mean([p < level for p in corrected])),
    }


def _batch(rng: np.random.Generator, n_rows: int, repeats: int, size: int, shifts: np.ndarray) -> np.ndarray:
    half = n_rows // 2
    signs = np.array([-1.0, 1.0])[:, None, None, None]
    # Axes: class, comparison, row of the class, method and feature.
    rows = rng.normal(size=(2, size, half, 2 * len(shifts))) + np.tile(shifts, 2) * signs
    found = [_folds(rows, _shuffles(rng, size, half), shifts is CHOICE) for _ in range(repeats)]
    return np.concatenate(found, axis=2)


def _shuffles(rng: np.random.Generator, size: int, half: int) -> list[np.ndarray]:
    """Return an order of the rows of each class for each comparison: stratified folds are cut from it."""
    return [rng.permuted(np.tile(np.arange(half), (size, 1)), axis=1) for _ in range(2)]


def _folds(rows: np.ndarray, orders: list[np.ndarray], chooses: bool) -> np.ndarray:
    _, size, half, width = rows.shape
    parts = []
    for kind, order in zip(rows, orders, strict=True):
        shuffled = np.take_along_axis(kind, order[:, :, None], axis=1)
        parts.append(shuffled.reshape(size, FOLDS, half // FOLDS, 2, width // 2))
    means = [(part.sum(axis=(1, 2))[:, None] - part.sum(axis=2)) / (half - half // FOLDS) for part in parts]
    apart = means[1] - means[0]
    if chooses:
        apart = np.where(np.abs(apart) == np.abs(apart).max(axis=-1, keepdims=True), apart, 0.0)
    direction = apart[:, :, None]
    middle = ((means[1] + means[0]) / 2.0)[:, :, None]
    hits = [((part - middle) * direction).sum(axis=-1) > 0 for part in parts]
    right = (~hits[0]).sum(axis=2) + hits[1].sum(axis=2)
    return np.moveaxis(right / (2.0 * (half // FOLDS)), 2, 1)


def table() -> Iterator[tuple[str, int, int, float, dict[str, float]]]:
    """Yield features, rows, repeats, mean accuracy and the share of false alarms of each test."""
    for name, shifts in (("all features", ALL), ("a chosen feature", CHOICE)):
        for n_rows in (100, 400):
            for repeats in (1, 10):
                folds = accuracies(n_rows, repeats, COMPARISONS, 1, shifts)
                yield name, n_rows, repeats, float(folds.mean()), rejections(folds, n_rows)


if __name__ == "__main__":
    for kind, n_rows, repeats, mean, shares in table():
        words = ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items())
        print(f"{kind}, {n_rows} rows, {repeats} x {FOLDS} folds, mean accuracy {100 * mean:.1f} %: {words}")
