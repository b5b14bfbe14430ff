"""Searches by the weight k of the remainder: errors on the folds searched on, honest errors, sizes."""

from __future__ import annotations

from fsbench.report.results import Results
from fsbench.report.rsa import ALGORITHMS, CONVENTIONAL, Variant, judge, variants
from fsbench.report.rsa_statements import by_weight, weights_of
from fsbench.report.searching import protocols
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent
from fsbench.report.tables.common import bold_best

__all__ = ["weight_tables"]


def weight_tables(results: Results) -> list[Table]:
    """Return one table a protocol; empty unless an algorithm stands under three weights or more.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
    """
    weights = weights_of(results)
    if len(weights) < 3:
        return []
    return [_table(results, weights, protocol) for protocol in protocols(results)]


def _table(results: Results, weights: list[str], protocol: str) -> Table:
    nested = protocol == "nested"
    columns = [DATASET, Column("algorithm", "algorithm", kind="name")]
    for what, decimals in (("error (%)", 2), ("features", 1 if nested else 0)):
        columns += [Column(f"{what} {weight}", weight, what, decimals=decimals) for weight in weights]
    known = {(v.algorithm, v.weight): v for v in variants(results)}
    rows = [
        _row(results, dataset, algorithm, [known.get((algorithm, weight)) for weight in weights], nested)
        for dataset in results.datasets
        for algorithm in ALGORITHMS
    ]
    notes = [
        "In bold: the lowest error of a row. k = 1 is the conventional search.",
        "By size: k nears 1 as the remainder shrinks, 1 - (1 - k) (features left out / all); the paper's future work.",
    ]
    if not nested:
        notes.append("Errors on the folds searched on: the best of several k chosen by them flatters once more.")
    title = f"Other weights of the remainder, {protocol}"
    means = _means(results, weights, nested)
    return Table(f"weights-{protocol}", title, tuple(columns), (*rows, *means), tuple(notes))


def _row(
    results: Results, dataset: str, algorithm: tuple[int, int], searches: list[Variant | None], nested: bool
) -> Row:
    found = [judge(results, dataset, v.label, nested) if v else None for v in searches]
    errors = [absent("absent") if f is None else absent(f.word) if f.error is None else Cell(f.error) for f in found]
    sizes = [Cell(f.size) if f is not None else Cell() for f in found]
    plus, minus = algorithm
    notes = (f"{dataset}: {results.missing[dataset]}",) if dataset in results.missing else ()
    return Row((Cell(dataset), Cell(f"PTA({plus},{minus})"), *bold_best(errors, 2, False), *sizes), notes)


def _means(results: Results, weights: list[str], nested: bool) -> list[Row]:
    """Return the mean over data sets and algorithms, and how often the error is below, at, above the conventional."""
    found = by_weight(results, nested)
    if not found:
        return []
    n = len(next(iter(found.values())))
    errors = {weight: [f.error or 0.0 for f in found[weight]] for weight in weights}
    sizes = [sum(f.size or 0.0 for f in found[weight]) / n for weight in weights]
    means = [Cell(sum(errors[weight]) / n) for weight in weights]
    rows = [Row((Cell(f"mean of {n} rows"), Cell(), *means, *map(Cell, sizes)), rule=True)]
    base = f"k = {CONVENTIONAL:g}"
    if base in errors:
        texts = []
        for weight in weights:
            gaps = [e - b for e, b in zip(errors[weight], errors[base], strict=True)]
            counts = sum(g < -1e-9 for g in gaps), sum(abs(g) <= 1e-9 for g in gaps), sum(g > 1e-9 for g in gaps)
            texts.append(absent("" if weight == base else "/".join(map(str, counts))))
        rows.append(Row((Cell("better/equal/worse than k = 1"), Cell(), *texts, *([Cell()] * len(weights)))))
    return rows
