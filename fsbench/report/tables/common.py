"""What the tables share: a cell from scores, the notes of a row, the words for a test."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fsbench.report.renderers.plain import number
from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way
from fsbench.report.table import Cell, Source, absent
from fsbench.stats import TESTS, RankTest, SignedTest, TestName

__all__ = [
    "BOLD",
    "OUTCOMES",
    "bold_best",
    "confidence",
    "data_notes",
    "merged",
    "percent",
    "points",
    "row_notes",
    "score_cell",
    "slug",
    "source_of",
    "test_words",
    "untested",
    "ways_of_report",
]

# Wins, draws, losses.
OUTCOMES = "w/d/l"

BOLD = "In bold: the best of each classifier in a row, and what equals it as printed."


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
    return f"two-sided {TESTS[name]} at {percent(results.level)}, over the folds{holm}"


def untested(tests: Sequence[RankTest | SignedTest]) -> str:
    """Return why none of some tests could be made; "" if one could, or if there are none.

    Examples
    --------
    >>> untested([SignedTest("sign test", 4, 3, 1, None, "4 data sets: too few")] * 3)
    '4 data sets: too few'
    """
    if any(test.p_value is not None for test in tests):
        return ""
    return "; ".join(dict.fromkeys(test.reason for test in tests if test.reason))


def merged(notes: Sequence[tuple[str, str]], everywhere: int = 0) -> list[str]:
    """Say what holds in several places once: ``C4.5, NB: not tested``.

    Parameters
    ----------
    notes : sequence of (str, str)
        Places and words.
    everywhere : int, default 0
        How many places there are; what holds in all of several needs no list.

    Examples
    --------
    >>> merged([("C4.5", "no"), ("C4.5", "two sets"), ("NB", "no")])
    ['C4.5, NB: no', 'C4.5: two sets']
    >>> merged([("C4.5", "no"), ("NB", "no")], 2)
    ['Everywhere: no']
    """
    places: dict[str, list[str]] = {}
    for place, words in notes:
        places.setdefault(words, []).append(place)
    return [
        f"{'Everywhere' if len(where) == everywhere > 1 else ', '.join(where)}: {words}"
        for words, where in places.items()
    ]


def data_notes(results: Results) -> list[str]:
    """Return what must be said of data sets wherever their results stand, and which are missing."""
    notes = [f"{dataset}: {text}" for dataset, text in results.notes.items()]
    return notes + [f"{dataset}: missing: {reason}" for dataset, reason in results.missing.items()]


def confidence(level: float) -> str:
    """Return what the intervals of a level of significance are called: ``95 % confidence interval``."""
    return f"{percent(1 - level)} confidence interval"


def points(rope: float) -> str:
    """Return a region of practical equivalence in words: ``1 point``."""
    return f"{rope:g} point{'s' * (rope != 1)}"


def percent(level: float) -> str:
    """Return a level of significance in words: ``5 %``."""
    return f"{100 * level:g} %"


def ways_of_report(results: Results) -> list[Way]:
    """Return the ways that leave features out in the order of a report: the tables of a paper first."""
    return [*results.best[:1], *results.first, *results.best[1:], *results.relevant]


def slug(label: str) -> str:
    """Return a label as a part of a file name.

    Examples
    --------
    >>> slug("1nn(ranges=weka)"), slug("A_1%&<b>"), slug("../x")
    ('1nn-ranges-weka', 'A_1-b', 'x')
    """
    return re.sub(r"[^A-Za-z0-9_]+", "-", label).strip("-") or "x"
