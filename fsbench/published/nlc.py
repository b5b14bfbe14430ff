"""The NLC paper (Ruiz, Riquelme, Aguilar-Ruiz 2003): Tables 3 and 4, their markers, and the numbers in its text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from fsbench.published.printed import PrintedCell, Prose, read, read_prose

__all__ = [
    "CLASSIFIERS",
    "COUNTS",
    "PAPER_NAMES",
    "RANKERS",
    "REFERENCE",
    "TABLES",
    "TITLE",
    "WAYS",
    "PrintedMarker",
    "cells",
    "markers",
    "prose",
]

TITLE = "Ruiz, Riquelme, Aguilar-Ruiz (2003), NLC"

TABLES = ("table3", "table4")

# Our method names to the paper's column heads.
CLASSIFIERS = {"c45": "C4.5", "1nn": "1NN", "nb": "NB"}
RANKERS = {"nlc": "NLC", "relieff": "RLF", "ig": "IG"}

# The markers say how this ranker does against the other columns.
REFERENCE = "NLC"

# Our data set names to those that the paper prints.
PAPER_NAMES = {
    "anneal": "anneal",
    "balance-scale": "balance",
    "credit-g": "g_credit",
    "diabetes": "diabetes",
    "glass": "glass",
    "glass2": "glass2",
    "heart-statlog": "heart-s",
    "ionosphere": "ionosphere",
    "iris": "iris",
    "kr-vs-kp": "kr-vs-kp",
    "lymph": "lymph",
    "segment": "segment",
    "sonar": "sonar",
    "splice": "splice-2",
    "vehicle": "vehicle",
    "vowel10": "vowel",
    "waveform-5000": "waveform",
    "zoo": "zoo",
}

# The transcription names data sets as the files here, but for one: the paper's vowel is the file of ten columns.
_OURS = {"vowel": "vowel10"}

# How features were chosen for each table: (selection, k of the first k).
WAYS: dict[tuple[str, int | None], str] = {("best", None): "table3", ("first", 3): "table4"}

# Printed counts of comparisons: (table, NLC against) to (better, equal, worse).
COUNTS: dict[tuple[str, str], tuple[int, int, int]] = {
    ("table3", "all"): (12, 41, 1),
    ("table3", "selectors"): (4, 93, 11),
    ("table4", "selectors"): (10, 80, 14),
}


@dataclass(frozen=True)
class PrintedMarker:
    """A marker beside an accuracy of NLC.

    Parameters
    ----------
    nlc_is : {"better", "worse"}
        Open circle or bullet.
    certainty : str
        How sure it is which column the marker refers to: certain, near_certain, resolved_by_total, probable.
    why : str
        The reason for that column.
    """

    nlc_is: Literal["better", "worse"]
    certainty: str
    why: str


@cache
def cells() -> tuple[PrintedCell, ...]:
    """Return the 432 accuracies of Tables 3 and 4, in percent, in the paper's order."""
    return tuple(
        PrintedCell(
            table=table,
            dataset=_OURS.get(row["dataset"], row["dataset"]),
            printed_dataset=row["dataset"],
            column=f"{row['classifier']}/{row['method']}",
            text=row["accuracy"],
        )
        for table in TABLES
        for row in read(f"nlc_{table}")
    )


@cache
def markers(table: str) -> dict[tuple[str, str, str], PrintedMarker]:
    """Return the markers of a table.

    Parameters
    ----------
    table : {"table3", "table4"}

    Returns
    -------
    dict
        Keyed by (our data set name, the paper's classifier, the column compared with: all, RLF or IG). What has
        no key was printed without a marker.
    """
    return {
        (_OURS.get(row["dataset"], row["dataset"]), row["classifier"], row["versus"]): PrintedMarker(
            "better" if row["nlc_is"] == "better" else "worse", row["marker_certainty"], row["why"]
        )
        for row in read(f"nlc_{table}_markers")
    }


@cache
def prose() -> dict[str, Prose]:
    """Return the numbers in the paper's text, keyed by quantity."""
    return {p.quantity: p for p in read_prose("nlc_prose")}
