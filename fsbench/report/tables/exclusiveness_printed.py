"""Tables 1 to 3 of the exclusiveness paper in its layout, the printed numbers beside ours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fsbench.published import exclusiveness as paper
from fsbench.report.exclusiveness import (
    Measured,
    Setting,
    main_setting,
    measure,
    printed_error,
    relevance,
    share_kept,
    tree,
)
from fsbench.report.exclusiveness_compare import mean_change
from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent

__all__ = ["printed_tables"]

_ERRORS = {
    "original_a": "A original",
    "ordered_b": "B ordered",
    "reduced_c": "C reduced",
    "order_b_minus_a": "B - A",
    "reduction_c_minus_b": "C - B",
}


def printed_tables(results: Results) -> list[Table]:
    """Return Table 1, the attribute orders that are a column of it, Table 2 and Table 3.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
        Empty if the experiment has no trie with an exclusiveness ranker of its own.
    """
    setting = main_setting(results)
    if setting is None:
        return []
    return [_table1(results, setting), _orders(results, setting), _table2(results, setting), _table3(results)]


def _rows(results: Results, table: str) -> Iterator[tuple[str, str]]:
    """Yield label and printed name of each data set: those of the paper's table in its order, then the others."""
    labels = results.printed_labels
    printed = dict.fromkeys(cell.dataset for cell in paper.cells() if cell.table == table)
    yield from ((labels[name], name) for name in printed if name in labels)
    yield from ((label, "") for label in results.datasets if label not in results.printed_names)


def _pair(results: Results, label: str, printed: str, column: str, spread: bool = True) -> list[Cell]:
    return [_cell(results, label, measure(results, label, column), spread), _printed(printed, column)]


def _cell(results: Results, label: str, found: Measured, spread: bool = True) -> Cell:
    if found.mean is None:
        return absent("missing" if label in results.missing else found.why.partition(":")[0] or "absent", found.source)
    return Cell(found.mean, found.sd if spread else None, source=found.source)


def _printed(name: str, column: str) -> Cell:
    return Cell(printed_error(name, column)) if name else Cell()


def _notes(results: Results, label: str) -> tuple[str, ...]:
    notes = [f"{label}: {results.notes[label]}"] if label in results.notes else []
    if label in results.missing:
        return (*notes, f"{label}: missing: {results.missing[label]}")
    why = measure(results, label, "reduced_c").why
    return (*notes, f"{label}: {why}") if why else tuple(notes)


def _two(key: str, title: str, decimals: int = 1) -> list[Column]:
    return [
        Column(key, "ours", title, decimals=decimals),
        Column(f"{key}_printed", "printed", title, decimals=decimals),
    ]


def _intervals(setting: Setting) -> str:
    return f"{setting.intervals} intervals"


def _table1(results: Results, setting: Setting) -> Table:
    columns = [
        DATASET,
        *_two("attributes", "attributes", 0),
        Column("attributes_from_share", "from the %", "attributes", decimals=0),
        *_two("n_train", "training rows", 0),
        *_two("n_test", "test rows", 0),
        *_two("relevant", "relevant (%)"),
        Column("tied", "tied", decimals=1),
        Column("tau", "tau", decimals=2),
    ]
    rows = []
    for label, name in _rows(results, "table1"):
        found = relevance(results, label, setting)
        cells = [Cell(label), *_pair(results, label, name, "printed_n_attributes", spread=False)]
        cells.append(Cell(paper.COUNTS_FROM_SHARES.get(name)))
        for column in ("n_train", "n_test"):
            cells += _pair(results, label, name, column, spread=False)
        cells += _pair(results, label, name, "relevant_pct")
        cells.append(Cell(float(found.tied.mean())) if found else Cell())
        cells.append(Cell(float(found.tau.mean()), _sd(found.tau)) if found and len(found.tau) else Cell())
        rows.append(Row(tuple(cells), _notes(results, label)))
    notes = (
        (
            "relevant: delta > 0 with phi = 0.75. tied: attributes with exactly the delta of another one; equal deltas "
            "stay in the order of the file. tau: Kendall's tau of our order and the printed one. All are means over "
            f"the training parts: {results.protocol}."
        ),
        *paper.SLIPS["table1"],
    )
    return Table("table1", f"Table 1: data sets and relevant attributes, {_intervals(setting)}", tuple(columns),
                 tuple(rows), notes)  # fmt: skip


def _sd(values: np.typing.NDArray[np.float64]) -> float | None:
    return float(values.std(ddof=1)) if len(values) > 1 else None


def _orders(results: Results, setting: Setting) -> Table:
    columns = (DATASET, Column("whose", "", kind="text"),
               Column("order", "attributes, most relevant first", kind="text"))  # fmt: skip
    rows = []
    for label, name in _rows(results, "table1"):
        found = relevance(results, label, setting)
        ours = (
            Cell(",".join(map(str, found.order)))
            if found
            else absent("missing" if label in results.missing else "absent")
        )
        rows.append(Row((Cell(label), Cell("ours"), ours), _notes(results, label)))
        if name:
            rows.append(Row((Cell(label), Cell("printed"), Cell(",".join(map(str, paper.attribute_orders()[name]))))))
    notes = ("Attributes are numbered from 1 in the order of the file; ours by falling mean delta over the folds.",)
    title = f"Table 1, new attribute order, {_intervals(setting)}"
    return Table("table1-orders", title, columns, tuple(rows), notes)


def _table2(results: Results, setting: Setting) -> Table:
    columns = [DATASET]
    for key, title in _ERRORS.items():
        columns += _two(key, title)
    columns.append(Column("pruned", "pruned (%)"))
    rows, losses = [], []
    for label, name in _rows(results, "table2"):
        cells = [Cell(label)]
        for column in _ERRORS:
            cells += _pair(results, label, name, column)
        kept = share_kept(results, label, setting)
        loss = measure(results, label, "reduction_c_minus_b").mean
        if kept is not None and loss is not None:
            losses.append((label, 100.0 - kept, loss))
        rows.append(Row((*cells, Cell(None if kept is None else 100.0 - kept)), _notes(results, label)))
    rows.append(_average(results, losses))
    notes = (*_change_notes(results), *_loss_notes(losses), *paper.SLIPS["table2"])
    title = f"Table 2: error (%) of the trie with original order, ordered, reduced, {_intervals(setting)}"
    return Table("table2", title, tuple(columns), tuple(rows), notes)


def _average(results: Results, losses: list[tuple[str, float, float]]) -> Row:
    cells = [Cell("average")]
    for column in _ERRORS:
        mean, _, _ = mean_change(results, column)
        cells += [Cell(mean), Cell(float(paper.AVERAGE_CHANGE) if column == "order_b_minus_a" else None)]
    pruned = float(np.mean([share for _, share, _ in losses])) if losses else None
    return Row((*cells, Cell(pruned)), rule=True)


def _change_notes(results: Results) -> list[str]:
    mean, printed, known = mean_change(results, "order_b_minus_a")
    if mean is None or printed is None:
        return []
    better = sum((measure(results, d, "order_b_minus_a").mean or 0.0) < 0 for d in known)
    signs = "the same sign" if mean * float(paper.AVERAGE_CHANGE) > 0 else "not the same sign"
    return [
        (
            f"Ordering by relevance changes the error by {mean:+.2f} points in the mean of {len(known)} data sets "
            f"(lower in {better} of them); printed {paper.AVERAGE_CHANGE}, and {printed:+.2f} over "
            f"the same data sets: {signs}."
        )
    ]


def _loss_notes(losses: list[tuple[str, float, float]]) -> list[str]:
    if not losses:
        return []
    helped, hurt = sum(loss < 0 for *_, loss in losses), sum(loss > 0 for *_, loss in losses)
    name, _, worst = max(losses, key=lambda item: item[2])
    prose = paper.prose()
    texts = [
        (
            f"Reduction lowers the error in {helped} of {len(losses)} data sets and raises it in {hurt} (printed "
            f"{prose['share_cases_reduction_helps'].text} % and {prose['share_cases_reduction_hurts'].text} %, 3 and 4 "
            f"of 7); the largest change upwards is {worst:+.2f} points, {name} (printed "
            f"{prose['max_loss_reduction'].text})."
        )
    ]
    pairs = ", ".join(f"{label} {share:.0f} % {loss:+.1f}" for label, share, loss in sorted(losses, key=lambda t: t[1]))
    return [*texts, f"Change of the error by the share of attributes pruned: {pairs}."]


def _table3(results: Results) -> Table:
    columns = (
        DATASET,
        Column("classes", "classes", decimals=0),
        *_two("c45_error", "C4.5"),
        Column("ours_error", "ours", "trie"),
        Column("ours_error_sd", "±", "trie"),
        Column("ours_error_printed", "printed", "trie"),
        Column("ours_error_printed_sd", "± ", "trie"),
        *_two("difference", "trie - C4.5"),
    )
    rows, gaps = [], []
    for label, name in _rows(results, "table3"):
        ours = measure(results, label, "ours_error") - measure(results, label, "c45_error")
        printed = _printed_gap(name)
        classes = _classes(results, label)
        if classes and ours.mean is not None:
            gaps.append((classes, ours.mean, printed))
        cells = [Cell(label), Cell(classes), *_pair(results, label, name, "c45_error")]
        trie = measure(results, label, "ours_error")
        cells += [_cell(results, label, trie, spread=False), Cell(trie.sd)]
        cells += [_printed(name, "ours_error"), _spread(name)]
        rows.append(Row((*cells, _cell(results, label, ours), Cell(printed)), _notes(results, label)))
    notes = [
        "Deviations: ours over the folds, sample form; the paper does not say of what its own are.",
        *_class_notes(gaps),
        *paper.SLIPS["table3"],
    ]
    if not tree(results):
        notes.insert(0, "The experiment does not have C4.5.")
    return Table("table3", "Table 3: error (%) of C4.5 and of the trie", columns, tuple(rows), tuple(notes))


def _printed_gap(name: str) -> float | None:
    ours, theirs = printed_error(name, "ours_error"), printed_error(name, "c45_error")
    return None if ours is None or theirs is None else ours - theirs


def _spread(name: str) -> Cell:
    found = next((c for c in paper.cells() if (c.dataset, c.column) == (name, "ours_error")), None)
    return Cell(float(found.spread)) if found and found.spread else Cell()


def _classes(results: Results, label: str) -> int | None:
    table = results.dataset_table.set_index("dataset")["n_classes"].dropna()
    return int(table[label]) if label in table.index else None


def _class_notes(gaps: list[tuple[int, float, float | None]]) -> list[str]:
    """Return what becomes of the paper's remark that its method is better with few classes and worse with many."""
    texts = []
    for words, few in (("two classes", True), ("more", False)):
        group = [(ours, printed) for classes, ours, printed in gaps if (classes == 2) == few]
        if group:
            both = [p for _, p in group if p is not None]
            text = f", printed {np.mean(both):+.1f}" if both else ""
            texts.append(f"{np.mean([o for o, _ in group]):+.1f}{text} with {words} ({len(group)} data sets)")
    if not texts:
        return []
    return [f"By the paper, better with few classes and worse with many. Mean trie - C4.5: {'; '.join(texts)}."]
