"""Warnings of methods at work: caught and counted, so that none floods the terminal and none is lost."""

from __future__ import annotations

import re
import sys
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Generic, TypeVar

from fsbench.data import DataWarning
from fsbench.method import Method

__all__ = ["Heard", "kinds"]

T = TypeVar("T")
R = TypeVar("R")

WIDTH = 200  # characters of a warning's text that are kept
_NUMBER = re.compile(r"\d+(\.\d+)?(e[+-]?\d+)?", re.IGNORECASE)


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

    def __call__(self, task: T) -> tuple[R, Counter[str]]:
        """Return what came out, and how often each warning occurred.

        Parameters
        ----------
        task : object

        Returns
        -------
        result : object
        warned : Counter
            By one line of text: the method, the warning's class, and its message.
        """
        warned: Counter[str] = Counter()

        def hear(
            message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any
        ) -> None:
            if not issubclass(category, DataWarning):
                source = _method(sys._getframe(1)) or f"{Path(filename).name}:{lineno}"
                text = textwrap.shorten(str(message), WIDTH, placeholder=" ...")
                warned[f"{source}: {category.__name__}: {text}"] += 1

        with warnings.catch_warnings():
            warnings.simplefilter("always", append=True)
            warnings.showwarning = hear
            return self.compute(task), warned


def _method(frame: FrameType | None) -> str:
    """Return the label of the innermost method at work; "" if there is none."""
    while frame is not None:
        owner = frame.f_locals.get("self")
        if isinstance(owner, Method):
            return owner.label
        frame = frame.f_back
    return ""


def kinds(warned: Mapping[str, int]) -> list[tuple[str, int]]:
    """Put warnings together that differ in numbers only.

    Parameters
    ----------
    warned : mapping of str to int
        Occurrences, by text.

    Returns
    -------
    list of (str, int)
        One text of each kind and the occurrences of all, the most frequent first.

    Examples
    --------
    >>> kinds({"a: 0.5 left": 1, "b": 2, "a: 1e-9 left": 3})
    [('a: 0.5 left', 4), ('b', 2)]
    """
    texts: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for text in sorted(warned):  # the same text stands for its kind, whichever process was first
        kind = _NUMBER.sub("0", text)
        texts.setdefault(kind, text)
        counts[kind] += warned[text]
    return [(texts[kind], count) for kind, count in counts.most_common()]
