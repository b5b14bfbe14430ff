"""Floating searches: each step forward may be followed by as many steps back as pay off."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Literal

from fsbench.method import param
from fsbench.searches.base import Search
from fsbench.searches.trace import Action, Step
from fsbench.searches.walk import Walk

__all__ = ["SBFS", "SFFS"]


class Floating(Search):
    """One step on, then steps back as long as each gives the best subset of its size yet.

    No step back is taken next to where the search began (fewer than three features moved), and the search ends
    when it has arrived and no step back pays. It must end: every step back raises the best criterion known for
    a size, and there are finitely many subsets.
    """

    reference = "Pudil, Novovicova and Kittler (1994), floating search methods in feature selection"

    rule: Literal["pudil", "mlxtend"] = param(
        "pudil",
        "a step back must beat the best subset of its size (pudil), and also the subset that it leaves, while the "
        "feature just moved stays (mlxtend)",
    )

    @property
    @abstractmethod
    def ways(self) -> tuple[Action, Action]:
        """The action that leads on and the one that leads back."""

    def steps(self, walk: Walk) -> Iterator[Step | None]:
        """Yield steps on and steps back; see `Search.steps`."""
        onward, back = self.ways
        began = walk.size
        known = {walk.size: walk.met[0].criterion}
        while not walk.arrived:
            step = walk.best(onward)
            yield step
            if step is None:
                return
            _note(known, step)
            moved = step.feature if self.rule == "mlxtend" else None
            while abs(walk.size - began) > 2:
                step = walk.best(back, spare=moved)
                if step is None or not self._pays(step, walk.met[-1], known):
                    break
                yield step
                _note(known, step)

    def _pays(self, step: Step, leaving: Step, known: dict[int, float]) -> bool:
        # Taking back the feature just moved returns to a subset already known, so it never pays.
        beats_size = step.criterion > known.get(step.size, float("-inf"))
        return beats_size and (self.rule == "pudil" or step.criterion > leaving.criterion)


class SFFS(Floating):
    """Sequential floating forward selection."""

    name = "sffs"
    title = "Sequential floating forward selection"

    @property
    def ways(self) -> tuple[Action, Action]:
        """Add, remove."""
        return "add", "remove"


class SBFS(Floating):
    """Sequential floating backward selection."""

    name = "sbfs"
    title = "Sequential floating backward selection"
    forward = False

    @property
    def ways(self) -> tuple[Action, Action]:
        """Remove, add."""
        return "remove", "add"


def _note(known: dict[int, float], step: Step) -> None:
    known[step.size] = max(step.criterion, known.get(step.size, step.criterion))
