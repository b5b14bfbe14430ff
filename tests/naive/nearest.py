"""The nearest neighbours in plain loops, from the text of the rules: what the kernels are compared with."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

MISSING = None


def cells(column: np.ndarray) -> list[float | None]:
    return [MISSING if math.isnan(v) else float(v) for v in column]


class Column:
    """One feature: its scaling, and how far two of its values lie apart."""

    def __init__(self, train: list[float | None], nominal: bool, scale: str) -> None:
        self.nominal, self.scale = nominal, scale
        known = [v for v in train if v is not MISSING]
        self.low, self.high = (min(known), max(known)) if known else (math.inf, -math.inf)
        self.mean = sum(known) / len(known) if known else 0.0
        self.sd = math.sqrt(sum((v - self.mean) ** 2 for v in known) / len(known)) if known else 0.0

    def widen(self, value: float | None) -> None:
        if value is not MISSING and not self.nominal:
            self.low, self.high = min(self.low, value), max(self.high, value)

    def scaled(self, value: float) -> float:
        if self.scale == "none":
            return value
        if self.scale == "zscore":
            return (value - self.mean) / self.sd if self.high > self.low else 0.0
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0

    def span(self) -> tuple[float, float]:
        """The ends of the range, in scaled units."""
        if self.scale == "minmax":
            return 0.0, 1.0
        if self.low > self.high:
            return 0.0, 0.0
        return self.scaled(self.low), self.scaled(self.high)

    def difference(self, a: float | None, b: float | None) -> float:
        if self.nominal:
            return 0.0 if a == b and a is not MISSING else 1.0
        low, high = self.span()
        if a is MISSING and b is MISSING:
            return high - low
        if a is MISSING or b is MISSING:
            known = a if b is MISSING else b
            if self.low > self.high and self.scale != "minmax":
                return 0.0
            return max(self.scaled(known) - low, high - self.scaled(known))
        return self.scaled(a) - self.scaled(b)


def distances(columns: list[Column], row: list[float | None], train: list[list[float | None]]) -> list[float]:
    """Squared distances, added up in the order of the columns."""
    out = []
    for other in train:
        total = 0.0
        for column, a, b in zip(columns, row, other, strict=True):
            d = column.difference(a, b)
            total += d * d
        out.append(total)
    return out


def voters(d: list[float], k: int, ties: str, place: Sequence[int]) -> list[int]:
    """The training rows that vote."""
    k = min(k, len(d))
    if ties == "vote":
        limit = sorted(d)[k - 1]
        return [i for i in range(len(d)) if d[i] <= limit]
    return sorted(range(len(d)), key=lambda i: (d[i], place[i]))[:k]


def probabilities(
    train: np.ndarray,
    y: np.ndarray,
    test: np.ndarray,
    nominal: Sequence[bool],
    n_classes: int,
    k: int = 1,
    ranges: str = "train",
    scale: str = "minmax",
    ties: str = "vote",
    place: Sequence[int] | None = None,
) -> np.ndarray:
    """Class probabilities of each test row, in order: a test row may widen the ranges for those that follow."""
    n = len(train)
    columns = [Column(cells(train[:, j]), bool(nominal[j]), scale) for j in range(train.shape[1])]
    rows = [cells(r) for r in train]
    place = range(n) if place is None else place
    out = []
    for r in test:
        row = cells(r)
        if ranges == "weka":
            for column, value in zip(columns, row, strict=True):
                column.widen(value)
        chosen = voters(distances(columns, row, rows), k, ties, place)
        votes = [1.0 / n] * n_classes
        total = n_classes / n
        for i in chosen:
            votes[y[i]] += 1.0
            total += 1.0
        out.append([v / total for v in votes])
    return np.array(out).reshape(len(test), n_classes)
