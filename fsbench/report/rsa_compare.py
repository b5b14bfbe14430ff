"""The printed numbers of the paper on remainder subset awareness beside ours: Tables 2 to 4, and the text."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fsbench.published import PrintedCell
from fsbench.published import rsa as paper
from fsbench.report.compare import Compared, tolerance
from fsbench.report.results import Results
from fsbench.report.rsa import (
    ALGORITHMS,
    CONVENTIONAL,
    MAIN,
    Corral,
    corral,
    cross,
    judge,
    order,
    pairs,
    printed_pairs,
    variant,
    variants,
)
from fsbench.report.rsa_statements import below_empty, by_weight, near_counts, overhead, weights_of
from fsbench.report.searching import Judged, protocols

__all__ = ["compare_prose", "compare_table"]

_KINDS = {"conventional": CONVENTIONAL, "modified": MAIN}
_SIZES = {"features_equal": "=", "features_gt": ">", "features_lt": "<"}
_TABLES = {"table2": ALGORITHMS, "table3": ((1, 0), (2, 1))}


def compare_table(results: Results, table: str) -> list[Compared]:
    """Compare every printed cell of a table with ours.

    Parameters
    ----------
    results : Results
    table : {"table2", "table3", "table4"}

    Returns
    -------
    list of Compared
        In the paper's order, none left out. Sizes agree if they are equal: they have no deviation. The percentages of
        Tables 2 and 3 are not judged: the printed ones are of nine data sets.
    """
    judged = _compare_cell if table == "table4" else _compare_share
    return [judged(results, cell) for cell in paper.cells() if cell.table == table]


def _compare_cell(results: Results, cell: PrintedCell) -> Compared:
    dataset = results.printed_labels.get(cell.dataset, cell.dataset)
    name, kind, what = cell.column.split("/")
    plus, minus = (int(text) for text in name[4:-1].split(","))
    found = variant(results, (plus, minus), _KINDS[kind])
    if dataset not in results.datasets:
        ours = Judged(status="absent", reason="the experiment does not have this data set")
    elif found is None:
        ours = Judged(status="absent", reason="the experiment does not have this search")
    else:
        ours = judge(results, dataset, found.label)
    value = {"error": ours.error, "sigma": ours.sigma, "size": ours.size}[what]
    notes = [results.notes[dataset]] if dataset in results.notes else []
    if what == "size":
        notes.append("sizes agree if they are equal")
    elif what == "sigma":
        notes.append("tolerance: the deviation of a deviation over so many folds, as for errors")
    if value is None:
        notes.append(f"{ours.word}: {ours.reason}" if ours.reason else ours.word)
    allowed = None if value is None else _allowed(ours, what, cell.half_unit)
    agrees = None
    if value is not None and allowed is not None and cell.value is not None:
        agrees = abs(value - cell.value) <= allowed + 1e-9
    return Compared(
        cell.table, cell.dataset, cell.column, value, cell.value, allowed, agrees, "; ".join(notes), cell.unit,
        outside=ours.status == "absent",
    )  # fmt: skip


def _allowed(ours: Judged, what: str, half_unit: float) -> float | None:
    """Return what chance explains; nothing in sizes.

    A deviation over n folds has itself the deviation ``s / sqrt(2 (n - 1))`` or so.
    """
    if what == "size":
        return 0.0
    if ours.sd is None:
        return None
    if what == "error":
        return tolerance(ours.sd, ours.folds, half_unit)
    return half_unit + 2.0 * math.sqrt(2.0) * ours.sd / math.sqrt(2.0 * (ours.folds - 1))


def _compare_share(results: Results, cell: PrintedCell) -> Compared:
    """Set a percentage of Table 2 or 3 beside ours and beside that of the printed Table 4 for the same pairs."""
    error, _, size = cell.column.partition("/")
    here = [d for d in results.datasets if d in results.printed_names]
    algorithms = _TABLES[cell.table]
    ours = [p for p in pairs(results, here) if p.algorithm in algorithms and p.ok]
    known = {(results.printed_names[p.dataset], p.algorithm) for p in ours}
    names = [results.printed_names[d] for d in here]
    same = [p for p in printed_pairs(names) if (p.dataset, p.algorithm) in known]
    value, like = (_share(cross(found), error, size, len(found)) for found in (ours, same))
    if value is None:
        note = "the experiment does not have the searches"
    else:
        note = f"{len(ours)} pairs, of which Table 4 prints {like:.1f} %; printed of nine data sets: not judged"
    return Compared(cell.table, "", cell.column, value, cell.value, None, None, note, cell.unit)


def _share(counts: dict[tuple[str, str], int], error: str, size: str, whole: int) -> float | None:
    if not whole:
        return None
    hit = [n for (e, s), n in counts.items() if error in (e, "total") and size in ("total", *_names(s))]
    return 100.0 * sum(hit) / whole


def _names(sign: str) -> list[str]:
    return [name for name, s in _SIZES.items() if s == sign]


def compare_prose(results: Results) -> list[Compared]:
    """Return every number of the paper's text beside ours, then what the text states without a number.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Compared
        With the table ``"prose"``.
    """
    return [
        *_settings(results),
        *_corral(),
        *_sizes(results),
        *_statements(results),
        *_weights(results),
        *_orders(results),
    ]


def _row(quantity: str, ours: float | None, note: str = "", *, judged: bool = True) -> Compared:
    printed = paper.prose()[quantity]
    allowed = printed.half_unit if judged and ours is not None and printed.value is not None else None
    agrees = None if allowed is None or ours is None else abs(ours - (printed.value or 0.0)) <= allowed + 1e-9
    notes = "; ".join(n for n in (note, printed.note) if n)
    return Compared("prose", "", quantity, ours, printed.value, allowed, agrees, notes, printed.unit)


def _said(quantity: str, ours: float | None, unit: str, note: str, dataset: str = "") -> Compared:
    """Return a number of ours for a statement that the paper makes without one."""
    return Compared("prose", dataset, quantity, ours, None, None, None, note, unit)


def _settings(results: Results) -> Iterator[Compared]:
    known = variants(results)
    weights = {v.k for v in known if v.weighting == "constant"}
    yield _row("k_used", MAIN if MAIN in weights else None, "a setting")
    yield _row("k_conventional", CONVENTIONAL if CONVENTIONAL in weights else None, "a setting")
    there = 0.5 in weights
    yield _row("k_geometric_mean", 0.5 if there else None, "a setting" if there else "see the experiment rsa2007-k")
    yield _row("n_algorithms", float(len({v.algorithm for v in known})), "a setting")
    named = [d for d in results.datasets if d in results.printed_names]
    gone = sum(d in results.missing for d in named)
    yield _row("n_datasets", float(len(named) - gone), f"{gone} of {len(named)} missing", judged=not gone)
    folds = results.experiment.get("folds") or {}
    yield _row("cv_folds", float(folds.get("folds", 0)), "a setting")
    specs = [ref["spec"] for ref in results.experiment.get("classifiers") or ()]
    yield _row("knn_k", float(specs[0].get("k", 1)) if specs else None, "a setting")


def _corral() -> Iterator[Compared]:
    from fsbench.data import load

    data = load("corral-test")
    column = next(j for j, feature in enumerate(data.features) if feature.name == "Correlated")
    agreement = 100.0 * float((data.X[:, column] == data.y).mean())
    yield _row("corral.c_agreement", agreement, "counted now in the 128 rows")
    yield _row("corral.n_features", float(data.n_features), "counted now")
    yield _row("corral.n_classes", float(data.n_classes), "counted now")


def _sizes(results: Results) -> Iterator[Compared]:
    """Compare the sizes of the data sets with those in the text."""
    table = results.dataset_table.set_index("dataset")
    labels = results.printed_labels
    columns = {"n_instances": "n_rows", "n_features": "n_features", "n_classes": "n_classes"}
    for quantity in paper.prose():
        name, _, what = quantity.rpartition(".")
        if what not in columns or name not in labels:
            continue
        if labels[name] in results.missing:
            yield _row(quantity, None, "missing")
        else:
            yield _row(quantity, float(table[columns[what]][labels[name]]))


def _statements(results: Results) -> Iterator[Compared]:
    here = [d for d in results.datasets if d in results.printed_names]
    ours = [p for p in pairs(results, here) if p.ok]
    if ours:
        printed = list(printed_pairs([results.printed_names[d] for d in here]))
        for name, i in (("near_ties", 0), ("near_ties.smaller", 1), ("near_ties.larger", 3)):
            note = "within 0.75 points; smaller, larger: the modified subset" if not i else ""
            mine, theirs = float(near_counts(ours)[i]), float(near_counts(printed)[i])
            yield Compared("prose", "", name, mine, theirs, None, None, note or "printed: of Table 4", "pairs")
    for plus, minus in ALGORITHMS:
        name, ratio = f"PTA({plus},{minus})", overhead(results, (plus, minus))
        if ratio is not None:
            yield _said(f"overhead.evaluations.{name}", ratio[0], "times", "aware against conventional")
            yield _said(f"overhead.time.{name}", ratio[1], "times", "aware against conventional, on this machine")
        for kind, k in _KINDS.items():
            found = variant(results, (plus, minus), k)
            share = below_empty(results, found.label) if found else None
            if share is not None:
                yield _said(f"below_empty.{name}.{kind}", share, "%", "subsets met that are worth less than none")


def _weights(results: Results) -> Iterator[Compared]:
    """Tell the mean errors under other weights of the remainder, which the paper tried and does not show."""
    if len(weights_of(results)) < 3:
        return
    for protocol in protocols(results):
        for weight, found in by_weight(results, protocol == "nested").items():
            mean = sum(judged.error or 0.0 for judged in found) / len(found)
            yield _said(f"mean_error.{protocol}.{weight}", mean, "%", f"{len(found)} data sets and algorithms")


def _orders(results: Results) -> Iterator[Compared]:
    for dataset in results.datasets:
        found = corral(results, dataset) if dataset.startswith("corral") else None
        if found is not None:
            yield from _of_corral(results, dataset, found)


def _of_corral(results: Results, dataset: str, found: Corral) -> Iterator[Compared]:
    n, seed = len(found.seeds), found.seeds[0]
    exact = {"conventional": found.exact_conventional, "modified": found.exact_modified}
    for kind, k in _KINDS.items():
        first = " ".join(order(results, dataset, k, seed))
        text = paper.prose()[f"corral.order_{kind}_sfg"].text
        note = f"fold seeds that give the printed order, of {n}; printed {text}; "
        yield _said(
            f"corral.order_{kind}_sfg", float(len(exact[kind])), "seeds", f"{note}seed {seed}: {first}", dataset
        )
    told = f"seeds of {n}"
    shows = f"the first is {min(found.both)}" if found.both else "none"
    yield _said("corral.conventional_takes_c_first", float(len(found.misled)), told, "SFG", dataset)
    yield _said("corral.modified_takes_the_four_first", float(len(found.saved)), told, "SFG, with error 0", dataset)
    yield _said("corral.both", float(len(found.both)), told, shows, dataset)
    for kind, count in found.discards.items():
        yield _said(f"corral.sbg_discards_c.{kind}", float(count), told, "the paper: it discards C", dataset)
