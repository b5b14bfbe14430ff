"""A whole learning curve against one fit with all features, and against refitting at each prefix.

Both by the same kernels, on one training part of ten folds, features in the order of information gain.
"""

from __future__ import annotations

import sys

import numpy as np

from fsbench.classifiers import Classifier
from fsbench.data import load
from fsbench.evaluation.folds import stratified_splits
from fsbench.kernels.threads import set_threads
from fsbench.registry import make
from fsbench.values import Dataset, IntArray, Split
from tests.bench.harness import Pair, paired, show

SETS = ["waveform-5000", "sonar", "splice", "kr-vs-kp", "vowel10", "vehicle"]
CLASSIFIERS = ["nb", "1nn", "c45"]
MANY = 36  # features from which on C4.5's curve is to be five times faster than refitting


def most(data: Dataset, key: str) -> float | None:
    """Return how many times the cost of one fit and predict a curve may have."""
    if key == "c45":
        return 8.0 if data.name == "vehicle" else 5.0
    if key == "1nn" and data.is_nominal.any():
        return None  # stated against Weka: see bench_weka.py
    return 1.5 if key == "nb" else 1.8


def least(data: Dataset, key: str) -> float | None:
    """Return how many times slower refitting has to be."""
    if key == "c45":
        return 5.0 if data.n_features >= MANY else 2.0
    return 10.0 if data.name == "waveform-5000" else None


def compare(data: Dataset, split: Split, order: IntArray, key: str) -> tuple[Pair, Pair]:
    """Time one classifier on one training part."""
    classifier = make("classifier", key)
    assert isinstance(classifier, Classifier)
    columns = np.arange(data.n_features)

    def fit() -> object:
        return classifier.evaluate(data, split, columns)

    def curve() -> object:
        return classifier.curve(data, split, order)

    def refit() -> object:
        return [classifier.evaluate(data, split, order[:k]) for k in range(1, len(order) + 1)]

    name = f"{key} {data.name}"
    single = paired(name, fit, curve, most=most(data, key))
    return single, paired(name, curve, refit, wanted=least(data, key), runs=3)


def main() -> None:
    set_threads(1)
    pairs = []
    for name in sys.argv[1:] or SETS:
        data = load(name)
        split = stratified_splits(data.y, data.n_classes, 10, 1)[0]
        order = make("ranker", "ig").rank(data.take(split.train)).order
        pairs += [compare(data, split, order, key) for key in CLASSIFIERS]
    show("curve over all prefixes / one fit and predict (small is good)", [p for p, _ in pairs], "fit", "curve")
    show("refitting at each prefix / curve (large is good)", [p for _, p in pairs], "curve", "refitting")


if __name__ == "__main__":
    main()
