"""Tables as aligned plain text; the best of those compared has a star behind it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from fsbench.report.renderers.fit import parts
from fsbench.report.renderers.plain import clean, width, with_spread
from fsbench.report.table import Cell, Column, Table

__all__ = ["BEST", "render"]

_GAP, _GROUP_GAP = "  ", "    "
_NOTE_WIDTH = 110

# What stands for bold, and begins the note that says what is bold in other forms.
BEST, _IN_BOLD = "*", "In bold: "


def render(table: Table, max_width: int | None = None) -> str:
    """Return a table as text, ending in a newline.

    Parameters
    ----------
    table : Table
        What to show.
    max_width : int, optional
        Widest line; a wider table is split between its column groups, each part with the row names again.
        Without it nothing is split.

    Returns
    -------
    str
    """
    lines = [clean(table.title), ""]
    for part in [table] if max_width is None else parts(table, max_width, _total):
        lines += [*_grid(part), ""]
    for note in table.all_notes():
        starred = f"{BEST}: {note.removeprefix(_IN_BOLD)}" if note.startswith(_IN_BOLD) else note
        lines += textwrap.wrap(
            clean(starred), min(_NOTE_WIDTH, max_width or _NOTE_WIDTH), subsequent_indent="  ", break_on_hyphens=False
        )
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def _total(table: Table) -> int:
    return max(width(line) for line in _grid(table))


def _grid(table: Table) -> list[str]:
    starred = [any(row.cells[i].best for row in table.rows) for i in range(len(table.columns))]
    body = [list(map(_text, row.cells, table.columns, starred)) for row in table.rows]
    heads = [clean(column.title) for column in table.columns]
    widths = [max(map(width, column)) for column in zip(heads, *body, strict=True)]
    _stretch(table, widths)
    rule = _join(table, ["-" * w for w in widths])
    lines = _group_heads(table, widths)
    lines += [_join(table, _aligned(table, heads, widths)), rule]
    for row, texts in zip(table.rows, body, strict=True):
        if row.rule:
            lines.append(rule)
        lines.append(_join(table, _aligned(table, texts, widths)))
    return lines


def _text(cell: Cell, column: Column, starred: bool) -> str:
    """Return a cell with its star, or the room of one where others of its column have one."""
    return with_spread(cell, column) + ((BEST if cell.best else " ") if starred else "")


def _stretch(table: Table, widths: list[int]) -> None:
    """Widen the last column of a group whose heading is wider than its columns."""
    start = 0
    for group, span in table.groups():
        room = sum(widths[start : start + span]) + len(_GAP) * (span - 1)
        widths[start + span - 1] += max(0, width(clean(group)) - room)
        start += span


def _aligned(table: Table, texts: Sequence[str], widths: Sequence[int]) -> list[str]:
    padded = []
    for text, column, room in zip(texts, table.columns, widths, strict=True):
        blanks = " " * (room - width(text))
        padded.append(blanks + text if column.kind == "number" else text + blanks)
    return padded


def _join(table: Table, texts: Sequence[str]) -> str:
    line = texts[0]
    for before, column, text in zip(table.columns, table.columns[1:], texts[1:], strict=False):
        line += (_GAP if before.group == column.group else _GROUP_GAP) + text
    return line


def _group_heads(table: Table, widths: Sequence[int]) -> list[str]:
    groups = table.groups()
    if not any(group for group, _ in groups):
        return []
    spans, start = [], 0
    for group, span in groups:
        room = sum(widths[start : start + span]) + len(_GAP) * (span - 1)
        name = clean(group)
        spans.append(name + " " * (room - width(name)))
        start += span
    return [_GROUP_GAP.join(spans)]
