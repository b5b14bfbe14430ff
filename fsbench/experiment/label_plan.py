"""The cells of one fold of multi-label data: rankings, and tests with the features that they keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fsbench.experiment.cells import Cell
from fsbench.experiment.experiment import Experiment, MethodRef, Selection
from fsbench.experiment.keys import key_of
from fsbench.registry import ALIASES

__all__ = ["UNIT", "LabelCells"]

UNIT = "labelled"


def _by_label(ref: MethodRef) -> bool:
    """Whether a ranker has scores of single labels: whether binary relevance stands before it."""
    name = str((ref.transform or {"method": "br"})["method"]).lower()
    return ALIASES["transform"].get(name, name) == "br"


@dataclass(frozen=True)
class LabelCells:
    """Makes the cells of one fold.

    Parameters
    ----------
    experiment : Experiment
    place : mapping of str to str
        Digests of data and split.
    rankers, classifiers : mapping of str to str
        Label to hashed identity.
    """

    experiment: Experiment
    place: Mapping[str, str]
    rankers: Mapping[str, str]
    classifiers: Mapping[str, str]

    def cells(self) -> Iterator[Cell]:
        """Yield every cell in the order of tables."""
        for ranker in self.rankers:
            yield self._ranking("ranking", ranker)
        if self.experiment.label_scores:
            for ref in self.experiment.rankers:
                if _by_label(ref):
                    yield self._ranking("label_scores", ref.label)
        for classifier in self.classifiers:
            for selection in self.experiment.selections:
                if not selection.needs_ranking:
                    yield self._result("", classifier, selection)
            for ranker in self.experiment.pairs(classifier):
                for selection in self.experiment.selections:
                    if selection.needs_ranking:
                        yield self._result(ranker, classifier, selection)

    def _ranking(self, kind: Any, ranker: str) -> Cell:
        key = key_of(kind=f"label-{kind}", **self.place, ranker=self.rankers[ranker])
        return Cell(key, kind, ranker, unit=UNIT)

    def _result(self, ranker: str, classifier: str, s: Selection) -> Cell:
        key = key_of(
            kind="label-result", **self.place, ranker=self.rankers[ranker] if ranker else None,
            classifier=self.classifiers[classifier], selection=s.selection, k=s.k, amount=s.amount,
            zero_division=self.experiment.zero_division,
        )  # fmt: skip
        # The amount of a threshold or share stands where other selections have their estimate.
        amount = "" if s.amount is None else repr(s.amount)
        return Cell(key, "result", ranker, classifier, s.selection, amount, s.k, unit=UNIT)
