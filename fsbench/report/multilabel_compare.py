"""The printed numbers of the multi-label paper beside ours, setup by setup: Tables 2 to 4, and the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from fsbench.published import PrintedCell
from fsbench.published import multilabel as paper
from fsbench.report.compare import Agreement, Compared, tolerance
from fsbench.report.label_results import LabelResults, LabelScores
from fsbench.report.multilabel import (
    BASELINE,
    CONVENTIONS,
    PAPER_MEASURES,
    degraded_cells,
    method_of,
    paper_setups,
    scores_degraded,
)
from fsbench.report.results import Results
from fsbench.report.table import Table

__all__ = [
    "compare_convention",
    "compare_prose",
    "compare_table",
    "extra_tables",
    "summarise_cells",
    "summary_notes",
]

_METHODS = tuple(paper.METHODS.values())
_TABLE2 = {
    "n_examples": "n_rows",
    "n_features": "n_features",
    "n_labels": "labels",
    "label_cardinality": "cardinality",
    "label_density": "density",
    "distinct_combinations": "distinct",
}
# What is known of the cells that do not agree, by data set, and column or method.
_NOTES = {
    ("enron", "subset_accuracy/RF-BR"): "printed as for IG-BR, though RF-BR leaves out 1 % of the features",
    ("bibtex", "IG-BR"): "two features of 1836 reach the threshold here, none in the paper",
    "medical": "the printed reductions fit neither the 978 rows nor Mulan's two parts: another split of that time",
}


def compare_table(results: Results, table: str) -> list[Compared]:
    """Compare every printed cell of a table with ours, in each setup.

    Parameters
    ----------
    results : Results
    table : {"table2", "table3", "table4"}

    Returns
    -------
    list of Compared
        Setup by setup in the paper's order, none left out; Table 2 once. A printed dash agrees with an empty
        selection and with nothing else.
    """
    if results.labelled is None:
        return []
    cells = [c for c in paper.cells() if c.table == table]
    if table == "table2":
        return [_table2(results, cell) for cell in cells]
    return _elsewhere([_compare(results, setup, cell) for setup in results.labelled.setups for cell in cells])


def _elsewhere(cells: list[Compared]) -> list[Compared]:
    """Say of cells that do not agree in which other setup they do."""
    agreeing: dict[tuple[str, str], list[str]] = {}
    for c in cells:
        if c.agrees:
            agreeing.setdefault((c.dataset, c.column), []).append(c.setup)

    def told(c: Compared) -> Compared:
        others = agreeing.get((c.dataset, c.column))
        if c.agrees is not False or not others:
            return c
        return replace(c, note="; ".join(n for n in (f"agrees in the setup {', '.join(others)}", c.note) if n))

    return [told(c) for c in cells]


def _table2(results: Results, cell: PrintedCell) -> Compared:
    labelled = results.labelled
    assert labelled is not None
    # The paper describes the files of all rows: those of the paper's own names.
    label = next((d for d in labelled.datasets if d == cell.dataset), None)
    place = (cell.table, cell.dataset, cell.column)
    if label is None or label in labelled.missing:
        why = "the experiment does not have this data set" if label is None else f"missing: {labelled.missing[label]}"
        return Compared(*place, None, cell.value, None, None, why, cell.unit, outside=label is None)
    facts = results.dataset_table.set_index("dataset").loc[label]
    key = _TABLE2[cell.column]
    found: Any = facts[key] if key in ("n_rows", "n_features") else getattr(labelled.statistics[label], key)
    ours = float(found)
    assert cell.value is not None
    agrees = abs(ours - cell.value) <= cell.half_unit + 1e-9
    note = results.notes.get(label, "")
    return Compared(*place, ours, cell.value, cell.half_unit, agrees, note, cell.unit, strict=agrees)


def _compare(results: Results, setup: str, cell: PrintedCell, measure: str = "") -> Compared:
    printed_measure, _, method_name = cell.column.rpartition("/")
    measure = measure or paper.MEASURES.get(printed_measure, "reduction")
    scores, label = _ours(results, setup, cell.dataset, method_name, measure)
    # Table 3 is printed in per cent, ours too; Table 4 in shares.
    wide = None if not cell.spread or cell.value is None else 2.0 * float(cell.spread) + cell.half_unit
    notes = [results.notes.get(label, "")]
    agrees = strict = None
    if cell.value is None:
        agrees = strict = scores.status == "empty" if scores.status in ("ok", "empty") else None
        notes.append("no feature reaches the threshold, as printed" if agrees else "")
    elif scores.mean is not None and wide is not None:
        gap = abs(scores.mean - cell.value) - 1e-9
        agrees = gap <= wide
        notes.append("less than a printed unit apart" if wide < gap <= 2.0 * cell.half_unit else "")
        strict = gap <= tolerance(_sample_sd(scores), len(scores.values), cell.half_unit)
    elif scores.status == "empty":
        agrees = strict = False
    notes.append(_why(cell, method_name, agrees))
    if not scores.ok and scores.status != "empty":
        notes.append(f"{scores.word}: {scores.reason}" if scores.reason else scores.word)
    elif scores.reason:
        notes.append(scores.reason)
    note = "; ".join(n for n in notes if n)
    return Compared(cell.table, cell.dataset, cell.column, scores.mean, cell.value, wide, agrees, note, cell.unit,
                    scores.status == "absent", setup, strict)  # fmt: skip


def _ours(results: Results, setup: str, name: str, method_name: str, measure: str) -> tuple[LabelScores, str]:
    labelled, method = results.labelled, method_of(results, method_name)
    assert labelled is not None
    label = paper_setups(results)[setup].get(name)
    if label is None:
        return LabelScores("absent", "the experiment does not have this data set"), name
    if method is None:
        return LabelScores("absent", f"the experiment does not have {method_name} with the paper's threshold"), label
    return labelled.scores(label, method, measure), label


def _sample_sd(scores: LabelScores) -> float | None:
    return float(np.std(scores.values, ddof=1)) if len(scores.values) > 1 else None


def _why(cell: PrintedCell, method_name: str, agrees: bool | None) -> str:
    """Return what is known of a cell that does not agree."""
    if agrees is not False:
        return ""
    known = (
        _NOTES.get((cell.dataset, cell.column))
        or _NOTES.get((cell.dataset, method_name))
        or _NOTES.get(cell.dataset, "")
    )
    if cell.column.startswith("macro_f"):
        known = "; ".join(n for n in ("macro F hangs on what 0/0 is: see the table of conventions", known) if n)
    return known


def compare_convention(results: Results, setup: str, measure: str) -> list[Compared]:
    """Compare the printed macro F with ours under one convention for 0/0.

    Parameters
    ----------
    results : Results
    setup : str
    measure : str
        A key of `fsbench.report.multilabel.CONVENTIONS`.

    Returns
    -------
    list of Compared
        50 cells, the dashes among them.
    """
    cells = [c for c in paper.cells() if c.table == "table4" and c.column.startswith("macro_f/")]
    return [_compare(results, setup, cell, measure) for cell in cells]


def summarise_cells(results: Results, cells: Iterable[Compared]) -> list[Agreement]:
    """Count agreement by setup: Table 3, each measure of Table 4, both without macro F, and all.

    Parameters
    ----------
    results : Results
    cells : iterable of Compared

    Returns
    -------
    list of Agreement
        With both tolerances; macro F under each convention beside the configured one.
    """
    found = list(cells)
    summary = [_agreement("table2", "all", "", group)] if (group := [c for c in found if c.table == "table2"]) else []
    for setup in dict.fromkeys(c.setup for c in found if c.table != "table2"):
        inside = [c for c in found if c.setup == setup and c.table != "table2"]
        macro = [c for c in inside if c.column.startswith("macro_f/")]
        if reduction := [c for c in inside if c.table == "table3"]:
            summary.append(_agreement("table3", "reduction", setup, reduction))
        for printed in paper.MEASURES:
            if group := [c for c in inside if c.column.startswith(f"{printed}/")]:
                summary.append(_agreement("table4", printed, setup, group))
        for measure, words in CONVENTIONS.items() if macro else ():
            group = compare_convention(results, setup, measure)
            summary.append(_agreement("table4", f"macro_f, {words}", setup, group))
        rest = [c for c in inside if c not in macro]
        if macro and rest:
            summary.append(_agreement("", "all but macro F", setup, rest))
        summary.append(_agreement("", "all", setup, inside))
    return summary


def extra_tables(results: Results) -> list[Table]:
    """Return, setup by setup, the paper's degraded cells beside ours and macro F under each convention for 0/0."""
    from fsbench.report.tables.multilabel_printed import degraded_table, macro_table  # which compares by this module

    if results.labelled is None:
        return []
    return [make(results, setup) for setup in results.labelled.setups for make in (degraded_table, macro_table)]


def summary_notes(summary: Iterable[Agreement]) -> list[str]:
    """Return which convention for 0/0 comes nearest to the printed macro F, setup by setup."""
    texts = []
    found = [a for a in summary if a.column.startswith("macro_f, ") and a.mean_distance is not None]
    for setup in dict.fromkeys(a.setup for a in found):
        best = min((a for a in found if a.setup == setup), key=lambda a: a.mean_distance or 0.0)
        where = f"In the setup {setup}, n" if setup else "N"
        words = best.column.removeprefix("macro_f, ")
        texts.append(f"{where}earest to the printed macro F by mean distance: {words} ({best.mean_distance:.3f}).")
    return texts


def _agreement(table: str, column: str, setup: str, cells: list[Compared]) -> Agreement:
    gaps = [c.difference for c in cells if c.difference is not None]
    judged = [c for c in cells if c.agrees is not None]
    mean = sum(gaps) / len(gaps) if gaps else None
    distance = sum(map(abs, gaps)) / len(gaps) if gaps else None
    agree, strict = (
        sum(flag is True for flag in flags) for flags in ([c.agrees for c in cells], [c.strict for c in cells])
    )
    return Agreement(table, column, "", len(cells), len(judged), agree, mean, distance, setup, strict)


def compare_prose(results: Results) -> list[Compared]:
    """Return the numbers of the paper's text beside ours.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Compared
        With the table ``"prose"``; what was computed stands once for each setup. Counts are not judged if data sets
        are missing.
    """
    if results.labelled is None:
        return []
    found = list(_settings(results, results.labelled))
    for setup in results.labelled.setups:
        found += [replace(c, setup=setup) for c in _counts(results, setup)]
    return found


def _settings(results: Results, labelled: LabelResults) -> Iterator[Compared]:
    specs = [ref["spec"] for ref in results.experiment.get("classifiers") or ()]
    thresholds = [m.amount for m in labelled.methods if m.selection == "threshold"]
    folds = results.experiment.get("folds") or {}
    yield _exact("threshold", thresholds[0] if thresholds else None, "a setting")
    yield _exact("brknn_k", float(specs[0].get("k", 5)) if specs else None, "a setting")
    yield _exact("cv_folds", float(folds.get("folds", 10)) if folds.get("scheme") != "file" else None, "a setting")
    first = next(iter(paper_setups(results).values()))
    yield _exact("n_datasets", float(len(first)), "a setting")
    known = [name for name in _METHODS if method_of(results, name) is not None]
    yield _exact("n_methods", float(len(known)), "a setting")
    yield _exact("n_measures", float(len(PAPER_MEASURES)), "a setting")


def _counts(results: Results, setup: str) -> Iterator[Compared]:
    sets = paper_setups(results)[setup]
    cells = {
        (name, measure, method): _ours(results, setup, name, method, measure)[0]
        for name in sets for measure in (*PAPER_MEASURES, "reduction") for method in _METHODS
    }  # fmt: skip
    whole = len(sets) == len(paper.PAPER_NAMES) and all(s.status in ("ok", "empty") for s in cells.values())
    measured = {key: s for key, s in cells.items() if key[1] != "reduction"}
    worse = [key for key in measured if scores_degraded(key[1], _base(results, setup, key), cells[key])]
    empty = [key for key in cells if key[1] == "reduction" and cells[key].status == "empty"]
    ours: dict[str, float] = {
        "n_cells": sum(s.ok for s in measured.values()),
        "n_empty_cells": sum(s.status == "empty" for s in measured.values()),
        "n_empty_pairs": len(empty),
        "n_degraded": len(worse),
        "n_degraded_hamming_loss": sum(measure == "hamming_loss" for _, measure, _ in worse),
        "n_degraded_subset_accuracy": sum(measure == "subset_accuracy" for _, measure, _ in worse),
        "empty_ig_br": sum(method == "IG-BR" for *_, method in empty),
        "empty_ig_lp": sum(method == "IG-LP" for *_, method in empty),
    }
    notes = {
        "n_empty_pairs": ", ".join(f"{name} {method}" for name, _, method in empty),
        "n_degraded": f"in {', '.join(dict.fromkeys(name for name, *_ in worse)) or 'none'}; "
        f"{len(set(worse) & set(degraded_cells()))} of them are degraded in print",
        "empty_ig_br": " ".join(name for name, _, method in empty if method == "IG-BR"),
        "empty_ig_lp": " ".join(name for name, _, method in empty if method == "IG-LP"),
    }
    for quantity, value in ours.items():
        part = "" if whole else "not all data sets are here: not judged"
        yield _exact(quantity, float(value), "; ".join(n for n in (notes.get(quantity, ""), part) if n), whole)
    if "enron" in sets:
        yield from _enron(cells)


def _base(results: Results, setup: str, key: tuple[str, str, str]) -> LabelScores:
    return _ours(results, setup, key[0], BASELINE, key[1])[0]


def _enron(cells: dict[tuple[str, str, str], LabelScores]) -> Iterator[Compared]:
    found = [s for method in _METHODS if (s := cells["enron", "reduction", method]).mean is not None]
    if not found:
        return
    least, most = (choose(found, key=lambda s: s.mean or 0.0) for choose in (min, max))
    for quantity, scores in (("enron.reduction_min", least), ("enron.reduction_max", most)):
        yield _exact(quantity, scores.mean, scores=scores)
    kept = cells["enron", "reduction", "IG-BR"]
    yield _exact("enron.kept_ig_br", None if kept.mean is None else 100.0 - kept.mean, scores=kept)


def _exact(
    quantity: str, ours: float | None, note: str = "", judged: bool = True, scores: LabelScores | None = None
) -> Compared:
    """Compare a number of the text; a mean over folds may differ by chance, anything else by rounding only."""
    printed = paper.prose()[quantity]
    agrees, half = None, printed.half_unit
    allowed: float | None = tolerance(_sample_sd(scores), len(scores.values), half) if scores else half
    if ours is not None and printed.value is not None and judged and allowed is not None:
        agrees = abs(ours - printed.value) <= allowed + 1e-9
    notes = "; ".join(n for n in (note, printed.note) if n)
    allowed = allowed if agrees is not None else None
    return Compared("prose", "", quantity, ours, printed.value, allowed, agrees, notes, printed.unit)
