"""Exclusiveness in plain loops and exact fractions, from the formulas of the paper's section 4."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction


def interval(value: float, low: float, high: float, number: int) -> int:
    """ordi: the first interval whose upper border the value does not exceed."""
    if low == high:
        return 0
    width = (high - low) / number
    for k in range(number - 1):
        if value <= low + width * (k + 1):
            return k
    return number - 1


def column_codes(train: list[float], values: list[float], number: int) -> list[int | None]:
    """Interval numbers of `values`, None for a missing one; borders from the training values."""
    known = [v for v in train if not math.isnan(v)]
    if not known:
        return [None if math.isnan(v) else 0 for v in values]
    low, high = min(known), max(known)
    return [None if math.isnan(v) else interval(v, low, high, number) for v in values]


def is_semi_exclusive(classes: list[int], phi: float) -> bool:
    """semk: some class holds at least phi of the rows of the interval; phi as the decimal that was written."""
    if not classes:
        return False
    most = max(Counter(classes).values())
    return Fraction(most, len(classes)) >= Fraction(str(phi))


def relevance(codes: list[int | None], y: list[int], phi: float, missing: str) -> Fraction:
    """delta: rows in semi-exclusive intervals over all rows."""
    groups: dict[int | None, list[int]] = {}
    for code, label in zip(codes, y, strict=True):
        groups.setdefault(code, []).append(label)
    if missing == "skip":
        groups.pop(None, None)
    inside = sum(len(classes) for classes in groups.values() if is_semi_exclusive(classes, phi))
    return Fraction(inside, len(y))
