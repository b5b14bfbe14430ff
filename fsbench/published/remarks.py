"""What to know of a paper beside its numbers: where it contradicts itself, what it leaves open, what cannot be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fsbench.published import paper, read

__all__ = ["KINDS", "Remark", "remarks"]

Kind = Literal["inconsistent", "unstated", "unavailable"]

KINDS: dict[Kind, str] = {
    "inconsistent": "What does not hold within the paper",
    "unstated": "What the paper leaves open",
    "unavailable": "What could not be had",
}


@dataclass(frozen=True)
class Remark:
    """A statement on a paper.

    Parameters
    ----------
    kind : {"inconsistent", "unstated", "unavailable"}
    place : str
        Table or section.
    text : str
    """

    kind: Kind
    place: str
    text: str


def remarks(name: str) -> list[Remark]:
    """Return the remarks on a paper, those that stand in its module (``SLIPS``) first.

    Parameters
    ----------
    name : str
        The name of its configuration, such as ``"nlc2003"``.

    Returns
    -------
    list of Remark

    Examples
    --------
    >>> remarks("exclusiveness2003")[0].place
    'Table 1'
    """
    slips: dict[str, tuple[str, ...]] = getattr(paper(name), "SLIPS", {})
    found = [
        Remark("inconsistent", table.replace("table", "Table "), text.removeprefix("Printed: "))
        for table, texts in slips.items()
        for text in texts
    ]
    kinds = {kind: kind for kind in KINDS}
    return found + [
        Remark(kinds[row["kind"]], row["place"], row["text"])  # type: ignore[index]  # the file's kinds are these
        for row in read("remarks")
        if row["paper"] == name
    ]
