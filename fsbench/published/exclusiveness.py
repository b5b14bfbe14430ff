"""The exclusiveness paper (Serendero, Toro 2003): Tables 1 to 3, Figure 1 and its text."""

from __future__ import annotations

from functools import cache

from fsbench.published.printed import PrintedCell, Prose, read, read_prose

__all__ = ["PAPER_NAMES", "TITLE", "attribute_orders", "cells", "prose"]

TITLE = "Serendero, Toro (2003), exclusiveness"

PAPER_NAMES = {
    "hypothyroid-uci3163": "Hypothyroid",
    "dermatology": "Dermatology",
    "adult": "Adult",
    "diabetes": "Diabetes",
    "covertype": "Forest cover",
    "pendigits": "Pendigits",
    "breast-w": "Cancer-W",
}

_OURS = {"hypothyroid": "hypothyroid-uci3163"}

_NUMBERS = {
    "table1": ("printed_n_attributes", "n_train", "n_test", "relevant_pct"),
    "table2": ("original_a", "ordered_b", "reduced_c", "order_b_minus_a", "reduction_c_minus_b"),
    "table3": ("c45_error", "ours_error"),
}
_COUNTED = {"printed_n_attributes": "attributes", "n_train": "rows", "n_test": "rows"}


@cache
def cells() -> tuple[PrintedCell, ...]:
    """Return the numbers of Tables 1 to 3, blanks left out."""
    found = []
    for table, columns in _NUMBERS.items():
        for row in read(f"excl_{table}"):
            names = (_OURS.get(row["dataset"], row["dataset"]), row["dataset"])
            for column in columns:
                spread = row.get("ours_pm", "") if column == "ours_error" else ""
                if row[column]:
                    unit = _COUNTED.get(column, "%")
                    found.append(PrintedCell(table, *names, column, row[column], unit, spread))
    return tuple(found)


@cache
def attribute_orders() -> dict[str, tuple[int, ...]]:
    """Return the printed attribute order (numbered from 1) of each data set in Table 1."""
    return {
        _OURS.get(row["dataset"], row["dataset"]): tuple(int(n) for n in row["new_attribute_order"].split(","))
        for row in read("excl_table1")
    }


@cache
def prose() -> dict[str, Prose]:
    """Return the numbers in the paper's text, keyed by quantity."""
    return {p.quantity: p for p in read_prose("excl_prose")}
