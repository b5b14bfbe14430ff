"""What a search is: it walks from subset to subset and knows nothing but a scorer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from fsbench.errors import MethodError, nearest
from fsbench.method import Method, param
from fsbench.searches.criterion import Weighting
from fsbench.searches.subsets import Subset
from fsbench.searches.trace import Step, Stop, Trace
from fsbench.searches.walk import BudgetSpent, ScoresSubset, Walk

__all__ = ["Search"]


class Search(Method, ABC):
    """Walks from subset to subset by single steps; authors write `steps`.

    `run` checks the parameters against the data, takes the steps, applies the stop rules that all searches
    share, keeps the trace and returns the best subset met. A search gets a scorer and no data: it cannot see
    a row, let alone a test row.

    Attributes
    ----------
    forward : bool
        Whether the search begins with no feature and grows, or begins with all and shrinks.

    Examples
    --------
    >>> class Greedy(Search):
    ...     def steps(self, walk):
    ...         while not walk.arrived:
    ...             yield walk.best("add")
    >>> class Sum:
    ...     def score(self, subset):
    ...         return sum(subset) - 2.5 * len(subset)
    >>> Greedy().run(Sum(), n_features=4).best.subset
    (3,)
    """

    forward: ClassVar[bool] = True

    remainder: float | None = param(
        None, "weight k of f(x, y) = x^k (1 - y)^(1 - k), which looks at the features left out too", low=0, high=1
    )
    weighting: Weighting = param("constant", "k constant, or nearing 1 as the remainder shrinks (size)")
    min_size: int | None = param(None, "fewest features to return", low=1)
    max_size: int | None = param(None, "most features to return", low=1)
    start: tuple[Any, ...] | None = param(None, "features to begin with (names, or indices from 0)")
    patience: int | None = param(None, "stop after so many steps without a better subset", low=1)
    tolerance: float = param(0.0, "by how much more useful a subset must be to count as better", low=0)
    budget: int | None = param(None, "most subsets to score", low=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_size is not None and self.max_size is not None and self.min_size > self.max_size:
            raise MethodError(f"{self.name}: min_size {self.min_size} exceeds max_size {self.max_size}")
        if isinstance(self.start, str):
            object.__setattr__(self, "start", (self.start,))

    @property
    def goes_forward(self) -> bool:
        """Whether this search, with its parameters, grows the subset on the whole."""
        return self.forward

    @abstractmethod
    def steps(self, walk: Walk) -> Iterator[Step | None]:
        """Yield the steps to take; each has been taken when the generator goes on.

        Parameters
        ----------
        walk : Walk
            ``walk.best("add")`` and ``walk.best("remove")`` give the best single steps, ``walk.current`` and
            ``walk.met`` tell where the search stands, ``walk.arrived`` whether it is at its end.

        Yields
        ------
        Step or None
            None ends the search, as does the generator's end.
        """

    def considered(self, met: Sequence[Step]) -> Sequence[Step]:
        """Return which of the subsets met may be returned; all, unless the search says otherwise."""
        return met

    def run(self, scorer: ScoresSubset, n_features: int, names: Sequence[str] = ()) -> Trace:
        """Search.

        Parameters
        ----------
        scorer : ScoresSubset
            Anything with ``score(subset)``; ``score_many(current, candidates)`` is used if it is there.
        n_features : int
            Features to choose from.
        names : sequence of str, optional
            Their names, if `start` names features.

        Returns
        -------
        Trace

        Raises
        ------
        MethodError
            A parameter does not fit the number of features, or the budget ends the search before it has met
            a subset of an allowed size.
        """
        walk = self._walk(scorer, n_features, names)
        stopped: Stop
        try:
            stopped = self._follow(walk)
        except BudgetSpent:
            stopped = "budget"
        return Trace(
            search=self.label,
            n_features=n_features,
            start=walk.met[0],
            steps=tuple(walk.met[1:]),
            best=self._best(walk),
            stopped=stopped,
            evaluations=walk.evaluations,
            hits=walk.hits,
        )

    def allows(self, step: Step) -> bool:
        """Whether a subset of this size may be returned: within the size range, and never empty."""
        return max(self.min_size or 1, 1) <= step.size <= (self.max_size or step.size)

    def _walk(self, scorer: ScoresSubset, n_features: int, names: Sequence[str]) -> Walk:
        if n_features < 1:
            raise MethodError(f"{self.name}: there is no feature to choose from")
        if self.min_size is not None and self.min_size > n_features:
            raise MethodError(f"{self.name}: min_size is {self.min_size}, but there are {n_features} features")
        highest = min(self.max_size or n_features, n_features)
        begin = self._begin(n_features, names)
        if self.goes_forward and len(begin) > highest:
            raise MethodError(f"{self.name}: start holds {len(begin)} features, more than max_size {highest}")
        if not self.goes_forward and len(begin) < (self.min_size or 1):
            raise MethodError(
                f"{self.name}: start holds {len(begin)} features, fewer than the {self.min_size or 1} to end with"
            )
        target = highest if self.goes_forward else self.min_size or 0
        try:
            return Walk(
                scorer,
                n_features,
                begin,
                target=target,
                forward=self.goes_forward,
                weight=self.remainder,
                weighting=self.weighting,
                budget=self.budget,
            )
        except BudgetSpent:
            raise self._too_poor() from None

    def _begin(self, n_features: int, names: Sequence[str]) -> Subset:
        if self.start is None:
            return frozenset() if self.goes_forward else frozenset(range(n_features))
        return frozenset(self._index(item, n_features, names) for item in self.start)

    def _index(self, item: Any, n_features: int, names: Sequence[str]) -> int:
        if isinstance(item, str):
            if item not in names:
                raise MethodError(f"{self.name}: start names no feature {item!r}; {nearest(item, names)}")
            return list(names).index(item)
        if isinstance(item, bool) or not isinstance(item, int) or not 0 <= item < n_features:
            raise MethodError(
                f"{self.name}: start must hold feature names or indices from 0 to {n_features - 1}, found {item!r}"
            )
        return item

    def _follow(self, walk: Walk) -> Stop:
        """Take the steps until they end or a stop rule holds."""
        leader = walk.met[0] if self.allows(walk.met[0]) else None
        idle = 0
        for step in self.steps(walk):
            if step is None:
                break
            walk.take(step)
            if not self.allows(step):
                continue
            idle = 0 if leader is None or self._improves(step, leader) else idle + 1
            if leader is None or step.beats(leader):
                leader = step
            if self.patience is not None and idle >= self.patience:
                return "patience"
        return "end" if walk.arrived else "early"

    def _improves(self, step: Step, leader: Step) -> bool:
        gain = step.usefulness - leader.usefulness
        return gain > self.tolerance or (gain >= 0 and step.size < leader.size)

    def _best(self, walk: Walk) -> Step:
        best: Step | None = None
        for step in self.considered(walk.met):
            if self.allows(step) and (best is None or step.beats(best)):
                best = step
        if best is None:
            raise self._too_poor()
        return best

    def _too_poor(self) -> MethodError:
        return MethodError(
            f"{self.name}: a budget of {self.budget} evaluations is spent before a subset of an allowed size is met"
        )
