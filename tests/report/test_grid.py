"""Tables laid out for the page."""

from __future__ import annotations

from fsbench.report.html.grid import grid
from fsbench.report.html.traces import Traces
from fsbench.report.table import Cell, Column, Row, Table


def shown(*rows: Row) -> list[list[tuple[str, bool]]]:
    """Return the text of the name cells, and whether it is that of the row above."""
    columns = (Column("a", "a", kind="name"), Column("b", "b", kind="name"), Column("c", "c"))
    laid = grid(Table("t", "T", columns, rows), Traces(None))
    return [[(cell.text, "again" in cell.kind) for cell in row[:2]] for row in (*laid.body, *laid.sums)]


def test_names_left_out_are_those_of_the_row_above() -> None:
    rows = [
        Row((Cell("x"), Cell("p"), Cell(1))),
        Row((Cell(""), Cell("q"), Cell(2))),
        Row((Cell(""), Cell(""), Cell(3))),
    ]
    assert shown(*rows) == [
        [("x", False), ("p", False)],
        [("x", True), ("q", False)],
        [("x", True), ("q", True)],
    ]


def test_an_empty_cell_behind_a_name_stays_empty() -> None:
    rows = [Row((Cell("wdbc"), Cell("Wdbc"), Cell(1))), Row((Cell("corral"), Cell(""), Cell(2)))]
    assert shown(*rows)[1] == [("corral", False), ("", False)]


def test_sums_have_no_names_of_rows_above() -> None:
    rows = [Row((Cell("x"), Cell("p"), Cell(1))), Row((Cell("mean"), Cell(""), Cell(1)), rule=True)]
    assert shown(*rows)[1] == [("mean", False), ("", False)]
