"""Tables as CSV, for programs: full precision, deviations and marks in columns of their own."""

from __future__ import annotations

import csv
import io

from fsbench.report.table import Cell, Column, Row, Table

__all__ = ["render"]


def render(table: Table) -> str:
    """Return a table as CSV (RFC 4180 quoting, newline ends), the notes of a row in its last column.

    A standard deviation stands in a column ``<key> sd`` beside its mean, each mark in a column
    ``<key> <part>``. Values are rounded to six places, probabilities to six digits.

    Spreadsheet programs compute a text that begins with ``=``, ``+``, ``-`` or ``@``. Such a name gets an apostrophe
    before it, which they take as "this is text"; other names are left as they are, and so is all of ``fsbench export``.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    spread = [any(row.cells[i].sd is not None for row in table.rows) for i in range(len(table.columns))]
    header: list[str] = []
    for column, has_sd in zip(table.columns, spread, strict=True):
        header += _heads(column, has_sd)
    writer.writerow(map(_harmless, [*header, "note"]))
    writer.writerows(map(_harmless, _record(table, row, spread)) for row in table.rows)
    return out.getvalue()


def _heads(column: Column, has_sd: bool) -> list[str]:
    if column.kind == "marks":
        return [f"{column.key} {part}" for part in column.parts]
    return [column.key, f"{column.key} sd"] if has_sd else [column.key]


def _record(table: Table, row: Row, spread: list[bool]) -> list[str]:
    record: list[str] = []
    for cell, column, has_sd in zip(row.cells, table.columns, spread, strict=True):
        if column.kind == "marks":
            record += [*cell.marks, *[cell.text] * (len(column.parts) - len(cell.marks))]
        else:
            record.append(_value(cell, column))
            if has_sd:
                record.append("" if cell.sd is None else _number(cell.sd))
    return [*record, "; ".join(row.notes)]


def _value(cell: Cell, column: Column) -> str:
    if cell.value is None:
        return cell.text
    if column.p_value and isinstance(cell.value, float):
        return f"{cell.value:.6g}"
    return cell.value if isinstance(cell.value, str) else _number(cell.value)


def _number(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    # Adding zero turns minus zero into zero.
    return repr(round(value, 6) + 0.0)


def _harmless(text: str) -> str:
    r"""Return a text that no spreadsheet takes for a formula; numbers are none.

    Examples
    --------
    >>> _harmless("=cmd()"), _harmless("-0.4"), _harmless("-"), _harmless("iris")
    ("'=cmd()", '-0.4', '-', 'iris')
    """
    if len(text) < 2 or text[0] not in "=+-@\t\r":
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text
