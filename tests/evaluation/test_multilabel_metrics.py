"""Multi-label measures: beside scikit-learn's, beside their definitions, and at their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics as sk

from fsbench.evaluation.multilabel_metrics import (
    MEASURES,
    RANKING_MEASURES,
    label_counts,
    macro_f,
    measure,
    measure_ranking,
    micro_f,
)
from tests.naive.multilabel import rows_measures

SHAPES = [(40, 6, 0.3), (25, 15, 0.08), (30, 4, 0.6), (12, 1, 0.5), (1, 5, 0.4), (50, 3, 0.0), (20, 3, 1.0)]


def draw(seed: int, n: int, q: int, share: float):
    rng = np.random.default_rng(seed)
    return (rng.random((n, q)) < share).astype(int), (rng.random((n, q)) < share).astype(int)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("zero", ["one", "zero"])
def test_as_scikit_learn(seed, shape, zero):
    Y, Z = draw(seed, *shape)
    if shape[1] == 1:  # scikit-learn takes a single column for classes, which have no samples average
        Y, Z = np.hstack([Y, np.zeros_like(Y)]), np.hstack([Z, np.zeros_like(Z)])
    found = measure(Y, Z, zero_division=zero)
    z = {"one": 1, "zero": 0}[zero]
    rows = {"average": "samples", "zero_division": z}
    assert found["hamming_loss"] == pytest.approx(sk.hamming_loss(Y, Z), abs=1e-14)
    assert found["subset_accuracy"] == pytest.approx(sk.accuracy_score(Y, Z), abs=1e-14)
    assert found["f_example"] == pytest.approx(sk.f1_score(Y, Z, **rows), abs=1e-14)
    assert found["accuracy"] == pytest.approx(sk.jaccard_score(Y, Z, **rows), abs=1e-14)
    assert found["f_macro"] == pytest.approx(sk.f1_score(Y, Z, average="macro", zero_division=z), abs=1e-14)
    assert found["f_micro"] == pytest.approx(sk.f1_score(Y, Z, average="micro", zero_division=z), abs=1e-14)
    if zero == "zero":
        assert found["precision"] == pytest.approx(sk.precision_score(Y, Z, **rows), abs=1e-14)
        assert found["recall"] == pytest.approx(sk.recall_score(Y, Z, **rows), abs=1e-14)
    assert set(found) == set(MEASURES)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("decimals", [1, 15])
def test_rankings_as_scikit_learn(seed, shape, decimals):
    Y, _ = draw(seed, *shape)
    scores = np.round(np.random.default_rng(seed).random(Y.shape), decimals)
    found = measure_ranking(Y, scores)
    if Y.shape[1] > 1:
        assert found["ranking_loss"] == pytest.approx(sk.label_ranking_loss(Y, scores), abs=1e-14)
        assert found["average_precision"] == pytest.approx(
            sk.label_ranking_average_precision_score(Y, scores), abs=1e-14
        )
        with_labels = Y.any(axis=1).mean()
        assert found["coverage"] == pytest.approx(sk.coverage_error(Y, scores) - with_labels, abs=1e-12)
    assert set(found) == set(RANKING_MEASURES)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
def test_as_the_definitions_read(seed, shape):
    Y, Z = draw(seed, *shape)
    found = measure(Y, Z)
    for name, value in rows_measures(Y.tolist(), Z.tolist()).items():
        assert found[name] == pytest.approx(value, abs=1e-14), name


def test_nothing_to_find_and_nothing_said():
    Y = np.array([[0, 0, 0], [1, 0, 0]])
    Z = np.array([[0, 0, 0], [1, 1, 0]])
    one, zero, skip = (measure(Y, Z, zero_division=z) for z in ("one", "zero", "skip"))
    assert (one["f_macro"], zero["f_macro"], skip["f_macro"]) == (2 / 3, 1 / 3, 1 / 2)  # labels 1, 0 and 0/0
    assert (one["accuracy"], zero["accuracy"], skip["accuracy"]) == (0.75, 0.25, 0.5)
    assert one["f_micro"] == zero["f_micro"] == skip["f_micro"] == 2 / 3
    counts = label_counts(Y[:1], Z[:1])
    assert (macro_f(counts), macro_f(counts, "zero")) == (1.0, 0.0)
    assert math.isnan(macro_f(counts, "skip"))
    assert (micro_f(counts), micro_f(counts, "zero")) == (1.0, 0.0)
    assert counts.tn.tolist() == [1, 1, 1]


def test_one_side_empty_is_no_zero_division():
    found = measure(np.array([[0, 0], [1, 1]]), np.array([[1, 0], [0, 0]]))
    assert (found["f_example"], found["accuracy"], found["precision"], found["recall"]) == (0, 0, 0, 0)


def test_rows_with_no_label_or_all_of_them_have_no_wrong_pair():
    Y = np.array([[0, 0, 0], [1, 1, 1]])
    found = measure_ranking(Y, np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]))
    assert found == {"ranking_loss": 0.0, "one_error": 0.5, "coverage": 1.0, "average_precision": 1.0}
