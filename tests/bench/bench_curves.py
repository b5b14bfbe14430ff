"""A whole learning curve against one fit with all features, and against refitting at each prefix.

Both by the same kernels, on one training part of ten folds, features in the order of information gain.
"""

from __future__ import annotations

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


def measure(data: Dataset, split: Split, order: IntArray, key: str) -> tuple[Pair, Pair]:
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
    return paired(name, fit, curve), paired(name, curve, refit, runs=3)


def main() -> None:
    set_threads(1)
    pairs = []
    for name in SETS:
        data = load(name)
        split = stratified_splits(data.y, data.n_classes, 10, 1)[0]
        order = make("ranker", "ig").rank(data.take(split.train)).order
        pairs += [measure(data, split, order, key) for key in CLASSIFIERS]
    show("curve over all prefixes / one fit and predict (small is good)", [p for p, _ in pairs], "fit", "curve")
    show("refitting at each prefix / curve (large is good)", [p for _, p in pairs], "curve", "refitting")


if __name__ == "__main__":
    main()
