"""Learning curves as results: the area under each, and the shortest prefix that is not worse than the best."""

from __future__ import annotations

from fsbench.report.curves import CurveSummary, curve_estimate, curve_summaries
from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent
from fsbench.report.tables.common import BOLD, bold_best, data_notes, percent
from fsbench.stats import TESTS

__all__ = ["area_table", "prefix_table"]

_BASIS = {
    "test": "on the test folds",
    "inner_cv": "by cross-validation inside the training parts",
    "train": "on the training parts themselves",
}


def area_table(results: Results) -> Table | None:
    """Return the normalised area under the learning curve of each classifier and ranker; None without curves.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    Table or None
    """
    found = curve_summaries(results)
    if not found:
        return None
    rows = [
        Row((Cell(dataset), *(cell for c in results.classifiers for cell in _areas(results, dataset, c))))
        for dataset in results.datasets
    ]
    notes = (
        "Mean height of the curve from the first feature to all of them (trapezoidal rule), mean over the folds.",
        f"Accuracy is measured {_BASIS[curve_estimate(results)]}; no prefix is chosen here.",
        BOLD,
        *data_notes(results),
    )
    title = f"Area under the learning curve (%); {results.protocol}"
    return Table("curve-area", title, _columns(results, 1), (*rows, *_means(results)), notes, detail=True)


def prefix_table(results: Results) -> Table | None:
    """Return the shortest prefix that is not significantly worse than the best, for each classifier and ranker.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    Table or None
        None without learning curves.
    """
    found = curve_summaries(results)
    if not found:
        return None
    sizes = results.n_features
    columns = list(_columns(results, 0))
    columns.insert(1, Column("features", "features", decimals=0))
    rows = []
    for dataset in results.datasets:
        cells = [_prefix(found.get((dataset, r, c))) for c in results.classifiers for r in _rankers(results, c)]
        rows.append(Row((Cell(dataset), Cell(sizes.get(dataset)), *cells)))
    test = f"two-sided {TESTS[results.test_name]} at {percent(results.level)} over the folds, prefix by prefix"
    reasons = dict.fromkeys(s.prefix.reason for s in found.values() if s.prefix.reason)
    notes = [
        f"Shortest prefix whose accuracy is not significantly below that of the best prefix ({test}).",
        "Behind the stroke: the best prefix, the shortest of equals. Both look at the rows that they are measured on.",
        *(f"?: no test: {reason}." for reason in reasons),
        *data_notes(results),
    ]
    title = f"Features needed: shortest prefix as good as the best / best prefix; {results.protocol}"
    tested = f"Prefixes: {test}"
    return Table("curve-prefix", title, tuple(columns), tuple(rows), tuple(notes), tested=tested, detail=True)


def _rankers(results: Results, classifier: str) -> list[str]:
    """Return the rankers that have a curve with a classifier; searches have none."""
    return [r for r in results.pairs(classifier) if r in results.ranked]


def _columns(results: Results, decimals: int) -> tuple[Column, ...]:
    columns = [DATASET]
    for classifier in results.classifiers:
        group = results.title(classifier)
        for ranker in _rankers(results, classifier):
            columns.append(Column(f"{group} {results.title(ranker)}", results.title(ranker), group, decimals=decimals))
    return tuple(columns)


def _areas(results: Results, dataset: str, classifier: str) -> list[Cell]:
    found = curve_summaries(results)
    cells = []
    for ranker in _rankers(results, classifier):
        summary = found.get((dataset, ranker, classifier))
        if summary is None:
            cells.append(absent("missing" if dataset in results.missing else "absent"))
        else:
            sd = float(summary.areas.std(ddof=1)) if len(summary.areas) > 1 else None
            cells.append(Cell(float(summary.areas.mean()), sd))
    return bold_best(cells)


def _means(results: Results) -> list[Row]:
    """Return the means over the data sets that have every curve."""
    found = curve_summaries(results)
    pairs = [(r, c) for c in results.classifiers for r in _rankers(results, c)]
    whole = [d for d in results.datasets if all((d, *pair) in found for pair in pairs)]
    if len(whole) < 2:
        return []
    cells = {pair: Cell(sum(float(found[d, *pair].areas.mean()) for d in whole) / len(whole)) for pair in pairs}
    best = [cell for c in results.classifiers for cell in bold_best([cells[r, c] for r in _rankers(results, c)])]
    name = "mean" if len(whole) == len(results.datasets) else f"mean of {len(whole)}"
    return [Row((Cell(name), *best), rule=True)]


def _prefix(summary: CurveSummary | None) -> Cell:
    if summary is None:
        return absent("absent")
    shortest = "?" if summary.prefix.shortest is None else str(summary.prefix.shortest)
    return Cell(f"{shortest}/{summary.prefix.best}")
