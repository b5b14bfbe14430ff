"""Sizes of the trees before and after selection."""

from __future__ import annotations

import numpy as np

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way
from fsbench.report.table import DATASET, Cell, Column, Row, Source, Table, absent
from fsbench.report.tables.common import row_notes, slug, source_of
from fsbench.values import FloatArray

__all__ = ["tree_tables"]

_MEASURES = {"tree_size": "nodes", "tree_leaves": "leaves"}


def tree_tables(results: Results) -> list[Table]:
    """Return one table for each classifier that grows trees, on the first way of choosing features."""
    if not results.selected:
        return []
    return [_table(results, c, results.selected[0]) for c in results.classifiers if _grows(results, c)]


def _grows(results: Results, classifier: str) -> bool:
    ways = [(ALL, Way("all"))] if results.has_all else []
    ways += [(ranker, way) for way in results.selected for ranker in results.selectors(way)]
    return any(
        np.isfinite(results.scores(dataset, classifier, ranker, way).tree_size).any()
        for dataset in results.datasets
        for ranker, way in ways
    )


def _table(results: Results, classifier: str, way: Way) -> Table:
    rankers = [*([ALL] if results.has_all else []), *results.selectors(way)]
    columns = [DATASET]
    for measure in _MEASURES.values():
        columns += [Column(f"{measure} {results.title(r)}", results.title(r), measure) for r in rankers]
    rows = []
    for dataset in results.datasets:
        shown = {r: results.scores(dataset, classifier, r, Way("all") if r == ALL else way) for r in rankers}
        source = {r: source_of(dataset, classifier, r, Way("all") if r == ALL else way) for r in rankers}
        cells = [_cell(scores, getattr(scores, m), source[r]) for m in _MEASURES for r, scores in shown.items()]
        notes = row_notes(results, dataset, {results.title(r): s for r, s in shown.items()})
        rows.append(Row((Cell(dataset), *cells), notes))
    name = results.title(classifier)
    return Table(
        f"trees-{slug(classifier)}",
        f"Size of the trees of {name}, mean over the folds: all features, and {results.words(way)}",
        tuple(columns),
        tuple(rows),
    )


def _cell(scores: Scores, values: FloatArray, source: Source) -> Cell:
    if not scores.ok:
        return absent(scores.word, source)
    if not np.isfinite(values).all():
        return absent("n/a", source)
    return Cell(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else None, source=source)
