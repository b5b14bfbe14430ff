"""Methods compared over all data sets of an experiment: by average ranks, and pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way
from fsbench.stats import (
    AgainstControl,
    Interval,
    Posterior,
    RankTest,
    SignedTest,
    Verdict,
    against_control,
    cliques,
    critical_difference,
    friedman,
    holm,
    shift_interval,
    sign_test,
    signed_rank,
    wilcoxon,
)
from fsbench.stats import average_ranks as rank_means
from fsbench.values import FloatArray

__all__ = [
    "MOST_PAIRED",
    "Across",
    "AcrossPair",
    "AverageRanks",
    "across",
    "adjusted_pairs",
    "average_ranks",
    "compared",
    "pair_of",
    "pair_verdict",
    "pairs_across",
]

# Of more methods only the reference is compared with each other one: a hundred have 4950 pairs.
MOST_PAIRED = 6


@dataclass(frozen=True, eq=False)
class Across:
    """Mean results of the methods under one classifier, on the data sets that have them all.

    Parameters
    ----------
    classifier : str
    way : Way
        How features were chosen.
    methods : tuple of str
        Labels of rankers, "" for all features; in the order of the configuration.
    datasets : tuple of str
        Those on which every method has a result.
    values : ndarray of shape (n_datasets, n_methods)
        Mean accuracy over the folds, percent.
    left_out : dict of str to str
        Data sets on which a method has no result, with the reason.
    dropped : dict of str to str
        Methods that have no result on any data set, with the reason.
    """

    classifier: str
    way: Way
    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    values: FloatArray
    left_out: dict[str, str]
    dropped: dict[str, str]


@dataclass(frozen=True, eq=False)
class AverageRanks:
    """Average ranks under one classifier and what is said of them.

    Parameters
    ----------
    across : Across
    ranks : ndarray of shape (n_methods,)
        1 is best; ties share their mean rank. Empty without data sets.
    test : RankTest
        Friedman, Iman-Davenport; omitted with the reason.
    distance : float or None
        Nemenyi's critical difference at the configured level; None where the test is omitted.
    groups : list of tuple of int
        Methods that the critical difference does not part, by index, best first: the bars of a diagram.
    control : int or None
        Index of the reference among the methods.
    against : list of AgainstControl or None
        Each method against the reference (None at its place); empty where the test is omitted.
    """

    across: Across
    ranks: FloatArray
    test: RankTest
    distance: float | None
    groups: list[tuple[int, ...]]
    control: int | None
    against: list[AgainstControl | None]


@dataclass(frozen=True)
class AcrossPair:
    """Two methods under one classifier, over the data sets that have both.

    Parameters
    ----------
    first, second : str
        Labels of rankers, "" for all features.
    n, wins, ties, losses : int
        Data sets in all, and those on which the first has the larger, the same and the smaller mean.
    signed, sign : SignedTest
        Wilcoxon's signed-rank test and the sign test.
    signed_p, sign_p : float or None
        Their p adjusted by Holm over the pairs of this classifier.
    shift : Interval
        First minus second, in points of percent (Hodges-Lehmann).
    posterior : Posterior
        Bayesian signed-rank test with the configured region of practical equivalence.
    """

    first: str
    second: str
    n: int
    wins: int
    ties: int
    losses: int
    signed: SignedTest
    sign: SignedTest
    shift: Interval
    posterior: Posterior
    signed_p: float | None = None
    sign_p: float | None = None


def compared(results: Results, classifier: str, way: Way) -> list[str]:
    """Return the methods that are compared: all features where the way leaves some out by itself, and the rankers."""
    baseline = [ALL] if results.has_all and way.selection in ("best", "ordered", "reduced") else []
    selectors = results.selectors(way)
    return [*baseline, *(r for r in results.pairs(classifier) if r in selectors)]


def across(results: Results, classifier: str, way: Way) -> Across:
    """Return the means of the methods under a classifier, and what had to be left out.

    A method without any result is dropped first; then every data set on which another method lacks a fold.

    Parameters
    ----------
    results : Results
    classifier : str
        Its label.
    way : Way
        How features were chosen.

    Returns
    -------
    Across
    """
    return results.remember(("across", classifier, way), lambda: _across(results, classifier, way))


def average_ranks(results: Results, classifier: str, way: Way) -> AverageRanks:
    """Return the average ranks of the methods under a classifier with Friedman's test and its post-hocs.

    Parameters
    ----------
    results : Results
    classifier : str
        Its label.
    way : Way
        How features were chosen.

    Returns
    -------
    AverageRanks
    """
    return results.remember(("average ranks", classifier, way), lambda: _average_ranks(results, classifier, way))


def pairs_across(results: Results, classifier: str, way: Way) -> list[AcrossPair]:
    """Return the methods pair by pair: all pairs of up to `MOST_PAIRED`, else the reference with each other one.

    Parameters
    ----------
    results : Results
    classifier : str
        Its label.
    way : Way
        How features were chosen.

    Returns
    -------
    list of AcrossPair
        The reference first in its pairs.
    """
    return results.remember(("pairs", classifier, way), lambda: _pairs(results, classifier, way))


def _across(results: Results, classifier: str, way: Way) -> Across:
    asked = compared(results, classifier, way)
    cells = {(d, m): results.scores(d, classifier, m, _way(m, way)) for d in results.datasets for m in asked}
    dropped = {m: _why(results, m, cells) for m in asked if not any(cells[d, m].ok for d in results.datasets)}
    methods = [m for m in asked if m not in dropped]
    left_out: dict[str, str] = {}
    for dataset in results.datasets:
        absent = {results.title(m): cells[dataset, m] for m in methods if not cells[dataset, m].ok}
        if absent:
            word = next(iter(absent.values())).word
            left_out[dataset] = word if dataset in results.missing else f"{', '.join(absent)} {word}"
    whole = [d for d in results.datasets if d not in left_out] if methods else []
    values = np.array([[cells[d, m].mean for m in methods] for d in whole], dtype=np.float64)
    shape = (len(whole), len(methods))
    return Across(classifier, way, tuple(methods), tuple(whole), values.reshape(shape), left_out, dropped)


def pair_verdict(results: Results, pair: AcrossPair) -> Verdict:
    """Return what Wilcoxon's test says of the first method, its p adjusted as the configuration says."""
    p_value = pair.signed_p if results.correction == "holm" else pair.signed.p_value
    return replace(pair.signed, p_value=p_value).verdict(results.level)


def _way(method: str, way: Way) -> Way:
    return Way("all") if method == ALL else way


def _why(results: Results, method: str, cells: dict[tuple[str, str], Scores]) -> str:
    """Return why a method has no result: the first reason on a data set that is there."""
    there = [cells[d, method] for d in results.datasets if d not in results.missing]
    return next((f"{s.word}: {s.reason}" if s.reason else s.word for s in there), "no data set is there")


def _average_ranks(results: Results, classifier: str, way: Way) -> AverageRanks:
    found = across(results, classifier, way)
    n, k = found.values.shape
    test = friedman(found.values, results.level)
    ranks = rank_means(found.values) if n else np.empty(0)
    control = found.methods.index(results.reference) if results.reference in found.methods else None
    if test.reason:
        return AverageRanks(found, ranks, test, None, [], control, [])
    distance = critical_difference(k, n, results.level)
    against = against_control(ranks, n, control) if control is not None else []
    return AverageRanks(found, ranks, test, distance, cliques(ranks, distance), control, against)


def _pairs(results: Results, classifier: str, way: Way) -> list[AcrossPair]:
    return adjusted_pairs(
        [_pair(results, classifier, way, first, second) for first, second in _which(results, classifier, way)]
    )


def adjusted_pairs(found: Sequence[AcrossPair]) -> list[AcrossPair]:
    """Return pairs of one family with their p adjusted by Holm."""
    signed, sign = holm([p.signed.p_value for p in found]), holm([p.sign.p_value for p in found])
    return [replace(p, signed_p=a, sign_p=b) for p, a, b in zip(found, signed, sign, strict=True)]


def _which(results: Results, classifier: str, way: Way) -> Iterator[tuple[str, str]]:
    methods = compared(results, classifier, way)
    first = [m for m in methods if m == results.reference] or [m for m in methods if m != ALL][:1]
    others = [m for m in methods if m not in first]
    yield from ((r, other) for r in first for other in others)
    if len(methods) <= MOST_PAIRED:
        yield from combinations(others, 2)


def _pair(results: Results, classifier: str, way: Way, first: str, second: str) -> AcrossPair:
    sides = [[results.scores(d, classifier, m, _way(m, way)).mean for d in results.datasets] for m in (first, second)]
    both = [(a, b) for a, b in zip(*sides, strict=True) if a is not None and b is not None]
    a, b = np.array(both, dtype=np.float64).reshape(len(both), 2).T
    return pair_of(results, (first, second), a, b, results.rope)


def pair_of(results: Results, names: tuple[str, str], a: FloatArray, b: FloatArray, rope: float) -> AcrossPair:
    """Compare two methods by their results on the same data sets, more being better; p is not adjusted.

    Parameters
    ----------
    results : Results
        Level and seed.
    names : tuple of str
        The methods.
    a, b : ndarray of shape (n,)
        Their results on the data sets that have both.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the results.

    Returns
    -------
    AcrossPair
    """
    sign = sign_test(a, b, results.level)
    ties = int((np.abs(a - b) <= 1e-12 * np.maximum(np.abs(a), np.abs(b))).sum())
    return AcrossPair(
        *names,
        len(a),
        round(sign.positive - ties / 2),
        ties,
        round(sign.negative - ties / 2),
        wilcoxon(a, b, results.level),
        sign,
        shift_interval(a, b, results.level),
        signed_rank(a, b, rope, seed=int(results.experiment.get("seed") or 1)),
    )
