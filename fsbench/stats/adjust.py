"""Probabilities of several tests, adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

__all__ = ["CORRECTIONS", "Correction", "adjust", "holm"]

Correction = Literal["holm", "none"]

CORRECTIONS: dict[Correction, str] = {"holm": "Holm", "none": "not adjusted"}


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust probabilities by Holm's step-down rule: ``p'(i) = max over j <= i of min(1, (m - j + 1) p(j))``.

    The chance that any true null hypothesis is rejected at a level stays below it, whatever the tests have to do
    with each other.

    Parameters
    ----------
    p_values : sequence of float or None
        None where a test was omitted; it does not count among the `m` tests.

    Returns
    -------
    list of float or None
        In the order given; None stays None.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> [None if p is None else round(p, 4) for p in holm([0.01, None, 0.04, 0.03])]
    [0.03, None, 0.06, 0.06]
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    found: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for step, (p, i) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - step) * p))
        found[i] = highest
    return found


def adjust(correction: Correction, p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust probabilities by the rule of the given name; ``none`` leaves them as they are."""
    return holm(p_values) if correction == "holm" else list(p_values)
