"""What the renderers share: a cell as plain characters, and names without control characters."""

from __future__ import annotations

import unicodedata

from fsbench.report.table import Cell, Column
from fsbench.stats import Verdict

__all__ = ["MARKS", "clean", "number", "plain", "width", "with_spread"]

# As the NLC paper has them: an open circle where the first method is better, a bullet where it is worse.
MARKS: dict[Verdict, str] = {"better": "◦", "equal": "·", "worse": "•", "omitted": "?"}


def clean(text: str) -> str:
    r"""Return a text on one line and without control characters, which could drive a terminal.

    Examples
    --------
    >>> clean("a\tb\x1b[31m")
    'a b\\x1b[31m'
    """
    flat = " ".join(text.split())
    return "".join(c if unicodedata.category(c)[0] != "C" else c.encode("unicode_escape").decode() for c in flat)


def number(value: float, decimals: int) -> str:
    """Return a number of so many places, whole numbers without any.

    Examples
    --------
    >>> number(84.25, 1), number(3, 1), number(-0.04, 1)
    ('84.2', '3', '0.0')
    """
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{decimals}f}"
    # A tiny negative number must not print as minus zero.
    return text.removeprefix("-") if not text.strip("-0.") else text


def plain(cell: Cell, column: Column) -> str:
    """Return a cell as text: a name, a number of the column's places, marks, or the word for what is absent."""
    if column.kind == "marks" and cell.marks:
        return "".join(MARKS[m] for m in cell.marks)
    if cell.value is None:
        return clean(cell.text)
    if isinstance(cell.value, str):
        return clean(cell.value)
    if column.p_value and 0 <= cell.value < 10.0**-column.decimals:
        return f"<{10.0**-column.decimals:.{column.decimals}f}"
    return number(cell.value, column.decimals)


def with_spread(cell: Cell, column: Column) -> str:
    """Return a cell as text, with its standard deviation in brackets if the column asks for it.

    Examples
    --------
    >>> with_spread(Cell(0.254, 0.031), Column("f", "F", decimals=2, spread=True))
    '0.25 (0.03)'
    """
    text = plain(cell, column)
    return f"{text} ({number(cell.sd, column.decimals)})" if column.spread and cell.sd is not None else text


def width(text: str) -> int:
    """Return how many places of a terminal a text takes: wide characters two, combining ones none.

    Examples
    --------
    >>> width("größe"), width("数据")
    (5, 4)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
