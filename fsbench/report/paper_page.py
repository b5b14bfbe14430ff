"""A run beside its paper: what is covered, what agrees, the largest differences, what the paper itself lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fsbench.published import PAPERS
from fsbench.published.remarks import KINDS, Remark, remarks
from fsbench.report.compare import Compared
from fsbench.report.renderers import markdown
from fsbench.report.reproduction import Reproduction, reproduce
from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table

__all__ = ["PaperPage", "largest_table", "paper_page"]

_LARGEST = 15


@dataclass(frozen=True)
class PaperPage:
    """A comparison with a paper.

    Parameters
    ----------
    title : str
        The paper.
    coverage : tuple of (str, str)
        Facts by name.
    tables : tuple of Table
        Agreement by table and column, the largest differences, the numbers of the text.
    cells : Table or None
        Every printed cell beside ours.
    remarks : tuple of Remark
    """

    title: str
    coverage: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    cells: Table | None
    remarks: tuple[Remark, ...]

    def grouped(self) -> list[tuple[str, list[Remark]]]:
        """Return the remarks under their headings."""
        groups = [(title, [r for r in self.remarks if r.kind == kind]) for kind, title in KINDS.items()]
        return [(title, members) for title, members in groups if members]

    def markdown(self) -> str:
        """Return the page as Markdown."""
        lines = [f"# Beside the paper: {markdown.escape(self.title)}", ""]
        lines += [f"- {markdown.escape(name)}: {markdown.escape(text)}" for name, text in self.coverage]
        for table in self.tables:
            lines += ["", markdown.render(table).replace("### ", "## ", 1).rstrip("\n")]
        for title, members in self.grouped():
            lines += ["", f"## {title}", ""]
            lines += [f"- {markdown.escape(r.place)}: {markdown.escape(r.text)}" for r in members]
        if self.cells:
            lines += ["", markdown.render(self.cells).replace("### ", "## ", 1).rstrip("\n")]
        return "\n".join(lines) + "\n"


def paper_page(results: Results) -> PaperPage | None:
    """Return the comparison of a run with the paper that its experiment names, None if it names none.

    Parameters
    ----------
    results : Results

    Returns
    -------
    PaperPage or None
    """
    paper = results.paper
    if paper is None:
        return None
    name = next(key for key, module in PAPERS.items() if module == paper.__name__)
    found = reproduce(results, [*dict.fromkeys(cell.table for cell in paper.cells()), "prose"])
    tables = [t for t in found.tables(whole=False) if t.key != "cells"]
    whole = next((t for t in found.tables(whole=True) if t.key == "cells"), None)
    largest = largest_table(found.cells)
    at = 1 if tables and tables[0].key == "summary" else 0
    if largest.rows:
        tables.insert(at, largest)
    missing = [Remark("unavailable", d, f"{reason}.") for d, reason in results.missing.items()]
    return PaperPage(found.paper, tuple(_coverage(found)), tuple(tables), whole, (*remarks(name), *missing))


def _coverage(found: Reproduction) -> list[tuple[str, str]]:
    facts = []
    groups = [
        (
            f"Cells of {_words(t)}" + (f", setup {s}" if s else ""),
            [c for c in found.cells if (c.table, c.setup) == (t, s)],
        )
        for t, s in _tables(found.cells)
    ]
    for name, cells in [*groups, ("Numbers of the text", found.prose)]:
        if cells:
            facts.append((name, _count(cells)))
    return facts


def _tables(cells: Sequence[Compared]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((c.table, c.setup) for c in cells))


def _count(cells: Sequence[Compared]) -> str:
    # Where the paper has a dash, ours may be one too: it has no value and is judged all the same.
    computed = [c for c in cells if c.ours is not None or c.agrees is not None]
    judged = [c for c in computed if c.agrees is not None]
    agree = sum(c.agrees is True for c in judged)
    text = f"{len(computed)} of {len(cells)} computed"
    return f"{text}, {agree} of {len(judged)} agree" if judged else f"{text}, none of them judged"


def largest_table(cells: Sequence[Compared]) -> Table:
    """Return the cells that differ most from the printed ones, as multiples of what chance and rounding explain.

    Parameters
    ----------
    cells : sequence of Compared
        Of all tables.

    Returns
    -------
    Table
        At most fifteen rows, the largest first, with the reason if one is known.
    """
    judged = [(abs(c.difference) / max(c.tolerance, 1e-12), c) for c in cells if c.difference and c.tolerance]
    top = sorted(judged, key=lambda pair: -pair[0])[:_LARGEST]
    columns = (
        Column("table", "table", kind="name"),
        DATASET,
        Column("column", "column", kind="name"),
        Column("ours", "ours", decimals=2),
        Column("printed", "printed", decimals=2),
        Column("difference", "difference", decimals=2),
        Column("tolerance", "tolerance", decimals=2),
        Column("ratio", "times the tolerance", decimals=2),
        Column("reason", "reason", kind="text"),
    )
    rows = [
        Row((Cell(_words(c.table)), Cell(c.dataset), Cell(c.column), Cell(c.ours), Cell(c.printed),
             Cell(c.difference), Cell(c.tolerance), Cell(ratio), Cell(_reason(c))))
        for ratio, c in top
    ]  # fmt: skip
    note = "Up to one tolerance chance and rounding explain a difference; where no reason is named, none is known."
    return Table("largest", "The largest differences", columns, tuple(rows), (note,))


def _reason(c: Compared) -> str:
    return c.note or ("within the tolerance" if c.agrees else "")


def _words(table: str) -> str:
    return table.replace("table", "Table ")
