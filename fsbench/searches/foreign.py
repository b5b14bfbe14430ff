"""Searches that are not ours: they get scores and no way to the rows, and their traces are looked at."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, get_args

from fsbench.errors import MethodError, UserError, show
from fsbench.lent import is_ours, theirs
from fsbench.searches.base import Search
from fsbench.searches.scorer import ScoresBoth
from fsbench.searches.trace import Action, Step, Stop, Trace

__all__ = ["trace_of"]


class _Scores:
    """The part of a scorer that a search needs; the data behind it are not in it."""

    def __init__(self, scorer: ScoresBoth) -> None:
        self.score, self.score_many = scorer.score, scorer.score_many


def trace_of(
    search: Search,
    scorer: ScoresBoth,
    names: Sequence[str],
    watch: Callable[[Step], object] | None = None,
) -> Trace:
    """Return ``search.run(scorer, len(names), names, watch)``; what goes wrong in a search not ours names it.

    Parameters
    ----------
    search : Search
    scorer : ScoresBoth
    names : sequence of str
        Of the features to choose from.
    watch : callable, optional
        Is told each step as soon as it is taken.

    Returns
    -------
    Trace

    Raises
    ------
    MethodError
        As `Search.run`; and it fails otherwise, or what it returns is no trace over these features.
    """
    if is_ours(search):
        return search.run(scorer, len(names), names, watch)
    with theirs(f"{search.label}:", UserError):
        found: Any = search.run(_Scores(scorer), len(names), tuple(names), watch)
        wrong = _wrong(found, len(names))
    if wrong:
        raise MethodError(f"{search.label}: run() must return {wrong}")
    return found  # type: ignore[no-any-return]


def _wrong(found: Any, n_features: int) -> str:
    """Say what a search should have returned, "" if it did."""
    if not isinstance(found, Trace):
        return f"a Trace, found {show(found)}"
    odd = next((step for step in found.met if not _is_step(step, n_features)), None)
    if odd is not None:
        return f"a Trace whose steps are over the features 0 to {n_features - 1}, with finite scores, found {show(odd)}"
    aware = {step.remainder is not None for step in found.met}
    if len(aware) > 1:
        return "a Trace with remainders in all steps or in none"
    if not found.best.subset or not any(step is found.best for step in found.met):
        return f"a Trace whose best is one of the steps met, and not empty, found {show(found.best)}"
    counts = found.evaluations, found.hits
    return "" if found.stopped in get_args(Stop) and all(map(_is_count, counts)) else "a Trace of evaluations and hits"


def _is_step(step: Any, n_features: int) -> bool:
    features = range(n_features)
    return (
        isinstance(step, Step)
        and step.action in get_args(Action)
        and (step.feature in features if step.action != "start" else step.feature is None)
        and isinstance(step.subset, tuple)
        and all(type(j) is int and j in features for j in step.subset)
        and sorted(set(step.subset)) == list(step.subset)
        and all(_is_score(score) for score in (step.usefulness, step.criterion))
        and (step.remainder is None or _is_score(step.remainder))
        and _is_count(step.evaluations)
    )


def _is_score(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63
