"""What a search did: every step it took, and the best subset it met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Action", "Step", "Stop", "Trace"]

Action = Literal["start", "add", "remove"]
Stop = Literal["end", "early", "patience", "budget"]


@dataclass(frozen=True)
class Step:
    """One subset that a search met, and how it came there.

    Parameters
    ----------
    action : {"start", "add", "remove"}
        What was done.
    feature : int or None
        Index of the feature added or removed; None at the start.
    subset : tuple of int
        Feature indices after the step, ascending.
    usefulness : float
        J of the subset; for a classifier's scorer the mean accuracy over the folds, in [0, 1].
    remainder : float or None
        J of the features left out; None if the search does not look at them.
    criterion : float
        What the step was chosen by: f of the two, or J alone.
    evaluations : int
        Distinct subsets that the search had asked the usefulness of by then, those of remainders included.
    """

    action: Action
    feature: int | None
    subset: tuple[int, ...]
    usefulness: float
    remainder: float | None
    criterion: float
    evaluations: int

    @property
    def size(self) -> int:
        """Number of features after the step."""
        return len(self.subset)

    def beats(self, other: Step) -> bool:
        """Whether this subset is the better one: more useful, or as useful and smaller."""
        return (self.usefulness, -self.size) > (other.usefulness, -other.size)


@dataclass(frozen=True)
class Trace:
    """A finished search.

    Parameters
    ----------
    search : str
        The search with its parameters, as in tables.
    n_features : int
        How many features there were to choose from.
    start : Step
        The subset that the search began with.
    steps : tuple of Step
        Every single step, in order.
    best : Step
        The most useful subset met whose size was allowed, the smaller one on ties, then the earlier one.
    stopped : {"end", "early", "patience", "budget"}
        Why the search stopped: it went as far as it could, by its own early stop, or by a stop rule.
    evaluations : int
        Distinct subsets whose usefulness was asked.
    hits : int
        How many times a subset came up again and was not scored anew.
    """

    search: str
    n_features: int
    start: Step
    steps: tuple[Step, ...]
    best: Step
    stopped: Stop
    evaluations: int
    hits: int

    @property
    def met(self) -> tuple[Step, ...]:
        """The start and every step."""
        return (self.start, *self.steps)

    @property
    def inclusion(self) -> tuple[int, ...]:
        """The features in the order in which they were first added."""
        return tuple(dict.fromkeys(s.feature for s in self.steps if s.action == "add" and s.feature is not None))

    @property
    def exclusion(self) -> tuple[int, ...]:
        """The features in the order in which they were first removed."""
        return tuple(dict.fromkeys(s.feature for s in self.steps if s.action == "remove" and s.feature is not None))

    def best_by_size(self) -> dict[int, Step]:
        """Return, for each size met, the most useful subset of that size, the earlier one on ties."""
        found: dict[int, Step] = {}
        for step in self.met:
            if step.size not in found or step.usefulness > found[step.size].usefulness:
                found[step.size] = step
        return dict(sorted(found.items()))

    def rows(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return every step as a flat row, for export and plots.

        Parameters
        ----------
        names : sequence of str
            The features' names, in file order.

        Returns
        -------
        list of dict
            Keys: ``step`` (0 is the start), ``action``, ``feature``, ``size``, ``usefulness``, ``remainder``,
            ``criterion``, ``evaluations``, ``best`` (whether the search returned this subset), ``subset`` (names).
        """
        return [
            {
                "step": number,
                "action": step.action,
                "feature": None if step.feature is None else names[step.feature],
                "size": step.size,
                "usefulness": step.usefulness,
                "remainder": step.remainder,
                "criterion": step.criterion,
                "evaluations": step.evaluations,
                "best": step is self.best,
                "subset": [names[j] for j in step.subset],
            }
            for number, step in enumerate(self.met)
        ]
