"""What one printed number is: where it stands, what it says, and how finely it was rounded."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PrintedCell", "Prose", "half_unit", "number", "read", "read_prose"]

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class PrintedCell:
    """A number in a table of a paper.

    Parameters
    ----------
    table : str
        Such as ``"table3"``.
    dataset : str
        Our name of the data set.
    printed_dataset : str
        The name under which the transcription in this folder lists it.
    column : str
        Such as ``"C4.5/NLC"``.
    text : str
        The number as printed, ``"84.6"``; ``"-"`` where the paper has a dash.
    unit : str, default "%"
        What it counts.
    spread : str, default ""
        The standard deviation printed beside it, as printed.
    """

    table: str
    dataset: str
    printed_dataset: str
    column: str
    text: str
    unit: str = "%"
    spread: str = ""

    @property
    def value(self) -> float | None:
        """The number; None for a dash."""
        return number(self.text)

    @property
    def half_unit(self) -> float:
        """Half of the last printed place: what rounding alone can hide."""
        return half_unit(self.text)


@dataclass(frozen=True)
class Prose:
    """A number or statement in the text of a paper.

    Parameters
    ----------
    quantity : str
        Its key, such as ``"nlc.iris.petalwidth"``.
    text : str
        As printed.
    unit, where, note : str
        Unit, section, and what is to be known about it.
    """

    quantity: str
    text: str
    unit: str
    where: str
    note: str

    @property
    def value(self) -> float | None:
        """The number; None if the statement is not a number."""
        return number(self.text)

    @property
    def half_unit(self) -> float:
        """Half of the last printed place."""
        return half_unit(self.text)


def number(text: str) -> float | None:
    """Return a printed number, None where there is none.

    Examples
    --------
    >>> number("+3.4"), number("-"), number("[0,1]")
    (3.4, None, None)
    """
    try:
        return float(text)
    except ValueError:
        return None


def half_unit(text: str) -> float:
    """Return half of the last printed place of a number.

    Examples
    --------
    >>> half_unit("84.6"), half_unit("16"), half_unit("80.34")
    (0.05, 0.5, 0.005)
    """
    decimals = len(text.partition(".")[2])
    return 0.5 * 10.0**-decimals


def read(name: str) -> list[dict[str, str]]:
    """Return the rows of a transcription shipped in this folder.

    Parameters
    ----------
    name : str
        File name without ``.csv``, such as ``"nlc_table3"``.

    Returns
    -------
    list of dict
        Every value as the text in the file: nothing is rounded or converted.

    Examples
    --------
    >>> read("nlc_table3")[0]
    {'dataset': 'anneal', 'classifier': 'C4.5', 'method': 'all', 'accuracy': '98.6'}
    """
    with (_HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_prose(name: str) -> list[Prose]:
    """Return the prose numbers of a paper; rows may leave the last column out."""
    return [
        Prose(row["quantity"], row["value"], row["unit"], row["where"], row.get("note") or "") for row in read(name)
    ]
