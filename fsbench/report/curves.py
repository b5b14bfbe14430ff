"""The stored learning curves of an experiment as results: areas, and shortest prefixes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fsbench.evaluation.curve_summary import Shortest, area, best_prefix, shortest_prefix
from fsbench.report.results import Results
from fsbench.stats import compare
from fsbench.values import FloatArray, IntArray

__all__ = ["CurveSummary", "curve_estimate", "curve_summaries"]


@dataclass(frozen=True, eq=False)
class CurveSummary:
    """The learning curve of a ranker and a classifier on a data set, over the folds.

    Parameters
    ----------
    areas : ndarray of shape (n_folds,)
        Normalised areas, percent.
    prefix : Shortest
        Best and shortest prefix.
    n_features : int
    means : ndarray of shape (n_features,)
        Mean accuracy of each prefix, percent.
    """

    areas: FloatArray
    prefix: Shortest
    n_features: int
    means: FloatArray = field(default_factory=lambda: np.empty(0))


def curve_estimate(results: Results) -> str:
    """Return the rows that curves are summed up on: ``test`` if they were measured there, else the first estimate.

    "" without curves.
    """
    frame = results.curves
    if frame is None or not len(frame):
        return ""
    known = list(dict.fromkeys(frame["estimate"].tolist()))
    return "test" if "test" in known else str(known[0])


def curve_summaries(results: Results) -> Mapping[tuple[str, str, str], CurveSummary]:
    """Return the sums of all learning curves on the rows of `curve_estimate`.

    Parameters
    ----------
    results : Results

    Returns
    -------
    mapping
        From data set, ranker and classifier. Curves that do not reach all features, or not on every fold the same
        number, are left out. Prefixes are compared by the configured test at the configured level, on test folds only:
        estimates inside the training parts share nearly all their rows from fold to fold.
    """
    return results.remember("curve summaries", lambda: _summaries(results))


def _summaries(results: Results) -> dict[tuple[str, str, str], CurveSummary]:
    estimate = curve_estimate(results)
    frame = results.curves
    if not estimate or frame is None:
        return {}
    chosen = frame[frame["estimate"] == estimate]
    accuracy = 100.0 * chosen["accuracy"].to_numpy(dtype=np.float64)
    n_test = chosen["n"].to_numpy(dtype=np.int64)
    starts = np.flatnonzero(chosen["k"].to_numpy(dtype=np.int64) == 1)
    ends = np.append(starts[1:], len(chosen))
    names = ("dataset", "ranker", "classifier")
    heads = zip(*(chosen[name].to_numpy()[starts] for name in names), strict=True)
    groups: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for (dataset, ranker, classifier), start, end in zip(heads, starts.tolist(), ends.tolist(), strict=True):
        groups.setdefault((str(dataset), str(ranker), str(classifier)), []).append((start, end))
    whole, rows = results.n_features, results.n_rows
    found = {}
    for key, blocks in groups.items():
        lengths = {end - start for start, end in blocks}
        if lengths == {whole.get(key[0])}:
            curves = np.array([accuracy[start:end] for start, end in blocks])
            sizes = n_test[[start for start, _ in blocks]]
            found[key] = _summary(results, curves, rows.get(key[0], 0) - sizes, sizes, estimate)
    return found


def _summary(results: Results, curves: FloatArray, n_train: IntArray, n_test: IntArray, estimate: str) -> CurveSummary:
    def is_worse(first: FloatArray, second: FloatArray) -> bool | None:
        test = compare(results.test_name, first, second, n_train, n_test)
        return None if test.p_value is None else test.verdict(results.level) == "worse"

    if estimate == "test" and len(curves) > 1:
        prefix = shortest_prefix(curves, is_worse)
    else:
        why = "one fold" if estimate == "test" else "measured inside the training parts"
        prefix = Shortest(best_prefix(curves), None, why)
    return CurveSummary(area(curves), prefix, curves.shape[1], curves.mean(axis=0))
