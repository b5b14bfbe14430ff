"""Plus l, take away r: SFG and SBG are two settings of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from fsbench.errors import MethodError
from fsbench.method import param
from fsbench.searches.base import Search
from fsbench.searches.trace import Action, Step
from fsbench.searches.walk import Walk

__all__ = ["SBG", "SFG", "PlusLTakeAwayR"]

PAPER = "Prat-Masramon and Belanche (2007), remainder subset awareness for feature subset selection"


class PlusMinus(Search):
    """Adds a fixed number of features, removes a fixed number, and so on to the end.

    Every single step takes the candidate with the largest criterion. The search goes forward from the empty set
    if more are added than removed, backward from the full one otherwise, and ends when it has them all, or none.
    Nothing forbids a removal from undoing the addition before it; the net movement guarantees the end.
    """

    reference = PAPER

    @property
    @abstractmethod
    def turn(self) -> tuple[int, int]:
        """Additions and removals of one turn."""

    @property
    def goes_forward(self) -> bool:
        """Whether more features are added than removed in a turn."""
        plus, minus = self.turn
        return plus > minus

    def steps(self, walk: Walk) -> Iterator[Step | None]:
        """Yield one turn after the other; see `Search.steps`."""
        plus, minus = self.turn
        parts: list[tuple[Action, int]] = [("add", plus), ("remove", minus)]
        if not self.goes_forward:
            parts.reverse()
        while True:
            for action, count in parts:
                for _ in range(count):
                    if walk.arrived:
                        return
                    yield walk.best(action)


class PlusLTakeAwayR(PlusMinus):
    """PTA(l, r): l features are added, then r removed, or the other way round if r is larger.

    Examples
    --------
    >>> PlusLTakeAwayR(plus=2, minus=2)
    Traceback (most recent call last):
    ...
    fsbench.errors.MethodError: pta: plus and minus are both 2, so the search would never end; make one larger
    """

    name = "pta"
    title = "Plus l, take away r"

    plus: int = param(2, "features added in a turn (l)", low=0)
    minus: int = param(1, "features removed in a turn (r)", low=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.plus == self.minus:
            raise MethodError(
                f"{self.name}: plus and minus are both {self.plus}, so the search would never end; make one larger"
            )

    @property
    def turn(self) -> tuple[int, int]:
        """Additions and removals of one turn."""
        return self.plus, self.minus


class Greedy(PlusMinus):
    """Moves one feature a turn, and may stop as the textbooks do."""

    textbook: bool = param(False, "stop at the first step that does not raise the criterion")

    def steps(self, walk: Walk) -> Iterator[Step | None]:
        """Yield the steps, until one does not raise the criterion if so asked; see `Search.steps`."""
        for step in super().steps(walk):
            before = walk.met[-1]
            yield step
            if self.textbook and step is not None and self.allows(step) and step.criterion <= before.criterion:
                return

    def considered(self, met: Sequence[Step]) -> Sequence[Step]:
        """Return the last two subsets in the textbook form, else all.

        The textbooks return the last but one even where the search ended because there was nothing left to add
        although the last step was a gain; here the better of the two is returned.
        """
        return met[-2:] if self.textbook else met


class SFG(Greedy):
    """Sequential forward generation: PTA(1, 0)."""

    name = "sfg"
    title = "Sequential forward generation"

    @property
    def turn(self) -> tuple[int, int]:
        """One addition."""
        return 1, 0


class SBG(Greedy):
    """Sequential backward generation: PTA(0, 1)."""

    name = "sbg"
    title = "Sequential backward generation"

    @property
    def turn(self) -> tuple[int, int]:
        """One removal."""
        return 0, 1
