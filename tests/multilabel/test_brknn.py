"""BRkNN: neighbours and decisions against plain loops, and the edges where Mulan fails."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.errors import NotApplicable
from fsbench.evaluation.java_random import JavaRandom
from fsbench.multilabel import BRkNN, BRkNNa, BRkNNb, votes
from fsbench.multilabel.votes import Votes, count_votes
from fsbench.values import Split
from tests.multilabel.draws import KINDS, draw
from tests.naive import brknn as naive

ROWS = np.arange(45)
SPLIT = Split(ROWS[ROWS % 3 != 0], ROWS[ROWS % 3 == 0])


@pytest.mark.parametrize("way", ["plain", "dense", "lists"])
@pytest.mark.parametrize("k", [1, 5, 30])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_neighbours(kind, seed, k, way, monkeypatch):
    if way != "plain":
        monkeypatch.setattr(votes, "PLAIN_WORK", 0)
    monkeypatch.setattr(votes, "pays", lambda *_, **__: way == "lists")
    data, columns = draw(kind, seed), np.array([0, 1, 3, 4, 8])
    found = count_votes(data, SPLIT, columns, k)
    X = data.X[:, columns]
    expected = naive.neighbours(X[SPLIT.train].tolist(), X[SPLIT.test].tolist(), data.is_nominal[columns], k)
    assert found.neighbours.tolist() == [len(rows) for rows in expected]
    Y = data.Y[SPLIT.train]
    assert found.votes.tolist() == [Y[rows].sum(axis=0).tolist() for rows in expected]


@pytest.mark.parametrize("seed", range(6))
def test_mulans_draws(seed):
    data = draw("nominal", seed, q=9)
    neighbours = naive.neighbours(data.X[SPLIT.train].tolist(), data.X[SPLIT.test].tolist(), data.is_nominal, 5)
    Y, rng = data.Y[SPLIT.train], JavaRandom(1)
    expected = [naive.mulan_b(Y[rows].tolist(), len(SPLIT.train), rng.next_int) for rows in neighbours]
    assert None not in expected
    found = BRkNNb(ties="mulan").evaluate(data, SPLIT, np.arange(data.n_features)).predicted
    assert [np.flatnonzero(row).tolist() for row in found] == expected


def counted(rows, neighbours=4, n_train=10):
    return Votes(np.array(rows), np.full(len(rows), neighbours), n_train)


def test_plain_and_a():
    some = counted([[2, 1, 4], [1, 0, 1], [0, 0, 0]])
    assert BRkNN().decide(some).predicted.tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert BRkNNa().decide(some).predicted.tolist() == [[1, 0, 1], [1, 0, 0], [1, 0, 0]]
    # Mulan: (2 + 0.1) / (4 + 0.3) is less than a half; equal labels are drawn.
    assert BRkNN(ties="mulan").decide(some).predicted.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    rng = JavaRandom(1)
    drawn = [[0, 2][rng.next_int(2)], [0, 1, 2][rng.next_int(3)]]
    assert BRkNNa(ties="mulan").decide(some).predicted.argmax(axis=1).tolist() == [2, *drawn]
    assert BRkNN(ties="mulan").decide(some).confidences[0, 0] == (0.1 + 1 + 1) / (0.3 + 1 + 1 + 1 + 1)


def test_b_takes_as_many_as_the_neighbours_have():
    some = counted([[2, 1, 4], [1, 0, 1], [1, 0, 0], [4, 4, 4], [3, 3, 4]])
    # means 1.75, 0.5, 0.25, 3, 2.5
    assert BRkNNb().decide(some).predicted.tolist() == [[1, 0, 1], [1, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize(("row", "what"), [([1, 0, 0], "no label"), ([4, 4, 4], "all labels")])
def test_mulans_b_cannot_choose_none_or_all(row, what):
    with pytest.raises(NotApplicable, match=what):
        BRkNNb(ties="mulan").decide(counted([row], n_train=1000))


def test_the_correction_pulls_a_half_down():
    assert BRkNNb().decide(counted([[2, 2, 2]])).predicted.sum() == 2  # 1.5
    assert BRkNNb(ties="mulan").decide(counted([[2, 2, 2]])).predicted.sum() == 1


def test_what_cannot_be_predicted_is_one_line():
    data = draw("numeric", 1)
    with pytest.raises(NotApplicable, match="no feature is left"):
        BRkNNb().evaluate(data, SPLIT, np.array([], dtype=np.int64))
    with pytest.raises(NotApplicable, match="40 neighbours need 40 training rows, found 30"):
        BRkNNb(k=40).evaluate(data, SPLIT, np.arange(3))


def test_test_rows_have_no_influence_on_each_other():
    data = draw("mixed", 2)
    whole = BRkNNb().evaluate(data, SPLIT, np.arange(9)).predicted
    alone = [
        BRkNNb().evaluate(data, Split(SPLIT.train, SPLIT.test[i : i + 1]), np.arange(9)).predicted[0] for i in range(15)
    ]
    assert np.array_equal(whole, np.array(alone))
    assert np.array_equal(whole, BRkNNb().evaluate(data.take(ROWS), SPLIT, np.arange(9)).predicted)


def test_labels_of_test_rows_are_not_looked_at():
    data = draw("mixed", 2)
    before = BRkNNb().evaluate(data, SPLIT, np.arange(9)).predicted
    Y = data.Y.copy()
    Y[SPLIT.test] ^= 1
    changed = type(data)("x", data.features, data.X, data.labels, Y)
    assert np.array_equal(before, BRkNNb().evaluate(changed, SPLIT, np.arange(9)).predicted)
