"""ReliefF: a feature is good if near rows of other classes differ in it and near rows of the same class do not."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from fsbench.columns import compiled_pays
from fsbench.errors import MethodError
from fsbench.evaluation.java_random import JavaRandom
from fsbench.method import param
from fsbench.rankers.base import Ranker
from fsbench.rankers.relieff_plain import plain_weights
from fsbench.rankers.relieff_problem import Problem, scaled
from fsbench.values import Dataset, FloatArray, IntArray

__all__ = ["ReliefF"]

# Pairs of rows times features up to which numpy is done before compiled code would be loaded. Both give the same bits.
PLAIN_WORK = 2_000_000


class ReliefF(Ranker):
    """ReliefF as Weka computes it, ties between neighbours included.

    Parameters
    ----------
    k : int, default 10
        Nearest hits, and nearest misses of each other class, that are looked at; all if there are fewer.
    sample : int, optional
        Number of rows drawn as probes, with replacement, as Weka draws them. None or -1, or a number that is
        not less than the number of rows: each row once.
    seed : int, default 1
        Seed of the draw.
    weighting : {"none", "rank"}, default "none"
        Whether all k neighbours count alike, or the i-th nearest (from 0) by ``exp(-(i / sigma)**2)``.
    sigma : int, default 2
        How fast the weights of farther neighbours fall, for ``weighting: rank``.

    Notes
    -----
    The weights are those of Weka to the last bit, because they are added up in its order: probe by probe, the
    differences to the hits one by one, then those to the misses class by class, in the order of the slots in which the
    search for neighbours leaves them. Features that are equally good but for rounding are so ranked as Weka does. Only
    of large numeric data without missing values (5 million pairs of rows times features, and a class of over 1,500 rows
    or 12,000 rows times features) the last bits are our own, unless two different columns come within 1e-12 of each
    other: then all weights are computed again in Weka's order.

    References
    ----------
    M. Robnik-Sikonja, I. Kononenko: Theoretical and empirical analysis of ReliefF and RReliefF, Machine
    Learning 53, 2003.

    Examples
    --------
    >>> ReliefF(k=5).label
    'relieff(k=5)'
    """

    name = "relieff"
    title = "ReliefF"
    reference = "Robnik-Sikonja, Kononenko: Theoretical and Empirical Analysis of ReliefF, Machine Learning 53, 2003"
    unit: ClassVar[str] = "weight"
    version: ClassVar[int] = 3  # 2: the last bit is Weka's; 3: for more data

    k: int = param(10, "nearest rows of each class", low=1)
    sample: int | None = param(None, "rows drawn as probes; none or -1: every row once", low=-1)
    seed: int = param(1, "seed of the draw, for sample")
    weighting: Literal["none", "rank"] = param("none", "neighbours count alike, or less by their rank")
    sigma: int = param(2, "decay of the weights, for weighting: rank", low=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sample == 0:
            raise MethodError(f"{self.name}: parameter sample must be at least 1, or none or -1 for all rows, found 0")

    def score(self, train: Dataset) -> FloatArray:
        """Return the weight of each feature, in -1 .. 1."""
        if train.n_rows == 0 or train.n_features == 0:
            return np.zeros(train.n_features)
        probes, rank_weights = self._probes(train.n_rows), self._rank_weights()
        if compiled_pays(len(probes) * train.n_rows * train.n_features, PLAIN_WORK):
            from fsbench.rankers.relieff_fast import fast_weights

            return fast_weights(train, probes, self.k, rank_weights)
        return plain_weights(Problem(scaled(train), probes, self.k, rank_weights))

    def _probes(self, n_rows: int) -> IntArray:
        """Return the probe rows."""
        if self.sample is None or self.sample < 0 or self.sample >= n_rows:
            return np.arange(n_rows)
        rng = JavaRandom(self.seed)
        return np.array([abs(rng.next_signed()) % n_rows for _ in range(self.sample)], dtype=np.int64)

    def _rank_weights(self) -> FloatArray | None:
        if self.weighting == "none":
            return None
        # One at a time: numpy's own exponential is off in the last bit more often, and Weka's hardly ever.
        return np.array([math.exp(-((i / self.sigma) * (i / self.sigma))) for i in range(self.k)])
