"""What a search is: it walks from subset to subset and knows nothing but a scorer."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar

from fsbench.errors import MethodError, UserError, blamed, nearest, show
from fsbench.lent import is_ours
from fsbench.method import Method, param
from fsbench.searches.criterion import Weighting
from fsbench.searches.subsets import Subset
from fsbench.searches.trace import Step, Stop, Trace
from fsbench.searches.walk import BudgetSpent, ScoresSubset, Walk

__all__ = ["Search"]

# What the scorer says of a classifier, and what ends a search or a generator that is not read to its end.
PASSING = (UserError, BudgetSpent, GeneratorExit)

# So many steps without a subset that was not scored before, and a search goes in circles.
MOST_IDLE = 10_000


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
        if not math.isfinite(self.tolerance):  # no subset would ever count as better
            raise MethodError(f"{self.name}: parameter tolerance must be a finite number, found {self.tolerance}")
        if self.min_size is not None and self.max_size is not None and self.min_size > self.max_size:
            raise MethodError(f"{self.name}: min_size {self.min_size} exceeds max_size {self.max_size}")
        if self.start is not None:
            object.__setattr__(self, "start", (self.start,) if isinstance(self.start, str) else self.start)
            self._check_start(self.start)

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

    def _check_start(self, start: Sequence[Any]) -> None:
        """Refuse what no data could make a set of features of the right size."""
        if not isinstance(start, tuple) or not all(_may_be_feature(item) for item in start):
            raise MethodError(
                f"{self.name}: parameter start must be a list of feature names or indices from 0, found {_plain(start)}"
            )
        twice = next((item for i, item in enumerate(start) if item in start[:i]), None)
        if twice is not None:
            raise MethodError(f"{self.name}: start names the feature {twice!r} twice")
        self._check_size(len(start), self.max_size)

    def _check_size(self, size: int, highest: int | None) -> None:
        """Refuse to begin beyond the end."""
        if self.goes_forward and highest is not None and size > highest:
            raise MethodError(f"{self.name}: start holds {size} features, more than max_size {highest}")
        lowest = self.min_size or 1
        if not self.goes_forward and size < lowest:
            raise MethodError(f"{self.name}: start holds {size} features, fewer than the {lowest} to end with")

    def considered(self, met: Sequence[Step]) -> Sequence[Step]:
        """Return which of the subsets met may be returned; all, unless the search says otherwise."""
        return met

    def run(
        self,
        scorer: ScoresSubset,
        n_features: int,
        names: Sequence[str] = (),
        watch: Callable[[Step], object] | None = None,
    ) -> Trace:
        """Search.

        Parameters
        ----------
        scorer : ScoresSubset
            Anything with ``score(subset)``; ``score_many(current, candidates)`` is used if it is there.
        n_features : int
            Features to choose from.
        names : sequence of str, optional
            Their names, if `start` names features.
        watch : callable, optional
            Is told each step as soon as it is taken.

        Returns
        -------
        Trace

        Raises
        ------
        MethodError
            A parameter does not fit the number of features, or the budget ends the search before it has met
            a subset of an allowed size.
        """
        with self._blamed():
            return self._run(scorer, n_features, names, watch)

    def _run(
        self, scorer: ScoresSubset, n_features: int, names: Sequence[str], watch: Callable[[Step], object] | None
    ) -> Trace:
        walk = self._walk(scorer, n_features, names)
        stopped: Stop
        try:
            stopped = self._follow(walk, watch)
        except BudgetSpent:
            stopped = "budget"
        return Trace(
            search=self.label,
            n_features=n_features,
            start=walk.met[0],
            steps=tuple(walk.met[1:]),
            best=self._best(walk, stopped),
            stopped=stopped,
            evaluations=walk.evaluations,
            hits=walk.hits,
        )

    def allows(self, step: Step) -> bool:
        """Whether a subset of this size may be returned: within the size range, and never empty."""
        return max(self.min_size or 1, 1) <= step.size <= (self.max_size or step.size)

    def check(self, n_features: int, names: Sequence[str] = ()) -> None:
        """Refuse parameters that cannot lead anywhere on data of some width; `run` does so too.

        Parameters
        ----------
        n_features : int
        names : sequence of str, optional
            Their names, if `start` names features.

        Raises
        ------
        MethodError
            Fewer features than `min_size`, a `start` that names others or too many, or a `budget` that even the
            straight way to an allowed size exceeds.
        """
        if n_features < 1:
            raise MethodError(f"{self.name}: there is no feature to choose from")
        if self.min_size is not None and self.min_size > n_features:
            raise MethodError(f"{self.name}: min_size is {self.min_size}, but there are {n_features} features")
        with self._blamed():
            begin = self._begin(n_features, names)
            self._check_size(len(begin), self.max_size)
        least = self._least(n_features, len(begin))
        if self.budget is not None and self.budget < least:
            raise self._too_poor(f"; at least {least} are needed")

    def _least(self, n_features: int, size: int) -> int:
        """Return how many subsets a search scores at least, from one of `size` features to one that may be returned."""
        lowest, highest = max(self.min_size or 1, 1), self.max_size or n_features
        scored = 1 + sum(n_features - s for s in range(size, lowest)) + sum(range(highest + 1, size + 1))
        # Remainders are scored as well; in the upper half they may be subsets that are known already.
        return scored * 2 if self.remainder not in (None, 1.0) and 2 * lowest < n_features and size < lowest else scored

    def _walk(self, scorer: ScoresSubset, n_features: int, names: Sequence[str]) -> Walk:
        self.check(n_features, names)
        begin = self._begin(n_features, names)
        highest = min(self.max_size or n_features, n_features)
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
        begin = [self._index(item, n_features, names) for item in self.start]
        twice = next((j for i, j in enumerate(begin) if j in begin[:i]), None)
        if twice is not None:
            raise MethodError(f"{self.name}: start names the feature {names[twice]!r} twice, by name and by index")
        return frozenset(begin)

    def _index(self, item: Any, n_features: int, names: Sequence[str]) -> int:
        if isinstance(item, str):
            if item not in names:
                raise MethodError(f"{self.name}: start names no feature {item!r}; {nearest(item, names)}")
            return list(names).index(item)
        index = int(item)
        if index >= n_features:
            raise MethodError(
                f"{self.name}: start must hold feature names or indices from 0 to {n_features - 1}, found {index}"
            )
        return index

    def _follow(self, walk: Walk, watch: Callable[[Step], object] | None) -> Stop:
        """Take the steps until they end or a stop rule holds."""
        leader = walk.met[0] if self.allows(walk.met[0]) else None
        idle = 0
        for step in self._taken(walk):
            if watch is not None:
                watch(step)
            if not self.allows(step):
                continue
            idle = 0 if leader is None or self._improves(step, leader) else idle + 1
            if leader is None or step.beats(leader):
                leader = step
            if self.patience is not None and idle >= self.patience:
                return "patience"
        return "end" if walk.arrived else "early"

    def _taken(self, walk: Walk) -> Iterator[Step]:
        """Take and hand on what the author's `steps` yields, as long as it can be taken."""
        scored = idle = 0
        for step in self._yielded(walk):
            if step is None:
                return
            if not walk.offers(step):
                right = "yield what walk.best('add') or walk.best('remove') has just returned, or None to end"
                raise MethodError(f"{self.name}: steps yielded {_told(step, walk)}; {right}")
            idle = idle + 1 if walk.evaluations == scored else 0
            scored = walk.evaluations
            if idle > MOST_IDLE:
                text = f"{MOST_IDLE} steps in a row led to subsets that were met before"
                raise MethodError(f"{self.name}: {text}: let steps end, or yield None to end")
            walk.take(step)
            yield step

    def _yielded(self, walk: Walk) -> Iterator[Any]:
        """Yield what `steps` yields; what goes wrong in a search that is not ours is one line."""
        with self._blamed(" steps"):
            found: Any = self.steps(walk)
            if not isinstance(found, Iterable):
                raise MethodError(f"{self.name}: steps must yield one step after the other, found {show(found)}")
            yield from found

    def _blamed(self, part: str = "") -> AbstractContextManager[None]:
        """Make one line of what goes wrong in a search that is not ours; ours are not known to fail."""
        return nullcontext() if is_ours(self) else blamed(f"{self.label}:{part}", *PASSING)

    def _improves(self, step: Step, leader: Step) -> bool:
        gain = step.usefulness - leader.usefulness
        return gain > self.tolerance or (gain >= 0 and step.size < leader.size)

    def _best(self, walk: Walk, stopped: Stop) -> Step:
        best: Step | None = None
        met = {id(step) for step in walk.met}
        with self._blamed(" considered"):
            found: Any = self.considered(walk.met)
            found = list(found) if isinstance(found, Iterable) else [found]
        for step in found:
            if id(step) not in met:
                raise MethodError(f"{self.name}: considered must return some of the steps met, found {show(step)}")
            if self.allows(step) and (best is None or step.beats(best)):
                best = step
        if best is None and stopped == "budget":
            raise self._too_poor()
        if best is None:
            sizes = f"of {self.min_size or 1} to {self.max_size or walk.n_features} features"
            text = f"it ended after {len(walk.met) - 1} steps, at {walk.size} features, without a subset {sizes}"
            raise MethodError(f"{self.name}: {text}")
        return best

    def _too_poor(self, needed: str = "") -> MethodError:
        text = f"a budget of {self.budget} evaluations is spent before a subset of an allowed size is met"
        return MethodError(f"{self.name}: {text}{needed}")


def _told(step: Any, walk: Walk) -> str:
    """Say what is wrong with something that a search yielded."""
    if not isinstance(step, Step):
        return show(step)
    if step.feature not in range(walk.n_features):
        return f"a step with feature {show(step.feature)}, but there are the features 0 to {walk.n_features - 1}"
    return f"a step ({show(step.action)} feature {step.feature}) that is none from where it stands"


def _may_be_feature(item: Any) -> bool:
    return isinstance(item, str) or (isinstance(item, int) and not isinstance(item, bool) and 0 <= item < 2**63)


def _plain(start: Any) -> str:
    """Return what was given for a start, lists as lists."""
    return show(list(start) if isinstance(start, tuple) else start)
