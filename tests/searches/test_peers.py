"""The same subsets as scikit-learn's and mlxtend's sequential selectors, where these define the same algorithm.

All take the candidate with the largest mean accuracy. Of equal ones scikit-learn and we take the lowest feature index;
mlxtend adds the lowest and removes the highest. The peers average rounded accuracies, so that equal means may differ
in a last bit; here every fold has 16 rows (or 256), which makes the averages exact. mlxtend's floating step must also
beat the subset that it leaves (``rule: mlxtend``). mlxtend is no dependency: its tests run where it is installed.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.neighbors import KNeighborsClassifier

from fsbench.classifiers.nearest_scorer import NearestScorer
from fsbench.evaluation.folds import stratified_splits
from fsbench.searches import Search
from fsbench.searches.floating import SBFS, SFFS
from fsbench.searches.plus_l_take_away_r import SBG, SFG
from fsbench.searches.trace import Trace
from fsbench.values import Dataset, Feature, Split
from tests.naive.lowest_row import LowestRow


def made(seed: int, decimals: int | None, rows: int = 80) -> tuple[Dataset, list[Split]]:
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    X = rng.normal(size=(rows, 6)) + y[:, None] * rng.choice([0, 0.4, 0.8], 6)
    if decimals is not None:
        X = np.round(X, decimals)
    data = Dataset("made", tuple(Feature(f"x{j}") for j in range(6)), X, Feature("class", ("a", "b")), y)
    splits = stratified_splits(y, 2, 5, seed)
    assert {len(s.test) for s in splits} == {rows // 5}
    return data, splits


CASES = [(seed, None, KNeighborsClassifier(1)) for seed in range(3)]
CASES += [(seed, decimals, LowestRow()) for seed in range(3) for decimals in (0, 1)]


class Recording(SequentialFeatureSelector):
    """Remembers the feature that each step moves."""

    def _get_best_new_feature_score(self, *args: Any, **kwargs: Any) -> Any:
        feature, score = super()._get_best_new_feature_score(*args, **kwargs)
        self.moved_ = [*getattr(self, "moved_", []), (int(feature), float(score))]
        return feature, score


@pytest.mark.parametrize(("seed", "decimals", "estimator"), CASES)
def test_scikit_learn(seed: int, decimals: int | None, estimator: Any) -> None:
    data, splits = made(seed, decimals)
    scorer = NearestScorer(data, splits, ties="index")
    folds = [(s.train, s.test) for s in splits]
    for search, direction, size in ((SFG(), "forward", 5), (SBG(), "backward", 1)):
        peer = Recording(estimator, n_features_to_select=size, direction=direction, cv=folds).fit(data.X, data.y)
        ours = [(step.feature, step.usefulness) for step in search.run(scorer, 6).steps]
        assert ours[:5] == peer.moved_


def mlxtend(estimator: Any, forward: bool, floating: bool, features: int, cv: Any, scoring: Any = "accuracy") -> Any:
    selector = pytest.importorskip("mlxtend.feature_selection").SequentialFeatureSelector
    size = features if forward else 1
    return selector(estimator, k_features=size, forward=forward, floating=floating, scoring=scoring, cv=cv)


def by_size(subsets: dict[int, Any]) -> dict[int, Any]:
    """mlxtend's best subset of each size, the first met of equally good ones."""
    return {k: (tuple(sorted(s["feature_idx"])), float(s["avg_score"])) for k, s in sorted(subsets.items())}


def ours_by_size(trace: Trace) -> dict[int, Any]:
    return {size: (s.subset, s.usefulness) for size, s in trace.best_by_size().items() if size}


@pytest.mark.parametrize(("seed", "decimals", "estimator"), CASES)
def test_mlxtend_forward(seed: int, decimals: int | None, estimator: Any) -> None:
    data, splits = made(seed, decimals)
    peer = mlxtend(estimator, True, False, 6, [(s.train, s.test) for s in splits])
    peer.fit(np.ascontiguousarray(data.X), data.y)
    trace = SFG().run(NearestScorer(data, splits, ties="index"), 6)
    assert ours_by_size(trace) == by_size(peer.subsets_)


@pytest.mark.parametrize("seed", range(3))
def test_mlxtend_backward_with_its_tie_rule(seed: int) -> None:
    # Its last of equal candidates is our first with the columns in reverse; whole numbers add up in any order.
    data, splits = made(seed, 0)
    peer = mlxtend(LowestRow(), False, False, 6, [(s.train, s.test) for s in splits])
    peer.fit(np.ascontiguousarray(data.X[:, ::-1]), data.y)
    trace = SBG(min_size=1).run(NearestScorer(data, splits, ties="index"), 6)
    mirrored = {k: (tuple(sorted(5 - j for j in s)), v) for k, (s, v) in by_size(peer.subsets_).items()}
    assert ours_by_size(trace) == mirrored


class Table:
    """J from a table, as a scorer for us and as scikit-learn wants one."""

    def __init__(self, values: dict[frozenset[int], float]) -> None:
        self.values = values

    def score(self, subset: frozenset[int]) -> float:
        return self.values[subset]

    def rate(self, estimator: Columns, X: np.ndarray, y: np.ndarray) -> float:
        return self.values[estimator.subset_]


class Columns(ClassifierMixin, BaseEstimator):
    """Knows only which columns it got: the first row of X holds their indices."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Columns:
        self.classes_ = np.unique(y)
        self.subset_ = frozenset(X[0].astype(int).tolist())
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.zeros(len(X), dtype=int)


@pytest.mark.parametrize("search", [SFFS(rule="mlxtend"), SBFS(rule="mlxtend", min_size=1)], ids=["sffs", "sbfs"])
def test_mlxtend_floating_on_tables_of_distinct_usefulness(search: Search) -> None:
    n, turned = 7, 0
    subsets = [frozenset(c) for k in range(n + 1) for c in itertools.combinations(range(n), k)]
    X = np.tile(np.arange(n, dtype=float), (4, 1))
    everything = [(np.arange(4), np.arange(4))]
    for seed in range(12):
        values = np.random.default_rng(seed).permutation(2**n) / 2**n
        table = Table(dict(zip(subsets, values.tolist(), strict=True)))
        peer = mlxtend(Columns(), search.name == "sffs", True, n, everything, table.rate)
        peer.fit(X, np.array([0, 1, 0, 1]))
        trace = search.run(table, n)
        assert ours_by_size(trace) == by_size(peer.subsets_)
        turned += len({step.action for step in trace.steps}) == 2
    assert turned > 6


class Untied(NearestScorer):
    """Fails if two candidates of one step are equally useful: then the tie rules decide, which differ."""

    def score_many(self, current: frozenset[int], candidates: Sequence[int]) -> list[float]:
        scores = super().score_many(current, candidates)
        assert scores.count(max(scores)) == 1
        return scores


def tangled(seed: int) -> tuple[Dataset, list[Split]]:
    """The class is the sign of a product; a third feature is the best alone and only noise beside the two."""
    data, splits = made(seed, None, rows=1280)
    X, y = data.X.copy(), data.y
    rng = np.random.default_rng(seed)
    X[:, 0] = rng.normal(size=len(y))
    X[:, 1] = np.where(y == 1, 1, -1) * np.sign(X[:, 0]) * np.abs(rng.normal(size=len(y)))
    X[:, 2:] = 3 * rng.normal(size=(len(y), 4))
    X[:, 2] += 2 * y
    X[:, 3] += y
    return Dataset("tangled", data.features, X, data.target, y), splits


@pytest.mark.parametrize("search", [SFFS(rule="mlxtend"), SBFS(rule="mlxtend", min_size=1)], ids=["sffs", "sbfs"])
def test_mlxtend_floating_with_the_nearest_neighbour(search: Search) -> None:
    turned = 0
    for seed in (0, 3):
        data, splits = tangled(seed)
        trace = search.run(Untied(data, splits, ties="index"), 6)
        peer = mlxtend(KNeighborsClassifier(1), search.name == "sffs", True, 6, [(s.train, s.test) for s in splits])
        peer.fit(np.ascontiguousarray(data.X), data.y)
        assert ours_by_size(trace) == by_size(peer.subsets_)
        turned += len({step.action for step in trace.steps}) == 2
    assert turned == (2 if search.name == "sffs" else 0)  # SBFS steps back on the tables above
