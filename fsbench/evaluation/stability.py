"""How much the features that a method selects change with the training rows.

All measures compare the selections of one method on the folds of one data set. Folds of a cross-validation share
most of their training rows, so the values are those of resampling this data set, not of drawing new ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fsbench.values import FloatArray, IntArray

__all__ = [
    "Stability",
    "chosen",
    "correlations",
    "jaccard",
    "kuncheva",
    "mean_correlation",
    "nogueira",
    "ranks_of",
    "top",
]

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Stability:
    """Nogueira's measure with its confidence interval.

    Parameters
    ----------
    value, low, high : float or None
        1 for equal selections, about 0 for selections at random. None where it is not defined.
    reason : str, default ""
        Why it is not defined.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


def ranks_of(orders: Sequence[Sequence[int] | IntArray]) -> FloatArray:
    """Return the rank of each feature on each fold, 1 the best.

    Parameters
    ----------
    orders : sequence of array_like of shape (n_features,)
        Feature indices, best first, one order a fold.

    Returns
    -------
    ndarray of shape (n_folds, n_features)

    Examples
    --------
    >>> ranks_of([[2, 0, 1], [0, 1, 2]])
    array([[2., 3., 1.],
           [1., 2., 3.]])
    """
    order = np.asarray(orders, dtype=np.int64)
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1.0, order.shape[1] + 1.0), order.shape), axis=1)
    return ranks


def top(ranks: FloatArray, k: int) -> BoolArray:
    """Return which features are among the first k on each fold, as `ranks_of` gives ranks."""
    return ranks <= k


def chosen(subsets: Sequence[Sequence[int] | IntArray], n_features: int) -> BoolArray:
    """Return which features each of some selections holds.

    Parameters
    ----------
    subsets : sequence of array_like of int
        Indices of the selected features, one selection a fold, of any sizes.
    n_features : int

    Returns
    -------
    ndarray of shape (n_folds, n_features)
    """
    found = np.zeros((len(subsets), n_features), dtype=np.bool_)
    for row, subset in enumerate(subsets):
        found[row, np.asarray(subset, dtype=np.int64)] = True
    return found


def nogueira(selected: BoolArray, level: float = 0.05) -> Stability:
    """Return Nogueira's measure of stability and its interval.

    Parameters
    ----------
    selected : ndarray of shape (n_folds, n_features)
        Which features were selected.
    level : float, default 0.05
        The interval has the asymptotic confidence ``1 - level``.

    Returns
    -------
    Stability
        Undefined for fewer than two folds, and where every selection holds all features or none.

    Notes
    -----
    ``1 - mean_f(M / (M - 1) p_f (1 - p_f)) / (k / d (1 - k / d))`` with the share `p_f` of the `M` selections that
    hold feature f, the mean size k and d features (definition 4); its variance is that of corollary 9. Selections of
    one size have Kuncheva's index as their value.

    References
    ----------
    Nogueira, S., Sechidis, K., Brown, G. (2017). On the stability of feature selection algorithms. JMLR 18 (174).

    Examples
    --------
    The toy example of the authors' notebook (github.com/nogueirs/JMLR2018):

    >>> nogueira(np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], dtype=bool)).value
    -0.5
    """
    n_folds, n_features = selected.shape
    if n_folds < 2:
        return Stability(None, reason=f"{'one fold' if n_folds else 'no folds'}: stability needs two or more")
    from scipy.special import ndtri

    z = selected.astype(np.float64)
    share, sizes = z.mean(axis=0), z.sum(axis=1)
    density = float(sizes.mean()) / n_features
    chance = density * (1.0 - density)
    if chance == 0.0:
        return Stability(None, reason="all features or none are selected on every fold")
    spread = n_folds / (n_folds - 1.0) * float((share * (1.0 - share)).mean())
    value = 1.0 - spread / chance
    # Corollary 9: how far each selection pulls the estimate.
    pull = (z @ share) / n_features - sizes * density / n_features
    pull += value / 2.0 * (2.0 * density * sizes / n_features - sizes / n_features - density + 1.0)
    pull /= chance
    variance = 4.0 / n_folds**2 * float(((pull - pull.mean()) ** 2).sum())
    half = float(ndtri(1.0 - level / 2.0)) * math.sqrt(variance)
    return Stability(value, value - half, value + half)


def kuncheva(selected: BoolArray) -> float | None:
    """Return the mean of Kuncheva's consistency index over all pairs of folds.

    Parameters
    ----------
    selected : ndarray of shape (n_folds, n_features)
        Selections of one size k, below the number of features d.

    Returns
    -------
    float or None
        Mean of ``(r d - k**2) / (k (d - k))`` with the r features that a pair shares; None where it is not defined:
        fewer than two folds, unequal sizes, no feature or all of them.

    References
    ----------
    Kuncheva, L. I. (2007). A stability index for feature selection. Artificial Intelligence and Applications,
    390-395.

    Examples
    --------
    >>> kuncheva(np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool))
    0.0
    """
    n_folds, d = selected.shape
    sizes = selected.sum(axis=1)
    if n_folds < 2 or sizes.min() != sizes.max() or sizes[0] in (0, d):
        return None
    k = int(sizes[0])
    shared = _shared(selected)[np.triu_indices(n_folds, 1)]
    return float(((shared * d - k * k) / (k * (d - k))).mean())


def jaccard(selected: BoolArray) -> float | None:
    """Return the mean over all pairs of folds of the features shared, as a part of those that either holds.

    Two empty selections are equal and count 1. None for fewer than two folds.

    Examples
    --------
    >>> jaccard(np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool))
    0.3333333333333333
    """
    if len(selected) < 2:
        return None
    shared, sizes = _shared(selected), selected.sum(axis=1)
    union = np.add.outer(sizes, sizes) - shared
    similar = np.where(union > 0, shared / np.maximum(union, 1), 1.0)
    return float(similar[np.triu_indices(len(selected), 1)].mean())


def correlations(ranks: FloatArray, kind: str = "kendall") -> FloatArray:
    """Return the correlation of every two of some rankings of the same features.

    Parameters
    ----------
    ranks : ndarray of shape (n, n_features)
        Ranks without ties, as `ranks_of` gives them: those of several folds, or of several rankers on one fold.
    kind : {"kendall", "spearman"}, default "kendall"

    Returns
    -------
    ndarray of shape (n, n)
        1 for equal orders, -1 for reversed ones; 1 where there is but one feature.

    Examples
    --------
    >>> correlations(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]]))[0, 1].round(4)
    np.float64(0.3333)
    >>> correlations(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]]), "spearman")[0, 1]
    np.float64(0.5)
    """
    n, d = ranks.shape
    if d < 2:
        return np.ones((n, n))
    if kind == "spearman":
        centred = ranks - (d + 1.0) / 2.0
        alike: FloatArray = centred @ centred.T / (d * (d * d - 1.0) / 12.0)
        return alike
    agreeing: FloatArray = np.zeros((n, n))
    for feature in range(d - 1):
        before = np.sign(ranks[:, feature + 1 :] - ranks[:, feature : feature + 1])
        agreeing += before @ before.T
    agreeing /= d * (d - 1.0) / 2.0
    return agreeing


def mean_correlation(ranks: FloatArray, kind: str = "kendall") -> float | None:
    """Return the mean of `correlations` over all pairs of rankings; None for fewer than two."""
    n = len(ranks)
    return float(correlations(ranks, kind)[np.triu_indices(n, 1)].mean()) if n > 1 else None


def _shared(selected: BoolArray) -> IntArray:
    whole = selected.astype(np.int64)
    shared: IntArray = whole @ whole.T
    return shared
