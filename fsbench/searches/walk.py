"""A search under way: where it stands, what it has met, and the best next step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from fsbench.errors import MethodError, show
from fsbench.searches.criterion import Weighting, combine, weight_of
from fsbench.searches.subsets import Subset, mask_of, toggled
from fsbench.searches.trace import Action, Step

__all__ = ["BudgetSpent", "ScoresMany", "ScoresSubset", "Walk"]


class ScoresSubset(Protocol):
    """All that a search needs to know of a scorer."""

    def score(self, subset: Subset) -> float:
        """Return the usefulness J of a subset, the empty one included."""
        ...


@runtime_checkable
class ScoresMany(Protocol):
    """What a scorer offers beside `score` if it can share work between neighbouring subsets."""

    def score_many(self, current: Subset, candidates: Sequence[int]) -> Sequence[float]:
        """Return J of `current` with each candidate toggled: added if it is not in there, else removed."""
        ...


class BudgetSpent(Exception):
    """The next step may cost more evaluations than the budget leaves."""


class Walk:
    """Where a search stands.

    Parameters
    ----------
    scorer : ScoresSubset
        Gives the usefulness of subsets.
    n_features : int
        Features to choose from.
    start : frozenset of int
        The first subset.
    target : int
        The size at which the search has arrived.
    forward : bool
        Whether sizes rise to `target` or fall to it.
    weight : float or None
        k of the remainder-aware criterion; None looks at the subset alone.
    weighting : {"constant", "size"}
        How k depends on the size of the remainder.
    budget : int or None
        The most subsets that may be scored.

    Attributes
    ----------
    met : list of Step
        The start and every step taken.
    hits : int
        Subsets that came up again.
    """

    def __init__(
        self,
        scorer: ScoresSubset,
        n_features: int,
        start: Subset,
        *,
        target: int,
        forward: bool,
        weight: float | None = None,
        weighting: Weighting = "constant",
        budget: int | None = None,
    ) -> None:
        self._scorer = scorer
        self._score_many = scorer.score_many if isinstance(scorer, ScoresMany) else None
        self._all = frozenset(range(n_features))
        self._target, self._forward = target, forward
        # k = 1 is the conventional criterion whatever the remainder is worth, so its remainder costs nothing.
        self._weight = None if weight == 1.0 else weight
        self._weighting: Weighting = weighting
        self._budget = budget
        self._known: dict[int, float] = {}  # by mask
        self._offered: list[Step] = []
        self.hits = 0
        self.current = start
        rest = None if self._weight is None else self._all - start
        self._afford([mask_of(start)] if rest is None else [mask_of(start), mask_of(rest)])
        useful = self._one(start)
        self.met = [self._step("start", None, useful, None if rest is None else self._one(rest))]

    @property
    def n_features(self) -> int:
        """Number of features to choose from."""
        return len(self._all)

    @property
    def size(self) -> int:
        """Number of features in the current subset."""
        return len(self.current)

    @property
    def arrived(self) -> bool:
        """Whether the size aimed at has been reached."""
        return self.size >= self._target if self._forward else self.size <= self._target

    @property
    def evaluations(self) -> int:
        """Distinct subsets scored so far."""
        return len(self._known)

    def best(self, action: Action, spare: int | None = None) -> Step | None:
        """Return the best single step, not yet taken.

        Parameters
        ----------
        action : {"add", "remove"}
            Which way to go.
        spare : int, optional
            A feature that must not be moved.

        Returns
        -------
        Step or None
            The candidate with the largest criterion, the lowest feature index on ties; None if there is none.

        Raises
        ------
        ValueError
            Another action.
        BudgetSpent
            Scoring the candidates may exceed the budget.
        """
        if action not in ("add", "remove"):
            raise ValueError(f"walk.best takes 'add' or 'remove', found {show(action)}")
        rest = self._all - self.current
        candidates = sorted((rest if action == "add" else self.current) - {spare})
        if not candidates:
            return None
        aware = self._weight is not None
        self._afford(toggled(self.current, candidates) + (toggled(rest, candidates) if aware else []))
        useful = self._many(self.current, candidates)
        remainders: Sequence[float | None] = self._many(rest, candidates) if aware else [None] * len(candidates)
        size = self.size + (1 if action == "add" else -1)
        criteria = [self._criterion(x, y, size) for x, y in zip(useful, remainders, strict=True)]
        k = criteria.index(max(criteria))  # the first of equal ones
        step = self._step(action, candidates[k], useful[k], remainders[k])
        self._offered.append(step)
        return step

    def offers(self, step: Any) -> bool:
        """Whether `best` returned this very step since the last one was taken."""
        return any(step is offered for offered in self._offered)

    def take(self, step: Step) -> None:
        """Go to the subset of a step that `best` returned."""
        self._offered.clear()
        self.current = frozenset(step.subset)
        self.met.append(step)

    def _step(self, action: Action, feature: int | None, useful: float, rest: float | None) -> Step:
        subset = self.current if feature is None else self.current ^ {feature}
        criterion = self._criterion(useful, rest, len(subset))
        return Step(action, feature, tuple(sorted(subset)), useful, rest, criterion, self.evaluations)

    def _criterion(self, useful: float, rest: float | None, size: int) -> float:
        if rest is None or self._weight is None:
            return useful
        share = 1.0 - size / len(self._all)
        return combine(useful, rest, weight_of(self._weight, share, self._weighting))

    def _afford(self, masks: Sequence[int]) -> None:
        if self._budget is not None and self.evaluations + len(set(masks) - self._known.keys()) > self._budget:
            raise BudgetSpent

    def _one(self, subset: Subset) -> float:
        mask = mask_of(subset)
        if mask in self._known:
            self.hits += 1
        else:
            self._known[mask] = self._checked(self._scorer.score(subset))
        return self._known[mask]

    def _many(self, current: Subset, candidates: Sequence[int]) -> list[float]:
        if self._score_many is None:
            return [self._one(current ^ {c}) for c in candidates]
        masks = toggled(current, candidates)
        fresh = [(c, mask) for c, mask in zip(candidates, masks, strict=True) if mask not in self._known]
        self.hits += len(candidates) - len(fresh)
        if fresh:
            scores = self._score_many(current, [c for c, _ in fresh])
            for (_, mask), value in zip(fresh, scores, strict=True):
                self._known[mask] = self._checked(value)
        return [self._known[mask] for mask in masks]

    def _checked(self, score: float) -> float:
        value = float(score)
        if not math.isfinite(value) or (self._weight is not None and not 0.0 <= value <= 1.0):
            wanted = "a finite number" if self._weight is None else "a number from 0 to 1 to be joined with a remainder"
            raise MethodError(f"the usefulness of a subset must be {wanted}, found {value}")
        return value
