"""The data sets of an experiment."""

from __future__ import annotations

from typing import Any

from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent

__all__ = ["datasets_table"]

_NUMBERS = {
    "n_rows": "rows",
    "n_features": "features",
    "n_numeric": "numeric",
    "n_nominal": "nominal",
    "n_classes": "classes",
}
# Enough of the content's hash to tell two versions of a data set apart.
_DIGITS = 12


def datasets_table(results: Results) -> Table:
    """Return sizes, kinds of features and content of each data set, the missing ones in their places."""
    stated = results.paper_names
    columns = [DATASET]
    if stated:
        columns.append(Column("paper", "in the paper", kind="name"))
    columns += [Column(key, title, decimals=0) for key, title in _NUMBERS.items()]
    columns.append(Column("content", "content (SHA-256)", kind="text"))
    rows = []
    for record in results.dataset_table.to_dict("records"):
        name = str(record["dataset"])
        names = [Cell(name), *([Cell(stated.get(name, ""))] if stated else [])]
        rows.append(Row((*names, *_facts(results, record)), _notes(results, name)))
    return Table("datasets", "Data sets", tuple(columns), tuple(rows))


def _facts(results: Results, record: dict[Any, Any]) -> list[Cell]:
    if str(record["dataset"]) in results.missing:
        return [absent("missing")] * (len(_NUMBERS) + 1)
    numbers = [Cell(int(record[key])) for key in _NUMBERS]
    return [*numbers, Cell(str(record["digest"])[:_DIGITS])]


def _notes(results: Results, name: str) -> tuple[str, ...]:
    notes = [f"{name}: {results.notes[name]}"] if name in results.notes else []
    return (*notes, f"{name}: missing: {results.missing[name]}") if name in results.missing else tuple(notes)
