"""The report of the paper on remainder subset awareness: Tables 1 to 4, CorrAL, honest errors, costs, weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsbench.published import rsa as paper
from fsbench.report.results import Results
from fsbench.report.rsa import (
    ALGORITHMS,
    CONVENTIONAL,
    MAIN,
    Pair,
    corral,
    cross,
    order,
    pairs,
    printed_pairs,
    variant,
)
from fsbench.report.rsa_statements import near_ties, statements
from fsbench.report.searching import Judged
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent
from fsbench.report.tables.rsa_weights import weight_tables
from fsbench.report.tables.searches import search_tables

__all__ = ["tables"]


def tables(results: Results) -> list[Table]:
    """Return the tables of the paper beside the printed numbers, then what the paper does not show.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
    """
    found = [_table1(results), _cross_table(results, "table2", ALGORITHMS)]
    found += [_cross_table(results, "table3", ((1, 0), (2, 1))), _table4(results)]
    found += [*_corral_tables(results), *statements(results), *weight_tables(results), *search_tables(results)]
    return found


def _here(results: Results) -> list[str]:
    """Return the labels of the paper's data sets that the experiment has, in the paper's order."""
    labels = results.printed_labels
    return [labels[name] for name in paper.PAPER_NAMES if name in labels]


def _table1(results: Results) -> Table:
    columns = (
        Column("algorithm", "algorithm", kind="name"),
        Column("alias", "also", kind="text"),
        Column("forward", "forward steps", decimals=0),
        Column("backward", "backward steps", decimals=0),
        Column("conventional", "conventional", "searches of this run", kind="text"),
        Column("modified", "aware, k = 0.8", "searches of this run", kind="text"),
    )
    rows = []
    for plus, minus in ALGORITHMS:
        sides = [variant(results, (plus, minus), k) for k in (CONVENTIONAL, MAIN)]
        alias = {(0, 1): "SBG", (1, 0): "SFG"}.get((plus, minus), "")
        names = [Cell(v.label) if v else absent("absent") for v in sides]
        rows.append(Row((Cell(f"PTA({plus},{minus})"), Cell(alias), Cell(plus), Cell(minus), *names)))
    return Table("table1", "Table 1: the algorithms", columns, tuple(rows))


def _cross_table(results: Results, key: str, algorithms: Sequence[tuple[int, int]]) -> Table:
    """Return Table 2 or 3: error of the modified search by the size of its subset, in percent of the pairs."""
    ours = [p for p in pairs(results, _here(results)) if p.algorithm in algorithms and p.ok]
    known = {(p.dataset, p.algorithm) for p in ours}
    names = results.printed_names
    same = [p for p in printed_pairs([names[d] for d in _here(results)]) if p.algorithm in algorithms]
    same = [p for p in same if (results.printed_labels[p.dataset], p.algorithm) in known]
    printed = {c.column: c.value for c in paper.cells() if c.table == key}
    sizes = {"=": "features_equal", ">": "features_gt", "<": "features_lt", "total": "total"}
    honest = [p for p in pairs(results, _here(results), nested=True) if p.algorithm in algorithms and p.ok]
    shown = {"ours": ours, "nested": honest, "same": same} if honest else {"ours": ours, "same": same}
    titles = {"ours": "ours (%)", "nested": "ours, nested (%)", "same": "printed Table 4, the same pairs (%)"}
    groups = {key: titles[key] for key in shown} | {"printed": "printed (%)"}
    columns = [Column("error", "error", kind="name")]
    columns += [Column(f"{side} {size}", size, group) for side, group in groups.items() for size in sizes]
    rows = []
    for error in ("better", "equal", "worse", "total"):
        cells = [Cell(error)]
        for found in shown.values():
            cells += [Cell(value) for value in _shares(found, error)]
        wanted = [printed.get(f"{error}/{name}") for name in sizes.values()]
        rows.append(Row((*cells, *(Cell(value) for value in wanted)), rule=error == "total"))
    which = "all algorithms" if len(algorithms) == len(ALGORITHMS) else "forward algorithms, PTA(1,0) and PTA(2,1)"
    notes = (
        (
            "Rows: error of the modified search against the conventional one. Columns: > the conventional subset has "
            "more features, < fewer. Empty: none."
        ),
        (
            f"Ours: {len(ours)} pairs of searches. The printed percentages are of nine data sets "
            f"({9 * len(algorithms)} pairs), of which the printed Table 4 lists eight."
        ),
        *(["Nested: by the errors on folds that the searches never saw, and mean sizes."] if honest else []),
    )
    number = key.removeprefix("table")
    return Table(key, f"Table {number}: error by number of features, {which}", tuple(columns), tuple(rows), notes)


def _shares(found: Sequence[Pair], error: str) -> list[float | None]:
    """Return a row of Tables 2 and 3 in percent, None where there is no pair."""
    counts = cross(found)
    errors = ("better", "equal", "worse") if error == "total" else (error,)
    row = [sum(counts[e, size] for e in errors) for size in ("=", ">", "<")]
    return [100.0 * n / len(found) if n else None for n in (*row, sum(row))]


def _table4(results: Results) -> Table:
    columns = [
        DATASET,
        Column("forward", "F", decimals=0),
        Column("backward", "B", decimals=0),
    ]
    for side in ("", "printed "):
        for kind in ("conventional", "modified"):
            columns += [
                Column(f"{side}{kind} error", "error", f"{side}{kind}", decimals=2),
                Column(f"{side}{kind} sigma", "sigma", f"{side}{kind}", decimals=2),
                Column(f"{side}{kind} size", "#", f"{side}{kind}", decimals=0),
            ]
    here = _here(results)
    printed = list(printed_pairs([results.printed_names[d] for d in here]))
    rows = []
    for ours, theirs in zip(pairs(results, here), printed, strict=True):
        cells = [Cell(results.paper_names.get(ours.dataset, ours.dataset)), *map(Cell, ours.algorithm)]
        notes = [f"{ours.dataset}: {results.notes[ours.dataset]}"] if ours.dataset in results.notes else []
        notes += _why(ours)
        rows.append(Row((*cells, *_side(ours), *_side(theirs)), tuple(notes)))
    others = [d for d in results.datasets if d not in here]
    for pair in pairs(results, others):
        cells = [Cell(pair.dataset), *map(Cell, pair.algorithm)]
        rows.append(Row((*cells, *_side(pair), *([Cell()] * 6)), tuple(_why(pair))))
    remarks = (
        (
            "Error (%): the mean over the 5 folds by which the subset was chosen, optimistic; sigma over them, "
            "population form; #: features of the best subset. F, B: forward and backward steps of a turn."
        ),
        "In bold: where the modified search is the better one; its smaller subsets too.",
        *near_ties(results, here),
        *paper.SLIPS["table4"],
    )
    return Table("table4", "Table 4: error, sigma and number of features", tuple(columns), tuple(rows), remarks)


def _side(pair: Pair) -> list[Cell]:
    """Return the six cells of a pair; improvements of the modified search are marked."""
    better = pair.ok and pair.difference < -1e-9
    smaller = pair.ok and (pair.modified.size or 0.0) < (pair.conventional.size or 0.0)
    return [*_three(pair.conventional), *_three(pair.modified, better, smaller)]


def _three(found: Judged, better: bool = False, smaller: bool = False) -> list[Cell]:
    if found.error is None:
        return [absent(found.word, found.source)] * 3
    values = ((found.error, better), (found.sigma, False), (found.size, smaller))
    return [Cell(value, best=best, source=found.source) for value, best in values]


def _why(pair: Pair) -> Iterator[str]:
    for side in (pair.conventional, pair.modified):
        if side.error is None and side.reason:
            yield f"{pair.dataset}: {side.reason}"


def _corral_tables(results: Results) -> list[Table]:
    """Return how often the paper's example comes about over the fold seeds, and orders of inclusion."""
    known = [d for d in results.datasets if d.startswith("corral") and corral(results, d) is not None]
    return [_corral_shares(results, known), _corral_orders(results, known)] if known else []


def _corral_shares(results: Results, datasets: Sequence[str]) -> Table:
    columns = (
        DATASET,
        Column("rows", "rows", decimals=0),
        Column("seeds", "fold seeds", decimals=0),
        Column("misled", "C first", "SFG (% of the seeds)", decimals=0),
        Column("saved", "four first", "SFG (% of the seeds)", decimals=0),
        Column("both", "both", "SFG (% of the seeds)", decimals=0),
        Column("first", "first seed", "SFG (% of the seeds)", decimals=0),
        Column("exact_conventional", "conventional", "printed order (%)", decimals=0),
        Column("exact_modified", "aware", "printed order (%)", decimals=0),
        Column("exact_both", "both", "printed order (%)", decimals=0),
        Column("discards_conventional", "conventional", "SBG discards C (%)", decimals=0),
        Column("discards_modified", "aware", "SBG discards C (%)", decimals=0),
    )
    rows = []
    sizes = results.dataset_table.set_index("dataset")["n_rows"]
    for dataset in datasets:
        found = corral(results, dataset)
        assert found is not None
        n = len(found.seeds)
        shares = [100.0 * len(seeds) / n for seeds in (found.misled, found.saved, found.both)]
        orders = (found.exact_conventional, found.exact_modified, found.exact)
        exact = [100.0 * len(seeds) / n for seeds in orders]
        discards = [100.0 * count / n for count in found.discards.values()]
        first = Cell(min(found.both)) if found.both else absent("none")
        cells = [Cell(dataset), Cell(int(sizes[dataset])), Cell(n), *map(Cell, shares), first]
        rows.append(Row((*cells, *map(Cell, exact), *map(Cell, discards))))
    notes = (
        (
            "The class is (A0 and A1) or (B0 and B1); C agrees with it in 3 of 4 rows, I is irrelevant. Every distance "
            "is tied many times, so the folds and the order among ties decide; the printed orders are one draw."
        ),
        (
            "C first: by the conventional search. Four first: A0, A1, B0, B1, in any order and with error 0, by the "
            "aware one. First seed: of those with both. Printed order: the very orders of the paper."
        ),
    )
    return Table("corral", "CorrAL: how often the paper's example comes about", columns, tuple(rows), notes)


def _corral_orders(results: Results, datasets: Sequence[str]) -> Table:
    columns = (
        DATASET,
        Column("seed", "fold seed", kind="text"),
        Column("conventional", "conventional", "order of inclusion, SFG", kind="text"),
        Column("modified", "aware", "order of inclusion, SFG", kind="text"),
    )
    prose = paper.prose()
    printed = [Cell(prose[f"corral.order_{kind}_sfg"].text) for kind in ("conventional", "modified")]
    rows = [Row((Cell("CorrAL"), Cell("printed"), *printed))]
    for dataset in datasets:
        found = corral(results, dataset)
        assert found is not None
        chosen = [found.seeds[0], *found.both[:1], *found.exact[:1]]
        for seed in dict.fromkeys(chosen):
            orders = [" ".join(order(results, dataset, k, seed)) for k in (CONVENTIONAL, MAIN)]
            rows.append(Row((Cell(dataset), Cell(str(seed)), *map(Cell, orders))))
    command = "fsbench search corral-test --plus 1 --minus 0 [--remainder 0.8] --seed S"
    notes = (
        (
            "The first seed is that of the configuration; then the first that shows the effect, and the first that "
            f"gives both printed orders, if there is one. One by one: {command}."
        ),
    )
    return Table("corral-orders", "CorrAL: the order of inclusion", columns, tuple(rows), notes)
