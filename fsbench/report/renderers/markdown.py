"""Tables as GitHub Markdown."""

from __future__ import annotations

from fsbench.report.renderers.plain import clean, with_spread
from fsbench.report.table import Column, Table

__all__ = ["escape", "render"]

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escape(text: str) -> str:
    r"""Return a text that Markdown shows as it is.

    Examples
    --------
    >>> print(escape("A_1%&<b>|"))
    A\_1%&amp;&lt;b&gt;\|
    """
    marked = "".join("\\" + c if c in "\\`*_[]|~$" else c for c in clean(text))
    return "".join(_ENTITIES.get(c, c) for c in marked)


def render(table: Table) -> str:
    """Return a table as Markdown, ending in a newline; group headings stand before the column titles."""
    lines = [f"### {escape(table.title)}", ""]
    lines.append(_line([_head(column) for column in table.columns]))
    lines.append(_line(["---:" if column.kind == "number" else ":---" for column in table.columns]))
    has_best = any(cell.best for row in table.rows for cell in row.cells)
    for row in table.rows:
        texts = [escape(with_spread(cell, column)) for cell, column in zip(row.cells, table.columns, strict=True)]
        # Sums have no rule over them here and stand in bold, unless that would hide which is best.
        loud = [cell.best if has_best and i else row.rule or cell.best for i, cell in enumerate(row.cells)]
        bold = [is_loud and bool(t) for is_loud, t in zip(loud, texts, strict=True)]
        lines.append(_line([f"**{t}**" if is_bold else t for t, is_bold in zip(texts, bold, strict=True)]))
    notes = [f"- {escape(note)}" for note in table.all_notes()]
    return "\n".join([*lines, "", *notes]).rstrip("\n") + "\n"


def _head(column: Column) -> str:
    return escape(f"{column.group} {column.title}")


def _line(texts: list[str]) -> str:
    return "| " + " | ".join(texts) + " |"
