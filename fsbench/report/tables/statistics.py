"""The tables that an experiment with rankings has beside those of its accuracies."""

from __future__ import annotations

from fsbench.report.results import Results
from fsbench.report.table import Table
from fsbench.report.tables.common import ways_of_report
from fsbench.report.tables.curves import area_table, prefix_table
from fsbench.report.tables.fold_tests import fold_tests_table
from fsbench.report.tables.pairs import pairs_table
from fsbench.report.tables.ranks import friedman_table, ranks_table
from fsbench.report.tables.stability import agreement_table, chosen_stability_table, stability_table

__all__ = ["statistics_tables"]


def statistics_tables(results: Results) -> list[Table | None]:
    """Return comparisons over and on the data sets, learning curves in numbers, stability and agreement of rankings.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    list of Table or None
        None for those without content.
    """
    ways = ways_of_report(results) if results.classifiers and results.rankers else []
    picked = [way for way in ways if way.selection in ("best", "reduced")]
    return [
        *(ranks_table(results, way) for way in ways),
        friedman_table(results) if ways else None,
        *(pairs_table(results, way) for way in ways),
        *(fold_tests_table(results, way) for way in ways),
        area_table(results),
        prefix_table(results),
        stability_table(results),
        *(chosen_stability_table(results, way) for way in picked),
        agreement_table(results),
    ]
