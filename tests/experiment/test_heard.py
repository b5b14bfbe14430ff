"""Warnings of methods at work, counted."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from fsbench.data import DataWarning
from fsbench.errors import MethodError
from fsbench.experiment.heard import Heard, kinds
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
    assert warned == {"Warner: RuntimeWarning: this is not good": 2, "Warner: UserWarning: 2.0 is left": 2}


def test_without_a_method_the_place_is_named() -> None:
    _, warned = Heard(lambda text: warnings.warn(text, UserWarning, stacklevel=1))("long " * 100)
    (text,) = warned
    assert text.startswith("test_heard.py:")
    assert text.endswith(" long ...")
    assert len(text) < 250


def test_what_reading_warns_of_was_said_before() -> None:
    assert Heard(lambda text: warnings.warn(text, DataWarning, stacklevel=1))("rows are left out")[1] == {}


def test_filters_hold_and_are_restored() -> None:
    before = warnings.showwarning
    warnings.simplefilter("error")
    with pytest.raises(MethodError, match="failed with RuntimeWarning: this is"):
        Heard(Warner().rank)(DATA)
    warnings.simplefilter("ignore")
    assert Heard(Warner().rank)(DATA)[1] == {}
    assert warnings.showwarning is before


def test_kinds() -> None:
    assert kinds({"a: 0.5 left": 1, "b": 2, "a: 1e-9 left": 3}) == [("a: 0.5 left", 4), ("b", 2)]
