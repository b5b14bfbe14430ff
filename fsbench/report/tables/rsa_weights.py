"""Searches by the weight k of the remainder: errors on the folds searched on, honest errors, sizes."""

from __future__ import annotations

from fsbench.report.results import Results
from fsbench.report.rsa import ALGORITHMS, CONVENTIONAL, Variant, judge, variants
from fsbench.report.searching import protocols
from fsbench.report.table import Cell, Column, Row, Table, absent
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
    weights = _weights(results)
    if len(weights) < 3:
        return []
    return [_table(results, weights, protocol) for protocol in protocols(results)]


def _weights(results: Results) -> list[str]:
    """Return the weights, the conventional one first, then falling, those by size last."""
    found = sorted(variants(results), key=lambda v: (v.weighting != "constant", -v.k))
    return list(dict.fromkeys(v.weight for v in found))


def _table(results: Results, weights: list[str], protocol: str) -> Table:
    nested = protocol == "nested"
    columns = [Column("dataset", "data set", kind="name"), Column("algorithm", "algorithm", kind="name")]
    for what, decimals in (("error (%)", 2), ("features", 1 if nested else 0)):
        columns += [Column(f"{what} {weight}", weight, what, decimals=decimals) for weight in weights]
    known = {(v.algorithm, v.weight): v for v in variants(results)}
    rows = [
        _row(results, dataset, algorithm, [known.get((algorithm, weight)) for weight in weights], nested)
        for dataset in results.datasets
        for algorithm in ALGORITHMS
    ]
    notes = [
        "In bold (not in plain text): the lowest error of a row. k = 1 is the conventional search.",
        "By size: k nears 1 as the remainder shrinks, 1 - (1 - k) (features left out / all); the paper's future work.",
    ]
    if not nested:
        notes.append("Errors on the folds searched on: the best of several k chosen by them flatters once more.")
    title = f"Other weights of the remainder, {protocol}"
    means = _means(results, weights, known, nested)
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


def _means(
    results: Results, weights: list[str], known: dict[tuple[tuple[int, int], str], Variant], nested: bool
) -> list[Row]:
    """Return the mean over data sets and algorithms, and how often the error is below, at, above the conventional."""
    sets = [d for d in results.datasets if d not in results.missing]
    table = {
        (d, a, w): judge(results, d, known[a, w].label, nested)
        for d in sets for a in ALGORITHMS for w in weights if (a, w) in known
    }  # fmt: skip
    whole = [
        (d, a) for d in sets for a in ALGORITHMS
        if all((found := table.get((d, a, w))) is not None and found.error is not None for w in weights)
    ]  # fmt: skip
    if not whole:
        return []
    errors = {w: [table[d, a, w].error or 0.0 for d, a in whole] for w in weights}
    sizes = [sum(table[d, a, w].size or 0.0 for d, a in whole) / len(whole) for w in weights]
    means = [Cell(sum(errors[w]) / len(whole)) for w in weights]
    rows = [Row((Cell(f"mean of {len(whole)} rows"), Cell(), *means, *map(Cell, sizes)), rule=True)]
    base = next((w for w in weights if w == f"k = {CONVENTIONAL:g}"), None)
    if base is not None:
        texts = []
        for w in weights:
            gaps = [e - b for e, b in zip(errors[w], errors[base], strict=True)]
            counts = sum(g < -1e-9 for g in gaps), sum(abs(g) <= 1e-9 for g in gaps), sum(g > 1e-9 for g in gaps)
            texts.append(absent("" if w == base else "/".join(map(str, counts))))
        name = Cell("better/equal/worse than k = 1")
        rows.append(Row((name, Cell(), *texts, *([Cell()] * len(weights)))))
    return rows
