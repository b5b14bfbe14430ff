"""The cells that are not there, each with its reason."""

from __future__ import annotations

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Way
from fsbench.report.table import Cell, Column, Row, Table

__all__ = ["gaps_table"]

_COLUMNS = tuple(
    Column(key, title, kind="text" if key != "dataset" else "name")
    for key, title in (
        ("dataset", "data set"),
        ("classifier", "classifier"),
        ("ranker", "ranker"),
        ("features", "features"),
        ("status", "status"),
        ("reason", "reason"),
    )
)


def gaps_table(results: Results) -> Table | None:
    """Return every cell that failed, does not apply, was not computed or lacks its data; None if there is none."""
    rows = []
    for dataset in results.datasets:
        if dataset in results.missing:
            rows.append(Row(tuple(map(Cell, (dataset, "", "", "", "missing", results.missing[dataset])))))
            continue
        for classifier in results.classifiers:
            for way in results.ways:
                chosen = [r for r in results.pairs(classifier) if r in results.selectors(way)]
                for ranker in [ALL] if way.selection == "all" else chosen:
                    rows += _gap(results, dataset, classifier, ranker, way)
    return Table("gaps", "Results that are not there", _COLUMNS, tuple(rows)) if rows else None


def _gap(results: Results, dataset: str, classifier: str, ranker: str, way: Way) -> list[Row]:
    scores = results.scores(dataset, classifier, ranker, way)
    if scores.ok:
        return []
    texts = (dataset, results.title(classifier), results.title(ranker), way.slug, scores.word, scores.reason)
    return [Row(tuple(map(Cell, texts)))]
