"""Transformations: shared work against one ranker a label, and the properties that define them."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench import registry
from fsbench.data.generate import blobs
from fsbench.errors import MethodError, NotApplicable
from fsbench.kernels.threads import set_threads
from fsbench.multilabel import (
    BinaryRelevance,
    LabelPowerset,
    Threshold,
    TopFeatures,
    TopShare,
    shared_gain,
    shared_relieff,
    unusual,
)
from fsbench.rankers import Ranker
from fsbench.rankers.information_gain import InformationGain
from fsbench.rankers.relieff import ReliefF
from fsbench.rankers.relieff_plain import plain_weights
from fsbench.rankers.relieff_problem import Problem, scaled
from fsbench.values import Ranking
from tests.multilabel.draws import KINDS, draw


def plain_relieff(data, k):
    return plain_weights(Problem(scaled(data), np.arange(data.n_rows), min(k, data.n_rows)))


def both_kinds(monkeypatch, sparse):
    monkeypatch.setattr(shared_relieff, "pays", lambda *_: sparse)


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("k", [1, 4, 10, 100])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_relieff_shared_over_labels_is_the_mean_of_plain_ones(kind, seed, k, sparse, monkeypatch):
    both_kinds(monkeypatch, sparse)
    data = draw(kind, seed)
    weights = np.random.default_rng(seed).random(data.n_labels)
    expected = weights @ np.array([plain_relieff(data.binary(i), k) for i in range(data.n_labels)])
    assert shared_relieff.binary_weights(ReliefF(k=k), data, weights) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_rows_that_entered_stand_for_all_rows(seed, k):
    """Many rows with few distinct distances, so that the wide slots matter, and labels of every frequency."""
    data = draw("rarely", seed, n=260, m=6, q=30)
    expected = np.mean([plain_relieff(data.binary(i), k) for i in range(30)], axis=0)
    found = shared_relieff.binary_weights(ReliefF(k=k), data, np.full(30, 1 / 30))
    assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("k", [1, 4, 100])
@pytest.mark.parametrize("q", [1, 2, 6])
@pytest.mark.parametrize("kind", KINDS)
def test_relieff_shared_over_label_sets_is_the_plain_one(kind, q, k, sparse, monkeypatch):
    both_kinds(monkeypatch, sparse)
    data = draw(kind, 5, q=q)
    found = shared_relieff.powerset_weights(ReliefF(k=k), data)
    assert found == pytest.approx(plain_relieff(data.powerset(), k), abs=1e-13)


@pytest.mark.parametrize("q", [1, 6])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_gains_of_all_labels_are_those_of_each(kind, seed, q, monkeypatch):
    monkeypatch.setattr(shared_gain, "PLAIN_CELLS", 0)
    data = draw(kind, seed, n=70, q=q)
    ig = InformationGain()
    assert shared_gain.shares_gain(ig, data)
    expected = np.array([ig.rank(data.binary(i)).scores for i in range(q)])
    assert shared_gain.gains(ig, data) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("q", [1, 2, 6])
@pytest.mark.parametrize("kind", ["nominal", "binary", "rarely"])
def test_gains_about_label_sets(kind, q, gaps, monkeypatch):
    monkeypatch.setattr(shared_gain, "PLAIN_CELLS", 0)
    data = draw(kind, 6, n=70, q=q)
    data.X[np.random.default_rng(1).random(data.X.shape) < gaps] = np.nan
    data.X[:, 5] = np.nan if gaps else 0.0
    expected = InformationGain().rank(data.powerset()).scores
    assert LabelPowerset().rank(InformationGain(), data).scores == pytest.approx(expected, abs=1e-13)


RANKERS = [registry.make("ranker", name) for name in registry.METHODS["ranker"] if name != "exclusiveness"]


@pytest.mark.parametrize("kind", ["numeric", "nominal", "mixed", "missing"])
@pytest.mark.parametrize("ranker", RANKERS, ids=lambda r: r.name)
def test_one_label_is_the_single_class_problem(ranker, kind):
    data = draw(kind, 2, q=1)
    for combine in ("mean", "max", "weighted"):
        ranking = BinaryRelevance(combine=combine).rank(ranker, data)
        single = ranker.rank(data.binary(0))
        assert np.array_equal(ranking.order, single.order)
        assert np.array_equal(ranking.scores, single.scores, equal_nan=True)


def test_one_label_is_the_single_class_problem_on_the_shared_path(monkeypatch):
    monkeypatch.setattr(shared_relieff, "PLAIN_WORK", 0)
    monkeypatch.setattr(shared_gain, "PLAIN_CELLS", 0)
    data = draw("mixed", 2, n=120, q=1)
    for ranker in (ReliefF(), InformationGain()):
        single = ranker.rank(data.binary(0))
        assert BinaryRelevance().rank(ranker, data).scores == pytest.approx(single.scores, abs=1e-13)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_disjoint_labels_are_classes(kind, shared, monkeypatch):
    if shared:
        monkeypatch.setattr(shared_relieff, "PLAIN_WORK", 0)
    data = draw(kind, 3)
    y = np.random.default_rng(3).integers(0, 3, data.n_rows)
    y[:3] = [0, 1, 2]  # numbered by first appearance, as the label sets are
    disjoint = type(data)("d", data.features, data.X, ("a", "b", "c"), np.eye(3)[y], sparse=data.sparse)
    from fsbench.values import Feature

    classes = data.with_class(Feature("c", ("a", "b", "c")), y)
    for ranker in (ReliefF(), InformationGain()):
        found = LabelPowerset().rank(ranker, disjoint).scores
        assert found == pytest.approx(ranker.rank(classes).scores, abs=1e-13)


def test_threads_change_no_bit(monkeypatch):
    monkeypatch.setattr(shared_relieff, "ALONE", 0)
    found = []
    for count in (1, 2, 7):
        set_threads(count)
        data = draw("mixed", 1, n=150)
        found.append(shared_relieff.binary_weights(ReliefF(), data, np.full(6, 1 / 6)).tobytes())
    set_threads(None)
    assert len(set(found)) == 1


def test_combining_scores():
    data, ranker = blobs(), InformationGain()
    scores = BinaryRelevance().label_scores(ranker, data)
    assert scores.shape == (4, 11)
    assert np.array_equal(BinaryRelevance(combine="max").score(ranker, data), scores.max(axis=0))
    weights = data.label_counts / data.label_counts.sum()
    assert BinaryRelevance(combine="weighted").score(ranker, data) == pytest.approx(weights @ scores)
    lower = registry.make("ranker", "exclusiveness")
    if not lower.higher_is_better:
        each = np.array([lower.rank(data.binary(i)).scores for i in range(4)])
        assert np.array_equal(BinaryRelevance(combine="max").score(lower, data), each.min(axis=0))


def test_pruning_leaves_out_rare_label_sets():
    data, ranker = blobs(), InformationGain()
    sets, counts = data.label_sets
    assert counts.min() < 10
    kept = data.take(counts[sets] >= 10)
    found = LabelPowerset(prune=10).rank(ranker, data)
    assert np.array_equal(found.scores, LabelPowerset().rank(ranker, kept).scores)
    with pytest.raises(NotApplicable, match="no label set has 1000 rows"):
        LabelPowerset(prune=1000).rank(ranker, data)


def test_a_ranker_may_decline_and_a_derived_one_is_asked_itself(monkeypatch):
    monkeypatch.setattr(shared_relieff, "PLAIN_WORK", 0)

    class OnlyNominal(Ranker):
        takes_numeric = False

        def score(self, train):
            return np.zeros(train.n_features)

    class Doubled(ReliefF):
        def score(self, train):
            return 2 * super().score(train)

    with pytest.raises(NotApplicable, match="does not take numeric features"):
        BinaryRelevance().rank(OnlyNominal(), blobs())
    once, twice = (BinaryRelevance().rank(r, blobs()).scores for r in (ReliefF(), Doubled()))
    assert twice == pytest.approx(2 * once, abs=1e-13)
    sampled = ReliefF(sample=20)
    each = [sampled.rank(blobs().binary(i)).scores for i in range(4)]
    assert BinaryRelevance().rank(sampled, blobs()).scores == pytest.approx(np.mean(each, axis=0), abs=1e-13)


def test_a_label_that_is_never_positive_has_hits_only():
    data = draw("numeric", 4)
    scores = BinaryRelevance().label_scores(ReliefF(), data)
    assert data.label_counts[0] == 0
    assert (scores[0] <= 0).all()
    assert (scores[0] < 0).any()
    assert np.isfinite(BinaryRelevance().rank(ReliefF(), data).scores).all()


def test_infinite_values_are_refused(monkeypatch):
    monkeypatch.setattr(shared_relieff, "PLAIN_WORK", 0)
    data = draw("numeric", 4)
    data.X[3, 2] = np.inf
    with pytest.raises(NotApplicable, match="infinite"):
        BinaryRelevance().rank(ReliefF(), data)


def test_choices_of_features():
    ranking = Ranking(np.array([2, 0, 1, 3]), np.array([0.01, -1.0, 0.5, np.nan]))
    assert Threshold().choose(ranking).tolist() == [0, 2]
    assert Threshold(least=0.6).choose(ranking).tolist() == []
    assert TopFeatures(k=3).choose(ranking).tolist() == [0, 1, 2]
    assert TopShare(share=0.3).choose(ranking).tolist() == [0, 2]
    assert TopShare(share=0.0).choose(ranking).tolist() == []
    seventy = Ranking(np.arange(70), np.zeros(70))
    assert len(TopShare(share=0.1).choose(seventy)) == 7
    with pytest.raises(MethodError, match="parameter share must be a number from 0 to 1"):
        TopShare(share=1.5)


def test_lists_pay_where_most_cells_hold_the_usual_value():
    rare, dense = draw("rarely", 1, n=400, m=30), draw("binary", 1, n=400, m=30)
    for data, expected in ((rare, True), (dense, False)):
        values = data.binary(0).n_labels
        entries = unusual.unusual_rows(data.X, unusual.find_unusual(data.X, values))
        assert unusual.pays(unusual.unusual_values(entries, values), 400, 400) == expected
