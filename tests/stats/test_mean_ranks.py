"""Ranks with shared places, beside scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

from fsbench.stats.mean_ranks import mean_ranks


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shape", [(1,), (7,), (40,), (3, 5), (6, 1), (1, 12)])
def test_equals_scipy(shape: tuple[int, ...], seed: int) -> None:
    values = np.random.default_rng(seed).integers(-3, 4, shape) / 4.0
    found = mean_ranks(values)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, rankdata(values, axis=-1))


@pytest.mark.parametrize("values", [
    [], [0.0, -0.0, 1.0], [np.inf, -np.inf, np.inf], [1.0, np.nan], [[1.0, np.nan], [2.0, 1.0]], np.empty((0, 3)),
])  # fmt: skip
def test_odd_values(values) -> None:
    values = np.array(values)
    np.testing.assert_array_equal(mean_ranks(values), rankdata(values, axis=-1))
