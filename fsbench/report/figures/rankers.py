"""Which of many rankers a figure shows, and their orders on each fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fsbench.report.results import Results
from fsbench.values import FloatArray

__all__ = ["MOST_LINES", "chosen_rankers", "fold_ranks"]

Fold = tuple[int, int]

# More lines than that in one panel cannot be told apart.
MOST_LINES = 8


def chosen_rankers(
    results: Results, names: Sequence[str], worth: Mapping[str, float], most: int = MOST_LINES
) -> list[str]:
    """Return the rankers that are shown: all if they are few, else the reference and the best.

    Parameters
    ----------
    results : Results
        Names the reference.
    names : sequence of str
        Those that could be shown, in order.
    worth : mapping of str to float
        Larger is better; of equals the first.
    most : int, default 8

    Returns
    -------
    list of str
        In the order of `names`.
    """
    if len(names) <= most:
        return list(names)
    best = sorted(names, key=lambda name: (name != results.reference, -worth.get(name, float("-inf"))))
    return [name for name in names if name in set(best[:most])]


def fold_ranks(results: Results) -> dict[str, dict[str, dict[Fold, FloatArray]]]:
    """Return the rank of every feature (1 the best) by data set, ranker, and repeat and fold; read once.

    Parameters
    ----------
    results : Results

    Returns
    -------
    dict
        Arrays of shape (n_features,); empty without rankings.
    """
    return results.remember("fold ranks", lambda: _fold_ranks(results))


def _fold_ranks(results: Results) -> dict[str, dict[str, dict[Fold, FloatArray]]]:
    frame = results.rankings
    found: dict[str, dict[str, dict[Fold, FloatArray]]] = {}
    if frame is None or frame.empty:
        return found
    features, ranks = (frame[c].to_numpy(dtype=np.int64) for c in ("feature_index", "rank"))
    groups: Any = frame.groupby(["dataset", "ranker", "repeat", "fold"], sort=False).indices
    for (dataset, ranker, repeat, fold), rows in groups.items():
        row = np.empty(len(rows))
        row[features[rows]] = ranks[rows]
        found.setdefault(str(dataset), {}).setdefault(str(ranker), {})[int(repeat), int(fold)] = row
    return found
