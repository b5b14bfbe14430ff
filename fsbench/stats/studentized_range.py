"""The range of k standard normal variables: the studentized range with infinite degrees of freedom."""

from __future__ import annotations

import math

import numpy as np

from fsbench.values import FloatArray

__all__ = ["quantile", "within"]

# Where the greatest of the variables can be: for up to a million of them what lies outside is below 1e-17. The
# trapezoidal rule on a smooth function that falls off on both sides is exact to rounding at this distance of points.
_STEP = 1.0 / 32.0
_GREATEST = np.arange(-9.0, 11.0, _STEP)


def within(distance: float, k: int) -> float:
    """Return the probability that k variables lie within a distance of each other.

    Parameters
    ----------
    distance : float
    k : int
        Two or more.

    Returns
    -------
    float
        ``k * integral of phi(z) * (Phi(z) - Phi(z - distance))^(k - 1) dz``, z being the greatest of them.

    Examples
    --------
    >>> round(within(3.633, 4), 3)
    0.95
    """
    from scipy.special import ndtr  # loads several times faster than scipy.stats, which has this distribution

    density: FloatArray = np.exp(-0.5 * _GREATEST**2) / math.sqrt(2.0 * math.pi)
    others = ndtr(_GREATEST) - ndtr(_GREATEST - distance)
    return min(1.0, float(k * _STEP * (density * others ** (k - 1)).sum()))


def quantile(probability: float, k: int) -> float:
    """Return the distance within which k variables lie with some probability.

    Parameters
    ----------
    probability : float
        In (0, 1).
    k : int
        Two or more.

    Returns
    -------
    float

    Examples
    --------
    >>> round(quantile(0.95, 4), 3)
    3.633
    """
    low, high = 0.0, 1.0
    while within(high, k) < probability and high < 64.0:
        high *= 2.0
    while (middle := (low + high) / 2.0) not in (low, high):
        low, high = (middle, high) if within(middle, k) < probability else (low, middle)
    return high
