"""The intervals of each feature as text: frequencies, classes and marks, laid out as in the paper's Figure 1."""

from __future__ import annotations

from collections.abc import Sequence

from fsbench.rankers.exclusiveness import IntervalTable
from fsbench.values import Dataset, IntArray

__all__ = ["explain"]

COUNTED_CLASSES = 10  # with more, a column a class no longer fits on a screen: only classes that occur are listed


def explain(tables: Sequence[IntervalTable], order: IntArray, train: Dataset, phi: float) -> str:
    """Render the intervals of every feature.

    Parameters
    ----------
    tables : sequence of IntervalTable
        One a feature, in file order.
    order : ndarray of shape (n_features,)
        Features, best first.
    train : Dataset
        The rows that were counted.
    phi : float
        Share of one class that makes an interval semi-exclusive.

    Returns
    -------
    str
        A block a feature, divided by blank lines, without a final line end.
    """
    dominant = "all" if phi == 1 else f"at least {phi:g}"
    head = (
        f"mark: the class that holds {dominant} of the interval's rows; * if none does; - if it is empty\n"
        "delta: the share of all rows in marked intervals; a value on a border lies in the lower interval"
    )
    return "\n\n".join([head, *(_block(tables[int(j)], train) for j in order)])


def _block(table: IntervalTable, train: Dataset) -> str:
    """Return one feature: a headline, a line an interval, and the total."""
    shown = [k for k in range(len(table.counts)) if k < len(table.counts) - 1 or table.rows[k]]
    lines = [_line(table, train, k) for k in shown]
    unplaced = table.n_rows - int(table.rows.sum())
    lines.append(["total", "", "", str(int(table.rows.sum())), *_class_totals(table, train), "", ""])
    numeric = not train.features[table.feature].is_nominal
    ends = ["from", "to"] if numeric else ["label", ""]
    per_class = [f"[{name}]" for name in train.target.labels or ()] if _by_column(train) else ["classes"]
    header = ["interval", *ends, "rows", *per_class, "majority", "mark"]
    name = train.features[table.feature].name
    share = f"{table.exclusive_rows}/{table.n_rows} = {float(table.delta):.6f}"
    note = f" ({unplaced} rows with a missing value lie in no interval)" if unplaced else ""
    return f"{name}: delta = {share}{note}\n" + _align([header, *lines], _left(header))


def _line(table: IntervalTable, train: Dataset, k: int) -> list[str]:
    start, end = table.fitted.name(table.feature, k)
    majority = table.majority(k)
    label = (train.target.labels or ())[majority] if majority >= 0 else "-"
    mark = label if table.exclusive[k] or majority < 0 else "*"
    return [str(k), start, end, str(int(table.rows[k])), *_counts(table.counts[k], train), label, mark]


def _counts(counts: IntArray, train: Dataset) -> list[str]:
    if _by_column(train):
        return [str(int(n)) for n in counts]
    labels = train.target.labels or ()
    return [" ".join(f"{labels[c]}:{int(n)}" for c, n in enumerate(counts) if n) or "-"]


def _class_totals(table: IntervalTable, train: Dataset) -> list[str]:
    return _counts(table.counts.sum(axis=0), train) if _by_column(train) else [""]


def _by_column(train: Dataset) -> bool:
    return train.n_classes <= COUNTED_CLASSES


def _left(header: list[str]) -> set[int]:
    return {i for i, title in enumerate(header) if title in ("label", "classes", "majority", "mark")}


def _align(rows: list[list[str]], left: set[int]) -> str:
    """Return a table as lines: columns as wide as their widest cell, two blanks between them; empty ones dropped."""
    kept = [i for i in range(len(rows[0])) if any(row[i] for row in rows)]
    widths = {i: max(len(row[i]) for row in rows) for i in kept}
    lines = []
    for row in rows:
        cells = [row[i].ljust(widths[i]) if i in left else row[i].rjust(widths[i]) for i in kept]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(lines)
