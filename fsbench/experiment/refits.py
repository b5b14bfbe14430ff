"""Classifiers that are fitted anew at each prefix: which these are, and how often they are fitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fsbench.classifiers import Classifier
from fsbench.classifiers.refit import refits
from fsbench.experiment.cells import Cell

__all__ = ["most_fits", "refitted"]


def refitted(classifiers: Mapping[str, Any]) -> list[str]:
    """Return the labels of the classifiers that are fitted anew at each prefix; those of multi-label data never are.

    Parameters
    ----------
    classifiers : mapping of str to object
    """
    return [label for label, made in classifiers.items() if isinstance(made, Classifier) and refits(made)]


def most_fits(cells: Iterable[Cell], labels: Sequence[str], prefixes: int) -> dict[str, int]:
    """Count how often classifiers are fitted on one fold, if no two rankings begin alike.

    Parameters
    ----------
    cells : iterable of Cell
        Those to be computed. Searches are left out: nobody knows what they will ask for.
    labels : sequence of str
        The classifiers.
    prefixes : int
        Length of a learning curve.

    Returns
    -------
    dict of str to int
        Fits by classifier; 0 for one that has nothing to do.
    """
    alone = dict.fromkeys(labels, 0)
    passes: dict[str, set[tuple[str, str, int]]] = {label: set() for label in labels}
    for cell in cells:
        if cell.classifier not in passes or cell.unit != "ranked":
            continue
        if not cell.ranker:
            alone[cell.classifier] += 1
            continue
        if cell.estimate:
            passes[cell.classifier].add((cell.ranker, cell.estimate, cell.folds or 1))
        if cell.kind == "result":  # read from the curve on the test part
            passes[cell.classifier].add((cell.ranker, "test", 1))
    return {label: alone[label] + prefixes * sum(times for *_, times in passes[label]) for label in labels}
