"""What a click on a number shows: the folds behind it, with sizes, keys, and the run that computed each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsbench.report.results import Results
from fsbench.report.table import Source

if TYPE_CHECKING:
    from fsbench.experiment.facts import Fact

__all__ = ["Traces", "as_script"]


class Traces:
    """The sources that tables name, numbered as they are met, and the facts behind them.

    Parameters
    ----------
    results : Results
        Gives titles and the seeds of the folds.
    folders : iterable of Path
        The results folders; with none, nothing can be traced.
    """

    def __init__(self, results: Results, folders: Iterable[Path] = ()) -> None:
        self._results = results
        self._facts: dict[Source, list[list[Any]]] = {}
        self._numbers: dict[Source, int] = {}
        self.runs: list[dict[str, Any]] = []
        for folder in folders:
            self._read(folder)

    def number(self, source: Source) -> int | None:
        """Return the number of a source, None if nothing is stored of it."""
        if source not in self._facts:
            return None
        return self._numbers.setdefault(source, len(self._numbers))

    def as_plain(self) -> dict[str, Any]:
        """Return what the page's script reads: cells in the order of their numbers, columns of the folds, runs."""
        return {
            "cells": [{"title": self._title(s), "folds": self._facts[s]} for s in self._numbers],
            "columns": list(_COLUMNS),
            "runs": [f"{run['command']}, {run['started']}" for run in self.runs],
        }

    def _title(self, source: Source) -> str:
        from fsbench.report.scores import Way

        way = Way(source.selection, source.estimate, source.k)
        words = "the subset found" if source.selection == "search" else way.words
        title = self._results.title
        names = [source.dataset, title(source.classifier), *([title(source.ranker)] if source.ranker else [])]
        return ", ".join([*names, words])

    def _read(self, folder: Path) -> None:
        from fsbench.experiment.facts import result_facts, search_facts
        from fsbench.experiment.store import Store

        before, seed = len(self.runs), self._seed()
        labelled = self._results.labelled is not None
        self.runs += Store(folder).provenance()["runs"]
        for fact in (*result_facts(folder), *search_facts(folder)):
            rows = self._facts.setdefault(_labelled(fact.cell) if labelled else Source(*fact.cell), [])
            row = _row(fact, before, seed)
            # Two runs of one configuration share cells: the first that has it stands for both.
            if all(r[:2] != row[:2] for r in rows):
                rows.append(row)

    def _seed(self) -> int | None:
        folds: Mapping[str, Any] = self._results.experiment.get("folds") or {}
        if folds.get("scheme") == "file":
            return None
        return int(folds.get("seed", self._results.experiment.get("seed", 1)) or 0)


_COLUMNS = (
    "repeat", "fold", "seed", "right", "of", "accuracy (%)", "features", "seconds", "measures", "status", "run", "key",
)  # fmt: skip


def _row(fact: Fact, before: int, seed: int | None) -> list[Any]:
    """Return what a line of the page says of a fold, in the order of `_COLUMNS`."""
    accuracy = None
    if fact.n_correct is not None and fact.n_test:
        accuracy = round(100.0 * fact.n_correct / fact.n_test, 4)
    return [
        fact.repeat + 1,
        "all" if fact.fold is None else fact.fold + 1,
        None if seed is None else seed + fact.repeat,
        fact.n_correct,
        fact.n_test,
        accuracy,
        None if fact.n_selected is None else f"{fact.n_selected} of {fact.n_features}",
        None if fact.seconds is None else float(f"{fact.seconds:.3g}"),
        fact.measures,
        fact.status if fact.status == "ok" else f"{fact.status}: {fact.reason}".rstrip(": "),
        None if fact.run is None else before + fact.run,
        fact.key,
    ]


def _labelled(cell: tuple[str, str, str, str, str, int | None]) -> Source:
    """Return the source of a multi-label cell: what its selection asks for stands in place of an estimate."""
    dataset, classifier, ranker, selection, estimate, k = cell
    amount = float(k) if k is not None else float(estimate) if estimate else None
    return Source(dataset, classifier, ranker, selection, "" if amount is None else f"{amount:g}")


def as_script(value: Any) -> str:
    r"""Return JSON that may stand in a script element: no text in it can end the element or open a comment.

    Examples
    --------
    >>> print(as_script("</script><!--"))
    "\u003c/script\u003e\u003c!--"
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
