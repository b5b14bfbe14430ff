"""From raw tokens to numbers and indices of labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

from fsbench.data.arff_tokens import MISSING, is_word, unquote
from fsbench.errors import nearest
from fsbench.values import FloatArray

__all__ = ["NAN", "NUMBER", "BadCell", "Codes", "Numbers", "Unused", "quick_numbers"]

NAN = float("nan")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class BadCell(Exception):
    """A value that its attribute cannot hold; the message says why."""


class Codes(dict[str, float]):
    """From the raw tokens of a nominal column to indices of labels.

    Parameters
    ----------
    labels : sequence of str
        As declared.

    Examples
    --------
    >>> Codes(("a", "?")).column(("a", "'?'", "?", '"a"')).tolist()
    [0.0, 1.0, nan, 0.0]
    """

    def __init__(self, labels: Sequence[str]) -> None:
        super().__init__({MISSING: NAN})
        self._index = {label: float(i) for i, label in enumerate(labels)}

    def __missing__(self, raw: str) -> float:
        # Every spelling of a label (bare, in either quotes, with escapes) is worked out once.
        text = unquote(_checked(raw))[0]
        if text not in self._index:
            raise BadCell(f"value {text!r} is not declared; {nearest(text, self._index)}")
        self[raw] = self._index[text]
        return self[raw]

    def cell(self, raw: str) -> float:
        """Return the index of one raw token's label, NaN if it is missing."""
        return self[raw]

    def column(self, cells: Sequence[str]) -> FloatArray:
        """Return the indices of many."""
        return np.array(list(map(self.__getitem__, cells)), dtype=np.float64)


class Numbers:
    """From the raw tokens of a numeric column to numbers.

    Examples
    --------
    >>> Numbers().column(("1", "-.5e3", "?")).tolist()
    [1.0, -500.0, nan]
    """

    def cell(self, raw: str) -> float:
        """Return the number that one raw token stands for, NaN if it is missing."""
        if raw == MISSING:
            return NAN
        text = unquote(_checked(raw))[0]
        if not NUMBER.fullmatch(text):
            raise BadCell(f"value {text!r} is not a number")
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise BadCell(f"the number {text} is too large for a double")
        return value

    def column(self, cells: Sequence[str]) -> FloatArray:
        """Return the numbers of many."""
        quick = quick_numbers(cells, (MISSING,))
        return quick if quick is not None else np.array([self.cell(c) for c in cells], dtype=np.float64)


def quick_numbers(cells: Sequence[str], missing: Collection[str]) -> FloatArray | None:
    """Convert a column of numbers by Python's own reader.

    Parameters
    ----------
    cells : sequence of str
        Without blanks around them.
    missing : collection of str
        What stands for a missing value.

    Returns
    -------
    ndarray or None
        None where a cell is no number, or perhaps none: Python reads more than a data file allows, such as nan,
        inf, 1_000 and the digits of all scripts.
    """
    count = sum(map(cells.count, missing))
    try:
        values = np.array(
            [NAN if c in missing else float(c) for c in cells] if count else list(map(float, cells)), dtype=np.float64
        )
    except ValueError:
        return None
    text = "".join(cells)
    sure = np.count_nonzero(np.isfinite(values)) + count == len(cells) and "_" not in text and text.isascii()
    return values if sure else None


class Unused:
    """Reads over the tokens of a column that is left out, so that even there nothing malformed passes."""

    def cell(self, raw: str) -> float:
        """Check one token."""
        _checked(raw)
        return NAN

    def column(self, cells: Sequence[str]) -> FloatArray:
        """Check many."""
        return np.array([self.cell(c) for c in cells], dtype=np.float64)


def _checked(raw: str) -> str:
    if not is_word(raw):
        raise BadCell(f"the quote {raw[0]} is never closed" if raw[0] in "'\"" else f"a value expected, found {raw!r}")
    if any("\udc80" <= c <= "\udcff" for c in raw):
        raise BadCell("the text is not UTF-8; convert the file")
    return raw
