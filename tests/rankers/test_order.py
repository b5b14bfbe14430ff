"""From scores to an order: NaN last, ties by index or as Weka, with and without compiled code."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.rankers import order
from fsbench.rankers.order import rank_order


@pytest.fixture(params=[True, False], ids=["compiled", "plain"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "compiled_pays", lambda cells: request.param)


def naive(scores: list[float], higher_is_better: bool, ties: str) -> list[int]:
    known = [j for j, s in enumerate(scores) if s == s]
    signed = [scores[j] if higher_is_better else -scores[j] for j in known]
    if ties == "weka":
        found = [known[i] for i in order.weka_sort(np.array(signed))][::-1]
    else:
        found = sorted(known, key=lambda j: -scores[j] if higher_is_better else scores[j])
    return [*found, *(j for j, s in enumerate(scores) if s != s)]


@pytest.mark.parametrize("ties", ["index", "weka"])
@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_orders_are_those_of_the_plain_rule(way: None, missing: float, higher_is_better: bool, ties: str) -> None:
    rng = np.random.default_rng(7)
    for n in (0, 1, 2, 3, 4, 9, 40):
        for distinct in (1, 3, 100):
            scores = rng.integers(-distinct, distinct, n) / 2.0
            scores[rng.random(n) < missing] = np.nan
            kept = scores.copy()
            found = rank_order(scores, higher_is_better, ties)
            assert found.tolist() == naive(scores.tolist(), higher_is_better, ties)
            assert found.dtype == np.int64
            assert found.flags.c_contiguous
            np.testing.assert_array_equal(scores, kept)


def test_equal_scores_of_three_features_by_hand(way: None) -> None:
    # Weka exchanges nothing among three equal values; the ascending order is then turned round.
    assert rank_order(np.array([1.0, 1.0, 1.0]), ties="weka").tolist() == [2, 1, 0]
    assert rank_order(np.array([1.0, 1.0, 1.0])).tolist() == [0, 1, 2]
    assert rank_order(np.array([2.0, np.nan, 3.0]), higher_is_better=False).tolist() == [0, 2, 1]
