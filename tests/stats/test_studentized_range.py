"""The studentized range for infinite degrees of freedom, beside scipy's and in its limits."""

from __future__ import annotations

import math

import pytest
from scipy.special import ndtr
from scipy.stats import studentized_range

from fsbench.stats.studentized_range import quantile, within


@pytest.mark.parametrize("k", [2, 3, 4, 7, 20, 100])
@pytest.mark.parametrize("distance", [0.01, 0.5, 1.0, 2.344, 3.7, 6.0, 9.0])
def test_probabilities_are_those_of_scipy(distance: float, k: int) -> None:
    assert within(distance, k) == pytest.approx(float(studentized_range.cdf(distance, k, math.inf)), abs=1e-12)


@pytest.mark.parametrize("k", [2, 3, 4, 10, 40])
@pytest.mark.parametrize("level", [0.1, 0.05, 0.01, 0.001])
def test_quantiles_are_those_of_scipy(level: float, k: int) -> None:
    assert quantile(1 - level, k) == pytest.approx(float(studentized_range.ppf(1 - level, k, math.inf)), rel=1e-9)


@pytest.mark.parametrize("distance", [0.1, 1.0, 2.77, 5.0])
def test_two_variables_have_a_closed_form(distance: float) -> None:
    # Their difference is normal with variance 2.
    assert within(distance, 2) == pytest.approx(2 * ndtr(distance / math.sqrt(2)) - 1, abs=1e-14)


def test_limits() -> None:
    assert within(0.0, 3) == 0.0
    assert within(60.0, 3) == pytest.approx(1.0, abs=1e-14)
    assert quantile(1e-9, 2) == pytest.approx(1e-9 * math.sqrt(math.pi), rel=1e-6)


@pytest.mark.parametrize("probability", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("k", [2, 5, 1000])
def test_quantile_and_probability_undo_each_other(probability: float, k: int) -> None:
    assert within(quantile(probability, k), k) == pytest.approx(probability, abs=1e-12)
