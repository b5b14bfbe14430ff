"""What a search climbs: the usefulness J of a subset, alone or joined with that of the features left out."""

from __future__ import annotations

from typing import Literal

__all__ = ["Weighting", "combine", "weight_of"]

Weighting = Literal["constant", "size"]


def combine(usefulness: float, remainder: float, weight: float) -> float:
    """Return f(x, y) = x^k (1 - y)^(1-k): high where the subset is useful and what it leaves out is not.

    Prat-Masramon and Belanche (2007), equation 4.

    Parameters
    ----------
    usefulness : float
        x = J(X), in [0, 1].
    remainder : float
        y = J(Y - X), in [0, 1].
    weight : float
        k, in [0, 1]: 1 looks at the subset alone, 0 at the remainder alone, 0.5 is the geometric mean.

    Returns
    -------
    float
        In [0, 1].

    Notes
    -----
    ``0**0`` is 1, so k = 1 gives x whatever y is, and k = 0 gives 1 - y whatever x is. For k < 1 a remainder that
    does the whole job by itself (y = 1) gives 0.

    Examples
    --------
    >>> round(combine(0.9, 0.5, 0.8), 6)
    0.800181
    >>> combine(1.0, 0.0, 0.8), combine(0.8, 1.0, 0.8), combine(0.7, 1.0, 1.0)
    (1.0, 0.0, 0.7)
    """
    return float(usefulness**weight * (1.0 - remainder) ** (1.0 - weight))


def weight_of(weight: float, share: float, weighting: Weighting = "constant") -> float:
    """Return the weight k of a subset whose remainder is a given share of all features.

    Parameters
    ----------
    weight : float
        k, in [0, 1].
    share : float
        Features left out by all features, in [0, 1].
    weighting : {"constant", "size"}, default "constant"
        The paper's constant k, or 1 - (1 - k) * share: the remainder counts in full while it holds all features
        and fades as it shrinks, since few features are seldom of use by themselves. The paper names such a
        weight as future work and gives no formula.

    Returns
    -------
    float

    Examples
    --------
    >>> weight_of(0.8, 0.25), weight_of(0.8, 0.25, "size")
    (0.8, 0.95)
    """
    return weight if weighting == "constant" else 1.0 - (1.0 - weight) * share
