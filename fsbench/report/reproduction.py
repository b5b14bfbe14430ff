"""Everything that `fsbench compare` shows of one run: cells, counts under each estimate, numbers of the text."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from typing import Any

from fsbench.report.compare import Agreement, Compared, compare_cells, count_columns, summarise, ways_of
from fsbench.report.results import Results
from fsbench.report.scores import Way
from fsbench.report.table import Table
from fsbench.report.tables.compared import cells_table, prose_table, summary_table
from fsbench.report.tables.estimates import nearest_estimate

__all__ = ["Reproduction", "reproduce"]

# Papers whose text has numbers to set beside ours.
_PROSE = {
    "fsbench.published.nlc": "fsbench.report.nlc_prose",
    "fsbench.published.exclusiveness": "fsbench.report.exclusiveness_compare",
    "fsbench.published.rsa": "fsbench.report.rsa_compare",
    "fsbench.published.multilabel": "fsbench.report.multilabel_compare",
}

# Papers whose columns are not one classifier with the features of one ranker: a module with `compare_table`, and
# `summarise_cells` if its cells are counted in a way of their own.
_TABLES = {
    "fsbench.published.exclusiveness": "fsbench.report.exclusiveness_compare",
    "fsbench.published.multilabel": "fsbench.report.multilabel_compare",
    "fsbench.published.rsa": "fsbench.report.rsa_compare",
}


@dataclass(frozen=True)
class Reproduction:
    """A run beside the paper.

    Parameters
    ----------
    cells : list of Compared
        Every printed cell, ours by the first estimate of the configuration where prefixes were chosen.
    summary : list of Agreement
        By table, estimate and column.
    prose : list of Compared
        The numbers of the paper's text.
    paper : str
        The paper's name.
    notes : tuple of str
        Under the summary.
    extra : tuple of Table
        What a paper asks for beside its cells.
    """

    cells: list[Compared]
    summary: list[Agreement]
    prose: list[Compared]
    paper: str
    notes: tuple[str, ...] = ()
    extra: tuple[Table, ...] = ()

    def tables(self, whole: bool) -> list[Table]:
        """Return the tables to show; without `whole` only the cells that do not agree."""
        nearest = nearest_estimate([a for a in self.summary if a.estimate])
        shown = [cells_table(self.cells, whole)] if self.cells else []
        if self.summary:
            summary = summary_table(self.summary, nearest, self.paper)
            shown = [replace(summary, notes=(*summary.notes, *self.notes)), *shown]
        shown = [*shown, *self.extra]
        return [*shown, prose_table(self.prose)] if self.prose else shown

    def as_json(self) -> dict[str, Any]:
        """Return plain values: ``cells``, ``summary``, ``prose``."""
        return {
            "cells": [_plain(c) for c in self.cells],
            "summary": [
                {
                    "table": a.table,
                    "estimate": a.estimate,
                    "column": a.column,
                    "cells": a.cells,
                    "computed": a.computed,
                    "agree": a.agree,
                    "mean_difference": _round(a.mean_difference),
                    "mean_distance": _round(a.mean_distance),
                    **({"setup": a.setup} if a.setup else {}),
                    **({"agree_strictly": a.strict} if a.strict is not None else {}),
                }
                for a in self.summary
            ],
            "prose": [_plain(c) for c in self.prose],
            **({"extra": [_records(table) for table in self.extra]} if self.extra else {}),
        }


def reproduce(results: Results, tables: list[str]) -> Reproduction:
    """Compare a run with its paper.

    Parameters
    ----------
    results : Results
        A run whose experiment names a paper.
    tables : list of str
        Keys of the paper's tables, and ``"prose"`` for the numbers of its text.

    Returns
    -------
    Reproduction
        Made once for the same tables: page and figures of a report show the same.
    """
    return results.remember(("reproduction", *tables), lambda: _reproduce(results, tables))


def _reproduce(results: Results, tables: list[str]) -> Reproduction:
    cells: list[Compared] = []
    summary: list[Agreement] = []
    notes: list[str] = []
    extra: list[Table] = []
    own = _TABLES.get(getattr(results.paper, "__name__", ""))
    if own:
        module = importlib.import_module(own)
        cells = [c for table in tables if table != "prose" for c in module.compare_table(results, table)]
        counted = getattr(module, "summarise_cells", None)
        summary = counted(results, cells) if counted else count_columns(cells)
        notes = module.summary_notes(summary) if counted else []
        extra = module.extra_tables(results) if counted and "table4" in tables else []
    for table in (t for t in tables if t != "prose" and not own):
        # Without any way of choosing features that the table stands for, its columns of all features remain.
        ways: list[Way | None] = [*ways_of(results, table)] or [None]
        found = [compare_cells(results, table, way) for way in ways]
        cells += found[0]
        for i, (way, group) in enumerate(zip(ways, found, strict=True)):
            # The columns of all features are the same whatever the estimate: they are counted once.
            counted = [c for c in group if i == 0 or not c.column.endswith("/all")]
            summary += summarise(counted, way.estimate if way else "")
    prose: list[Compared] = []
    text = _PROSE.get(getattr(results.paper, "__name__", ""))
    if "prose" in tables and text:
        prose = importlib.import_module(text).compare_prose(results)
    return Reproduction(cells, summary, prose, str(getattr(results.paper, "TITLE", "")), tuple(notes), tuple(extra))


def _records(table: Table) -> dict[str, Any]:
    """Return a table as plain values; the word for what is absent stands in its place."""
    names = [column.key for column in table.columns]
    rows = [
        {
            name: cell.text
            if cell.value is None
            else _round(cell.value)
            if isinstance(cell.value, float)
            else cell.value
            for name, cell in zip(names, row.cells, strict=True)
        }
        for row in table.rows
    ]
    return {"table": table.key, "title": table.title, "rows": rows, "notes": table.all_notes()}


def _plain(c: Compared) -> dict[str, Any]:
    return {
        "table": c.table,
        "dataset": c.dataset,
        "column": c.column,
        "ours": _round(c.ours),
        "printed": c.printed,
        "difference": _round(c.difference),
        "tolerance": _round(c.tolerance),
        "agrees": c.agrees,
        "note": c.note,
        "unit": c.unit,
        **({"setup": c.setup} if c.setup else {}),
        **({"bound": c.bound} if c.bound else {}),
        **({"agrees_strictly": c.strict} if c.strict is not None else {}),
    }


def _round(value: float | None) -> float | None:
    # Adding zero turns minus zero into zero.
    return None if value is None else round(value, 6) + 0.0
