"""What the choice of an estimate of the curve does: accuracies, sizes, and nearness to the printed table."""

from __future__ import annotations

from fsbench.report.compare import SELECTED, Agreement, compare_cells, summarise, ways_of
from fsbench.report.printed import printed_table
from fsbench.report.results import Results
from fsbench.report.scores import ESTIMATES, Way
from fsbench.report.table import Cell, Column, Row, Table
from fsbench.report.tables.common import data_notes
from fsbench.report.tables.retained import mean_shares

__all__ = ["estimates_table", "nearest_estimate"]


def estimates_table(results: Results) -> Table | None:
    """Return one row for each estimate of the learning curve; None if there are fewer than two."""
    if len(results.best) < 2:
        return None
    table = printed_table(results, results.best[0])
    printed, group = bool(table), f"against printed Table {table.removeprefix('table')}"
    columns = [
        Column("estimate", "estimate", kind="name"),
        Column("basis", "prefix chosen by", kind="text"),
        Column("accuracy", "mean accuracy (%)", decimals=2),
        Column("kept", "features kept (%)"),
    ]
    if printed:
        columns += [
            Column("cells", "cells", group, decimals=0),
            Column("agree", "agree", group, decimals=0),
            Column("difference", "mean difference", group, decimals=2),
            Column("distance", "mean distance", group, decimals=2),
        ]
    rows = [_row(results, way, printed) for way in results.best]
    return Table(
        "estimates",
        "How the best prefix is chosen, and what comes of it; all rankers and classifiers together",
        tuple(columns),
        tuple(rows),
        tuple(_notes(results, printed)),
    )


def nearest_estimate(agreements: list[Agreement]) -> Agreement | None:
    """Return the selected columns that stand nearest to the printed ones, by mean distance; None without any."""
    known = [a for a in agreements if a.column == SELECTED and a.mean_distance is not None]
    return min(known, key=lambda a: a.mean_distance or 0.0, default=None)


def _agreement(results: Results, way: Way) -> Agreement:
    table = printed_table(results, way)
    summary = summarise(compare_cells(results, table, way), way.estimate)
    return next(a for a in summary if a.column == SELECTED)


def _row(results: Results, way: Way, printed: bool) -> Row:
    basis = ESTIMATES.get(way.estimate, way.estimate)
    # Searches have one estimate only and would favour it.
    shares = [share for (_, ranker), share in mean_shares(results, way).items() if ranker in results.ranked]
    cells = [Cell(way.estimate), Cell(basis), Cell(_mean_accuracy(results, way)), Cell(_mean(shares))]
    if printed:
        a = _agreement(results, way)
        cells += [Cell(a.computed), Cell(a.agree), Cell(a.mean_difference), Cell(a.mean_distance)]
    return Row(tuple(cells))


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _mean_accuracy(results: Results, way: Way) -> float | None:
    """Return the mean over the cells that every estimate has, so that the rows can be compared."""
    found = []
    for dataset in results.datasets:
        for classifier in results.classifiers:
            for ranker in results.rankers:
                means = {w: results.scores(dataset, classifier, ranker, w).mean for w in results.best}
                mean = means[way]
                if mean is not None and None not in means.values():
                    found.append(mean)
    return _mean(found)


def _notes(results: Results, printed: bool) -> list[str]:
    notes = []
    if printed:
        ways = ways_of(results, printed_table(results, results.best[0]))
        nearest = nearest_estimate([_agreement(results, way) for way in ways])
        if nearest is not None:
            notes.append(f"Nearest to the printed table: {nearest.estimate}. The paper does not say which it used.")
    return notes + data_notes(results)
