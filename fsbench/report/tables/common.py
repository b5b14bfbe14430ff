"""What the tables share: a cell from scores, the notes of a row, the words for a test."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fsbench.report.renderers.plain import number
from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way
from fsbench.report.table import Cell, Source, absent
from fsbench.stats import TESTS, TestName

__all__ = ["BOLD", "bold_best", "row_notes", "score_cell", "slug", "source_of", "test_words"]

BOLD = "In bold (not in plain text): the best of each classifier in a row, and what equals it as printed."


def score_cell(scores: Scores, source: Source | None = None) -> Cell:
    """Return the mean accuracy with its deviation, or the word for why it is absent."""
    return Cell(scores.mean, scores.sd, source=source) if scores.ok else absent(scores.word, source)


def source_of(dataset: str, classifier: str, ranker: str, way: Way) -> Source:
    """Return the cell of the experiment that a number stands for; all features have no ranker."""
    return Source(dataset, classifier, ALL if way.selection == "all" else ranker, way.selection, way.estimate, way.k)


def bold_best(cells: Sequence[Cell], decimals: int = 1, higher_is_better: bool = True) -> list[Cell]:
    """Mark the best of some cells, and those that print the same digits; none if fewer than two differ in print.

    Examples
    --------
    >>> [cell.best for cell in bold_best([Cell(84.24), Cell(84.16), Cell(80.0), Cell(text="failed")])]
    [True, True, False, False]
    """
    shown = [
        None if cell.value is None or isinstance(cell.value, str) else float(number(cell.value, decimals))
        for cell in cells
    ]
    known = [value for value in shown if value is not None]
    if len(set(known)) < 2:
        return list(cells)
    best = max(known) if higher_is_better else min(known)
    return [replace(cell, best=value == best) for cell, value in zip(cells, shown, strict=True)]


def row_notes(results: Results, dataset: str, shown: Mapping[str, Scores]) -> tuple[str, ...]:
    """Return what must be said of a row: how its data came about, and why a cell is absent.

    Parameters
    ----------
    results : Results
        What was computed.
    dataset : str
        The row.
    shown : mapping of str to Scores
        The row's cells by column name.

    Returns
    -------
    tuple of str
    """
    notes = [f"{dataset}: {results.notes[dataset]}"] if dataset in results.notes else []
    if dataset in results.missing:
        return (*notes, f"{dataset}: missing: {results.missing[dataset]}")
    columns: dict[str, list[str]] = {}
    for column, scores in shown.items():
        if not scores.ok:
            why = f"{scores.word}: {scores.reason}" if scores.reason else scores.word
            columns.setdefault(why, []).append(column)
    everywhere = [why for why, names in columns.items() if len(names) == len(shown) > 1]
    if everywhere:
        return (*notes, f"{dataset}: {everywhere[0]}")
    return (*notes, *(f"{dataset}, {', '.join(names)}: {why}" for why, names in columns.items()))


def test_words(results: Results, name: TestName) -> str:
    """Return the test in a caption: ``two-sided paired t at 5 %, over the folds``, and how it is adjusted."""
    holm = ", Holm over the comparisons of each data set and classifier" if results.correction == "holm" else ""
    return f"two-sided {TESTS[name]} at {100 * results.level:g} %, over the folds{holm}"


def slug(label: str) -> str:
    """Return a label as a part of a file name.

    Examples
    --------
    >>> slug("1nn(ranges=weka)"), slug("A_1%&<b>"), slug("../x")
    ('1nn-ranges-weka', 'A_1-b', 'x')
    """
    return re.sub(r"[^A-Za-z0-9_]+", "-", label).strip("-") or "x"
