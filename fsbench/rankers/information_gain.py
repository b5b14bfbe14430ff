"""Information gain: how many bits of the class a feature tells."""

from __future__ import annotations

from typing import ClassVar

from fsbench.entropy import information_gain
from fsbench.rankers.contingency import ContingencyRanker
from fsbench.values import FloatArray

__all__ = ["InformationGain"]


class InformationGain(ContingencyRanker):
    """H(class) - H(class | feature), as Weka computes it.

    Parameters
    ----------
    discretize, bins
        See `fsbench.rankers.contingency.ContingencyRanker`.

    References
    ----------
    J. R. Quinlan: Induction of decision trees, Machine Learning 1, 1986.

    Examples
    --------
    >>> InformationGain(discretize="equal-width", bins=5).label
    'ig(discretize=equal-width, bins=5)'
    """

    name = "ig"
    title = "Information gain"
    reference = "Quinlan: Induction of Decision Trees, Machine Learning 1, 1986"
    unit: ClassVar[str] = "bits"

    def table_score(self, cells: FloatArray, logs: FloatArray) -> float:
        """Return the gain in bits."""
        return information_gain(cells, logs)
