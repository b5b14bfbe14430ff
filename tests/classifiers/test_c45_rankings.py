"""C4.5 curves of several rankings, which grow together, against the curve of each alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from fsbench.classifiers.c45 import C45
from fsbench.classifiers.c45_tasks import all_prefixes, one_task
from fsbench.kernels.threads import set_threads
from tests.naive.c45_samples import PARAMETERS, tree_sample
from tests.naive.samples import split_of


@pytest.fixture
def one_thread() -> Iterator[None]:
    set_threads(1)
    yield
    set_threads(None)


def some_rankings(n_features: int, seed: int) -> list[np.ndarray]:
    """Rankings of all features, of some, of one, and one twice."""
    rng = np.random.default_rng(seed)
    full = [rng.permutation(n_features) for _ in range(3)]
    return [full[0], full[1][: max(1, n_features // 2)], full[2], full[0], full[1][-1:]]


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("seed", range(300, 360))
def test_together_as_each_alone(seed: int) -> None:
    data, classifier = tree_sample(seed), C45(**PARAMETERS[seed % len(PARAMETERS)])
    split, orders = split_of(data, seed), some_rankings(data.n_features, seed)
    curves = classifier.curves(data, split, orders)
    assert [len(curve.predicted) for curve in curves] == [len(order) for order in orders]
    for curve, order in zip(curves, orders, strict=True):
        for k in range(1, len(order) + 1):
            alone, at = classifier.evaluate(data, split, order[:k]), curve.at(k)
            assert np.array_equal(at.predicted, alone.predicted)
            assert at.measures == alone.measures


@pytest.mark.parametrize("seed", [300, 302, 305])
def test_threads_share_the_rankings_out(seed: int) -> None:
    data = tree_sample(seed)
    split, orders = split_of(data, seed), some_rankings(data.n_features, seed)
    found = []
    for count in (1, 2, 3):
        set_threads(count)
        found.append(C45().curves(data, split, orders))
    set_threads(None)
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            assert np.array_equal(a.predicted, b.predicted)
            assert all(np.array_equal(a.measures[m], b.measures[m]) for m in ("size", "leaves"))


def test_no_ranking_has_no_curve() -> None:
    data = tree_sample(2)
    assert C45().curves(data, split_of(data, 2), []) == []


def test_tasks_of_rankings() -> None:
    orders = [np.array([4, 1, 2]), np.array([2, 7])]
    tasks = all_prefixes(orders)
    assert sorted(tasks.features.tolist()) == [1, 2, 4, 7]
    assert tasks.table.tolist() == [[0, 1], [0, 2], [0, 3], [1, 1], [1, 2]]
    assert [tasks.used(t).tolist() for t in range(5)] == [[4], [4, 1], [4, 1, 2], [2], [2, 7]]
    assert one_task(orders[0]).used(0).tolist() == [4, 1, 2]
