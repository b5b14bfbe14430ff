"""Tables that are wider than the place for them: cut between groups of columns, the names of the rows in each part."""

from __future__ import annotations

from collections.abc import Callable

from fsbench.report.table import Table

__all__ = ["lead", "parts"]


def lead(table: Table) -> int:
    """Return how many columns on the left name the rows."""
    return max(next((i for i, column in enumerate(table.columns) if column.kind != "name"), len(table.columns)), 1)


def parts(table: Table, max_width: int, measure: Callable[[Table], int]) -> list[Table]:
    """Cut a table into parts that fit, each with the names of the rows.

    Parameters
    ----------
    table : Table
    max_width : int
        Largest width, in the unit of `measure`.
    measure : callable
        Gives the width of a table.

    Returns
    -------
    list of Table
        Groups stay together if they fit at all. A part of a single column may still be too wide.
    """
    if measure(table) <= max_width:
        return [table]
    names = list(range(lead(table)))
    found: list[list[int]] = []
    for block in _blocks(table, len(names)):
        for piece in _pieces(table, names, block, max_width, measure):
            if found and measure(table.only([*names, *found[-1], *piece])) <= max_width:
                found[-1] += piece
            else:
                found.append(piece)
    return [table.only([*names, *columns]) for columns in found] or [table]


def _blocks(table: Table, n_names: int) -> list[list[int]]:
    """Return the columns that belong together: those of a group, and each one that stands in no group."""
    blocks: list[list[int]] = []
    start = 0
    for group, span in table.groups():
        columns = [c for c in range(start, start + span) if c >= n_names]
        blocks += [columns] if group else [[c] for c in columns]
        start += span
    return [block for block in blocks if block]


def _pieces(
    table: Table, names: list[int], block: list[int], max_width: int, measure: Callable[[Table], int]
) -> list[list[int]]:
    """Cut a group that does not fit even alone; marks stay beside the numbers that they are about."""
    if measure(table.only([*names, *block])) <= max_width:
        return [block]
    atoms: list[list[int]] = []
    for column in block:
        if atoms and table.columns[column].kind == "marks":
            atoms[-1].append(column)
        else:
            atoms.append([column])
    pieces: list[list[int]] = []
    for atom in atoms:
        if pieces and measure(table.only([*names, *pieces[-1], *atom])) <= max_width:
            pieces[-1] += atom
        else:
            pieces.append(atom)
    return pieces
