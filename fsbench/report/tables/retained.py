"""Shares of the features that the best prefixes keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsbench.report.results import Results
from fsbench.report.scores import Scores, Way
from fsbench.report.table import DATASET, Cell, Column, Row, Source, Table, absent
from fsbench.report.tables.common import row_notes, source_of

__all__ = ["mean_shares", "retained_table"]


def retained_table(results: Results, way: Way) -> Table:
    """Return the share of features kept, in percent, for each classifier and ranker, and the means over data sets."""
    pairs = [(c, r) for c in results.classifiers for r in results.selectors(way)]
    columns = [DATASET]
    for classifier, ranker in pairs:
        group, title = results.title(classifier), results.title(ranker)
        columns.append(Column(f"{group} {title}", title, group))
    rows = []
    for dataset in results.datasets:
        shown = {pair: results.scores(dataset, *pair, way) for pair in pairs}
        names = {f"{results.title(c)}/{results.title(r)}": s for (c, r), s in shown.items()}
        cells = [_cell(scores, source_of(dataset, *pair, way)) for pair, scores in shown.items()]
        rows.append(Row((Cell(dataset), *cells), row_notes(results, dataset, names)))
    means = mean_shares(results, way)
    if means:
        rows.append(Row((Cell("mean"), *map(Cell, means.values())), rule=True))
    return Table(
        f"retained-{way.slug}",
        f"Features kept (%) by {results.words(way)}; mean over the folds",
        tuple(columns),
        tuple(rows),
        tuple(_printed(results, list(means.values()))),
        detail=way in results.best[1:],
    )


def mean_shares(results: Results, way: Way) -> dict[tuple[str, str], float]:
    """Return the mean share kept, in percent, by classifier and ranker, over the data sets that are complete.

    Empty if no data set is complete.
    """
    pairs = [(c, r) for c in results.classifiers for r in results.selectors(way)]
    rows = [[results.scores(dataset, *pair, way) for pair in pairs] for dataset in results.datasets]
    whole = [[_share(scores) for scores in row] for row in rows if all(scores.ok for scores in row)]
    if not whole:
        return {}
    return {pair: sum(column) / len(whole) for pair, column in zip(pairs, zip(*whole, strict=True), strict=True)}


def _share(scores: Scores) -> float:
    return float((100.0 * scores.n_selected / scores.n_features).mean())


def _cell(scores: Scores, source: Source) -> Cell:
    return Cell(_share(scores), source=source) if scores.ok else absent(scores.word, source)


def _printed(results: Results, means: list[float]) -> list[str]:
    prose: Mapping[str, Any] = results.paper.prose() if results.paper else {}
    if "retained_share_min" not in prose or not means:
        return []
    ours = f"{min(means):.1f} to {max(means):.1f} %"
    low, high, count = (prose[f"retained_share_{key}"].text for key in ("min", "max", "n_results"))
    return [f"Means over the data sets: {ours}; the paper states that all {count} lie between {low} and {high} %."]
