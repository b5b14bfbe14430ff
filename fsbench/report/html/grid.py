"""A table as its HTML needs it: headings with what they span, body and sums, each cell with its sort key and origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fsbench.report.html.traces import Traces
from fsbench.report.renderers.plain import MARKS, clean, number, plain
from fsbench.report.table import Cell, Column, Row, Table

__all__ = ["Grid", "Head", "Shown", "Span", "grid"]

_LONG = 60

_VERDICTS = {"better": "better than", "equal": "no different from", "worse": "worse than", "omitted": "not tested with"}


@dataclass(frozen=True)
class Span:
    """A heading over neighbouring columns; "" where they have none."""

    title: str
    columns: int


@dataclass(frozen=True)
class Head:
    """The heading of a column: its title, and whether it holds numbers."""

    title: str
    numeric: bool


@dataclass(frozen=True)
class Shown:
    """A cell: its text, the deviation behind it, the key it sorts by, and the number of its trace.

    Parameters
    ----------
    text, sd, words : str
        The text; the deviation with its sign or brackets, or ""; what marks say, for readers who hear them.
    spread : bool
        Whether its column has deviations, so that room is left for one.
    kind : str
        Classes for the style sheet.
    sort : str
        A number or a text in lower case.
    trace : int or None
        See `Traces`.
    marks : tuple of (str, str)
        Each mark with its verdict.
    """

    text: str
    kind: str
    sort: str
    sd: str = ""
    spread: bool = False
    words: str = ""
    trace: int | None = None
    best: bool = False
    marks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Grid:
    """A table laid out: `names` columns on the left head their rows; the sums stand below and are not sorted."""

    table: Table
    spans: tuple[Span, ...]
    heads: tuple[Head, ...]
    body: tuple[tuple[Shown, ...], ...]
    sums: tuple[tuple[Shown, ...], ...]
    names: int
    notes: tuple[str, ...]

    @property
    def sortable(self) -> bool:
        """Whether another order of the rows would show something."""
        return len(self.body) > 1

    @property
    def is_long(self) -> bool:
        """Whether it would push what follows out of sight, and is shown when it is asked for."""
        return len(self.body) > _LONG


def grid(table: Table, traces: Traces) -> Grid:
    """Lay a table out.

    Parameters
    ----------
    table : Table
        As any renderer takes it.
    traces : Traces
        Where the sources of its cells are numbered.

    Returns
    -------
    Grid
    """
    last = _first_sum(table.rows)
    groups = table.groups()
    spread = [any(row.cells[i].sd is not None for row in table.rows) for i in range(len(table.columns))]
    return Grid(
        table=table,
        spans=tuple(Span(clean(name), span) for name, span in groups) if any(name for name, _ in groups) else (),
        heads=tuple(Head(clean(c.title), c.kind == "number") for c in table.columns),
        body=_rows(table, table.rows[:last], spread, traces),
        sums=_rows(table, table.rows[last:], spread, traces),
        names=_names(table.columns),
        notes=tuple(map(clean, table.all_notes())),
    )


def _first_sum(rows: Sequence[Row]) -> int:
    """Return where the sums begin; sums between the rows, as those of parts of a table, are rows like the others."""
    ruled = [i for i, row in enumerate(rows) if row.rule]
    together = not ruled or ruled == list(range(ruled[0], ruled[0] + len(ruled)))
    return ruled[0] if ruled and together else len(rows)


def _names(columns: Sequence[Column]) -> int:
    return next((i for i, column in enumerate(columns) if column.kind != "name"), len(columns)) or 1


def _rows(table: Table, rows: Sequence[Row], spread: Sequence[bool], traces: Traces) -> tuple[tuple[Shown, ...], ...]:
    found: list[tuple[Shown, ...]] = []
    for row in rows:
        made = [_cell(cell, column, row.rule, traces) for cell, column in zip(row.cells, table.columns, strict=True)]
        made = [replace(cell, spread=has_sd) for cell, has_sd in zip(made, spread, strict=True)]
        # A name that is left out because it is that of the row before must not be lost when rows are sorted. Names
        # are left out from the left: an empty cell behind one that is there has no name.
        for i in range(_names(table.columns)):
            if made[i].text or not found:
                break
            made[i] = replace(found[-1][i], kind="t again")
        found.append(tuple(made))
    return tuple(found)


def _cell(cell: Cell, column: Column, is_rule: bool, traces: Traces) -> Shown:
    trace = traces.number(cell.source) if cell.source else None
    if cell.marks:
        return _marks(cell, column)
    text = plain(cell, column)
    kinds = [{"number": "n", "marks": "m"}.get(column.kind, "t")]
    if cell.value is None and cell.text:
        kinds.append("gone")
    if is_rule:
        kinds.append("rule")
    value = cell.value
    sort = repr(value) if isinstance(value, int | float) else text.lower()
    sd = number(cell.sd, column.decimals) if cell.sd is not None else ""
    sd = "" if not sd else f" ({sd})" if column.spread else f" ± {sd}"
    return Shown(text, " ".join(kinds), sort, sd=sd, trace=trace, best=cell.best)


def _marks(cell: Cell, column: Column) -> Shown:
    parts = column.parts or ("",) * len(cell.marks)
    words = "; ".join(f"{_VERDICTS[mark]} {clean(part)}" for mark, part in zip(cell.marks, parts, strict=False))
    symbols = tuple((MARKS[mark], mark) for mark in cell.marks)
    # Better before equal before worse.
    order = "".join("0123"[("better", "equal", "worse", "omitted").index(mark)] for mark in cell.marks)
    return Shown("".join(s for s, _ in symbols), "m", order, words=words, marks=symbols)
