"""What the paper on remainder subset awareness says beside its tables: near ties, overhead, J below J(empty)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fsbench.report.results import Results
from fsbench.report.rsa import (
    ALGORITHMS,
    CONVENTIONAL,
    MAIN,
    NEAR,
    Pair,
    judge,
    pairs,
    printed_pairs,
    variant,
    variants,
)
from fsbench.report.searching import Judged
from fsbench.report.table import Cell, Column, Row, Table

__all__ = ["below_empty", "by_weight", "near_counts", "near_ties", "overhead", "statements", "weights_of"]


def near_counts(found: Sequence[Pair]) -> tuple[int, int, int, int]:
    """Return how many pairs nearly tie in error, and in how many of them the modified subset is smaller, equal, larger.

    The paper says that on ties and near ties it is smaller, with one exception (Sonar, PTA(2,1)).
    """
    near = [p for p in found if p.ok and abs(p.difference) <= NEAR]
    sizes = [(p.modified.size or 0.0) - (p.conventional.size or 0.0) for p in near]
    return len(near), sum(s < 0 for s in sizes), sum(s == 0 for s in sizes), sum(s > 0 for s in sizes)


def near_ties(results: Results, datasets: Sequence[str]) -> Iterator[str]:
    """Yield what becomes of the paper's remark on near ties."""
    ours = [p for p in pairs(results, datasets) if p.ok]
    if not ours:
        return
    names = results.printed_names
    count, smaller, same, larger = near_counts(ours)
    theirs = near_counts(list(printed_pairs([names[d] for d in datasets])))
    yield (
        "By the paper, on ties and near ties of error the modified subset is the smaller one, Sonar PTA(2,1) excepted. "
        f"Within {NEAR:g} points: ours {count} pairs, the modified subset smaller in {smaller}, equal in {same}, "
        f"larger in {larger}; printed {theirs[0]} pairs, {theirs[1]}, {theirs[2]}, {theirs[3]} (Sonar PTA(2,1), "
        "10.56 against 7.20, is not among them)."
    )


def overhead(results: Results, algorithm: tuple[int, int]) -> tuple[float, float] | None:
    """Return how many times as many subsets, and as much time, the aware search takes; means over the data sets.

    Geometric means of the ratios on each data set; None if there is none.
    """
    sides = [variant(results, algorithm, k) for k in (CONVENTIONAL, MAIN)]
    one, two = sides
    if one is None or two is None:
        return None
    ratios = []
    for dataset in results.datasets:
        plain, aware = judge(results, dataset, one.label), judge(results, dataset, two.label)
        if plain.error is not None and aware.error is not None and plain.evaluations and plain.seconds:
            ratios.append((aware.evaluations / plain.evaluations, aware.seconds / plain.seconds))
    if not ratios:
        return None
    means = np.exp(np.log(np.array(ratios)).mean(axis=0))
    return float(means[0]), float(means[1])


def below_empty(results: Results, label: str) -> float | None:
    """Return the percent of the subsets met, under the first seed, that are less useful than no feature at all.

    J of the empty set is the accuracy of the most frequent class. Searches that never meet it are left out.
    """
    traces = results.traces
    if traces is None or not results.classifiers:
        return None
    mine = traces[
        (traces["search"] == label) & (traces["classifier"] == results.classifiers[0])
        & (traces["protocol"] == "search-cv") & (traces["repeat"] == 0)
    ]  # fmt: skip
    below, met = 0, 0
    for _, steps in mine.groupby("dataset", sort=False):
        empty = steps.loc[steps["size"] == 0, "usefulness"]
        if len(empty):
            others = steps.loc[steps["size"] > 0, "usefulness"]
            below, met = below + int((others < empty.iloc[0] - 1e-12).sum()), met + len(others)
    return 100.0 * below / met if met else None


def weights_of(results: Results) -> list[str]:
    """Return the weights of the remainder, the conventional one first, then falling, those by size last."""
    found = sorted(variants(results), key=lambda v: (v.weighting != "constant", -v.k))
    return list(dict.fromkeys(v.weight for v in found))


def by_weight(results: Results, nested: bool) -> dict[str, list[Judged]]:
    """Return, for each weight, the searches on those data sets and by those algorithms that every weight has.

    Parameters
    ----------
    results : Results
    nested : bool
        Judged by folds that they never saw, not by those searched on.

    Returns
    -------
    dict of str to list of Judged
        Lists of equal length in the same order; empty if there is none.
    """
    known = {(v.algorithm, v.weight): v.label for v in reversed(variants(results))}
    weights = weights_of(results)
    found: dict[str, list[Judged]] = {weight: [] for weight in weights}
    for dataset in results.datasets:
        for algorithm in ALGORITHMS:
            named = [known.get((algorithm, weight)) for weight in weights]
            row = [judge(results, dataset, label, nested) for label in named if label is not None]
            if len(row) == len(weights) and all(judged.error is not None for judged in row):
                for weight, judged in zip(weights, row, strict=True):
                    found[weight].append(judged)
    return found if weights and found[weights[0]] else {}


def statements(results: Results) -> list[Table]:
    """Return the price of looking at the remainder, by algorithm; empty without both kinds of search.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
    """
    columns = (
        Column("algorithm", "algorithm", kind="name"),
        Column("evaluations", "subsets scored", "aware / conventional", decimals=2),
        Column("time", "time", "aware / conventional", decimals=2),
        Column("below_conventional", "conventional", "subsets met with J < J(empty) (%)"),
        Column("below_modified", "aware", "subsets met with J < J(empty) (%)"),
    )
    rows = []
    for plus, minus in ALGORITHMS:
        ratio = overhead(results, (plus, minus))
        if ratio is None:
            continue
        below = []
        for k in (CONVENTIONAL, MAIN):
            found = variant(results, (plus, minus), k)
            below.append(below_empty(results, found.label) if found else None)
        rows.append(Row((Cell(f"PTA({plus},{minus})"), *map(Cell, ratio), *map(Cell, below))))
    notes = (
        "Geometric means over the data sets of the ratio on each. J(empty) is the share of the most frequent class.",
        "Every candidate has a remainder to be scored as well: at most twice the subsets; some are known already.",
    )
    return [Table("overhead", "What the remainder costs", columns, tuple(rows), notes, timed=True)] if rows else []
