"""Gain ratio: information gain as a share of the feature's own entropy."""

from __future__ import annotations

from typing import ClassVar

from fsbench.entropy import class_entropy, conditional_entropy, row_entropy
from fsbench.rankers.contingency import ContingencyRanker
from fsbench.values import FloatArray

__all__ = ["NEGLIGIBLE", "GainRatio"]

# Entropies below this count as zero, as in Weka.
NEGLIGIBLE = 1e-6


class GainRatio(ContingencyRanker):
    """(H(class) - H(class | feature)) / H(feature), as Weka computes it; 0 for a feature without entropy.

    Parameters
    ----------
    discretize, bins
        See `fsbench.rankers.contingency.ContingencyRanker`.

    References
    ----------
    J. R. Quinlan: Induction of decision trees, Machine Learning 1, 1986.
    """

    name = "gain-ratio"
    title = "Gain ratio"
    reference = "Quinlan: Induction of Decision Trees, Machine Learning 1, 1986"
    unit: ClassVar[str] = "ratio"

    def table_score(self, cells: FloatArray, logs: FloatArray) -> float:
        """Return the ratio, between 0 and 1."""
        own = row_entropy(cells, logs)
        if own < NEGLIGIBLE:
            return 0.0
        return (class_entropy(cells, logs) - conditional_entropy(cells, logs)) / own
