"""Comparisons won, drawn and lost by the reference ranker, under each test, beside the printed counts."""

from __future__ import annotations

from fsbench.report.printed import printed_counts, printed_here, printed_table
from fsbench.report.results import Results
from fsbench.report.table import Cell, Column, Row, Table
from fsbench.report.tables.common import test_words
from fsbench.report.versus import sides, tally
from fsbench.stats import TESTS, Tally

__all__ = ["counts_table"]

_COLUMNS = (
    Column("features", "features", kind="name"),
    Column("against", "against", kind="text"),
    Column("test", "counted by", kind="text"),
    Column("better", "better", decimals=0),
    Column("equal", "equal", decimals=0),
    Column("worse", "worse", decimals=0),
    Column("omitted", "no test", decimals=0),
)


def counts_table(results: Results) -> Table:
    """Return one row for each way of choosing features, side and test; the printed counts have rows of their own."""
    rows = []
    for way in results.selected:
        for side, columns in sides(results, way):
            against = ", ".join(results.title(column) for column in columns)
            holm = ", Holm" if results.correction == "holm" else ""
            named = {f"{TESTS[test]}{holm}": tally(results, way, test, side) for test in TESTS}
            printed = printed_counts(results, way, side)
            if printed:
                number = printed_table(results, way).removeprefix("table")
                named[f"the paper (Table {number})"] = printed
                here = printed_here(results, way, side)
                if here is not None:
                    named[f"the paper (Table {number}), these cells"] = here
            rows += [_row(way.slug, against, test, counted) for test, counted in named.items()]
    name = results.title(results.reference)
    return Table(
        "counts",
        f"{name} significantly better, equal or worse, at {100 * results.level:g} %",
        _COLUMNS,
        tuple(rows),
        (f"The marks of the accuracy tables are those of the {test_words(results, results.test_name)}.",),
    )


def _row(way: str, against: str, test: str, counted: Tally) -> Row:
    counts = (counted.better, counted.equal, counted.worse, counted.omitted)
    return Row((Cell(way), Cell(against), Cell(test), *map(Cell, counts)))
