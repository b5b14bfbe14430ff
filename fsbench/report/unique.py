"""One key for each table or figure of a report: keys are names of files and places on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from fsbench.report.figures.figure import Figure
    from fsbench.report.table import Table

__all__ = ["unique"]

T = TypeVar("T", bound="Table | Figure")


def unique(made: Sequence[T]) -> list[T]:
    """Give those of one key a number: the names in them may differ in punctuation only.

    Parameters
    ----------
    made : sequence of Table or Figure

    Returns
    -------
    list of Table or Figure
        In the same order.
    """
    seen: dict[str, int] = {}
    named = []
    for one in made:
        seen[one.key] = seen.get(one.key, 0) + 1
        named.append(one if seen[one.key] == 1 else replace(one, key=f"{one.key}-{seen[one.key]}"))
    return named
