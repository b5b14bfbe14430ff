"""The two protocols: what is reported, and that no test row of an outer fold reaches a search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.classifiers.nearest_scorer import subset_scorer
from fsbench.evaluation.folds import stratified_splits
from fsbench.searches.plus_l_take_away_r import SFG
from fsbench.searches.protocol import inner_splits, search_cv, search_nested
from fsbench.searches.scorer import RefitScorer, Scorer
from fsbench.values import Dataset, Feature, Split


def noise(n: int = 60, M: int = 8) -> Dataset:
    rng = np.random.default_rng(2)
    features = tuple(Feature(f"x{j}") for j in range(M))
    return Dataset("noise", features, rng.normal(size=(n, M)), Feature("class", ("a", "b")), rng.integers(0, 2, n))


CLASSIFIER = NearestNeighbour(scale="none", ties="first")


def nested(data: Dataset, folds: int = 5) -> list[float]:
    splits = stratified_splits(data.y, 2, folds, 1)
    tested = search_nested(
        SFG(),
        CLASSIFIER,
        data,
        splits,
        lambda train, inner: subset_scorer(CLASSIFIER, train, inner),
        lambda train, split: inner_splits(train, split, folds, 1),
    )
    for t, split in zip(tested, splits, strict=True):
        assert t.split is split
        refit = CLASSIFIER.evaluate(data, split, t.found.subset).predicted
        assert t.predicted.tolist() == refit.tolist()
        assert t.error == np.mean(refit != data.y[split.test])
    return [t.error for t in tested]


def test_the_error_searched_on_is_the_one_of_the_best_subset() -> None:
    data = noise()
    splits = stratified_splits(data.y, 2, 5, 1)
    found = search_cv(SFG(), subset_scorer(CLASSIFIER, data, splits))
    right = [CLASSIFIER.evaluate(data, s, found.subset).predicted == data.y[s.test] for s in splits]
    assert found.fold_errors == pytest.approx([1 - r.mean() for r in right])
    assert found.error == pytest.approx(found.fold_errors.mean())
    assert found.sigma == pytest.approx(np.sqrt(np.mean((found.fold_errors - found.fold_errors.mean()) ** 2)))
    assert found.error == pytest.approx(1 - found.trace.best.usefulness)


def test_on_noise_the_error_searched_on_is_optimistic_and_the_nested_one_is_not() -> None:
    data = noise(120)
    searched = search_cv(SFG(), subset_scorer(CLASSIFIER, data, stratified_splits(data.y, 2, 5, 1))).error
    honest = float(np.mean(nested(data)))
    assert searched < 0.42
    assert 0.42 < honest < 0.6


def test_a_watcher_is_told_every_step() -> None:
    data, seen, folds = noise(), [], []
    splits = stratified_splits(data.y, 2, 3, 1)
    found = search_cv(SFG(), subset_scorer(CLASSIFIER, data, splits), seen.append)
    assert tuple(seen) == found.trace.steps
    search_nested(
        SFG(), CLASSIFIER, data, splits,
        lambda train, inner: subset_scorer(CLASSIFIER, train, inner),
        lambda train, split: inner_splits(train, split, 3, 1),
        lambda split, step: folds.append((split.fold, step.size)),
    )  # fmt: skip
    assert folds == [(fold, size) for fold in range(3) for size in range(1, 9)]


def test_test_rows_never_reach_a_search() -> None:
    data = noise()
    splits = stratified_splits(data.y, 2, 4, 3)
    seen: list[Dataset] = []

    def make(train: Dataset, inner: Sequence[Split]) -> Scorer:
        seen.append(train)
        return RefitScorer(CLASSIFIER, train, inner)

    changed = Dataset(data.name, data.features, data.X.copy(), data.target, data.y.copy())
    changed.X[splits[0].test] = 99.0
    changed.y[splits[0].test] = 0
    subsets = []
    for d in (data, changed):
        tested = search_nested(SFG(), CLASSIFIER, d, splits[:1], make, lambda t, s: inner_splits(t, s, 4, 1))
        subsets.append(tested[0].found.trace)
    assert subsets[0] == subsets[1]
    assert [t.n_rows for t in seen] == [len(splits[0].train)] * 2


def test_inner_folds_differ_between_outer_folds_and_fit_small_training_parts() -> None:
    data = noise(12)
    first, second = (inner_splits(data, Split(np.arange(12), np.arange(0), f), 3, 1) for f in (0, 1))
    assert [s.digest for s in first] != [s.digest for s in second]
    assert len(inner_splits(data.take(np.arange(3)), Split(np.arange(3), np.arange(0)), 5, 1)) == 3
