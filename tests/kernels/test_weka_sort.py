"""Weka's sort: the kernel beside the plain one."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.kernels.weka_sort import quicksort
from fsbench.rankers.order import weka_sort


@pytest.mark.parametrize("distinct", [1, 2, 5, 1000])
def test_the_quicksort_is_wekas(distinct: int) -> None:
    rng = np.random.default_rng(distinct)
    for n in (0, 1, 2, 3, 4, 5, 17, 300):
        values, rows = rng.integers(0, distinct, n).astype(np.float64), np.arange(n)
        expected = weka_sort(values)
        quicksort(values, rows)
        assert np.array_equal(rows, expected)
