"""The incremental scorer: the same counts as refitting, and as the plainest loops, on all kinds of awkward data."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.naive_bayes import NaiveBayes
from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.classifiers.nearest_scorer import NearestScorer, subset_scorer
from fsbench.classifiers.nearest_space import tie_places
from fsbench.evaluation.folds import splits_of, stratified_splits
from fsbench.kernels.threads import set_threads
from fsbench.registry import make
from fsbench.searches import Search
from fsbench.searches.scorer import RefitScorer
from fsbench.values import Dataset, Feature, Split
from tests.naive import searches as naive

SCALES = ["none", "minmax", "zscore"]
TIES = ["first", "vote", "index"]
KINDS = ["normal", "decimals", "whole", "binary", "constant", "tiny", "huge", "nominal"]


def column(kind: str, n: int, rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
    """One column; every second one leans towards the class."""
    lean = y * rng.integers(0, 2)
    if kind == "normal":
        return rng.normal(size=n) + lean
    if kind == "decimals":
        return np.round(rng.normal(size=n) + lean, 1)
    if kind == "whole":
        return rng.integers(0, 5, n) + 2.0 * lean
    if kind == "binary":
        return rng.integers(0, 2, n).astype(float)
    if kind == "constant":
        return np.full(n, 3.7)
    if kind == "tiny":
        return rng.normal(size=n) * 1e-9
    if kind == "huge":
        return np.round(rng.normal(size=n), 2) * 1e7
    return rng.integers(0, 3, n).astype(float)


def random_data(seed: int, n: int = 30, missing: float = 0.0, kinds: list[str] | None = None) -> Dataset:
    """Mixed columns, some of them twice; three classes of which one may be unused; some rows twice."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2 + seed % 2, n)
    chosen = kinds or [str(k) for k in rng.choice(KINDS, rng.integers(2, 7))]
    columns = [column(k, n, rng, y) for k in chosen]
    columns.append(columns[0].copy())
    chosen = [*chosen, chosen[0]]
    X = np.array(columns).T
    X[n // 2 : n // 2 + 3] = X[:3]
    X[rng.random(X.shape) < missing] = np.nan
    features = tuple(Feature(f"x{j}", ("p", "q", "r") if k == "nominal" else None) for j, k in enumerate(chosen))
    return Dataset(f"random{seed}", features, X, Feature("class", ("a", "b", "c")), y)


def compare(data: Dataset, splits: list[Split], scale: str, ties: str) -> None:
    """Toggle every feature of some subsets, both ways, and compare each count with a refit."""
    classifier = NearestNeighbour(scale=scale, ties=ties, seed=3)
    fast, slow = subset_scorer(classifier, data, splits), RefitScorer(classifier, data, splits)
    assert isinstance(fast, NearestScorer)
    M = data.n_features
    rng = np.random.default_rng(M)
    everything = frozenset(range(M))
    some = [frozenset(int(j) for j in np.flatnonzero(rng.random(M) < 0.5)) for _ in range(3)]
    for subset in (frozenset(), everything, *some):
        for candidates in (sorted(everything - subset), sorted(subset, reverse=True)):
            if candidates and len(subset) + (candidates[0] not in subset) - (candidates[0] in subset) > 0:
                assert [list(c) for c in fast.count_many(subset, candidates)] == [
                    slow.count(subset ^ {c}) for c in candidates
                ]
        if subset:
            assert list(fast.count(subset)) == slow.count(subset)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(8))
def test_counts_are_those_of_refitting(seed: int, scale: str, ties: str) -> None:
    data = random_data(seed)
    compare(data, stratified_splits(data.y, 3, 5, seed), scale, ties)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(4))
def test_missing_values(seed: int, scale: str, ties: str) -> None:
    data = random_data(seed, missing=0.15)
    compare(data, stratified_splits(data.y, 3, 4, seed), scale, ties)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_one_kind(kind: str, ties: str) -> None:
    data = random_data(11, n=40, kinds=[kind] * 6)
    compare(data, stratified_splits(data.y, 3, 5, 2), "none", ties)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_every_step_of_a_search_is_that_of_the_plain_loops(draw: st.DataObject) -> None:
    n, M = draw.draw(st.integers(4, 14)), draw.draw(st.integers(1, 4))
    cell = st.sampled_from([0.0, 1.0, 2.0, 0.1, 0.3, 0.30000000000000004, 1e-8])
    X = np.array(draw.draw(st.lists(st.lists(cell, min_size=M, max_size=M), min_size=n, max_size=n)))
    y = np.array(draw.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    nominal = draw.draw(st.lists(st.booleans(), min_size=M, max_size=M))
    X[:, nominal] = np.floor(X[:, nominal])
    features = tuple(Feature(f"x{j}", ("p", "q", "r") if k else None) for j, k in enumerate(nominal))
    data = Dataset("drawn", features, X, Feature("class", ("a", "b", "c")), y)
    splits = stratified_splits(y, 3, 2, 1)
    ties = draw.draw(st.sampled_from(TIES))
    k = draw.draw(st.sampled_from([None, 0.8]))
    spec = draw.draw(
        st.sampled_from(
            [{"method": "pta", "plus": 2, "minus": 1}, {"method": "pta", "plus": 1, "minus": 2}, "sfg", "sbg"]
        )
    )
    search = make("search", ({"method": spec} if isinstance(spec, str) else spec) | {"remainder": k})
    assert isinstance(search, Search)
    trace = search.run(NearestScorer(data, splits, ties=ties, seed=5), M)

    def J(subset: frozenset[int]) -> float:
        right = []
        for s in splits:
            train, labels = X[s.train].tolist(), y[s.train].tolist()
            places = tie_places(len(s.train), ties, 5).tolist()
            majority = max(range(3), key=lambda c: (labels.count(c), -c))
            predicted = [
                naive.nearest_class(train, labels, row, nominal, sorted(subset), ties, places) if subset else majority
                for row in X[s.test].tolist()
            ]
            right.append(sum(p == t for p, t in zip(predicted, y[s.test].tolist(), strict=True)))
        return naive.mean_accuracy(right, [len(s.test) for s in splits])

    turn = {"sfg": (1, 0), "sbg": (0, 1)}[spec] if isinstance(spec, str) else (spec["plus"], spec["minus"])
    expected = naive.pta(J, M, *turn, k)
    assert [(s.action, s.feature, frozenset(s.subset)) for s in trace.steps] == expected
    for step in trace.met:
        assert step.usefulness == J(frozenset(step.subset))
        assert step.criterion == naive.criterion(J, frozenset(step.subset), M, k)


@pytest.mark.parametrize("name", ["pta", "sfg", "sbg", "sffs", "sbfs"])
@pytest.mark.parametrize("remainder", [None, 0.8])
def test_the_trace_is_that_of_refitting(name: str, remainder: float | None) -> None:
    for seed in range(3):
        data = random_data(seed + 20, n=40)
        splits = stratified_splits(data.y, 3, 5, 1)
        classifier = NearestNeighbour(scale="none", ties="first")
        search = make("search", {"method": name, "remainder": remainder})
        assert isinstance(search, Search)
        fast = search.run(subset_scorer(classifier, data, splits), data.n_features)
        assert fast == search.run(RefitScorer(classifier, data, splits), data.n_features)


def test_many_tiles_and_threads_change_nothing() -> None:
    rng = np.random.default_rng(3)
    n = 1500
    y = rng.integers(0, 2, n)
    X = np.round(rng.normal(size=(n, 6)) + y[:, None] * 0.4, 1)
    data = Dataset("large", tuple(Feature(f"x{j}") for j in range(6)), X, Feature("class", ("a", "b")), y)
    splits = stratified_splits(y, 2, 3, 1)
    try:
        set_threads(2)
        compare(data, splits, "none", "first")
        compare(data, splits, "none", "vote")
        set_threads(1)
        compare(data, splits, "minmax", "index")
    finally:
        set_threads(None)


def test_whole_numbers_need_no_second_look() -> None:
    data = random_data(5, kinds=["whole", "binary", "nominal", "constant"][:3])
    splits = stratified_splits(data.y, 3, 5, 1)
    assert NearestScorer(data, splits)._slack == 0.0
    assert NearestScorer(data, splits, scale="minmax")._slack > 0.0
    assert NearestScorer(random_data(5, kinds=["decimals"]), splits)._slack > 0.0
    # So large that a sum would not fit a double: the general way must be taken.
    wide = data.X.copy()
    wide[0, 0] = 1e8
    large = Dataset("wide", data.features, wide, data.target, data.y)
    assert NearestScorer(large, splits)._slack > 0.0
    compare(large, splits, "none", "first")


def test_other_classifiers_are_refitted() -> None:
    data = random_data(1)
    splits = stratified_splits(data.y, 3, 5, 1)
    others: list[Classifier] = [NaiveBayes(), NearestNeighbour(k=3), NearestNeighbour(ranges="weka")]
    for classifier in others:
        assert type(subset_scorer(classifier, data, splits)) is RefitScorer


def test_one_class_and_one_row() -> None:
    data = random_data(2, n=12)
    one = Dataset("one", data.features, data.X, data.target, np.full(12, 1))
    splits = splits_of(np.arange(12) % 12)  # each row alone in a fold
    for ties in TIES:
        compare(one, splits, "none", ties)
        compare(data, splits, "none", ties)
    pair = data.take(np.array([0, 1]))
    for scale, ties in itertools.product(SCALES, TIES):
        compare(pair, splits_of(np.array([0, 1])), scale, ties)
