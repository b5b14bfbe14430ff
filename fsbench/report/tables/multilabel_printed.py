"""Tables 2 to 4 of the multi-label paper in its layout, setup by setup, the printed numbers beside ours."""

from __future__ import annotations

import numpy as np

from fsbench.published import multilabel as paper
from fsbench.report.label_results import TITLES, LabelScores
from fsbench.report.multilabel import (
    BASELINE,
    CONVENTIONS,
    PAPER_MEASURES,
    degraded_cells,
    is_degraded_in_print,
    method_of,
    paper_setups,
    printed_value,
    scores_degraded,
)
from fsbench.report.multilabel_compare import compare_convention
from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent, marks
from fsbench.report.tables.common import slug
from fsbench.stats import Verdict

__all__ = ["degraded_table", "macro_table", "printed_tables"]

_METHODS = tuple(paper.METHODS.values())
_RULE = (
    "• in the columns 'grey', the paper's degraded cells by its own rule: mean ± deviation of the baseline lies wholly "
    "on the better side of mean ± deviation of the method, in whole hundredths. First ours, then the paper's."
)
_DASH = "-: every feature has a score below the threshold."


def printed_tables(results: Results) -> list[Table]:
    """Return Table 2, and for each setup Tables 3 and 4, the degraded cells, and macro F under each convention.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
        Those of a setup have its name at the end of their keys. Empty without the paper's methods.
    """
    if not any(method_of(results, name) for name in (BASELINE, *_METHODS)):
        return []
    found = [_table2(results)]
    for setup in paper_setups(results):
        found += [
            _table3(results, setup),
            _table4(results, setup),
            degraded_table(results, setup),
            macro_table(results, setup),
        ]
    return found


def _key(name: str, setup: str) -> str:
    return f"{name}-{slug(setup)}" if setup else name


def _in(setup: str) -> str:
    return f", setup {setup}" if setup else ""


def _kind(record: dict[str, object]) -> str:
    kinds = [letter for key, letter in (("n_nominal", "d"), ("n_numeric", "n")) if float(str(record[key]))]
    return "+".join(kinds)


def _table2(results: Results) -> Table:
    labelled = results.labelled
    assert labelled is not None
    columns = (
        DATASET,
        Column("n_examples", "N", decimals=0),
        Column("n_features", "M", decimals=0),
        Column("feature_type", "type", kind="text"),
        Column("n_labels", "|L|", decimals=0),
        Column("label_cardinality", "LC", decimals=2),
        Column("label_density", "LD", decimals=2),
        Column("distinct_combinations", "DC", decimals=0),
        Column("unlabelled_rows", "rows without label", decimals=0),
    )
    rows = []
    records = {str(r["dataset"]): r for r in results.dataset_table.to_dict("records")}
    for label in labelled.datasets:
        if label in labelled.missing:
            rows.append(Row((Cell(label), *[absent("missing")] * (len(columns) - 1)),
                            (f"{label}: missing: {labelled.missing[label]}",)))  # fmt: skip
            continue
        s, record = labelled.statistics[label], {str(k): v for k, v in records[label].items()}
        cells = (
            Cell(label), Cell(int(record["n_rows"])), Cell(int(record["n_features"])), Cell(_kind(record)),
            Cell(s.labels), Cell(s.cardinality), Cell(s.density), Cell(s.distinct), Cell(s.unlabelled_rows),
        )  # fmt: skip
        rows.append(Row(cells, (f"{label}: {results.notes[label]}",) if label in results.notes else ()))
    notes = (
        "d: nominal features, n: numeric. LC: labels of a row on average; LD: LC / |L|; DC: different label sets.",
    )
    return Table("table2", "Table 2: data sets", columns, tuple(rows), notes)


def _scores(results: Results, label: str, method: str, measure: str) -> LabelScores:
    found, labelled = method_of(results, method), results.labelled
    assert labelled is not None
    return labelled.scores(label, found, measure) if found else LabelScores("absent")


def _cell(scores: LabelScores) -> Cell:
    source = scores.source
    return Cell(scores.mean, scores.sd, source=source) if scores.ok else absent(scores.word, source)


def _printed(name: str, method: str, measure: str) -> Cell:
    cell = printed_value(name, method, measure)
    if cell is None:
        return Cell()
    return absent("-") if cell.value is None else Cell(cell.value, float(cell.spread))


def _notes(results: Results, label: str, name: str, scores: dict[str, LabelScores]) -> tuple[str, ...]:
    notes = [f"{label}: {results.notes[label]}"] if label in results.notes else []
    if label != name:
        notes.append(f"{name}: {label} stands for it")
    why = dict.fromkeys(f"{label}, {m}: {s.reason}" for m, s in scores.items() if s.reason and s.status != "empty")
    return (*notes, *why)


def _table3(results: Results, setup: str) -> Table:
    columns = [DATASET]
    for method in _METHODS:
        columns += [
            Column(method, "ours", method, decimals=2, spread=True),
            Column(f"{method} printed", "printed", method, decimals=2, spread=True),
        ]
    rows = []
    for name, label in paper_setups(results)[setup].items():
        found = {method: _scores(results, label, method, "reduction") for method in _METHODS}
        cells = [Cell(name)]
        for method, scores in found.items():
            cells += [_cell(scores), _printed(name, method, "reduction")]
        rows.append(Row(tuple(cells), _notes(results, label, name, found)))
    notes = (_DASH, f"In brackets: standard deviation of the population over the folds: {results.protocol}.")
    title = f"Table 3: features left out (%){_in(setup)}"
    return Table(_key("table3", setup), title, tuple(columns), tuple(rows), notes)


def _table4(results: Results, setup: str) -> Table:
    columns = [Column("measure", "measure", kind="name"), DATASET, Column(BASELINE, BASELINE, decimals=2, spread=True)]
    for method in _METHODS:
        columns += [
            Column(method, "ours", method, decimals=2, spread=True),
            Column(f"{method} degraded", "grey", method, "marks", parts=("ours", "paper")),
        ]
    rows = []
    for measure in PAPER_MEASURES:
        for at, (name, label) in enumerate(paper_setups(results)[setup].items()):
            base = _scores(results, label, BASELINE, measure)
            found = {method: _scores(results, label, method, measure) for method in _METHODS}
            cells = [Cell(TITLES[measure] if at == 0 else ""), Cell(name), _cell(base)]
            for method, scores in found.items():
                ours, theirs = scores_degraded(measure, base, scores), is_degraded_in_print(name, method, measure)
                cells += [_cell(scores), marks(_verdict(ours), _verdict(theirs))]
            rows.append(
                Row(tuple(cells), _notes(results, label, name, found), rule=at == 0 and measure != "hamming_loss")
            )
    zero = {"one": "1", "zero": "0", "skip": "left out"}[str(results.experiment.get("zero_division", "one"))]
    notes = (_DASH, _RULE, f"0/0 is {zero}; macro F under each convention stands in a table of its own.",
             f"In brackets: standard deviation of the population over the folds: {results.protocol}.")  # fmt: skip
    title = f"Table 4: measures of the predicted label sets{_in(setup)}"
    return Table(_key("table4", setup), title, tuple(columns), tuple(rows), notes)


def _verdict(flag: bool | None) -> Verdict:
    return "omitted" if flag is None else "worse" if flag else "equal"


def degraded_table(results: Results, setup: str) -> Table:
    """Return the cells that the paper prints in grey, beside ours."""
    columns = (
        Column("measure", "measure", kind="name"),
        DATASET,
        Column("method", "method", kind="text"),
        Column("baseline", "baseline", "ours", decimals=2),
        Column("ours", "method", "ours", decimals=2),
        Column("baseline_printed", "baseline", "printed", decimals=2),
        Column("printed", "method", "printed", decimals=2),
        Column("degraded", "degraded here", kind="text"),
    )
    rows, same, known = [], 0, 0
    for name, measure, method in degraded_cells():
        label = paper_setups(results)[setup].get(name)
        if label is None:
            continue
        base, scores = (_scores(results, label, which, measure) for which in (BASELINE, method))
        flag = scores_degraded(measure, base, scores)
        known, same = known + (flag is not None), same + (flag is True)
        cells = (
            Cell(TITLES[measure]), Cell(name), Cell(method), _cell(base), _cell(scores),
            _printed(name, BASELINE, measure), _printed(name, method, measure),
            Cell("" if flag is None else "yes" if flag else "no"),
        )  # fmt: skip
        rows.append(Row(cells))
    ours = _count(results, setup)
    notes = (f"Of {known} printed degraded cells {same} are degraded here too; {ours} of ours are degraded in all.",)
    title = f"The degraded cells of Table 4 (printed in grey){_in(setup)}"
    return Table(_key("degraded", setup), title, columns, tuple(rows), notes)


def _count(results: Results, setup: str) -> int:
    """Count our degraded cells, whatever the paper prints."""
    flags = [
        scores_degraded(measure, _scores(results, label, BASELINE, measure), _scores(results, label, method, measure))
        for label in paper_setups(results)[setup].values() for measure in PAPER_MEASURES for method in _METHODS
    ]  # fmt: skip
    return sum(flag is True for flag in flags)


def macro_table(results: Results, setup: str) -> Table:
    """Return macro F under each convention for 0/0, beside the printed values."""
    columns = [DATASET]
    for method in (BASELINE, *_METHODS):
        columns.append(Column(f"{method} printed", "printed", method, decimals=2))
        columns += [Column(f"{method} {key}", words, method, decimals=2) for key, words in CONVENTIONS.items()]
    rows = []
    for name, label in paper_setups(results)[setup].items():
        cells = [Cell(name)]
        for method in (BASELINE, *_METHODS):
            cells.append(_printed(name, method, "f_macro"))
            cells += [_cell(_scores(results, label, method, key)) for key in CONVENTIONS]
        rows.append(Row(tuple(cells), (f"{name}: {label} stands for it",) if label != name else ()))
    title = f"Macro F under each convention for 0/0{_in(setup)}"
    return Table(_key("macro-f", setup), title, tuple(columns), tuple(rows), tuple(_nearest(results, setup)))


def _nearest(results: Results, setup: str) -> list[str]:
    """Return how far each convention is from the printed macro F, and which comes nearest."""
    distances = {}
    for key in CONVENTIONS:
        gaps = [c.difference for c in compare_convention(results, setup, key) if c.difference is not None]
        if gaps:
            distances[key] = (float(np.mean(np.abs(gaps))), len(gaps))
    if not distances:
        return []
    best = min(distances, key=lambda key: distances[key][0])
    listed = ", ".join(f"{CONVENTIONS[key]} {gap:.3f}" for key, (gap, _) in distances.items())
    count = distances[best][1]
    return [
        f"Mean distance from {count} printed cells: {listed}; nearest: {CONVENTIONS[best]}.",
        "0/0 arises for a label that no test row of a fold carries and none is said to.",
    ]
