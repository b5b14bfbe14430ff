"""Warnings of methods at work: caught and counted, so that none floods the terminal and none is lost."""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Generic, TypeVar

from fsbench.data import DataWarning
from fsbench.errors import one_line
from fsbench.method import Method

__all__ = ["Heard", "Warned"]

T = TypeVar("T")
R = TypeVar("R")

WIDTH = 200  # characters of a warning's text that are kept, and of a method's label
MOST = 1000  # kinds of warnings that are kept: others are counted only
_NUMBER = re.compile(r"\d+(\.\d+)?(e[+-]?\d+)?", re.IGNORECASE)


@dataclass
class Warned:
    """How often each kind of warning occurred; those that differ in numbers only are of one kind.

    Attributes
    ----------
    left_out : int
        Warnings of further kinds, once `MOST` were met.

    Examples
    --------
    >>> warned = Warned()
    >>> for text in ("a: 0.5 left", "b", "a: 1e-9 left", "a: 0.5 left"):
    ...     warned.add(text)
    >>> warned.kinds()
    [('a: 0.5 left', 3), ('b', 1)]
    """

    left_out: int = 0
    _texts: dict[str, str] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, count: int = 1) -> None:
        """Count a warning, or several of one text."""
        kind = _NUMBER.sub("0", text)
        if kind not in self._texts and len(self._texts) >= MOST:
            self.left_out += count
            return
        self._texts[kind] = min(self._texts.get(kind, text), text)  # whichever process was first
        self._counts[kind] += count

    def merge(self, other: Warned) -> None:
        """Count the warnings of another account too."""
        for text, count in other.kinds():
            self.add(text, count)
        self.left_out += other.left_out

    def kinds(self) -> list[tuple[str, int]]:
        """Return one text of each kind and the occurrences of all, the most frequent first."""
        found = [(text, self._counts[kind]) for kind, text in self._texts.items()]
        return sorted(found, key=lambda one: (-one[1], one[0]))


@dataclass(frozen=True)
class Heard(Generic[T, R]):
    """Calls a function and counts the warnings given meanwhile; they are shown to nobody.

    Filters hold as they are, so that `python -W error` and the like still do what they say, but each occurrence
    counts and not only the first of its line. What the reading of data warns of is left out: it was said when the
    data sets were surveyed.

    Parameters
    ----------
    compute : callable
        From a task to what came out; picklable if it is sent to another process.
    """

    compute: Callable[[T], R]

    def __call__(self, task: T) -> tuple[R, Warned]:
        """Return what came out, and how often each warning occurred.

        Parameters
        ----------
        task : object

        Returns
        -------
        result : object
        warned : Warned
            By one line of text: the method, the warning's class, and its message.
        """
        warned = Warned()

        def hear(
            message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any
        ) -> None:
            if not issubclass(category, DataWarning):
                source = _method(sys._getframe(1)) or f"{Path(filename).name}:{lineno}"
                warned.add(f"{_kept(source)}: {_kept(category.__name__)}: {_kept(str(message))}")

        with warnings.catch_warnings():
            warnings.simplefilter("always", append=True)
            warnings.showwarning = hear
            return self.compute(task), warned


def _kept(text: str) -> str:
    """Return a text in one line, cut where it is long."""
    line = one_line(text[: 10 * WIDTH])
    return line if len(line) <= WIDTH else line[: WIDTH - 4].rsplit(" ", 1)[0] + " ..."


def _method(frame: FrameType | None) -> str:
    """Return the label of the innermost method at work; "" if there is none."""
    while frame is not None:
        owner = frame.f_locals.get("self")
        if isinstance(owner, Method):
            return owner.label
        frame = frame.f_back
    return ""
