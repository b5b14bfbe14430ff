"""From the tokens of one row to its values: dense rows with commas or blanks between, sparse ones in braces."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from fsbench.data.arff_header import Tokens, place
from fsbench.errors import DataError

__all__ = ["STRUCTURE", "Cells", "dense_cells", "sparse_cells"]

STRUCTURE = (",", "{", "}")
Cells = list[tuple[int, str, int]]  # index of the attribute, raw value, column in the line
_LONGEST_INDEX = 9  # digits


def dense_cells(tokens: Tokens, n_attributes: int, path: Path, line: int) -> Cells:
    """Return the values of a dense row, one for each attribute.

    Parameters
    ----------
    tokens : list of (str, int)
        Raw tokens of the line and their columns; not empty.
    n_attributes : int
        Attributes declared.
    path, line
        For error messages.

    Raises
    ------
    DataError
        Wrong number of values, an empty one, an instance weight, a brace or quote where none may stand.
    """
    cells: Cells = []
    before, end = ",", 0
    for text, column in tokens:
        where = place(path, line, column)
        if text == "{" and len(cells) >= n_attributes:
            raise DataError("instance weights are not supported; remove {...} at the end of the row", where)
        if text in ("{", "}"):
            raise DataError(f"an unquoted {text} inside a row; quote the value", where)
        if text == "," and before == ",":
            raise DataError("an empty value; a missing one is written ?", where)
        if text != ",":
            if before != "," and column == end:
                raise DataError("a quote inside a value; quote the whole value and escape the inner quote", where)
            cells.append((len(cells), text, column))
        before, end = text, column + len(text)
    if before == ",":
        raise DataError("an empty value after the last comma; a missing one is written ?", where)
    if len(cells) != n_attributes:
        commas = sum(text == "," for text, _ in tokens)
        hint = "; a value that holds blanks must be quoted" if commas + 1 == n_attributes else ""
        raise DataError(f"{len(cells)} values where {n_attributes} attributes are declared{hint}", place(path, line))
    return cells


def sparse_cells(tokens: Tokens, n_attributes: int, path: Path, line: int) -> Cells:
    """Return the pairs of a sparse row, in the order of the line.

    Parameters
    ----------
    tokens, n_attributes, path, line
        As for `dense_cells`; the first token is the opening brace.

    Raises
    ------
    DataError
        No closing brace, an instance weight, anything but pairs, an index that is no attribute's or stands twice.
    """
    close = next((k for k, (text, _) in enumerate(tokens) if text == "}"), 0)
    if not close:
        raise DataError("a sparse row has no closing brace", place(path, line))
    if close + 1 < len(tokens):
        where = place(path, line, tokens[close + 1][1])
        raise DataError("instance weights are not supported; nothing may follow a sparse row", where)
    cells: dict[int, tuple[int, str, int]] = {}
    index: int | None = None
    before = "{"
    for text, column in tokens[1 : close + 1]:
        where = place(path, line, column)
        if text in STRUCTURE:
            # A comma may stand between pairs, as blanks may, and nowhere else.
            misplaced = before in "{," if text == "," else before == "," or text == "{"
            if index is not None or misplaced:
                raise DataError("a sparse row holds pairs of index and value with commas between", where)
        elif index is None:
            index = _index(text, n_attributes, cells, where)
        else:
            cells[index] = (index, text, column)
            index = None
        before = text
    return list(cells.values())


def _index(text: str, n_attributes: int, seen: Container[int], where: str) -> int:
    known = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_INDEX and int(text) < n_attributes
    if not known:
        raise DataError(f"{text!r} is not the index of an attribute; they count from 0 to {n_attributes - 1}", where)
    if int(text) in seen:
        raise DataError(f"the index {text} stands twice in one row", where)
    return int(text)
