"""The report of the exclusiveness paper: its tables, and the sweep over the number of intervals."""

from __future__ import annotations

from fsbench.report.results import Results
from fsbench.report.table import Table
from fsbench.report.tables.exclusiveness_printed import printed_tables
from fsbench.report.tables.exclusiveness_sweep import sweep_tables

__all__ = ["tables"]


def tables(results: Results) -> list[Table]:
    """Return Tables 1 to 3 beside the printed numbers, then the sweep.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
    """
    return [*printed_tables(results), *sweep_tables(results)]
