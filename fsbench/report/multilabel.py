"""The multi-label paper beside a run: which method is which, what is printed, what its rule calls degraded."""

from __future__ import annotations

from functools import cache
from typing import Any

from fsbench.published import PrintedCell
from fsbench.published import multilabel as paper
from fsbench.report.label_results import LabelMethod, LabelResults, LabelScores
from fsbench.report.results import Results

__all__ = [
    "BASELINE",
    "CONVENTIONS",
    "PAPER_MEASURES",
    "degraded",
    "degraded_cells",
    "is_degraded_in_print",
    "method_of",
    "paper_setups",
    "printed_value",
    "scores_degraded",
]

BASELINE = "baseline"
# The six measures of the paper; the other two of sets of labels are ours.
PAPER_MEASURES = tuple(paper.MEASURES.values())
_IN_PRINT = {ours: printed for printed, ours in paper.MEASURES.items()}
# Stored macro F by what it does with 0/0.
CONVENTIONS = {"f_macro_one": "0/0 is 1", "f_macro_skip": "0/0 left out", "f_macro_zero": "0/0 is 0"}


@cache
def _printed() -> dict[tuple[str, str, str], PrintedCell]:
    return {(c.table, c.dataset, c.column): c for c in paper.cells()}


def printed_value(name: str, method: str, measure: str) -> PrintedCell | None:
    """Return what the paper prints: of the reduction (Table 3) or a measure (Table 4).

    Parameters
    ----------
    name : str
        The paper's name of the data set.
    method : str
        ``baseline``, ``RF-BR`` and so on.
    measure : str
        ``reduction`` or one of `PAPER_MEASURES`.
    """
    table, column = (
        ("table3", method) if measure == "reduction" else ("table4", f"{_IN_PRINT.get(measure, measure)}/{method}")
    )
    return _printed().get((table, name, column))


def method_of(results: Results, printed: str) -> LabelMethod | None:
    """Return the method of the experiment that stands for one of the paper's; None if it has none.

    It is the first that has the paper's ranker and transformation, both with their defaults, and selects by the
    paper's threshold; the baseline has all features.
    """
    labelled = results.labelled
    if labelled is None:
        return None
    if printed == BASELINE:
        return next((m for m in labelled.methods if m.is_baseline), None)
    titles = {str(ref["label"]): _title(ref) for ref in results.experiment.get("rankers") or ()}
    asked = paper.prose()["threshold"].value
    return next(
        (
            m
            for m in labelled.methods
            if titles.get(m.ranker) == printed and m.selection == "threshold" and m.amount == asked
        ),
        None,
    )


def _title(ref: dict[str, Any]) -> str:
    from fsbench.registry import ALIASES

    spec, transform = ref["spec"], ref.get("transform") or {"method": "br"}
    names = []
    for kind, given in (("ranker", spec), ("transform", transform)):
        name = str(given["method"]).lower()
        names.append(ALIASES[kind].get(name, name))
    plain = set(transform) == {"method"} and set(spec) <= {"method", "ties"}
    return paper.METHODS.get((names[0], names[1]), "") if plain else ""


def paper_setups(results: Results) -> dict[str, dict[str, str]]:
    """Return for each setup which data set stands for each of the paper's: name to label, in the paper's order."""
    labelled = results.labelled
    assert labelled is not None
    found = {}
    for setup, members in labelled.setups.items():
        own = {results.printed_names[label]: label for label in members if label in results.printed_names}
        found[setup] = {name: own[name] for name in paper.PAPER_NAMES if name in own}
    return found


def degraded(measure: str, base: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether the paper's rule marks a cell: the interval of the baseline lies wholly on the better side of its own.

    Parameters
    ----------
    measure : str
    base, other : tuple of float
        Mean and standard deviation of the baseline and of the method. Both are taken in whole hundredths, as the
        paper prints them; intervals that touch do not count.

    Examples
    --------
    >>> degraded("accuracy", (0.50, 0.02), (0.44, 0.03)), degraded("accuracy", (0.50, 0.02), (0.45, 0.03))
    (True, False)
    """
    (m, s), (n, t) = ((round(100 * a), round(100 * b)) for a, b in (base, other))
    if LabelResults.higher_is_better(measure):
        return m - s > n + t
    return m + s < n - t


def is_degraded_in_print(name: str, method: str, measure: str) -> bool | None:
    """Whether the printed cell is degraded by the paper's rule; None where nothing is printed."""
    pair = [printed_value(name, which, measure) for which in (BASELINE, method)]
    numbers = [(c.value, float(c.spread)) for c in pair if c is not None and c.value is not None]
    if len(numbers) < 2 or method == BASELINE:
        return None
    base, other = ((float(v or 0.0), s) for v, s in numbers)
    return degraded(measure, base, other)


def scores_degraded(measure: str, base: LabelScores, other: LabelScores) -> bool | None:
    """Whether our cell is degraded by the paper's rule; None where one side has no value."""
    if base.mean is None or other.mean is None or base.sd is None or other.sd is None:
        return None
    return degraded(measure, (base.mean, base.sd), (other.mean, other.sd))


def degraded_cells() -> list[tuple[str, str, str]]:
    """Return the printed cells that are degraded: name of the data set, measure, method, in the paper's order."""
    methods = tuple(paper.METHODS.values())
    return [
        (name, measure, method)
        for measure in PAPER_MEASURES
        for name in paper.PAPER_NAMES
        for method in methods
        if is_degraded_in_print(name, method, measure)
    ]
