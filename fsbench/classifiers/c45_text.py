"""Numbers and leaves in the form in which Weka prints them."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

from fsbench.values import Feature, FloatArray

__all__ = ["count_text", "leaf_text", "number_text"]

SMALL = 1e-6  # Weka's tolerance: a class must lead by more to be the largest, an error must exceed it to be shown


def number_text(value: float) -> str:
    """Return a number with at most six decimals, halves rounded away from zero.

    Parameters
    ----------
    value : float

    Returns
    -------
    str

    Examples
    --------
    >>> number_text(0.6), number_text(2.0), number_text(0.0078125), number_text(-4e-7)
    ('0.6', '2', '0.007813', '-0')
    >>> number_text(1e17)
    '100000000000000000'
    """
    shortest = Decimal(repr(float(value)))
    if not shortest.is_finite():
        return str(value)
    # The digits that tell the double from its neighbours are what Weka prints; only when there are more than six
    # decimals it rounds, and then by the double's exact value.
    few = int(shortest.as_tuple().exponent) >= -6
    rounded = shortest if few else Decimal(float(value)).quantize(Decimal("1e-6"), ROUND_HALF_UP)
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def count_text(weight: float) -> str:
    """Return a weight with at most two decimals, as Java prints the double.

    Parameters
    ----------
    weight : float
        Not negative.

    Returns
    -------
    str

    Examples
    --------
    >>> count_text(50.0), count_text(15.2749), count_text(0.005), count_text(1e7)
    ('50.0', '15.27', '0.01', '1.0E7')
    """
    value = math.floor(weight * 100 + 0.5) / 100
    if value < 1e7:
        return repr(value)
    digits, exponent = f"{Decimal(repr(value)).normalize():E}".split("E+")
    return f"{digits if '.' in digits else digits + '.0'}E{exponent}"


def leaf_text(target: Feature, weights: FloatArray, total: float, parent: FloatArray) -> str:
    """Return the class of a leaf with its weight and, if there are any, the errors in it.

    Parameters
    ----------
    target : Feature
        The class.
    weights, total : ndarray of shape (n_classes,), float
        Class weights of the leaf, and their sum.
    parent : ndarray of shape (n_classes,)
        Class weights of its parent, whose class an empty leaf takes.

    Returns
    -------
    str

    Examples
    --------
    >>> import numpy as np
    >>> play = Feature("play", ("yes", "no"))
    >>> leaf_text(play, np.array([1.0, 3.0]), 4.0, np.array([4.0, 5.0]))
    'no (4.0/1.0)'
    >>> leaf_text(play, np.array([0.0, 0.0]), 0.0, np.array([4.0, 5.0]))
    'no (0.0)'
    """
    assert target.labels is not None
    best = _largest(weights if total > SMALL else parent)
    wrong = float(total) - float(weights[best])
    errors = f"/{count_text(wrong)}" if wrong > SMALL else ""
    return f"{target.labels[best]} ({count_text(float(total))}{errors})"


def _largest(weights: FloatArray) -> int:
    best, top = 0, 0.0
    for i, weight in enumerate(weights.tolist()):
        if weight - top > SMALL:
            best, top = i, weight
    return best
