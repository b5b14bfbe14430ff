"""The figures of a report, each kind made from `Results` by a module of its own; nothing is drawn until asked for."""

from __future__ import annotations

import importlib

from fsbench.report.figures.figure import FORMATS, Figure
from fsbench.report.results import Results
from fsbench.report.unique import unique

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
    return unique([figure for module in modules for figure in module.figures(results)])
