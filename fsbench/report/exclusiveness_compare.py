"""The printed numbers of the exclusiveness paper beside ours: Tables 1 to 3, and the text."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fsbench.published import PrintedCell
from fsbench.published import exclusiveness as paper
from fsbench.report.compare import Compared, tolerance
from fsbench.report.exclusiveness import Measured, main_setting, measure, printed_error, share_kept, tree
from fsbench.report.results import Results

__all__ = ["compare_prose", "compare_table", "mean_change"]

_SIZES = ("n_train", "n_test")
# The last line of Table 2 stands where the others name a data set.
_AVERAGE = "average"
_SLIPS = {
    "printed_n_attributes": "the printed column stands one row too low",
    "c45_error": "printed from the literature; ours by our own C4.5 on the same folds",
    ("breast-w", "reduction_c_minus_b"): "the printed columns give -0.4",
    ("hypothyroid-uci3163", "reduction_c_minus_b"): "the printed columns give +0.4",
    ("breast-w", "ours_error"): "Table 2 has 1.8",
}


def compare_table(results: Results, table: str) -> list[Compared]:
    """Compare every printed cell of a table with ours.

    Parameters
    ----------
    results : Results
    table : {"table1", "table2", "table3"}

    Returns
    -------
    list of Compared
        In the paper's order, none left out. Sizes of training and test part are judged only if the experiment
        holds out rows as the paper does.
    """
    return [
        _average(results, cell) if cell.dataset == _AVERAGE else _compare(results, cell)
        for cell in paper.cells()
        if cell.table == table
    ]


def _compare(results: Results, cell: PrintedCell) -> Compared:
    dataset = results.printed_labels.get(cell.dataset, cell.dataset)
    found = measure(results, dataset, cell.column)
    allowed = tolerance(found.sd, len(found.values), cell.half_unit) if found.mean is not None else None
    notes = [found.why, results.notes.get(dataset, ""), _SLIPS.get(cell.column, "")]
    notes.append(_SLIPS.get((cell.dataset, cell.column), ""))
    if cell.column in _SIZES and not _held_out(results):
        allowed = None
        notes.append("ours by cross-validation, printed one training and one test part: not judged")
    elif len(found.values) == 1:
        notes.append("one fold: the tolerance is that of rounding only")
    agrees = None
    if found.mean is not None and cell.value is not None and allowed is not None:
        agrees = abs(found.mean - cell.value) <= allowed + 1e-9
    note = "; ".join(n for n in notes if n)
    outside = dataset not in results.datasets or (cell.column == "c45_error" and not tree(results))
    place = (cell.table, cell.dataset, cell.column)
    return Compared(*place, found.mean, cell.value, allowed, agrees, note, cell.unit, outside)


def _average(results: Results, cell: PrintedCell) -> Compared:
    """Compare the last line of Table 2, the mean over the data sets."""
    found = _mean_row(results)
    return Compared(cell.table, _AVERAGE, cell.column, found.ours, cell.value, found.tolerance, found.agrees,
                    found.note, cell.unit)  # fmt: skip


def _held_out(results: Results) -> bool:
    return (results.experiment.get("folds") or {}).get("scheme") == "holdout"


def compare_prose(results: Results) -> list[Compared]:
    """Return every number of the paper's text beside ours.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Compared
        With the table ``"prose"``. Numbers over all data sets are not judged if the run lacks some.
    """
    return [*_settings(results), *_over_datasets(results), *_figure1()]


def mean_change(results: Results, column: str) -> tuple[float | None, float | None, list[str]]:
    """Return the mean of a column of Table 2 over the data sets that we have.

    Parameters
    ----------
    results : Results
    column : str
        Such as ``order_b_minus_a``.

    Returns
    -------
    tuple
        Our mean, the printed mean over the same data sets, and their labels; the numbers are None without any.
    """
    known = [d for d in results.datasets if measure(results, d, column).mean is not None and d in results.printed_names]
    if not known:
        return None, None, []
    ours = [measure(results, d, column).mean or 0.0 for d in known]
    printed = [printed_error(results.printed_names[d], column) or 0.0 for d in known]
    return float(np.mean(ours)), float(np.mean(printed)), known


def _row(quantity: str, ours: float | None, allowed: float | None, note: str = "") -> Compared:
    printed = paper.prose()[quantity]
    agrees = None
    if ours is not None and printed.value is not None and allowed is not None:
        agrees = abs(ours - printed.value) <= allowed + 1e-9
    notes = "; ".join(n for n in (note, printed.note) if n)
    return Compared("prose", "", quantity, ours, printed.value, allowed, agrees, notes, printed.unit)


def _exact(quantity: str, ours: float | None, note: str = "") -> Compared:
    return _row(quantity, ours, paper.prose()[quantity].half_unit, note)


def _settings(results: Results) -> Iterator[Compared]:
    from fsbench.classifiers.trie import CRITERIA

    setting = main_setting(results)
    specs = {str(ref["label"]): ref["spec"] for ref in results.experiment.get("rankers") or ()}
    phi = specs[setting.ranker].get("phi", 0.75) if setting else None
    yield _exact("phi", None if phi is None else float(phi), "a setting")
    yield _exact("phi_exclusive", 1.0, "a setting, of Figure 1 below")
    folds = results.experiment.get("folds") or {}
    yield _exact("cv_folds", None if _held_out(results) else float(folds.get("folds", 10)), "a setting")
    yield _exact("n_datasets", float(len(results.datasets) - len(results.missing)), "with those that are missing: "
                 f"{len(results.datasets)}")  # fmt: skip
    yield _exact("n_criteria", float(len(CRITERIA)), "a setting")
    yield _exact("n_patterns_used", 2.0, "a setting")


def _over_datasets(results: Results) -> Iterator[Compared]:
    whole = len(paper.PAPER_NAMES)
    yield _mean_row(results)
    _, _, known = mean_change(results, "order_b_minus_a")
    part = len(known) < whole
    changes = [measure(results, d, "reduction_c_minus_b").mean or 0.0 for d in known]
    setting = main_setting(results)
    kept = [share_kept(results, d, setting) for d in known] if setting else []
    pruned = [100.0 - share for share in kept if share is not None]
    note = f"{len(known)} of {whole} data sets: not judged" if part else ""
    ours = {
        "share_cases_reduction_helps": _percent([c < 0 for c in changes]),
        "share_cases_reduction_hurts": _percent([c > 0 for c in changes]),
        "max_loss_reduction": max(changes, default=None),
        "mean_attribute_reduction": float(np.mean(pruned)) if pruned else None,
    }
    for quantity, value in ours.items():
        yield _row(quantity, value, None if part else paper.prose()[quantity].half_unit, note)


def _mean_row(results: Results) -> Compared:
    mean, printed, known = mean_change(results, "order_b_minus_a")
    whole = len(paper.PAPER_NAMES)
    note = f"{len(known)} of {whole} data sets: not judged"
    if printed is not None:
        note = f"{len(known)} of {whole} data sets, over which the printed mean is {printed:+.2f}: not judged"
    if len(known) == whole:
        return _row("mean_error_change_ordering", mean, _allowed(results, known))
    return _row("mean_error_change_ordering", mean, None, note)


def _allowed(results: Results, known: list[str]) -> float:
    """Return the tolerance of a mean over data sets: their deviations add in squares."""
    found: list[Measured] = [measure(results, d, "order_b_minus_a") for d in known]
    squares = sum((m.sd or 0.0) ** 2 / len(m.values) for m in found)
    return tolerance(math.sqrt(squares), len(known) ** 2, paper.prose()["mean_error_change_ordering"].half_unit)


def _percent(flags: list[bool]) -> float | None:
    return 100.0 * sum(flags) / len(flags) if flags else None


def _figure1() -> Iterator[Compared]:
    """Compute delta from the printed frequencies: an interval marked * holds rows of a second class."""
    from fsbench.rankers.exclusiveness import relevance

    for attribute, intervals in paper.figure1().items():
        counts = np.array([[rows, 0] if pure else [rows - 1, 1] for rows, pure in intervals])
        delta = relevance(counts, phi=1.0)
        whole = int(counts.sum())
        text = f"computed now from the printed frequencies: {int(delta * whole)}/{whole}"
        yield _exact(f"figure1.delta_{attribute}", float(delta), text)
