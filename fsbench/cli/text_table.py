"""Small tables of text, as tabulate's ``simple`` format, without waiting for that to be imported."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["text_table"]


def text_table(rows: Sequence[Sequence[str]], header: Sequence[str], align: Sequence[str]) -> str:
    """Return rows under a header and a rule, columns two blanks apart.

    Parameters
    ----------
    rows : sequence of sequence of str
    header : sequence of str
    align : sequence of {"left", "right"}

    Returns
    -------
    str
        Equal to what ``tabulate(rows, header, "simple", disable_numparse=True, colalign=align)`` returns.

    Examples
    --------
    >>> print(text_table([["1", "width"]], ["rank", "feature"], ["right", "left"]))
      rank  feature
    ------  ---------
         1  width
    """
    lines = [list(header), *map(list, rows)]
    if len(lines) < 2 or not all(_is_plain(cell) for line in lines for cell in line):
        from tabulate import tabulate  # knows how wide letters are that take two places, or none

        return tabulate(rows, header, "simple", disable_numparse=True, colalign=align if rows else None)
    widths = [max(len(column[0]) + 2, *map(len, column[1:])) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    sides = [str.rjust if side == "right" else str.ljust for side in align]
    return "\n".join(
        "  ".join(put(cell, width) for put, cell, width in zip(sides, line, widths, strict=True)).rstrip()
        for line in lines
    )


def _is_plain(cell: str) -> bool:
    return cell.isascii() and cell.isprintable() and cell == cell.strip()
