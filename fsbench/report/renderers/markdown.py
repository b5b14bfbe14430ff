"""Tables as GitHub Markdown."""

from __future__ import annotations

import re

from fsbench.report.renderers.plain import clean, number, with_spread
from fsbench.report.table import Cell, Column, Table

__all__ = ["escape", "render"]

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escape(text: str) -> str:
    r"""Return a text that Markdown shows as it is.

    Examples
    --------
    >>> print(escape("A_1%&<b>|"))
    A\_1%&amp;&lt;b&gt;\|
    >>> print(escape("German & Evett"))
    German & Evett
    """
    marked = "".join("\\" + c if c in "\\`*_[]|~$" else c for c in clean(text))
    # At the beginning of a line these would make a heading, a list or a rule.
    starts = re.match(r"#{1,6}(?= |$)|[+-](?= |$)|={1,}$|-{2,}$|\d+(?=[.)]( |$))", marked)
    if starts:
        at = starts.end() if marked[0].isdigit() else 0
        marked = f"{marked[:at]}\\{marked[at:]}"
    # Before a blank & begins no entity, and stays readable.
    return re.sub(r"[<>]|&(?! )", lambda found: _ENTITIES[found[0]], marked)


def render(table: Table) -> str:
    """Return a table as Markdown, ending in a newline; group headings stand before the column titles."""
    lines = [f"### {escape(table.title)}", ""]
    lines.append(_line([_head(column) for column in table.columns]))
    lines.append(_line(["---:" if column.kind == "number" else ":---" for column in table.columns]))
    has_best = any(cell.best for row in table.rows for cell in row.cells)
    for row in table.rows:
        texts = [_text(cell, column) for cell, column in zip(row.cells, table.columns, strict=True)]
        # Sums have no rule over them here and stand in bold, unless that would hide which is best.
        loud = [cell.best if has_best and i else row.rule or cell.best for i, cell in enumerate(row.cells)]
        bold = [is_loud and bool(t) for is_loud, t in zip(loud, texts, strict=True)]
        lines.append(_line([f"**{t}**" if is_bold else t for t, is_bold in zip(texts, bold, strict=True)]))
    notes = [f"- {escape(note)}" for note in table.all_notes()]
    return "\n".join([*lines, "", *notes]).rstrip("\n") + "\n"


def _head(column: Column) -> str:
    return escape(f"{column.group} {column.title}")


def _text(cell: Cell, column: Column) -> str:
    has_own = column.spread or cell.sd is None or cell.value is None
    return escape(with_spread(cell, column)) + ("" if has_own else f" ± {number(cell.sd or 0.0, column.decimals)}")


def _line(texts: list[str]) -> str:
    return "| " + " | ".join(texts) + " |"
