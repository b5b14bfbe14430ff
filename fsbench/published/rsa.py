"""The paper on remainder subset awareness (Prat-Masramon, Belanche 2007): Tables 2 to 4 and its text."""

from __future__ import annotations

from functools import cache

from fsbench.published.printed import PrintedCell, Prose, read, read_prose

__all__ = ["PAPER_NAMES", "TITLE", "cells", "prose"]

TITLE = "Prat-Masramon, Belanche (2007), remainder subset awareness"

PAPER_NAMES = {
    "corral-test": "CorrAL",
    "ionosphere": "Ionosphere",
    "mammogram": "Mammogram",
    "spect": "Spect",
    "spectf": "Spectf",
    "sonar": "Sonar",
    "waveform-21": "Waveform",
    "wdbc": "Wdbc",
}

# The paper's figures stand on the 128 rows of CorrAL, not on the 32.
_OURS = {"corral": "corral-test"}


@cache
def cells() -> tuple[PrintedCell, ...]:
    """Return the cells of Table 4 (error and size) and the percentages of Tables 2 and 3, blanks left out."""
    found = []
    for row in read("rsa_table4"):
        names = (_OURS.get(row["dataset"], row["dataset"]), row["dataset"])
        column = f"PTA({row['forward_steps']},{row['backward_steps']})/{row['algorithm']}"
        error = PrintedCell("table4", *names, f"{column}/error", row["error_pct"], "%", row["sigma_pct"])
        found += [error, PrintedCell("table4", *names, f"{column}/size", row["n_features"], "features")]
    for table in ("table2", "table3"):
        for row in read(f"rsa_{table}"):
            shares = [(key.removesuffix("_pct"), text) for key, text in row.items() if key.endswith("_pct") and text]
            found += [PrintedCell(table, "", "", f"{row['error']}/{what}", text) for what, text in shares]
    return tuple(found)


@cache
def prose() -> dict[str, Prose]:
    """Return the numbers in the paper's text, keyed by quantity."""
    return {p.quantity: p for p in read_prose("rsa_prose")}
