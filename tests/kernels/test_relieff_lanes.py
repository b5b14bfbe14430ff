"""Shares that are divided by multiplying: the last bit is that of a division."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_lanes import DIVISORS, LANES, SMALLEST, add_shares
from fsbench.values import FloatArray, IntArray


@jit
def _add(block: FloatArray, probe: int, rows: IntArray, factor: float, number: float, sums: FloatArray) -> None:
    add_shares(block, probe, rows, len(rows), factor, number, sums)


def naive(block: FloatArray, probe: int, rows: IntArray, factor: float, number: float) -> FloatArray:
    sums = np.zeros(block.shape[1])
    for row in rows.tolist():
        sums += factor * (np.abs(block[probe] - block[row]) / number)
    return sums


def values(kind: str, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    if kind == "uniform":
        return rng.random(shape)
    if kind == "decimals":
        return np.round(rng.random(shape), 2)
    if kind == "ends of the mantissa":  # where a quotient lies nearest to the middle between two doubles
        return np.nextafter(np.ldexp(1.0, rng.integers(-20, 0, shape)), rng.choice([0.0, 1.0], shape))
    return np.where(rng.random(shape) < 0.5, 0.0, SMALLEST * 2.0 ** rng.uniform(0, 60, shape))


@pytest.mark.parametrize("kind", ["uniform", "decimals", "ends of the mantissa", "smallest"])
@pytest.mark.parametrize("width", [LANES, 3 * LANES])
def test_shares_have_the_bits_of_divisions(kind: str, width: int) -> None:
    rng = np.random.default_rng(width)
    for number in [*range(1, 60), 97, 1000, 65535, DIVISORS - 1, DIVISORS]:
        block = values(kind, (60, width), rng)
        rows = rng.integers(0, 60, 40).astype(np.int32)
        sums = np.zeros(width)
        # A factor of 1 and one row at a time keep what a sum of many would round away.
        for row in rows:
            one = np.zeros(width)
            _add(block, 3, np.array([row]), 1.0, float(number), one)
            assert np.array_equal(one, np.abs(block[3] - block[row]) / number)
        _add(block, 3, rows, -0.37, float(number), sums)
        assert np.array_equal(sums, naive(block, 3, rows, -0.37, float(number)))


def test_no_row_adds_nothing() -> None:
    sums = np.full(LANES, 0.25)
    _add(np.zeros((1, LANES)), 0, np.empty(0, np.int32), 1.0, 1.0, sums)
    assert sums.tolist() == [0.25] * LANES
