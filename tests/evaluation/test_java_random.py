"""java.util.Random: published first draws, and many at a time equal to one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.evaluation.java_random import JavaRandom


def test_first_draws_of_seed_42() -> None:
    # `new java.util.Random(42).nextInt(10)`, ten times, as printed by a JVM.
    rng = JavaRandom(42)
    assert [rng.next_int(10) for _ in range(10)] == [0, 3, 8, 4, 0, 5, 5, 8, 9, 3]


@pytest.mark.parametrize("seed", [0, 1, 42, -1, -123456789, 2**47, 2**60 + 7])
def test_many_draws_equal_single_draws(seed: int) -> None:
    bounds = np.random.default_rng(7).integers(1, 2**31 - 1, 3000)
    bounds[::3] = 2**30 + 1  # refuses almost every other draw
    bounds[1::5] = 2**20  # a power of two takes the high bits
    one, many = JavaRandom(seed), JavaRandom(seed)
    assert [one.next_int(int(b)) for b in bounds] == many.next_ints(bounds).tolist()
    assert one.next_int(1000) == many.next_int(1000)


def test_no_draw_leaves_the_state() -> None:
    rng = JavaRandom(3)
    assert rng.next_ints(np.empty(0, dtype=np.int64)).tolist() == []
    assert rng.next_int(100) == JavaRandom(3).next_int(100)


def test_shuffle_follows_the_definition() -> None:
    rng, rows = JavaRandom(5), list(range(50))
    for j in range(49, 0, -1):
        other = rng.next_int(j + 1)
        rows[j], rows[other] = rows[other], rows[j]
    assert JavaRandom(5).shuffle(np.arange(50)).tolist() == rows


def test_draws_with_refusals_of_a_jvm() -> None:
    # `new java.util.Random(-7).nextInt(1610612737)`, as printed by a JVM; every fourth draw is refused.
    expected = [577934662, 1445645590, 1119890478, 314447087, 677675436, 184135245]
    assert JavaRandom(-7).next_ints(np.full(6, 1610612737)).tolist() == expected
