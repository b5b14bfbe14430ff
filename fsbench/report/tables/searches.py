"""Searches under both protocols side by side, with the optimism of the error that they were searched on; their cost."""

from __future__ import annotations

from collections.abc import Iterator

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Way
from fsbench.report.searching import (
    Judged,
    judged_nested,
    judged_on_folds,
    labels,
    optimism,
    protocols,
    searches_of,
)
from fsbench.report.table import CLASSIFIER, DATASET, Cell, Column, Row, Table, absent

__all__ = ["search_tables"]

_GROUPS = {"search-cv": "search-cv (optimistic)", "nested": "nested (honest)"}


def search_tables(results: Results) -> list[Table]:
    """Return the errors of all searches by protocol, and what they cost; empty without searches.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
    """
    return [_errors(results), _costs(results)] if labels(results) else []


def _errors(results: Results) -> Table:
    asked = protocols(results)
    columns = [*_names(results)]
    for protocol in asked:
        group = _GROUPS[protocol]
        columns += [
            Column(f"{protocol} error", "error (%)", group, decimals=2),
            Column(f"{protocol} sigma", "sigma", group, decimals=2),
            Column(f"{protocol} size", "features", group, decimals=0 if protocol == "search-cv" else 1),
        ]
    if len(asked) == 2:
        columns.append(Column("optimism", "optimism", "nested - search-cv", decimals=2))
    rows = []
    for dataset in results.datasets:
        for classifier in results.classifiers:
            rows += [_all_row(results, asked, dataset, classifier)] if "nested" in asked and results.has_all else []
            rows += [_error_row(results, asked, dataset, classifier, s) for s in searches_of(results, classifier)]
    return Table("searches", f"Searches; {results.protocol}", tuple(columns), (*rows, *_means(results, asked)),
                 tuple(_error_notes(results, asked)))  # fmt: skip


def _names(results: Results) -> Iterator[Column]:
    yield DATASET
    if len(results.classifiers) > 1:
        yield CLASSIFIER
    yield Column("search", "search", kind="name")


def _places(results: Results) -> Iterator[tuple[str, str, str]]:
    for dataset in results.datasets:
        for classifier in results.classifiers:
            for search in searches_of(results, classifier):
                yield dataset, classifier, search


def _lead(results: Results, dataset: str, classifier: str, search: str) -> list[Cell]:
    middle = [Cell(results.title(classifier))] if len(results.classifiers) > 1 else []
    return [Cell(dataset), *middle, Cell(search)]


def _by(results: Results, protocol: str, dataset: str, classifier: str, search: str) -> Judged:
    judge = judged_on_folds if protocol == "search-cv" else judged_nested
    return judge(results, dataset, classifier, search)


def _error_row(results: Results, asked: list[str], dataset: str, classifier: str, search: str) -> Row:
    cells, notes = _lead(results, dataset, classifier, search), []
    if dataset in results.notes:
        notes.append(f"{dataset}: {results.notes[dataset]}")
    for protocol in asked:
        found = _by(results, protocol, dataset, classifier, search)
        values = (found.error, found.sigma, found.size)
        source = found.source
        cells += [Cell(v, source=source) if v is not None else absent(found.word, source) for v in values]
        if found.error is None and found.reason:
            whole = dataset in results.missing
            notes.append(f"{dataset}: {found.reason}" if whole else f"{dataset}, {search}, {protocol}: {found.reason}")
    if len(asked) == 2:
        cells.append(Cell(optimism(results, dataset, classifier, search)))
    return Row(tuple(cells), tuple(notes))


def _all_row(results: Results, asked: list[str], dataset: str, classifier: str) -> Row:
    """Return the row of all features, which nothing was chosen for, to compare with."""
    scores = results.scores(dataset, classifier, ALL, Way("all"))
    errors = 100.0 - scores.accuracy
    cells = _lead(results, dataset, classifier, "all features")
    for protocol in asked:
        if protocol == "search-cv":
            cells += [Cell()] * 3
        elif scores.ok:
            cells += [Cell(float(errors.mean())), Cell(float(errors.std())), Cell(float(scores.n_features.mean()))]
        else:
            cells += [absent(scores.word)] * 3
    return Row((*cells, Cell()) if len(asked) == 2 else tuple(cells))


def _means(results: Results, asked: list[str]) -> list[Row]:
    """Return the mean of each search over the data sets that every search has."""
    rows = []
    for classifier in results.classifiers:
        searches = searches_of(results, classifier)
        whole = [
            d for d in results.datasets
            if all(_by(results, p, d, classifier, s).error is not None for p in asked for s in searches)
        ]  # fmt: skip
        if len(whole) < 2:
            continue
        for i, search in enumerate(searches):
            cells = _lead(results, f"mean of {len(whole)}", classifier, search)
            for protocol in asked:
                found = [_by(results, protocol, d, classifier, search) for d in whole]
                cells += [Cell(_mean([f.error for f in found])), Cell(), Cell(_mean([f.size for f in found]))]
            if len(asked) == 2:
                cells.append(Cell(_mean([optimism(results, d, classifier, search) for d in whole])))
            rows.append(Row(tuple(cells), rule=i == 0))
    return rows


def _mean(values: list[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def _error_notes(results: Results, asked: list[str]) -> Iterator[str]:
    if "search-cv" in asked:
        yield (
            "search-cv: the error of the best subset on the very folds by which it was chosen among all subsets met; "
            "it flatters."
        )
    if "nested" in asked:
        folds = (results.experiment.get("searching") or {}).get("folds")
        yield (
            f"nested: the search is done again inside each training part, on {folds} folds of it, and its subset "
            "tested on the rows left out; features: the mean over the outer folds."
        )
    yield "sigma: standard deviation over the folds, population form."
    if len(asked) == 2:
        yield "Optimism, in points: what the error that was searched on hides. By chance it may be negative."


def _costs(results: Results) -> Table:
    protocol = "search-cv" if "search-cv" in protocols(results) else "nested"
    columns = (
        *_names(results),
        Column("evaluations", "asked", "subsets", decimals=0),
        Column("hits", "met again", "subsets", decimals=0),
        Column("scored", "scored", "subsets", decimals=0),
        Column("ms", "ms", "time", decimals=1),
    )
    rows = []
    for place in _places(results):
        found = _by(results, protocol, *place)
        values = (found.evaluations, found.hits, found.scored, 1000.0 * found.seconds)
        known = found.error is not None
        rows.append(Row((*_lead(results, *place), *(Cell(v) if known else absent(found.word) for v in values))))
    notes = (
        (
            "asked: distinct subsets whose usefulness the search asked for, those of remainders included; scored: "
            "those that no search above it had asked for on the same folds. ms: what the search takes by itself."
        ),
        *(["Numbers of subsets: means over the outer folds; times: their sum."] if protocol == "nested" else []),
    )
    return Table("search-costs", f"What searches cost, {protocol}", columns, tuple(rows), notes, timed=True)
