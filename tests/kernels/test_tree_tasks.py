"""What tasks ask for and choose, and how rows with weights are parted, each against a few plain lines."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.kernels.tree_choose import choose
from fsbench.kernels.tree_evaluate import CELL, LANE
from fsbench.kernels.tree_fraction_rows import part, spread
from fsbench.kernels.tree_tasks import ask, choose_each


def some_tasks(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tasks of three rankings of m features, those of a node, and the rankings."""
    m = int(rng.integers(2, 12))
    ranks = np.array([rng.permutation(m) for _ in range(3)])
    tasks = np.array([[ranking, k] for ranking in range(3) for k in range(1, m + 1)])
    mine = np.flatnonzero(rng.random(len(tasks)) < rng.choice([0.1, 0.5, 1.0]))
    return tasks, mine if len(mine) else np.array([0]), ranks


@pytest.mark.parametrize("seed", range(40))
def test_ask(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tasks, mine, ranks = some_tasks(rng)
    m = ranks.shape[1]
    plan, dead = np.zeros((m, 10), np.int64), rng.random(m) < 0.2
    plan[:, LANE], plan[:, CELL] = rng.random(m) < 0.5, rng.permutation(m)
    seen, asked, wanted = np.zeros(m, np.int64), np.empty(m, np.int64), np.empty(m, np.int64)
    n_asked, n_wanted = ask(mine, tasks, ranks, plan, seen, 1, dead, asked, wanted)
    expected = {int(u) for ranking, k in tasks[mine] for u in ranks[ranking, :k] if not dead[u]}
    assert sorted(asked[:n_asked]) == sorted(expected)
    nominal = [u for u in asked[:n_asked] if plan[u, LANE] == 0]
    assert wanted[:n_wanted].tolist() == plan[nominal, CELL].tolist()


@pytest.mark.parametrize("seed", range(40))
def test_choose_each(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tasks, mine, ranks = some_tasks(rng)
    m = ranks.shape[1]
    gain = np.where(rng.random(m) < 0.3, -1.0, np.round(rng.random(m), 1))
    ratio, many = np.round(rng.random(m), 1), rng.random(m) < 0.2
    pick = np.empty(len(tasks), np.int64)
    choose_each(gain, ratio, many, mine, tasks, ranks, np.empty(len(tasks), np.int64), pick)
    for j, (ranking, k) in enumerate(tasks[mine]):
        alone = np.empty(1, np.int64)
        choose(gain, ratio, many, ranks[ranking], np.array([k]), alone)
        assert pick[j] == alone[0]


@pytest.mark.parametrize("seed", range(60))
def test_rows_are_spread_and_parted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_rows, n_classes, n_kids = 30, 3, int(rng.integers(2, 5))
    numeric = n_kids == 2 and rng.random() < 0.5
    codes = rng.integers(0, 9 if numeric else n_kids, n_rows).astype(np.int32)
    codes[rng.random(n_rows) < rng.choice([0.0, 0.3])] = -1
    codes[0] = 0
    test = 4 if numeric else -1
    y = rng.integers(0, n_classes, n_rows).astype(np.int32)
    stretch = np.concatenate([[0], 1 + rng.permutation(n_rows - 1)[: int(rng.integers(5, 20))]])
    rows, weights = np.zeros(200, np.int32), np.zeros(200)
    begin, n = 7, len(stretch)
    rows[begin : begin + n] = stretch
    weights[begin : begin + n] = np.where(rng.random(n) < 0.5, 1.0, rng.random(n))
    mine = weights[begin : begin + n].copy()

    cells, lost, bags, shares = np.empty((n_kids, n_classes)), np.empty(n_classes), np.empty(n_kids), np.empty(n_kids)
    numbers, labels = np.empty(n_kids, np.int64), np.empty(n_rows, np.int32)
    missing = spread(rows, weights, begin, n, y, codes, test, n_kids, cells, lost, bags, shares, numbers, labels)
    branch = np.where(codes < 0, -1, codes > test if numeric else codes)[stretch]
    known = np.array([mine[branch == b].sum() for b in range(n_kids)])
    share = known / known.sum()
    assert missing == (branch < 0).sum()
    assert np.allclose(shares, share)
    assert np.allclose(bags, share * mine.sum())
    members = [(branch == b) | ((branch < 0) & (share[b] > 1e-6)) for b in range(n_kids)]
    held = [np.where(branch < 0, mine * share[b], mine) for b in range(n_kids)]
    assert numbers.tolist() == [int(inside.sum()) for inside in members]
    for b, (inside, w) in enumerate(zip(members, held, strict=True)):
        assert np.allclose(cells[b], np.bincount(y[stretch][inside], w[inside], minlength=n_classes))

    needed = rng.random(n_kids) < 0.7
    begins = np.where(needed, 0, -1)
    cursor = np.empty((2, n_kids), np.int64)
    total = int(numbers[needed].sum())
    full = part(rows[: 40 + total], weights, begin, n, labels, n_kids, shares, begins.copy(), numbers, cursor, 40)
    assert full == -1
    assert part(rows, weights, begin, n, labels, n_kids, shares, begins, numbers, cursor, 40) == 40 + total
    assert rows[begin : begin + n].tolist() == stretch.tolist()
    for b in np.flatnonzero(needed):
        place = slice(begins[b], begins[b] + numbers[b])
        assert rows[place].tolist() == stretch[members[b]].tolist()
        assert np.allclose(weights[place], held[b][members[b]])
