"""The report of a multi-label experiment: the tables of the paper that it reproduces, and those of any experiment."""

from __future__ import annotations

from fsbench.report.results import Results
from fsbench.report.table import Table
from fsbench.report.tables.multilabel_general import gaps_table, general_tables, label_datasets_table
from fsbench.report.tables.multilabel_printed import printed_tables
from fsbench.report.tables.multilabel_statistics import multilabel_statistics

__all__ = ["tables"]


def tables(results: Results) -> list[Table | None]:
    """Return the data sets, the paper's Tables 2 to 4 setup by setup, then measures, counts, ranks, tests and gaps.

    Parameters
    ----------
    results : Results
        Of a multi-label experiment.

    Returns
    -------
    list of Table or None
    """
    own = printed_tables(results) if results.paper is not None else []
    tested = [*general_tables(results), *multilabel_statistics(results)]
    return [label_datasets_table(results), *own, *tested, gaps_table(results)]
