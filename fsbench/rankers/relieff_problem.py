"""What ReliefF is computed from: scaled columns, classes, priors, probes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

__all__ = ["Problem", "Scaled", "scaled"]

# A numeric column whose range is smaller than this does not vary, as in Weka.
SMALLEST_RANGE = 1e-6


@dataclass(frozen=True, eq=False)
class Scaled:
    """A training part with numeric columns brought to 0 .. 1.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_features)
        float64 in Fortran order: scaled numbers, label indices of nominal columns; NaN is missing.
    nominal : ndarray of shape (n_features,)
        Which columns are nominal.
    both_missing : ndarray of shape (n_features,)
        Difference between a missing label and any other, 1 - 1 / labels; 1 for numeric columns, where it holds
        between two missing values only.
    y : ndarray of shape (n_rows,)
    class_counts : ndarray of shape (n_classes,)
    """

    Z: FloatArray
    nominal: BoolArray
    both_missing: FloatArray
    y: IntArray
    class_counts: IntArray


@dataclass(frozen=True, eq=False)
class Problem:
    """One run of ReliefF.

    Parameters
    ----------
    data : Scaled
    probes : ndarray of shape (n_probes,)
        Rows whose neighbours are looked for; a row may occur more than once.
    k : int
        Neighbours of each class.
    rank_weights : ndarray of shape (k,), optional
        Weight of the i-th nearest neighbour; None if all count alike.
    """

    data: Scaled
    probes: IntArray
    k: int
    rank_weights: FloatArray | None = None

    @cached_property
    def factors(self) -> FloatArray:
        """Weight of the mean difference to each class, shape (own class, other class).

        -1 for the own class, P(c) / (1 - P(own)) for another one; 1 for the other one of two declared classes.
        """
        counts = self.data.class_counts.astype(np.float64)
        n_classes, n = len(counts), counts.sum()
        if n_classes == 2:
            factors = np.ones((2, 2))
        else:
            others = np.maximum(n - counts, 1.0)
            factors = counts[np.newaxis, :] / others[:, np.newaxis]
        np.fill_diagonal(factors, -1.0)
        return factors


def scaled(train: Dataset) -> Scaled:
    """Bring the numeric columns of a training part to 0 .. 1.

    Parameters
    ----------
    train : Dataset
        Finite or missing values. Of sparse data, zeros do not count for a column's range.

    Returns
    -------
    Scaled
    """
    return train.derived("relieff.scaled", lambda: _scaled(train))


def _scaled(train: Dataset) -> Scaled:
    Z = train.X.copy(order="F")
    for j in np.flatnonzero(~train.is_nominal):
        _scale(Z[:, j], train.sparse)
    both_missing = np.array([1.0 - 1.0 / f.n_labels if f.n_labels else float(not f.is_nominal) for f in train.features])
    return Scaled(Z, train.is_nominal, both_missing, train.y, train.class_counts)


def _scale(column: FloatArray, sparse: bool) -> None:
    """Bring one column to 0 .. 1 in place; known values become 0 where the column does not vary."""
    known = ~np.isnan(column)
    ranging = column[known & (column != 0.0)] if sparse else column[known]
    low, high = (ranging.min(), ranging.max()) if ranging.size else (0.0, 0.0)
    if high - low < SMALLEST_RANGE:
        column[known] = 0.0
    else:
        column[known] = (column[known] - low) / (high - low)
