"""Counts of comparisons won, drawn and lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fsbench.stats.paired import Verdict

__all__ = ["Tally"]


@dataclass(frozen=True)
class Tally:
    """How many comparisons were significantly better, not different, worse, or not to be had.

    Parameters
    ----------
    better, equal, worse, omitted : int, default 0
        The counts; `omitted` holds tests without enough folds and comparisons with an absent cell.

    Examples
    --------
    >>> print(Tally.of(["better", "equal", "equal", "omitted"]))
    1/2/0 (1 omitted)
    """

    better: int = 0
    equal: int = 0
    worse: int = 0
    omitted: int = 0

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> Tally:
        """Count verdicts."""
        found = list(verdicts)
        return cls(*(found.count(word) for word in ("better", "equal", "worse", "omitted")))

    @property
    def total(self) -> int:
        """Number of comparisons, the omitted ones included."""
        return self.better + self.equal + self.worse + self.omitted

    @property
    def short(self) -> str:
        """The counts alone, as in ``12/41/1``; "" without a test."""
        return f"{self.better}/{self.equal}/{self.worse}" if self.total > self.omitted else ""

    def __str__(self) -> str:
        text = f"{self.better}/{self.equal}/{self.worse}"
        return f"{text} ({self.omitted} omitted)" if self.omitted else text
