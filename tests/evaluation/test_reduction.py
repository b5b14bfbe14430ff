"""Cutting a ranking by falling thresholds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fsbench.classifiers.trie import TrieClassifier
from fsbench.errors import MethodError
from fsbench.evaluation.folds import stratified_splits
from fsbench.evaluation.metrics import count_correct
from fsbench.evaluation.reduction import THRESHOLDS, Trial, reduce_ranking
from fsbench.rankers.exclusiveness import Exclusiveness
from fsbench.values import Dataset, Feature, Ranking


def ranking(*scores: float) -> Ranking:
    values = np.array(scores)
    return Ranking(np.argsort(-values, kind="stable"), values)


def test_the_first_threshold_that_costs_little_is_taken() -> None:
    found = reduce_ranking(ranking(0.1, 0.9, 0.45, 0.0), np.array([60, 92, 94, 95]), 100)
    assert (found.k, found.threshold, found.error, found.full_error) == (2, 0.4, 0.08, 0.05)
    assert found.trials == (Trial(0.5, 1, 0.4), Trial(0.4, 2, 0.08))


def test_a_score_equal_to_the_threshold_is_dropped() -> None:
    assert reduce_ranking(ranking(0.5, 0.6), np.array([10, 10]), 10).k == 1


def test_at_zero_only_features_without_relevance_are_dropped() -> None:
    found = reduce_ranking(ranking(0.01, 0.7, 0.0, 0.0), np.array([50, 90, 90, 90]), 100, tolerance=0.0)
    assert (found.k, found.threshold) == (2, 0.0)


def test_all_are_kept_if_nothing_is_accepted() -> None:
    found = reduce_ranking(ranking(0.4, 0.9, 0.0), np.array([50, 60, 90]), 100)
    assert (found.k, found.threshold, found.error) == (3, None, 0.1)
    assert [t.threshold for t in found.trials] == list(THRESHOLDS)


def test_no_relevant_feature_keeps_all() -> None:
    found = reduce_ranking(ranking(0.0, 0.0), np.array([5, 6]), 10)
    assert (found.k, found.threshold) == (2, None)
    assert all(t.k == 0 and np.isnan(t.error) for t in found.trials)


def test_a_rise_of_exactly_the_tolerance_is_accepted() -> None:
    for total in (100, 200, 300, 700):
        rise = 3 * total // 100
        for full in range(rise, total, 7):
            found = reduce_ranking(ranking(0.9, 0.0), np.array([full - rise, full]), total)
            assert found.k == 1
            assert reduce_ranking(ranking(0.9, 0.0), np.array([full - rise - 1, full]), total).k == 2


@pytest.mark.parametrize("seed", range(40))
def test_equals_the_plain_rule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, total = int(rng.integers(1, 8)), 50
    scores = np.round(rng.random(n), 1) * (rng.random(n) < 0.8)
    made = ranking(*scores)
    correct = np.sort(rng.integers(30, 45, n))
    found = reduce_ranking(made, correct, total)
    expected = n, None
    for t in THRESHOLDS:
        kept = [j for j in made.order.tolist() if Fraction(str(scores[j])) > Fraction(str(t))]
        if kept and Fraction(int(correct[-1]) - int(correct[len(kept) - 1]), total) <= Fraction(3, 100):
            expected = len(kept), t
            break
    assert (found.k, found.threshold) == expected


@pytest.mark.parametrize(
    ("scores", "correct", "thresholds", "message"),
    [
        ((0.5, 0.1), [1], (0.1,), "needs the counts of all 2 prefixes, found 1"),
        ((0.5, 0.1), [1, 2], (0.1, 0.2), "must fall, found 0.1, 0.2"),
    ],
)
def test_what_it_refuses(scores: tuple[float, ...], correct: list[int], thresholds: tuple, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        reduce_ranking(ranking(*scores), np.array(correct), 10, thresholds=thresholds)


def test_it_refuses_a_ranking_that_does_not_fall() -> None:
    rising = Ranking(np.array([0, 1]), np.array([0.1, 0.5]))
    with pytest.raises(MethodError, match="a ranking by falling scores"):
        reduce_ranking(rising, np.array([1, 2]), 10)


def test_with_the_ranker_and_the_trie() -> None:
    """The protocol as an experiment runs it: rank the training part, inner folds, one curve a fold, cut."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    X = np.column_stack([rng.random(200), y + rng.random(200) * 0.3, rng.random(200)])
    train = Dataset("made", (Feature("a"), Feature("b"), Feature("c")), X, Feature("class", ("n", "p")), y)
    made = Exclusiveness().rank(train)
    correct = sum(
        count_correct(TrieClassifier().curve(train, split, made.order).predicted, y[split.test])
        for split in stratified_splits(y, 2, 10, seed=1)
    )
    found = reduce_ranking(made, correct, 200)
    assert made.order[: found.k].tolist() == [1]
    assert found.threshold == 0.5
