"""What a run holds of its searches: the error that was searched on, and that of folds that they never saw."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.report.results import SEARCHED, Results
from fsbench.report.scores import WORDS, Scores
from fsbench.report.table import Source

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Judged", "judged_nested", "judged_on_folds", "labels", "optimism", "protocols", "searches_of"]


@dataclass(frozen=True)
class Judged:
    """A search on one data set under one protocol.

    Parameters
    ----------
    error, sigma : float or None
        Percent: the mean over the folds, and the standard deviation, population form; None if it is not there.
    size : float or None
        Features of the best subset; over outer folds their mean.
    folds : int
    evaluations, hits, scored : float
        Subsets asked for, met again, and new to the scorer that all searches share; means over repeats or folds.
    seconds : float
        Of the search by itself; the sum over repeats or folds.
    status, reason : str
        As in the store, ``missing`` for a data set that is not there.
    source : Source, optional
        The cell of the experiment, for readers who trace a number.
    """

    error: float | None = None
    sigma: float | None = None
    size: float | None = None
    folds: int = 0
    evaluations: float = 0.0
    hits: float = 0.0
    scored: float = 0.0
    seconds: float = 0.0
    status: str = "ok"
    reason: str = ""
    source: Source | None = None

    @property
    def word(self) -> str:
        """What a table shows in its place when it is not there."""
        return WORDS.get(self.status, self.status)

    @property
    def sd(self) -> float | None:
        """Standard deviation over the folds, sample form; None for fewer than two."""
        if self.sigma is None or self.folds < 2:
            return None
        return self.sigma * math.sqrt(self.folds / (self.folds - 1))


def labels(results: Results) -> list[str]:
    """Return the labels of the searches of an experiment, whatever their protocols."""
    return [str(ref["label"]) for ref in results.experiment.get("searches") or ()]


def searches_of(results: Results, classifier: str) -> list[str]:
    """Return the searches that a classifier is combined with, in order."""
    refs = results.experiment.get("classifiers") or ()
    asked = next((ref.get("rankers") for ref in refs if str(ref["label"]) == classifier), None)
    return [label for label in labels(results) if asked is None or label in asked]


def protocols(results: Results) -> list[str]:
    """Return the protocols under which searches are judged."""
    return [str(p) for p in (results.experiment.get("searching") or {}).get("protocol", ())]


def judged_on_folds(results: Results, dataset: str, classifier: str, search: str) -> Judged:
    """Return a search under the protocol search-cv: on the folds that were searched on.

    Parameters
    ----------
    results : Results
    dataset, classifier, search : str
        Labels.

    Returns
    -------
    Judged
        Of several repeats the mean; fold seeds that only the searches of the data set have are left out.
    """
    key = ("judged on folds", dataset, classifier, search)
    return results.remember(key, lambda: _judged_on_folds(results, dataset, classifier, search))


def _judged_on_folds(results: Results, dataset: str, classifier: str, search: str) -> Judged:
    if dataset in results.missing:
        return Judged(status="missing", reason=results.missing[dataset])
    frame = _rows(results, dataset, classifier, search, "search-cv")
    repeats = int((results.experiment.get("folds") or {}).get("repeats", 1))
    frame = frame[frame["repeat"] < repeats]
    found = _judged(frame, int((results.experiment.get("folds") or {}).get("folds", 0)))
    return replace(found, source=Source(dataset, classifier, search, "search", "search-cv"))


def judged_nested(results: Results, dataset: str, classifier: str, search: str) -> Judged:
    """Return a search under the protocol nested: on test folds that it never saw; see `judged_on_folds`."""
    key = ("judged nested", dataset, classifier, search)
    return results.remember(key, lambda: _judged_nested(results, dataset, classifier, search))


def _judged_nested(results: Results, dataset: str, classifier: str, search: str) -> Judged:
    scores: Scores = results.scores(dataset, classifier, search, SEARCHED)
    if not scores.ok:
        return Judged(status=scores.status, reason=scores.reason)
    frame = _rows(results, dataset, classifier, search, "nested")
    cost = _judged(frame, 0) if len(frame) else Judged()
    errors = 100.0 - scores.accuracy
    return Judged(
        error=float(errors.mean()),
        sigma=float(errors.std()),
        size=float(scores.n_selected.mean()),
        folds=len(errors),
        evaluations=cost.evaluations,
        hits=cost.hits,
        scored=cost.scored,
        seconds=cost.seconds,
        source=Source(dataset, classifier, search, SEARCHED.selection, SEARCHED.estimate),
    )


def optimism(results: Results, dataset: str, classifier: str, search: str) -> float | None:
    """Return the honest error minus the one that was searched on, in points; None unless both are there."""
    honest = judged_nested(results, dataset, classifier, search).error
    searched = judged_on_folds(results, dataset, classifier, search).error
    return None if honest is None or searched is None else honest - searched


def _rows(results: Results, dataset: str, classifier: str, search: str, protocol: str) -> pd.DataFrame:
    def build() -> dict[Any, pd.DataFrame]:
        table = results.search_table
        keys = ["dataset", "classifier", "search", "protocol"]
        return {} if table is None else dict(iter(table.groupby(keys, sort=False)))

    found = results.remember("searches", build).get((dataset, classifier, search, protocol))
    if found is None:
        import pandas as pd

        return pd.DataFrame({"repeat": [], "status": []})
    return found


def _judged(frame: pd.DataFrame, folds: int) -> Judged:
    if not len(frame):
        return Judged(status="absent", reason="not among the results")
    for status in ("failed", "pending", "skipped"):
        hit = frame[frame["status"] == status]
        if len(hit):
            return Judged(status=status, reason=str(hit["reason"].iloc[0]))
    mean = {
        name: float(np.mean(frame[name].to_numpy(dtype=np.float64)))
        for name in ("error", "sigma", "n_selected", "evaluations", "hits", "scored")
    }
    return Judged(
        error=100.0 * mean["error"],
        sigma=100.0 * mean["sigma"],
        size=mean["n_selected"],
        folds=folds,
        evaluations=mean["evaluations"],
        hits=mean["hits"],
        scored=mean["scored"],
        seconds=float(frame["seconds"].sum()),
    )
