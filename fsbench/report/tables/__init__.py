"""The tables of a report, each made from `Results` by a function of its own file."""

from __future__ import annotations

import importlib

from fsbench.report.results import Results
from fsbench.report.scores import Way
from fsbench.report.table import Table
from fsbench.report.unique import unique

__all__ = ["build"]

# Papers with tables of their own: modules with `tables`, in place of those of accuracies.
_PAPERS = {
    "fsbench.published.exclusiveness": "fsbench.report.tables.exclusiveness",
    "fsbench.published.rsa": "fsbench.report.tables.rsa",
}


def build(results: Results) -> list[Table]:
    """Return the tables of an experiment in the order of a report; those without content are left out.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    list of Table
        Always the data sets; accuracies for each way of choosing features, with counts, shares and times where
        there are rankers; tree sizes where trees were grown; what is said over the data sets and of the rankings;
        at last the cells that are not there. Multi-label experiments have tables of their own; see
        `fsbench.report.tables.multilabel`.
    """
    from fsbench.report.tables.accuracy import accuracy_table
    from fsbench.report.tables.counts import counts_table
    from fsbench.report.tables.datasets import datasets_table
    from fsbench.report.tables.estimates import estimates_table
    from fsbench.report.tables.gaps import gaps_table
    from fsbench.report.tables.multilabel import tables as label_tables
    from fsbench.report.tables.retained import retained_table
    from fsbench.report.tables.searches import search_tables
    from fsbench.report.tables.statistics import statistics_tables
    from fsbench.report.tables.times import times_table
    from fsbench.report.tables.trees import tree_tables

    if results.labelled is not None:
        *found, gaps = label_tables(results)
        times = times_table(results) if results.rankers else None
        return unique([table for table in (*found, times, gaps) if table is not None])
    own = _PAPERS.get(getattr(results.paper, "__name__", ""))
    tables: list[Table | None] = [datasets_table(results)]
    if own:
        tables += importlib.import_module(own).tables(results)
    elif results.classifiers:
        # The tables of a paper first, then the other estimates of the curve.
        ways = [*results.best[:1], *results.first, *results.best[1:], *results.relevant]
        ways = ways or ([Way("all")] if results.has_all else [])
        tables += [accuracy_table(results, way) for way in ways]
        if results.rivals or results.has_all:
            tables.append(counts_table(results) if results.selected else None)
        tables.append(estimates_table(results))
        tables += tree_tables(results)
        tables += [retained_table(results, way) for way in results.best]
    if not own:
        tables += search_tables(results)
    tables += statistics_tables(results)
    if results.ranked and not own:
        tables.append(times_table(results))
    tables.append(gaps_table(results) if results.classifiers else None)
    return unique([table for table in tables if table is not None])
