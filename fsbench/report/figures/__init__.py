"""The figures of a report, each kind made from `Results` by a module of its own; nothing is drawn until asked for."""

from __future__ import annotations

import importlib
from dataclasses import replace

from fsbench.report.figures.figure import FORMATS, Figure
from fsbench.report.results import Results

__all__ = ["FORMATS", "Figure", "build"]

# In the order of a report; each module has `figures(results)`.
_KINDS = (
    "critical_difference",
    "label_ranks",
    "radar",
    "shares",
    "printed",
    "learning_curves",
    "search_traces",
    "sweep",
    "agreement",
    "stability",
    "times",
)


def build(results: Results) -> list[Figure]:
    """Return the figures of an experiment in the order of a report; those without content are left out.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    list of Figure
        Their keys differ.
    """
    modules = [importlib.import_module(f"fsbench.report.figures.{kind}") for kind in _KINDS]
    return _unique([figure for module in modules for figure in module.figures(results)])


def _unique(figures: list[Figure]) -> list[Figure]:
    """Give figures of one key a number: the names of two data sets may differ in punctuation only."""
    seen: dict[str, int] = {}
    named = []
    for figure in figures:
        seen[figure.key] = seen.get(figure.key, 0) + 1
        named.append(figure if seen[figure.key] == 1 else replace(figure, key=f"{figure.key}-{seen[figure.key]}"))
    return named
