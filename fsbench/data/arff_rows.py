"""The rows of an ARFF file, read with care: every form that Weka reads, every error with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from fsbench.data.arff_cells import BadCell, Codes, Numbers, Unused
from fsbench.data.arff_header import Attribute, place
from fsbench.data.arff_layout import STRUCTURE, dense_cells, sparse_cells
from fsbench.data.arff_tokens import TOKEN, is_word, split_tokens
from fsbench.data.streams import Block
from fsbench.errors import DataError
from fsbench.values import FloatArray

__all__ = ["RowReader"]

Pairs = list[tuple[int, float]]  # index of an attribute and its value in one row
_ODD = re.compile(r"""[\x00-\x09\x0b-\x20{}%'"]|,,|^,|,$""", re.MULTILINE)  # more than words with commas between


class RowReader:
    """Turns blocks of lines into columns of numbers.

    Parameters
    ----------
    path : Path
        For error messages.
    attributes : sequence of Attribute
        All declared columns; those that are not usable are read over.

    Attributes
    ----------
    sparse : bool
        Whether any row so far was stored as index-value pairs.
    """

    def __init__(self, path: Path, attributes: Sequence[Attribute]) -> None:
        self.path = path
        self.attributes = attributes
        self.sparse = False
        usable = [i for i, a in enumerate(attributes) if a.is_usable]
        self._target = {i: j for j, i in enumerate(usable)}
        self._readers = [_reader(a) for a in attributes]

    def read(self, block: Block) -> FloatArray:
        """Read a block of whole lines.

        Parameters
        ----------
        block : Block

        Returns
        -------
        ndarray of shape (n_rows, n_usable)
            In Fortran order.

        Raises
        ------
        DataError
            The first thing in the block that is wrong, with line, column, attribute and value.
        """
        text = block.data.decode("utf-8", "surrogateescape")
        split: Callable[[str], list[str] | None] = _split_dense if _ODD.search(text) else _split_commas
        parts: list[FloatArray] = []
        plain: list[tuple[list[str], str, int]] = []
        odd: list[Pairs] = []
        for number, line in enumerate(text.split("\n"), start=block.first):
            cells = split(line) if line else None
            if cells is not None and len(cells) == len(self.attributes):
                if odd:
                    parts.append(self._filled(odd))
                    odd = []
                plain.append((cells, line, number))
            elif line:
                # What comes before is converted first, so that errors come in the order of the file.
                if plain:
                    parts.append(self._dense(plain))
                    plain = []
                if (pairs := self._odd(line, number)) is not None:
                    odd.append(pairs)
        parts += [self._filled(odd), self._dense(plain)]
        parts = [p for p in parts if len(p)] or parts[:1]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _dense(self, rows: list[tuple[list[str], str, int]]) -> FloatArray:
        """Convert rows that have a value for every attribute."""
        values = np.empty((len(rows), len(self._target)), order="F")
        try:
            for i, cells in enumerate(zip(*(row for row, _, _ in rows), strict=True)):
                column = self._readers[i].column(cells)
                if i in self._target:
                    values[:, self._target[i]] = column
        except BadCell:
            for row, line, number in rows:
                columns = [column for text, column in split_tokens(line) if text not in STRUCTURE]
                for i, raw in enumerate(row):
                    self._cell(i, raw, number, columns[i])
            raise
        return values

    def _cell(self, i: int, raw: str, line: int, column: int) -> float:
        """Convert one value; say where it stands if it is wrong."""
        try:
            return self._readers[i].cell(raw)
        except BadCell as bad:
            what = f"attribute {i + 1} {self.attributes[i].name!r}: {bad}"
            raise DataError(what, place(self.path, line, column)) from None

    def _filled(self, rows: list[Pairs]) -> FloatArray:
        """Lay out rows of pairs; what a row does not name is 0, or the first label."""
        values = np.zeros((len(rows), len(self._target)))
        for row, pairs in zip(values, rows, strict=True):
            for i, value in pairs:
                if i in self._target:
                    row[self._target[i]] = value
        return values

    def _odd(self, line: str, number: int) -> Pairs | None:
        """Read a line that is not just values with commas: a comment, a sparse row, values with blanks between."""
        if (quick := self._quick_pairs(line)) is not None:
            self.sparse = True
            return quick
        tokens = split_tokens(line)
        if not tokens:
            return None
        if (last := tokens[-1])[0][0] in "'\"" and not is_word(last[0]):
            raise DataError(f"the quote {last[0][0]} is never closed", place(self.path, number, last[1]))
        if tokens[0][0] == "{":
            self.sparse = True
            found = sparse_cells(tokens, len(self.attributes), self.path, number)
        else:
            found = dense_cells(tokens, len(self.attributes), self.path, number)
        return [(i, self._cell(i, raw, number, column)) for i, raw, column in found]

    def _quick_pairs(self, line: str) -> Pairs | None:
        """Read a sparse row in which nothing is wrong; None for any other line."""
        tokens: list[str] = TOKEN.findall(line)
        if len(tokens) < 2 or tokens[0] != "{" or tokens[-1] != "}" or "%" in line:
            return None
        body = tokens[1:-1]
        indices, cells, commas = body[0::3], body[1::3], body[2::3]
        digits = "".join(indices)
        if commas.count(",") != len(commas) or len(commas) != max(len(cells) - 1, 0):
            return None
        if not ((digits.isascii() and digits.isdecimal()) or not digits):
            return None
        try:
            numbers = list(map(int, indices))
            if len(set(numbers)) < len(numbers) or max(numbers, default=0) >= len(self.attributes):
                return None
            return [(i, self._readers[i].cell(raw)) for i, raw in zip(numbers, cells, strict=True)]
        except (BadCell, ValueError):
            return None


def _reader(attribute: Attribute) -> Codes | Numbers | Unused:
    if attribute.labels is not None:
        return Codes(attribute.labels)
    return Numbers() if attribute.is_usable else Unused()


def _split_commas(line: str) -> list[str]:
    return line.split(",")


def _split_dense(line: str) -> list[str] | None:
    """Return the raw values of a row that has commas between them; None if the line is anything else."""
    if line[0] == "{":
        return None
    tokens: list[str] = TOKEN.findall(line)
    cells, commas = tokens[::2], tokens[1::2]
    if len(tokens) % 2 == 0 or commas.count(",") < len(commas) or any(c in "{},%" or c[0] == "%" for c in cells):
        return None
    return cells
