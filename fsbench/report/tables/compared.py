"""The comparison with the printed numbers as tables: counts, cells, numbers of the text."""

from __future__ import annotations

from collections.abc import Sequence

from fsbench.report.compare import BASELINES, SELECTED, Agreement, Compared
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent

__all__ = ["cells_table", "prose_table", "summary_table"]

_NUMBERS = (
    Column("ours", "ours", decimals=2),
    Column("printed", "printed", decimals=2),
    Column("difference", "difference", decimals=2),
    Column("tolerance", "tolerance", decimals=2),
    Column("agrees", "agrees", kind="text"),
)
_RULE = (
    "Agreement: the difference is at most 2 * sqrt(2) * s / sqrt(folds) plus half a printed unit, "
    "s the standard deviation over our folds."
)

_WIDE_RULE = (
    "Agreement: the difference is at most two printed standard deviations plus half a printed unit; strictly: at most "
    "2 * sqrt(2) * s / sqrt(folds) plus half a printed unit, s the standard deviation over our folds, sample form. A "
    "printed dash agrees with an empty selection only."
)


def summary_table(summary: Sequence[Agreement], nearest: Agreement | None, paper: str) -> Table:
    """Return how many cells agree, by table, estimate and column.

    Parameters
    ----------
    summary : sequence of Agreement
        One row each.
    nearest : Agreement, optional
        The estimate of the curve that stands nearest to the printed table, said under the table.
    paper : str
        Name of the paper in the title.
    """
    strict = any(a.strict is not None for a in summary)
    columns = (
        Column("table", "table", kind="name"),
        Column("column", "column", kind="name"),
        Column("setup", "setup", kind="text") if strict else Column("estimate", "prefix by", kind="text"),
        Column("cells", "printed", decimals=0),
        Column("computed", "ours", decimals=0),
        Column("agree", "agree", decimals=0),
        *((Column("share", "%"), Column("strict", "strictly", decimals=0)) if strict else ()),
        Column("mean_difference", "mean difference", decimals=2),
        Column("mean_distance", "mean distance", decimals=2),
    )
    notes = [_WIDE_RULE if strict else _RULE]
    if nearest is not None:
        estimate = "test (optimistic)" if nearest.estimate == "test" else nearest.estimate
        notes.append(f"Nearest to the printed {_words(nearest.table)}, by mean distance: {estimate}.")
    rows = [
        _summary_row(a, rule=a.column == BASELINES or (a.column == SELECTED and before.column != BASELINES))
        for before, a in zip([*summary[:1], *summary], summary, strict=False)
    ]
    return Table("summary", f"Agreement with the printed tables: {paper}", columns, tuple(rows), tuple(notes))


def cells_table(cells: Sequence[Compared], whole: bool) -> Table:
    """Return cells beside the printed ones.

    Parameters
    ----------
    cells : sequence of Compared
        All of them.
    whole : bool
        Whether to show all; else those of the experiment that do not agree, and how many it does not have.
    """
    shown = [c for c in cells if whole or (c.agrees is not True and not c.outside)]
    setups = any(c.setup for c in cells)
    columns = (
        *((Column("setup", "setup", kind="text"),) if setups else ()),
        Column("table", "table", kind="name"),
        DATASET,
        Column("column", "column", kind="name"),
        *_NUMBERS,
    )
    rows = [Row((*((Cell(c.setup),) if setups else ()), Cell(_words(c.table)), *_cells(c)), _notes(c)) for c in shown]
    title = "Every printed cell" if whole else "Cells that do not agree or are not there"
    notes = [] if rows else ["None."]
    outside = [c for c in cells if c.outside]
    if outside and not whole:
        notes.append(f"{len(outside)} printed cells are not of this experiment; --all lists them.")
    return Table("cells", title, columns, tuple(rows), tuple(notes))


def prose_table(cells: Sequence[Compared]) -> Table:
    """Return the numbers of the paper's text, all of them, with their remarks in a last column."""
    setups = any(c.setup for c in cells)
    columns = (
        *((Column("setup", "setup", kind="text"),) if setups else ()),
        DATASET,
        Column("column", "quantity", kind="name"),
        *_NUMBERS,
        Column("unit", "unit", kind="text"),
        Column("remark", "remark", kind="text"),
    )
    rows = [Row((*((Cell(c.setup),) if setups else ()), *_cells(c), Cell(c.unit), Cell(c.note))) for c in cells]
    notes = ["Without a tolerance nothing is judged: times of other machines, values read off a figure."]
    if any(c.bound for c in cells):
        notes.append("At most, at least: the paper gives a limit, and every number on the right side of it agrees.")
    return Table("prose", "Numbers of the paper's text", columns, tuple(rows), tuple(notes))


def _words(table: str) -> str:
    return table.replace("table", "Table ")


def _summary_row(a: Agreement, rule: bool) -> Row:
    estimate = "test (optimistic)" if a.estimate == "test" else a.estimate
    counts = [Cell(a.cells), Cell(a.computed), Cell(a.agree)]
    if a.strict is not None:
        counts += [Cell(100.0 * a.agree / a.computed if a.computed else None), Cell(a.strict)]
        estimate = a.setup
    counts += [Cell(a.mean_difference), Cell(a.mean_distance)]
    names = (Cell(_words(a.table)), Cell(a.column), Cell(estimate))
    return Row((*names, *counts), rule=rule or (a.strict is not None and not a.table and a.column == "all"))


def _cells(c: Compared) -> tuple[Cell, ...]:
    dash = c.printed is None and c.agrees is not None  # a dash of the paper; ours is one too if it agrees
    ours = Cell(c.ours) if c.ours is not None else absent("-" if dash else "absent")
    agrees = "" if c.agrees is None else "yes" if c.agrees else "no"
    # A limit has no tolerance; the word stands where one would look for it.
    allowed = absent(c.bound) if c.bound and c.tolerance is not None else Cell(c.tolerance)
    numbers = (absent("-") if dash else Cell(c.printed), Cell(c.difference), allowed)
    return (Cell(c.dataset), Cell(c.column), ours, *numbers, Cell(agrees))


def _notes(c: Compared) -> tuple[str, ...]:
    return (f"{c.dataset}: {c.note}",) if c.note else ()
