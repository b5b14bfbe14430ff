"""f(x, y) = x^k (1 - y)^(1-k): worked values, limits, monotony."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsbench.searches.criterion import combine, weight_of

UNIT = st.floats(0, 1)


@pytest.mark.parametrize(
    ("x", "y", "k", "f"),
    [
        (0.9, 0.5, 0.8, 0.8001805825),
        (1.0, 0.0, 0.8, 1.0),
        (0.5, 0.5, 0.8, 0.5),
        (0.8, 1.0, 0.8, 0.0),
        (0.64, 0.0, 0.5, 0.8),
        (0.36, 0.75, 0.5, 0.3),
    ],
)
def test_worked_values(x: float, y: float, k: float, f: float) -> None:
    assert combine(x, y, k) == pytest.approx(f, abs=5e-11)


@given(UNIT, UNIT)
def test_limits(x: float, y: float) -> None:
    assert combine(x, y, 1.0) == x
    assert combine(x, y, 0.0) == 1.0 - y


@pytest.mark.parametrize("k", [0.0, 0.5, 0.8, 1.0])
def test_zero_to_the_zero_is_one(k: float) -> None:
    assert combine(0.0, 1.0, k) == 0.0
    assert combine(0.0, 0.0, k) == (1.0 if k == 0 else 0.0)
    assert combine(1.0, 1.0, k) == (1.0 if k == 1 else 0.0)


@given(UNIT, UNIT, UNIT, UNIT)
def test_rises_in_x_and_falls_in_y(x: float, y: float, other: float, k: float) -> None:
    low, high = sorted((x, other))
    assert combine(low, y, k) <= combine(high, y, k) * (1 + 1e-15)
    low, high = sorted((y, other))
    assert combine(x, low, k) * (1 + 1e-15) >= combine(x, high, k)


@given(UNIT, UNIT)
def test_the_weight_by_size_lies_between_k_and_one(k: float, share: float) -> None:
    assert weight_of(k, share) == k
    assert weight_of(k, 1.0, "size") == pytest.approx(k)
    assert weight_of(k, 0.0, "size") == 1.0
    assert k - 1e-15 <= weight_of(k, share, "size") <= 1.0
