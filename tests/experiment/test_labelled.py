"""One fold of a multi-label study: what is computed, what is skipped, and what cannot leak."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.data.generate import blobs
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.evaluation.folds import mulan_splits
from fsbench.evaluation.multilabel_metrics import MEASURES, RANKING_MEASURES, measure
from fsbench.experiment import labelled
from fsbench.experiment.labelled import BASELINE, LabelFold, evaluate_labels, spread
from fsbench.multilabel import BinaryRelevance, BRkNN, BRkNNa, BRkNNb, LabelPowerset, Threshold, TopFeatures
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.multilabel.votes import count_votes
from fsbench.rankers.information_gain import InformationGain
from fsbench.rankers.relieff import ReliefF

RANKERS = {
    "RF-BR": LabelRanker(BinaryRelevance(), ReliefF()),
    "RF-LP": LabelRanker(LabelPowerset(), ReliefF()),
    "IG-BR": LabelRanker(BinaryRelevance(), InformationGain()),
    "IG-LP": LabelRanker(LabelPowerset(), InformationGain()),
}
SPLIT = mulan_splits(240, 10, 1)[3]


def test_baseline_and_every_ranker():
    data = blobs()
    found = evaluate_labels(data, SPLIT, RANKERS, Threshold(), BRkNNb())
    assert list(found) == [BASELINE, *RANKERS]
    for label, made in found.items():
        assert made.status == "ok"
        result = made.value
        assert set(MEASURES) | set(RANKING_MEASURES) < set(result.measures)
        alone = BRkNNb().evaluate(data, SPLIT, result.columns).predicted
        assert np.array_equal(result.predicted, alone)
        assert result.measures["accuracy"] == measure(data.Y[SPLIT.test], alone)["accuracy"]
        assert result.measures["reduction"] == pytest.approx(100 * (1 - len(result.columns) / 11))
        assert result.measures["f_macro"] == result.measures["f_macro_one"]
        if label != BASELINE:
            ranking = RANKERS[label].rank(data.take(SPLIT.train))
            assert result.columns.tolist() == np.flatnonzero(ranking.scores >= 0.01).tolist()


def test_where_no_feature_is_kept_the_rest_goes_on():
    found = evaluate_labels(blobs(), SPLIT, {"IG-BR": RANKERS["IG-BR"]}, Threshold(least=2.0), BRkNNb())
    assert found[BASELINE].status == "ok"
    assert found["IG-BR"].status == "skipped"
    assert "threshold(least=2.0) keeps no feature of ig br" in found["IG-BR"].reason


def test_mulans_failures_are_skipped_with_the_reason():
    data = blobs()
    one = MultiLabelDataset("one", data.features, data.X, ("a",), data.Y[:, :1])
    assert evaluate_labels(one, SPLIT, {}, Threshold(), BRkNNb(ties="mulan"))[BASELINE].status == "skipped"
    assert evaluate_labels(one, SPLIT, RANKERS, Threshold(), BRkNNb())["RF-LP"].status == "ok"


def test_test_rows_cannot_reach_a_selection():
    data, choice = blobs(), TopFeatures(k=4)
    before = evaluate_labels(data, SPLIT, RANKERS, choice, BRkNNb())
    X, Y = data.X.copy(), data.Y.copy()
    X[SPLIT.test, :9] = 50.0
    Y[SPLIT.test] = 1 - Y[SPLIT.test]
    after = evaluate_labels(MultiLabelDataset("x", data.features, X, data.labels, Y), SPLIT, RANKERS, choice, BRkNNb())
    for label in RANKERS:
        assert np.array_equal(before[label].value.ranking.scores, after[label].value.ranking.scores)
        assert np.array_equal(before[label].value.columns, after[label].value.columns)


def test_spread_over_folds():
    assert spread([2.0, 4.0, float("nan")]).std == 1.0  # of the population
    assert spread([2.0, 4.0, float("nan")]).folds == 2
    assert spread([float("nan")]) is None
    assert spread([]) is None


def test_neighbours_are_sought_once_for_equal_features_and_k(monkeypatch):
    calls = []

    def counted(data, split, columns, k):
        calls.append((columns.tolist(), k))
        return count_votes(data, split, columns, k)

    monkeypatch.setattr(labelled, "count_votes", counted)
    fold = LabelFold(blobs(), SPLIT)
    everything, some = np.arange(11), np.arange(3)
    for label, classifier in (("b", BRkNNb()), ("plain", BRkNN()), ("a", BRkNNa()), ("3", BRkNN(k=3))):
        for columns in (everything, some, everything.copy()):
            made = fold.test(label, classifier, columns)
            alone = classifier.evaluate(fold.data, SPLIT, columns).predicted
            assert np.array_equal(made.value.predicted, alone)
    assert calls == [(everything.tolist(), 5), (some.tolist(), 5), (everything.tolist(), 3), (some.tolist(), 3)]


def test_low_scores_can_be_the_good_ones():
    from tests.experiment.label_toys import Smallest

    ranker = LabelRanker(LabelPowerset(), Smallest())
    found = evaluate_labels(blobs(), SPLIT, {"low": ranker}, Threshold(least=0.3), BRkNNb())["low"].value
    assert found.columns.tolist() == [0, 1, 2, 3]
    assert found.ranking.order.tolist() == list(range(11))
