"""Warnings of methods at work, counted."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from fsbench.data import DataWarning
from fsbench.errors import MethodError
from fsbench.experiment.heard import MOST, WIDTH, Heard, Warned
from fsbench.rankers import Ranker
from fsbench.values import Dataset, Feature
from tests.experiment.toys import Warner

DATA = Dataset("d", (Feature("a"),), np.ones((2, 1), order="F"), Feature("c", ("x", "y")), np.array([0, 1]))


@pytest.fixture(autouse=True)
def _filters_of_a_new_process() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.resetwarnings()
        yield


class Around(Ranker):
    """Hands the work to another."""

    def score(self, train):
        return Warner().score(train)


@pytest.mark.parametrize("ranker", [Warner(), Around()])
def test_each_occurrence_counts_for_the_method_that_warns(ranker: Ranker) -> None:
    def twice(data: Dataset) -> int:
        return len(ranker.rank(data).order) + len(ranker.rank(data).order)

    result, warned = Heard(twice)(DATA)
    assert result == 2
    right = [("Warner: RuntimeWarning: this is not good", 2), ("Warner: UserWarning: 2.0 is left", 2)]
    assert warned.kinds() == right


def test_without_a_method_the_place_is_named() -> None:
    _, warned = Heard(lambda text: warnings.warn(text, UserWarning, stacklevel=1))("long " * 100)
    ((text, _),) = warned.kinds()
    assert text.startswith("test_heard.py:")
    assert text.endswith(" long ...")
    assert len(text) < 250


def test_what_reading_warns_of_was_said_before() -> None:
    assert Heard(lambda text: warnings.warn(text, DataWarning, stacklevel=1))("rows are left out")[1] == Warned()


def test_filters_hold_and_are_restored() -> None:
    before = warnings.showwarning
    warnings.simplefilter("error")
    with pytest.raises(MethodError, match="failed with RuntimeWarning: this is"):
        Heard(Warner().rank)(DATA)
    warnings.simplefilter("ignore")
    assert Heard(Warner().rank)(DATA)[1] == Warned()
    assert warnings.showwarning is before


def test_kinds() -> None:
    warned, other = Warned(), Warned()
    for text in ("b", "a: 1e-9 left", "a: 0.5 left", "a: 1e-9 left", "a: 1e-9 left"):
        warned.add(text)
    other.add("b", 3)
    for one, two in ((warned, other), (other, warned)):
        both = Warned()
        both.merge(one)
        both.merge(two)
        assert both.kinds() == [("a: 0.5 left", 4), ("b", 4)]  # in whatever order processes are done


def test_kinds_are_kept_up_to_a_number_and_counted_beyond() -> None:
    warned = Warned()
    for i in range(MOST + 50):
        warned.add("".join("abcdefghij"[int(digit)] for digit in str(i)))
    warned.add("a")
    assert (len(warned.kinds()), warned.left_out) == (MOST, 50)
    assert warned.kinds()[0] == ("a", 2)
    total = Warned()
    total.merge(warned)
    total.merge(warned)
    assert (len(total.kinds()), total.left_out) == (MOST, 100)


@pytest.mark.parametrize(
    ("warning", "told"),
    [
        ("a\ud800b \x1b[31m\0 %s {x}", "UserWarning: a\\ud800b \\x1b[31m\\x00 %s {x}"),
        ("x" * 10_000, f"UserWarning: {'x' * (WIDTH - 4)} ..."),
    ],
)
def test_any_warning_is_one_line(warning: str, told: str) -> None:
    ((text, count),) = Heard(lambda given: warnings.warn(given, stacklevel=1))(warning)[1].kinds()  # type: ignore[misc,func-returns-value]
    assert text.partition(": ")[2] == told
    assert count == 1
