"""How stable the selections are over the folds, and how far the rankers agree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fsbench.evaluation.stability import jaccard, mean_correlation, nogueira, top
from fsbench.report.rankings import rank_agreement, stacked_ranks
from fsbench.report.results import Results
from fsbench.report.scores import Way
from fsbench.report.table import CLASSIFIER, DATASET, RANKER, Cell, Column, Row, Table, absent
from fsbench.report.tables.common import confidence, data_notes, merged
from fsbench.values import FloatArray

__all__ = ["agreement_table", "chosen_stability_table", "stability_table"]

# Of more rankers only the agreement with the reference is shown.
_MOST = 10

_FEW = "one fold; stability needs two or more"


def stability_table(results: Results) -> Table | None:
    """Return the stability of each ranker's order, and of its first features, over the folds of each data set.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    Table or None
        None without rankings.
    """
    found = stacked_ranks(results)
    if not found:
        return None
    firsts = [k for k in dict.fromkeys(w.k for w in results.first) if k]
    columns = [
        DATASET,
        RANKER,
        Column("features", "features", decimals=0),
        Column("kendall", "Kendall", "whole order", decimals=2),
        Column("spearman", "Spearman", "whole order", decimals=2),
    ]
    for name, group in [*((f"first {k}", f"first {k}") for k in firsts), ("quarter", "first quarter")]:
        columns += [
            Column(f"{name} k", "k", group, decimals=0),
            Column(f"{name} nogueira", "Nogueira", group, decimals=2),
            Column(f"{name} low", "low", group, decimals=2),
            Column(f"{name} high", "high", group, decimals=2),
            Column(f"{name} jaccard", "Jaccard", group, decimals=2),
        ]
    rows = []
    for dataset in results.datasets:
        for ranker in results.ranked:
            names = (Cell(dataset), Cell(results.title(ranker)))
            if (dataset, ranker) not in found:
                word = "missing" if dataset in results.missing else "absent"
                rows.append(Row((*names, absent(word), *[Cell()] * (len(columns) - 3))))
                continue
            _, ranks = found[dataset, ranker]
            if len(ranks) < 2:
                few = (Cell(ranks.shape[1]), absent("omitted"), *[Cell()] * (len(columns) - 4))
                rows.append(Row((*names, *few)))
                continue
            sizes = [*firsts, -(-ranks.shape[1] // 4)]
            rows.append(Row((*names, Cell(ranks.shape[1]), *_order_cells(ranks), *_top_cells(results, ranks, sizes))))
    notes = (
        f"Over all pairs of folds; low, high: asymptotic {confidence(results.level)}, not cut at 1.",
        "Nogueira's measure of subsets of one size is Kuncheva's index: 1 for equal ones, about 0 for random ones.",
        "Folds share most training rows: selections on new data would differ more.",
        *([f"omitted: {_FEW}."] if any(len(r) < 2 for _, r in found.values()) else []),
        *data_notes(results),
    )
    untested = _FEW if all(len(r) < 2 for _, r in found.values()) else ""
    title = f"Stability of the rankings over the folds; {results.protocol}"
    return Table("stability", title, tuple(columns), tuple(rows), notes, detail=not untested, untested=untested)


def chosen_stability_table(results: Results, way: Way) -> Table | None:
    """Return the stability of the features that were selected, whose number differs from fold to fold.

    Parameters
    ----------
    results : Results
        What was computed.
    way : Way
        Best or reduced prefixes.

    Returns
    -------
    Table or None
        None without rankings.
    """
    found = stacked_ranks(results)
    if not found:
        return None
    columns = (
        DATASET,
        CLASSIFIER,
        RANKER,
        Column("features", "of", "features", decimals=0),
        Column("size", "chosen", "features"),
        Column("nogueira", "Nogueira", decimals=2),
        Column("low", "low", decimals=2),
        Column("high", "high", decimals=2),
        Column("jaccard", "Jaccard", decimals=2),
    )
    rows, reasons = [], []
    for dataset, classifier, ranker in _cells_of(results):
        names = (Cell(dataset), Cell(results.title(classifier)), Cell(results.title(ranker)))
        picked = _picked(results, dataset, classifier, ranker, way)
        if picked is None:
            rows.append(Row((*names, absent(_word(results, dataset, classifier, ranker, way)), *[Cell()] * 5)))
            continue
        measure = nogueira(picked, results.level)
        if measure.reason:
            reasons.append((f"{dataset} {results.title(classifier)} {results.title(ranker)}", measure.reason))
        sizes = (Cell(picked.shape[1]), Cell(float(picked.sum(axis=1).mean())))
        values = (measure.value, measure.low, measure.high, jaccard(picked))
        rows.append(Row((*names, *sizes, *map(Cell, values))))
    notes = (
        f"Nogueira's measure allows for subsets of several sizes; low, high: {confidence(results.level)}.",
        *merged(reasons, len(rows)),
        *data_notes(results),
    )
    title = f"Stability over the folds of {results.words(way)}; {results.protocol}"
    return Table(f"stability-{way.slug}", title, columns, tuple(rows), notes, detail=True)


def agreement_table(results: Results) -> Table | None:
    """Return how far the rankers agree on the order of the features, in the mean over folds and data sets.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    Table or None
        A matrix, or of many rankers their agreement with the reference; None for fewer than two rankings.
    """
    if len(results.ranked) < 2 or not stacked_ranks(results):
        return None
    names = [results.title(r) for r in results.ranked]
    reference = results.ranked.index(results.reference) if results.reference in results.ranked else 0
    shown = list(range(len(names))) if len(names) <= _MOST else [reference]
    kinds = {"Kendall": rank_agreement(results), "Spearman": rank_agreement(results, "spearman")}
    columns = [RANKER]
    columns += [Column(f"{kind} {names[j]}", names[j], kind, decimals=2) for kind in kinds for j in shown]
    rows = [
        Row((Cell(name), *(_correlation(found.matrix[i, j]) for found in kinds.values() for j in shown)))
        for i, name in enumerate(names)
    ]
    common = int(np.nanmax(kinds["Kendall"].datasets))
    notes = [
        f"Correlation of the two orders of all features on each fold, mean over the folds, then over {common} sets."
    ]
    if len(shown) < len(names):
        notes.append(f"Of more than {_MOST} rankers only the agreement with {names[reference]} is shown.")
    notes += data_notes(results)
    return Table("agreement", "Agreement between the rankers", tuple(columns), tuple(rows), tuple(notes))


def _order_cells(ranks: FloatArray) -> tuple[Cell, Cell]:
    return Cell(mean_correlation(ranks)), Cell(mean_correlation(ranks, "spearman"))


def _top_cells(results: Results, ranks: FloatArray, sizes: list[int]) -> Iterator[Cell]:
    for k in sizes:
        held = top(ranks, k)
        if k >= ranks.shape[1]:
            # The same subset everywhere: no choice whose stability could be measured.
            yield from (Cell(k), absent("all"), Cell(), Cell(), Cell())
            continue
        measure = nogueira(held, results.level)
        yield from map(Cell, (k, measure.value, measure.low, measure.high, jaccard(held)))


def _cells_of(results: Results) -> Iterator[tuple[str, str, str]]:
    for dataset in results.datasets:
        for classifier in results.classifiers:
            for ranker in filter(results.ranked.__contains__, results.pairs(classifier)):
                yield dataset, classifier, ranker


def _picked(results: Results, dataset: str, classifier: str, ranker: str, way: Way) -> np.ndarray | None:
    """Return the features of each fold's prefix, as long as the cell says; None unless both are there."""
    scores = results.scores(dataset, classifier, ranker, way)
    if not scores.ok or (dataset, ranker) not in stacked_ranks(results):
        return None
    places, ranks = stacked_ranks(results)[dataset, ranker]
    if places != scores.folds:
        return None
    return ranks <= scores.n_selected[:, None]


def _word(results: Results, dataset: str, classifier: str, ranker: str, way: Way) -> str:
    scores = results.scores(dataset, classifier, ranker, way)
    return "absent" if scores.ok else scores.word


def _correlation(value: float) -> Cell:
    return Cell(float(value)) if np.isfinite(value) else absent("absent")
