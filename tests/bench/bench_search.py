"""SFG with 1NN, 5 folds, all features: ours against scikit-learn's and mlxtend's selectors, and against refitting.

Every program gets the same folds and one thread. scikit-learn's 1NN leaves open which of equally near rows decides, and
means of rounded accuracies may part two equal candidates. So the paths are compared in runs of their own, in which the
peers get a 1NN that takes the lowest row, as ours does here, and count right answers in whole numbers.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.classifiers.nearest_scorer import NearestScorer
from fsbench.data import load
from fsbench.evaluation.folds import stratified_splits
from fsbench.kernels.threads import set_threads
from fsbench.searches.plus_l_take_away_r import SFG
from fsbench.searches.scorer import RefitScorer
from fsbench.searches.trace import Trace
from fsbench.values import Dataset, Split
from tests.bench.harness import Pair, measure, show
from tests.naive.lowest_row import LowestRow

Selector = Callable[[Dataset, list[Split], Any, Any], list[int]]


class Recording(SequentialFeatureSelector):
    """Remembers the feature that each step adds."""

    def _get_best_new_feature_score(self, *args: Any, **kwargs: Any) -> Any:
        feature, score = super()._get_best_new_feature_score(*args, **kwargs)
        self.path_ = [*getattr(self, "path_", []), int(feature)]
        return feature, score


def by_scikit_learn(data: Dataset, splits: list[Split], estimator: Any, scoring: Any) -> list[int]:
    folds = [(s.train, s.test) for s in splits]
    peer = Recording(estimator, n_features_to_select=data.n_features - 1, cv=folds, scoring=scoring)
    path: list[int] = peer.fit(np.ascontiguousarray(data.X), data.y).path_
    return path


def by_mlxtend(data: Dataset, splits: list[Split], estimator: Any, scoring: Any) -> list[int]:
    from mlxtend.feature_selection import SequentialFeatureSelector as Forward

    folds = [(s.train, s.test) for s in splits]
    peer = Forward(estimator, k_features=data.n_features, floating=False, scoring=scoring, cv=folds)
    subsets = peer.fit(np.ascontiguousarray(data.X), data.y).subsets_
    path: list[int] = []
    for size in sorted(subsets):
        path += set(subsets[size]["feature_idx"]) - set(path)
    return path


def ours(data: Dataset, splits: list[Split], remainder: float | None = None) -> Trace:
    return SFG(remainder=remainder).run(NearestScorer(data, splits, ties="index"), data.n_features)


def by_refitting(data: Dataset, splits: list[Split], remainder: float | None) -> Trace:
    classifier = NearestNeighbour(scale="none", ties="index")
    return SFG(remainder=remainder).run(RefitScorer(classifier, data, splits), data.n_features)


def agreement(data: Dataset, splits: list[Split], search: Selector) -> str:
    """Say in how many steps a peer adds the same feature, under the same tie rules."""
    common = math.lcm(*(len(s.test) for s in splits))

    def whole(estimator: Any, X: np.ndarray, y: np.ndarray) -> float:
        return float((estimator.predict(X) == y).sum() * (common // len(y)))

    path, own = search(data, splits, LowestRow(), whole), ours(data, splits).inclusion
    same = sum(a == b for a, b in zip(path, own, strict=False))
    return f"the same feature in {same} of {len(path)} steps"


def against_peer(data: Dataset, splits: list[Split], peer: str, search: Selector) -> Pair:
    """Time one run of the peer, and ours before and after it."""
    run = partial(ours, data, splits)
    before = [measure(run) for _ in range(3)]
    other = [measure(partial(search, data, splits, KNeighborsClassifier(1), "accuracy"))]
    own = before + [measure(run) for _ in range(3)]
    print(f"{data.name}, {peer}: {agreement(data, splits, search)}")
    return Pair(f"{data.name}, {peer}", own, other, 100.0)


def against_refitting(data: Dataset, splits: list[Split], k: float | None) -> Pair:
    found: list[Trace] = []
    other = [measure(lambda: found.append(by_refitting(data, splits, k)))]
    assert found[0] == ours(data, splits, k)
    own = [measure(partial(ours, data, splits, k)) for _ in range(5)]
    return Pair(f"{data.name}, {'J alone' if k is None else 'remainder 0.8'}", own, other)


def main() -> None:
    set_threads(1)
    peers = {"scikit-learn": by_scikit_learn}
    if importlib.util.find_spec("mlxtend"):
        peers["mlxtend"] = by_mlxtend
    else:
        print("mlxtend is not installed: pip install mlxtend")
    timed, refitted = [], []
    with threadpool_limits(1):
        for name in ("sonar", "wdbc"):
            data = load(name)
            splits = stratified_splits(data.y, data.n_classes, 5, 1)
            ours(data, splits)
            timed += [against_peer(data, splits, peer, search) for peer, search in peers.items()]
            refitted += [against_refitting(data, splits, k) for k in (None, 0.8)]
    show("SFG with 1NN, 5 folds, all features (peers: one run)", timed, "fsbench", "peer")
    show("The same search by refitting our own 1NN (equal traces)", refitted, "incremental", "refitting")


if __name__ == "__main__":
    main()
