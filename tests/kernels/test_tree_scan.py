"""The parts of the tree kernels, each against a few plain lines."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fsbench.classifiers.c45_prepare import coded
from fsbench.kernels.tree_choose import choose, group
from fsbench.kernels.tree_evaluate import least_rows
from fsbench.kernels.tree_ordered_rows import sort_rows
from fsbench.kernels.tree_partition import divide_many, divide_two, keep_first, keep_second
from fsbench.kernels.tree_scan import best_cut, best_cut_few, best_cut_tight, cut_gain, label_gain, tabulate_steps
from fsbench.rankers.order import weka_sort
from tests.naive.c45_samples import tree_sample

SCALE = 2.0**40
UNIT = math.log(2.0) * SCALE
L = np.array([0] + [round(k * math.log(k) * SCALE) for k in range(1, 201)])
RISE = L[1:] - L[:-1]


def information(counts: np.ndarray) -> int:
    return int(L[counts.sum()] - L[counts].sum())


def pack(codes: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Elements of layout (4, 12): class in 4 bits, row in 8."""
    packed = (codes.astype(np.uint64) << np.uint64(12)) | (np.arange(len(codes), dtype=np.uint64) << np.uint64(4))
    return packed | classes.astype(np.uint64)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("n_classes", [2, 4, 9])
def test_best_cut(seed: int, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    n, least = int(rng.integers(8, 60)), int(rng.integers(1, 5))
    codes, classes = np.sort(rng.integers(0, rng.integers(1, 30), n)), rng.integers(0, n_classes, n)
    counts = np.bincount(classes, minlength=n_classes)
    reach = np.searchsorted(np.arange(codes[-1] + 1), np.arange(codes[-1] + 1) + rng.integers(1, 3), "left")
    step, sides = np.zeros(n + 1, np.int64), np.zeros(n + 2, np.int64)
    tabulate_steps(counts.astype(np.int32), n, least, L, RISE, step, sides)
    crossed = np.zeros((2, n_classes), np.uint64)
    crossed[0] = np.cumsum(counts) - counts
    before, apart = information(counts), int(1e-6 * n * UNIT)
    pool, limit = np.concatenate([np.zeros(3, np.uint64), pack(codes, classes)]), before - apart
    shared = (step, sides, int(L[counts].sum()), limit, apart)
    for tight in (False, True):
        best, left, cuts = limit, 0, 0
        for i in range(least, n - least + 1):
            if codes[i] < (reach[codes[i - 1]] if tight else codes[i - 1] + 1):
                continue
            cuts += 1
            after = sum(information(np.bincount(part, minlength=n_classes)) for part in (classes[:i], classes[i:]))
            if after < best:
                best, left = after - apart, i
        expected = (best + apart, left, cuts)
        if tight:
            near = reach.astype(np.int32)
            assert best_cut_tight(pool, 3, n, least, 12, 15, crossed, *shared, near) == expected
            continue
        assert best_cut(pool, 3, n, least, 12, 15, crossed, *shared) == expected
        if n_classes <= 4:
            start = sum(int(c) << (16 * i) for i, c in enumerate(crossed[0]))
            assert best_cut_few(pool, 3, n, least, 12, 15, start, *shared) == expected


def entropy(counts: np.ndarray) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log2(share)).sum())


@pytest.mark.parametrize("seed", range(20))
def test_gains(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, labels, n_classes = 40, 5, 4
    value, classes = rng.integers(0, labels, n), rng.integers(0, 3, n)  # class 3 has no rows
    cells = np.zeros((labels, n_classes), np.int64)
    np.add.at(cells, (value, classes), 1)
    counts, sizes = cells.sum(axis=0), cells.sum(axis=1)
    expected = entropy(counts) - sum(s / n * entropy(row) for s, row in zip(sizes, cells, strict=True) if s)
    flat = np.concatenate([np.full(7, 9), cells.ravel()]).astype(np.int32)
    present = np.flatnonzero(counts)
    gain, ratio = label_gain(
        flat, 7, labels, n_classes, present, len(present), n, 2 - 1e-6, int(L[counts].sum()), UNIT, L
    )
    assert gain == pytest.approx(expected, abs=1e-9)
    assert ratio == pytest.approx(expected / entropy(sizes), abs=1e-9)
    assert flat.tolist() == [9] * 7 + [0] * labels * n_classes
    gain, ratio = cut_gain(n, 3 * int(UNIT), int(UNIT), 10, 8, UNIT, L)
    assert gain == pytest.approx((2 - 3) / n if 2 > 3 else -1.0)
    gain, ratio = cut_gain(n, 30 * int(UNIT), int(UNIT), 10, 8, UNIT, L)
    assert (gain, ratio) == pytest.approx((26 / n, 26 / n / entropy(np.array([10, 30]))))


def test_a_nominal_feature_needs_two_large_branches() -> None:
    cells = np.array([5, 4, 1, 0], np.int32)
    assert label_gain(cells, 0, 2, 2, np.arange(2), 2, 10, 2 - 1e-6, 0, UNIT, L) == (-1.0, 0.0)


@pytest.mark.parametrize(("n", "n_classes", "expected"), [(30, 3, 2.0), (150, 3, 5.0), (10000, 2, 25.0)])
def test_least_rows(n: int, n_classes: int, expected: float) -> None:
    assert least_rows(float(n), n_classes, 2) == pytest.approx(expected)
    assert least_rows(float(n), n_classes, 40) == (40 if n <= 150 else 25)


def chosen(gain: np.ndarray, ratio: np.ndarray, many: np.ndarray) -> int:
    """The rule in plain words: gains of at least the mean less 0.001, then the first of the largest ratios."""
    counted = [g for g, m in zip(gain, many, strict=True) if g >= 0 and (many.all() or not m)]
    if not counted:
        return -1
    limit, best, top = sum(counted) / len(counted) - 1e-3, -1, 0.0
    for u, (g, r) in enumerate(zip(gain, ratio, strict=True)):
        if g >= 0 and g >= limit and r - top > 1e-6:
            best, top = u, r
    return best


@pytest.mark.parametrize("seed", range(60))
def test_choose_and_group(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 30))
    gain = np.where(rng.random(m) < 0.3, -1.0, np.round(rng.random(m), 2))
    ratio, many = np.round(rng.random(m), 1), rng.random(m) < rng.choice([0.0, 0.3, 0.9])
    prefixes = np.flatnonzero(rng.random(m) < 0.7) + 1
    prefixes = prefixes if len(prefixes) else np.array([m])
    pick = np.empty(m, np.int64)
    order = rng.permutation(m)
    choose(gain, ratio, many, order, prefixes, pick)
    ranked = [(gain[order[:k]], ratio[order[:k]], many[order[:k]]) for k in prefixes]
    places = [chosen(*part) for part in ranked]
    expected = [order[i] if i >= 0 else -1 for i in places]
    assert pick[: len(prefixes)].tolist() == expected
    feature, size, member = (np.empty(m, np.int64) for _ in range(3))
    n_groups = group(pick[: len(prefixes)], feature, size, member)
    assert set(feature[:n_groups].tolist()) == set(expected) - {-1}
    at = 0
    for f, s in zip(feature[:n_groups], size[:n_groups], strict=True):
        assert member[at : at + s].tolist() == [j for j, e in enumerate(expected) if e == f]
        at += s
    assert n_groups == 0 or size[n_groups - 1] == size[:n_groups].max()


@pytest.mark.parametrize("target", [5, 40])
def test_dividing_keeps_the_order(target: int) -> None:
    rng = np.random.default_rng(target)
    n, source = 30, 5
    rows, codes = rng.permutation(n), rng.integers(0, 4, n).astype(np.int32)
    start = np.full(80, 7, np.uint64)
    start[source : source + n] = pack(np.zeros(n), np.zeros(n))[rows]
    left, right = [r for r in rows if codes[r] <= 1], [r for r in rows if codes[r] > 1]

    def found(pool: np.ndarray, at: int, count: int) -> list[int]:
        return (pool[at : at + count] >> np.uint64(4)).astype(int).tolist()

    spare = np.empty(n + 1, np.uint64)
    pool = start.copy()
    divide_two(pool, source, target, n, spare, codes, 1, 4, 255)
    assert found(pool, target, n) == left + right
    pool = start.copy()
    keep_first(pool, source, target, n, codes, 1, 4, 255)
    assert found(pool, target, len(left)) == left
    pool = start.copy()
    keep_second(pool, source, target, n, codes, 1, 4, 255)
    assert found(pool, target + len(left), len(right)) == right
    pool, counts = start.copy(), np.bincount(codes, minlength=4)
    divide_many(pool, source, target, n, spare, codes, 4, 255, np.cumsum(counts) - counts, 4, np.empty(4, np.uint64))
    assert found(pool, target, n) == [r for b in range(4) for r in rows if codes[r] == b]


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_sorted_as_weka_sorts_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    codes = rng.integers(-1, rng.integers(1, 20), n).astype(np.int32)
    rows, weights = np.full(n + 2, 99, np.int32), rng.random(n + 2)
    rows[2:] = rng.permutation(n)
    keys = np.where(codes[rows[2:]] < 0, np.inf, codes[rows[2:]])
    expected = 2 + weka_sort(keys)
    known_rows, known_weights = rows[expected].tolist(), weights[expected].tolist()
    work = (np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n), np.empty((n + 2, 2), np.int64))
    assert sort_rows(rows, weights, 2, n, codes, *work) == (codes >= 0).sum()
    assert rows[2:].tolist() == known_rows
    assert weights[2:].tolist() == known_weights
    assert rows[:2].tolist() == [99, 99]


@pytest.mark.parametrize("seed", [0, 1, 4, 9])
def test_codes(seed: int) -> None:
    data = tree_sample(seed)
    codes = coded(data)
    for f, feature in enumerate(data.features):
        x, code, plan = data.X[:, f], codes.columns[f], codes.plan[f]
        assert np.array_equal(code < 0, np.isnan(x))
        assert np.array_equal(codes.rows[:, f], code)
        if feature.is_nominal:
            assert np.array_equal(code[code >= 0], x[code >= 0])
            continue
        values = codes.values[plan[6] : plan[7]]
        assert np.array_equal(values[code[code >= 0]], x[code >= 0])
        assert codes.ends[plan[6] : plan[7]].tolist() == [int((x <= v).sum()) for v in values]
        listed = codes.packed[plan[2]]
        rows = (listed >> np.uint64(codes.layout[0])).astype(np.int64) & codes.layout[3]
        assert np.array_equal(rows, np.lexsort([np.arange(data.n_rows), np.where(code < 0, 2**30, code)]))
        assert np.array_equal(listed & np.uint64(codes.layout[2]), data.y[rows])
        near = [next((j for j in range(len(values)) if v + 1e-5 < values[j]), len(values)) for v in values]
        assert plan[8] == (near[:-1] != list(range(1, len(values))))
        if plan[8]:
            assert codes.reach[plan[6] : plan[7]].tolist() == near
