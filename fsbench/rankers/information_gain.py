"""Information gain: how many bits of the class a feature tells."""

from __future__ import annotations

from typing import ClassVar

from fsbench.columns import compiled_pays
from fsbench.discretize import mdl_tables
from fsbench.entropy import class_entropy, conditional_entropy, count_logs
from fsbench.rankers.contingency import ContingencyRanker
from fsbench.values import Dataset, FloatArray

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

    def score(self, train: Dataset) -> FloatArray:
        """Return the gain of each feature."""
        if self.discretize in ("mdl", "fayyad-irani") and compiled_pays(train.n_rows * train.n_features):
            tables = mdl_tables(train, self._encoding())
            if tables is not None:
                from fsbench.kernels.entropy import gains

                return gains(*tables, count_logs(train))
        return super().score(train)

    def table_score(self, cells: FloatArray, logs: FloatArray) -> float:
        """Return the gain in bits."""
        return class_entropy(cells, logs) - conditional_entropy(cells, logs)
