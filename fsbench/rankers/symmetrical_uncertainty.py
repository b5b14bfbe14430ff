"""Symmetrical uncertainty: information gain as a share of the mean of both entropies."""

from __future__ import annotations

from typing import ClassVar

from fsbench.entropy import class_entropy, conditional_entropy, row_entropy
from fsbench.rankers.contingency import ContingencyRanker
from fsbench.rankers.gain_ratio import NEGLIGIBLE
from fsbench.values import FloatArray

__all__ = ["SymmetricalUncertainty"]


class SymmetricalUncertainty(ContingencyRanker):
    """2 (H(class) - H(class | feature)) / (H(feature) + H(class)), as Weka computes it.

    Parameters
    ----------
    discretize, bins
        See `fsbench.rankers.contingency.ContingencyRanker`.

    References
    ----------
    M. A. Hall: Correlation-based feature selection for machine learning, PhD thesis, Waikato 1999.
    """

    name = "su"
    title = "Symmetrical uncertainty"
    reference = "Hall: Correlation-based Feature Selection for Machine Learning, PhD thesis, Waikato 1999"
    unit: ClassVar[str] = "share"

    def table_score(self, cells: FloatArray, logs: FloatArray) -> float:
        """Return the uncertainty, between 0 and 1; 0 where either side has no entropy."""
        own, target = row_entropy(cells, logs), class_entropy(cells, logs)
        if own < NEGLIGIBLE or target < NEGLIGIBLE:
            return 0.0
        return 2.0 * (target - conditional_entropy(cells, logs)) / (own + target)
