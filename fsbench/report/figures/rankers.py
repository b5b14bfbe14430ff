"""Which of many rankers a figure shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsbench.report.results import Results

__all__ = ["MOST_LINES", "chosen_rankers"]

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
