"""C4.5 against a plain recursive tree, and a whole curve against refitting."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.c45 import C45
from fsbench.errors import MethodError, NotApplicable
from fsbench.values import Dataset, Feature, FloatArray, Split
from tests.naive.c45 import Tree
from tests.naive.c45_samples import PARAMETERS, tree_sample
from tests.naive.samples import KINDS, sample, split_of


def plain(classifier: C45, data: Dataset, split: Split, columns: np.ndarray) -> Tree:
    part = data.select(columns).take(split.train)
    return Tree(part.X, part.y, part.n_labels, part.n_classes, **classifier.params())


@pytest.mark.parametrize("seed", range(100, 160))
def test_every_prefix_equals_the_plain_tree(seed: int) -> None:
    data = tree_sample(seed)
    classifier = C45(**PARAMETERS[seed % len(PARAMETERS)])
    split, order = split_of(data, seed), np.random.default_rng(seed).permutation(data.n_features)
    curve = classifier.curve(data, split, order)
    for k in range(1, data.n_features + 1):
        tree, at = plain(classifier, data, split, order[:k]), curve.at(k)
        assert at.measures == {"size": tree.size(), "leaves": tree.leaves()}, f"{k} features"
        assert np.array_equal(at.predicted, tree.predict(data.X[split.test][:, order[:k]])), f"{k} features"


@pytest.mark.parametrize("seed", range(160, 200))
def test_probabilities_and_text_equal_the_plain_tree_to_the_last_bit(seed: int) -> None:
    data = tree_sample(seed)
    classifier = C45(**PARAMETERS[seed % len(PARAMETERS)])
    split = split_of(data, seed)
    tree = plain(classifier, data, split, np.arange(data.n_features))
    test = data.take(split.test)
    p = classifier.fit(data.take(split.train)).predict_proba(test)
    assert np.array_equal(p, np.array([tree.proba(x) for x in test.X.tolist()]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("params", [{}, {"unpruned": True}, {"confidence": 0.4, "min_leaf": 1}], ids=str)
def test_curve_equals_refitting(kind: str, seed: int, params: dict[str, float]) -> None:
    data, classifier = sample(kind, seed), C45(**params)
    split, order = split_of(data, seed), np.random.default_rng(seed).permutation(data.n_features)
    ours, refit = classifier.curve(data, split, order), Classifier.curve(classifier, data, split, order)
    assert np.array_equal(ours.predicted, refit.predicted)
    for name, values in refit.measures.items():
        assert np.array_equal(ours.measures[name], values)


def test_curves_of_several_rankings_are_the_curves_of_each() -> None:
    data = tree_sample(2)
    split, rng = split_of(data, 1), np.random.default_rng(1)
    orders = [rng.permutation(data.n_features) for _ in range(3)]
    for curve, order in zip(C45().curves(data, split, orders), orders, strict=True):
        assert np.array_equal(curve.predicted, C45().curve(data, split, order).predicted)


def test_missing_values_in_test_rows_only() -> None:
    data = tree_sample(0)
    X = data.X.copy()
    split = split_of(data, 0)
    X[split.test[::2]] = np.nan
    data = Dataset(data.name, data.features, X, data.target, data.y)
    tree = plain(C45(), data, split, np.arange(data.n_features))
    outcome = C45().evaluate(data, split, np.arange(data.n_features))
    assert np.array_equal(outcome.predicted, tree.predict(data.X[split.test]))


def test_rows_drawn_twice_count_twice() -> None:
    data = tree_sample(3)
    rng = np.random.default_rng(0)
    split = Split(rng.integers(0, data.n_rows, data.n_rows), np.arange(data.n_rows))
    tree = plain(C45(), data, split, np.arange(data.n_features))
    outcome = C45().evaluate(data, split, np.arange(data.n_features))
    assert outcome.measures == {"size": tree.size(), "leaves": tree.leaves()}
    assert np.array_equal(outcome.predicted, tree.predict(data.X))


def made(x: FloatArray, y: np.ndarray, n_classes: int) -> Dataset:
    return Dataset("made", (Feature("x"),), x[:, None], Feature("y", tuple(map(str, range(n_classes)))), y)


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="takes minutes when it is not compiled")
@pytest.mark.parametrize("missing", [0, 5])
def test_a_chain_as_deep_as_the_data_allow(missing: int) -> None:
    n = 6000
    x = np.arange(n, dtype=float)
    x[:: n // max(missing, 1)] = np.nan if missing else 0.0
    data = made(x, np.arange(n) // 2, n // 2)
    outcome = C45(unpruned=True).evaluate(data, Split(np.arange(n), np.arange(n)), [0])
    assert outcome.measures["leaves"] > n // 2 - 20
    assert (outcome.predicted == data.y).mean() > 0.99


def test_classes_far_beyond_one_byte() -> None:
    n = 1200
    data = made(np.arange(n, dtype=float), np.arange(n) // 3, 400)
    outcome = C45().evaluate(data, Split(np.arange(n), np.arange(n)), [0])
    assert np.array_equal(outcome.predicted, data.y)


def test_a_training_part_too_small_to_split() -> None:
    data = made(np.array([1.0, 2.0, 3.0]), np.array([1, 1, 0]), 3)
    outcome = C45().evaluate(data, Split(np.array([2, 0, 1]), np.array([2])), [0])
    assert outcome.measures == {"size": 1.0, "leaves": 1.0}
    assert outcome.predicted.tolist() == [1]


def test_print() -> None:
    data = made(np.array([0.0, 0.0, -0.0, 5.0, 7.0, 9.5]), np.array([0, 0, 0, 1, 1, 1]), 2)
    assert C45().fit(data).describe() == (
        "J48 pruned tree\n------------------\n\nx <= 0: 0 (3.0)\nx > 0: 1 (3.0)\n\n"
        "Number of Leaves  : \t2\n\nSize of the tree : \t3\n"
    )
    assert (
        C45(unpruned=True).fit(data.take([0, 1])).describe().startswith("J48 unpruned tree\n------------------\n: 0 (2")
    )


def test_a_model_can_be_sent_to_another_process() -> None:
    data = tree_sample(4)
    model = C45().fit(data)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(data), model.predict_proba(data))


def test_confidence_must_be_positive() -> None:
    with pytest.raises(MethodError, match=r"above 0 and at most 0\.5, found 0"):
        C45(confidence=0.0)


def test_importing_loads_no_compiler() -> None:
    code = "import sys, fsbench.classifiers.c45; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("first", [1e308, np.nan])
def test_values_without_a_midpoint_are_refused(first: float) -> None:
    X = np.column_stack([np.arange(6.0), [first, 1.2e308, 1e308, 1.2e308, 1e308, 1.2e308]])
    features = (Feature("fine"), Feature("huge"))
    data = Dataset("huge", features, X, Feature("class", ("p", "q")), np.array([0, 1, 0, 1, 0, 1]))
    split, order = Split(np.arange(6), np.arange(6)), np.array([1, 0])
    for attempt in (
        lambda: C45().fit(data),
        lambda: C45().evaluate(data, split, order),
        lambda: C45().curve(data, split, order),
    ):
        with pytest.raises(NotApplicable, match=r"column 'huge': values beyond .* have no midpoint"):
            attempt()
