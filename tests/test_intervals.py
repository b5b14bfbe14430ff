"""Rows as patterns of interval numbers."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.errors import DataError, MethodError
from fsbench.intervals import (
    AUTO_NUMBERS,
    auto_number,
    check_names,
    count_intervals,
    fit_intervals,
    parse_spec,
    semi_exclusive,
)
from fsbench.values import Dataset, Feature
from tests.naive.exclusiveness import column_codes, interval

CLASS = Feature("class", ("n", "p"))


def dataset(X: list[list[float]], *features: Feature) -> Dataset:
    values = np.array(X, dtype=np.float64)
    names = features or tuple(Feature(f"f{j}") for j in range(values.shape[1]))
    return Dataset("made", names, values, CLASS, np.arange(len(values)) % 2)


def test_borders_belong_to_the_lower_interval() -> None:
    data = dataset([[0.0], [2.0], [2.1], [4.0], [10.0]])
    assert fit_intervals(data, 5).encode(data).tolist() == [[0, 0, 1, 1, 4]]


def test_values_outside_the_training_range_fall_into_the_end_intervals() -> None:
    fitted = fit_intervals(dataset([[0.0], [10.0]]), 5)
    assert fitted.encode(dataset([[-3.0], [99.0], [np.inf], [-np.inf]])).tolist() == [[0, 4, 4, 0]]


@pytest.mark.parametrize("number", [1, 2, 3, 7, 10, 50])
@pytest.mark.parametrize("seed", range(5))
def test_codes_equal_the_plain_rule(number: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    train = np.round(rng.normal(size=60), 1)
    train[rng.random(60) < 0.1] = np.nan
    test = np.round(rng.normal(scale=2.0, size=60), 1)
    fitted = fit_intervals(dataset([[v] for v in train]), number)
    for values in (train, test):
        own = fitted.encode(dataset([[v] for v in values]))[0].tolist()
        assert own == [number if k is None else k for k in column_codes(train.tolist(), values.tolist(), number)]


def test_integers_from_1_to_10_have_an_interval_each() -> None:
    data = dataset([[float(v)] for v in range(1, 11)])
    assert fit_intervals(data, 10).encode(data).tolist() == [list(range(10))]
    assert [interval(float(v), 1.0, 10.0, 10) for v in range(1, 11)] == list(range(10))


def test_missing_values_get_the_number_after_the_last_or_none() -> None:
    data = dataset([[0.0, 1.0], [np.nan, np.nan], [10.0, 0.0]], Feature("a"), Feature("b", ("x", "y", "z")))
    assert fit_intervals(data, 4, "own").encode(data).tolist() == [[0, 4, 3], [1, 3, 0]]
    assert fit_intervals(data, 4, "skip").encode(data).tolist() == [[0, -1, 3], [1, -1, 0]]


def test_constant_and_unknown_features_have_one_interval() -> None:
    data = dataset([[5.0, np.nan], [5.0, np.nan]])
    fitted = fit_intervals(data, 10)
    assert fitted.n_intervals.tolist() == [1, 1]
    assert fitted.encode(data).tolist() == [[0, 0], [1, 1]]
    assert fitted.encode(dataset([[7.0, 3.0]])).tolist() == [[0], [0]]


def test_infinite_values_do_not_stretch_the_range() -> None:
    data = dataset([[0.0], [10.0], [np.inf], [-np.inf]])
    assert fit_intervals(data, 5).encode(data).tolist() == [[0, 4, 4, 0]]


def test_numbers_by_name_follow_the_feature() -> None:
    data = dataset([[0.0, 0.0], [1.0, 1.0]], Feature("a"), Feature("b"))
    fitted = fit_intervals(data.select([1, 0]), parse_spec({"a": 3, "*": 5}, "x"))
    assert fitted.n_intervals.tolist() == [5, 3]
    assert fit_intervals(data, parse_spec("a:3", "x")).n_intervals.tolist() == [3, 10]


def test_names_of_intervals() -> None:
    data = dataset([[0.0, 1.0], [1.0, 0.0]], Feature("a"), Feature("b", ("x", "y")))
    fitted = fit_intervals(data, 2)
    assert [fitted.name(0, k) for k in range(3)] == [("0", "0.5"), ("0.5", "1"), ("missing", "")]
    assert [fitted.name(1, k) for k in range(3)] == [("x", ""), ("y", ""), ("missing", "")]


@pytest.mark.parametrize(
    ("spec", "parsed"),
    [
        (7, 7),
        ("7", 7),
        ("auto", "auto"),
        ({"b": 2, "a": "3"}, (("a", 3), ("b", 2))),
        ([["b", 2], ["a", 3]], (("a", 3), ("b", 2))),
        ("a: 3, b:2", (("a", 3), ("b", 2))),
        ("bw/me:x:3", (("bw/me:x", 3),)),
    ],
)
def test_specs(spec: object, parsed: object) -> None:
    assert parse_spec(spec, "x") == parsed
    assert parse_spec(parse_spec(spec, "x"), "x") == parsed


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (0, "x: intervals must be a whole number from 1 to 10000, found 0"),
        (2.5, "x: intervals must be a whole number from 1 to 10000, found 2.5"),
        (True, "x: intervals must be a whole number from 1 to 10000, found True"),
        (10001, "x: intervals must be a whole number from 1 to 10000, found 10001"),
        (float("nan"), "x: intervals must be a whole number from 1 to 10000, found nan"),
        (None, "x: intervals must be a whole number from 1 to 10000, found None"),
        ("many", "x: intervals must be a whole number from 1 to 10000 or auto, found 'many'"),
        ({"a": 0}, "x: intervals of 'a' must be a whole number from 1 to 10000, found 0"),
        ("a:3,a:4", "x: intervals names the feature 'a' twice"),
        ({}, "x: intervals must be a number, auto, or numbers by feature, found none"),
        ([3, 4], "x: intervals by feature must be name: number, found 3"),
    ],
)
def test_wrong_specs(spec: object, message: str) -> None:
    with pytest.raises(MethodError) as error:
        parse_spec(spec, "x")
    assert str(error.value) == message


def test_names_are_checked_against_the_data() -> None:
    data = dataset([[0.0, 0.0], [1.0, 1.0]], Feature("width"), Feature("b", ("x", "y")))
    check_names((("*", 3), ("width", 4)), data, "x")
    with pytest.raises(DataError, match=r"^made: x: intervals names no feature 'widht'; did you mean 'width'\?$"):
        check_names((("widht", 4),), data, "x")
    with pytest.raises(DataError, match=r"^made: x: intervals: 'b' is nominal and has one interval a label$"):
        check_names((("b", 4),), data, "x")


def test_counts_leave_out_negative_codes() -> None:
    counts = count_intervals(np.array([0, 2, 2, -1]), np.array([1, 0, 1, 1]), 3, 2)
    assert counts.tolist() == [[0, 1], [0, 0], [1, 1]]


@pytest.mark.parametrize("phi", [0.55, 0.6, 0.7, 0.9])
def test_a_share_of_exactly_phi_is_enough(phi: float) -> None:
    counts = np.array([[round(20 * phi), 20 - round(20 * phi)], [round(20 * phi) - 1, 21 - round(20 * phi)]])
    assert semi_exclusive(counts, phi).tolist() == [True, False]


def test_auto_takes_fewest_where_nothing_is_to_be_told_apart() -> None:
    values = np.linspace(0.0, 1.0, 100)
    assert auto_number(values, np.zeros(100, dtype=np.int64), 2) == AUTO_NUMBERS[0]
    assert auto_number(np.ones(100), np.arange(100) % 2, 2) == AUTO_NUMBERS[0]
    assert auto_number(np.full(100, np.nan), np.arange(100) % 2, 2) == AUTO_NUMBERS[0]
    noise = np.random.default_rng(1).integers(0, 2, 2000)
    assert auto_number(np.linspace(0.0, 1.0, 2000), noise, 2) == AUTO_NUMBERS[0]


@pytest.mark.parametrize("number", [5, 8, 20])
def test_auto_finds_the_number_that_was_put_in(number: int) -> None:
    values = np.linspace(0.0, 1.0, 2000)
    y = np.minimum((values * number).astype(np.int64), number - 1) % 2
    assert auto_number(values, y, 2) == number


def test_auto_weighs_by_the_stated_likelihood() -> None:
    """Compare with the formula in exact integers."""
    from fractions import Fraction
    from math import factorial, prod

    rng = np.random.default_rng(3)
    values = np.round(rng.normal(size=40), 1)
    y = (values + rng.normal(scale=0.7, size=40) > 0).astype(np.int64) + (values > 1)
    likelihoods = []
    for number in AUTO_NUMBERS:
        codes = column_codes(values.tolist(), values.tolist(), number)
        fit = Fraction(1)
        for k in set(codes):
            inside = [int(c) for c, code in zip(y, codes, strict=True) if code == k]
            counts = [inside.count(c) for c in range(3)]
            fit *= Fraction(2 * prod(factorial(n) for n in counts), factorial(len(inside) + 2))
        likelihoods.append(fit)
    assert auto_number(values, y, 3) == AUTO_NUMBERS[likelihoods.index(max(likelihoods))]
    assert auto_number(values, y, 7) == AUTO_NUMBERS[likelihoods.index(max(likelihoods))]
