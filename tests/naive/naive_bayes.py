"""Naive Bayes in plain loops, from the text of the rules: what the kernels are compared with."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.special import ndtr

from fsbench.rankers.order import weka_sort


def precision(values: list[float]) -> float:
    """Mean gap between successive distinct values, the gaps added one after the other; 0.01 if there is none."""
    ordered = sorted(values)
    gaps = [b - a for a, b in itertools.pairwise(ordered) if b != a]
    total = 0.0
    for gap in gaps:
        total += gap
    return total / len(gaps) if gaps else 0.01


def to_grid(x: float, delta: float) -> float:
    # Python's round gives the even neighbour at a half, as rint does, but takes no infinity.
    return float(np.rint(x / delta)) * delta


class Normal:
    """The normal density of one feature in one class, on a grid of step delta."""

    def __init__(self, values: list[float], delta: float) -> None:
        self.delta = delta
        self.mean, self.sd = 0.0, delta / 6.0
        n = s = s2 = 0.0
        for x in values:
            v = to_grid(x, delta)
            n, s, s2 = n + 1.0, s + v, s2 + v * v
            self.mean = s / n
            # The deviation follows each value; one that vanishes leaves the one before in place.
            sd = math.sqrt(abs(s2 - self.mean * s) / n)
            if sd > 1e-10:
                self.sd = max(sd, delta / 6.0)

    def density(self, x: float) -> float:
        v, half = to_grid(x, self.delta) - self.mean, self.delta / 2.0
        return float(ndtr((v + half) / self.sd) - ndtr((v - half) / self.sd)) / self.delta


def adding_order(train: np.ndarray, n_labels) -> list[int]:
    """The order of the training rows after sorting them by each numeric column in turn."""
    order = list(range(len(train)))
    for j, labels in enumerate(n_labels):
        if not labels:
            values = train[order, j]
            values[np.isnan(values)] = np.finfo(np.float64).max
            order = [order[i] for i in weka_sort(values)]
    return order


def probabilities(train, y, test, n_labels, n_classes):
    """Class probabilities of each test row. `n_labels` is 0 for a numeric column."""
    n = len(train)
    prior = [(sum(int(c == k) for c in y) + 1.0) / (n + n_classes) for k in range(n_classes)]
    tables = []
    order = adding_order(train, n_labels)
    train, y = train[order], y[order]
    for j, labels in enumerate(n_labels):
        known = [(float(v), int(c)) for v, c in zip(train[:, j], y, strict=True) if not math.isnan(v)]
        by_class = [[v for v, c in known if c == k] for k in range(n_classes)]
        if labels:
            tables.append(
                [[(sum(v == m for v in of) + 1.0) / (len(of) + labels) for m in range(labels)] for of in by_class]
            )
        else:
            delta = precision([v for v, _ in known])
            tables.append([Normal(of, delta) for of in by_class])
    out = []
    for row in test:
        p = list(prior)
        for j, value in enumerate(row):
            if math.isnan(value):
                continue
            for k in range(n_classes):
                table = tables[j][k]
                p[k] *= max(1e-75, table[int(value)] if n_labels[j] else table.density(float(value)))
            if 0.0 < max(p) < 1e-75:
                p = [v * 1e75 for v in p]
        total = 0.0
        for v in p:
            total += v
        out.append([v / total for v in p])
    return np.array(out).reshape(len(test), n_classes)
