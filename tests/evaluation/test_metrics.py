"""Counts and the choice that they lead to."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.evaluation.metrics import best_prefix, count_correct


@pytest.mark.parametrize(("correct", "k"), [([3], 1), ([3, 3, 3], 1), ([1, 3, 2, 3], 2), ([0, 0, 1], 3)])
def test_highest_count_shortest_on_ties(correct: list[int], k: int) -> None:
    assert best_prefix(np.array(correct)) == k


def test_counts_of_one_and_of_many() -> None:
    actual = np.array([0, 2, 1, 1])
    assert count_correct(np.array([0, 2, 2, 1]), actual) == 3
    assert count_correct(np.array([[0, 2, 1, 1], [1, 0, 0, 0]]), actual).tolist() == [4, 0]
    assert count_correct(np.empty((2, 0), dtype=int), np.empty(0, dtype=int)).tolist() == [0, 0]
