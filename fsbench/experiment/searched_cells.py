"""The cells of searches: inside the training part of a fold, or on all folds of a repeat at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from fsbench.experiment.cells import Cell
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.keys import key_of
from fsbench.values import Split

__all__ = ["ALL_FOLDS", "SearchCells", "search_cost"]

# In the place of a fold's number: all folds of the repeat.
ALL_FOLDS = -1


class SearchCells:
    """Lists the cells of an experiment's searches.

    Parameters
    ----------
    experiment : Experiment
    searches, classifiers : mapping of str to str
        From the labels of methods to the hashes of their identities.
    """

    def __init__(self, experiment: Experiment, searches: Mapping[str, str], classifiers: Mapping[str, str]) -> None:
        self._experiment = experiment
        self._rule = experiment.searching
        self._searches = searches
        self._classifiers = classifiers

    def nested(self, place: Mapping[str, str], seed: tuple[int, int, int], classifier: str) -> Iterator[Cell]:
        """Yield the searches inside one training part, each with the test of what it found on the test part.

        Parameters
        ----------
        place : mapping
            What the keys of the fold have in common.
        seed : tuple of int
            Of the inner folds.
        classifier : str
            Label.

        Yields
        ------
        Cell
            The test is an ordinary result: that of the best subset by inner cross-validation.
        """
        if "nested" not in self._rule.protocol:
            return
        inner = {"folds": self._rule.folds, "seed": seed}
        for search in self._experiment.searched(classifier):
            what = {**place, **self._methods(search, classifier), "inner": inner}
            names: dict[str, Any] = {"ranker": search, "classifier": classifier, "folds": self._rule.folds}
            yield Cell(key_of(kind="search", **what), "search", **names, estimate="nested", unit="searched")
            key = key_of(kind="result", **what)
            yield Cell(key, "result", **names, selection="best", estimate="inner_cv", unit="searched")

    def on_all_folds(self, digest: str, splits: Sequence[Split]) -> Iterator[tuple[Split, tuple[Cell, ...]]]:
        """Yield, for each repeat, the searches on all its folds together.

        Parameters
        ----------
        digest : str
            Content of the data set.
        splits : sequence of Split
            In the order of the repeats.

        Yields
        ------
        tuple of Split and tuple of Cell
            The split stands for all folds of the repeat: its number is `ALL_FOLDS`, its training part holds every
            row that is in one of them.
        """
        if "search-cv" not in self._rule.protocol or not self._searches:
            return
        for repeat, group in groupby(splits, key=lambda split: split.repeat):
            folds = list(group)
            # A classifier that draws gets a seed of its own in each repeat, as the folds do.
            place = {"data": digest, "splits": [split.digest for split in folds], "repeat": repeat}
            cells = tuple(
                Cell(
                    key_of(kind="search", **place, **self._methods(search, classifier)),
                    "search", search, classifier, estimate="search-cv", unit="searched",
                )
                for classifier in self._classifiers
                for search in self._experiment.searched(classifier)
            )  # fmt: skip
            rows = np.unique(np.concatenate([part for split in folds for part in (split.train, split.test)]))
            yield Split(rows, np.empty(0, dtype=np.int64), ALL_FOLDS, repeat), cells

    def _methods(self, search: str, classifier: str) -> dict[str, str]:
        return {"search": self._searches[search], "classifier": self._classifiers[classifier]}


def search_cost(n_features: int, rows: int) -> float:
    """Guess the work of one search in the units of a plan: every feature is tried at every step, on pairs of rows."""
    return n_features * n_features * (1500.0 + rows * rows / 120.0)
