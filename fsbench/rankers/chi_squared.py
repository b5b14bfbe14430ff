"""The chi-squared statistic of feature and class."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fsbench.rankers.contingency import ContingencyRanker
from fsbench.values import FloatArray

__all__ = ["ChiSquared"]


class ChiSquared(ContingencyRanker):
    """Pearson's statistic of the table of value by class, without continuity correction, as Weka computes it.

    Parameters
    ----------
    discretize, bins
        See `fsbench.rankers.contingency.ContingencyRanker`.

    References
    ----------
    H. Liu, R. Setiono: Chi2: feature selection and discretization of numeric attributes, ICTAI 1995.
    """

    name = "chi2"
    title = "Chi-squared statistic"
    reference = "Liu, Setiono: Chi2: Feature Selection and Discretization of Numeric Attributes, ICTAI 1995"
    unit: ClassVar[str] = "chi-squared"

    def table_score(self, cells: FloatArray, logs: FloatArray) -> float:  # noqa: ARG002  (the contract's signature)
        """Return the statistic; values and classes that do not occur are left out."""
        rows, columns = cells.sum(axis=1), cells.sum(axis=0)
        used = cells[np.ix_(rows > 0.0, columns > 0.0)]
        if min(used.shape) < 2:
            return 0.0
        expected = np.outer(used.sum(axis=1), used.sum(axis=0)) / used.sum()
        return float(((used - expected) ** 2 / expected).sum())
