"""ReliefF in plain loops, one pair of rows at a time, from Robnik-Sikonja and Kononenko with Weka's conventions."""

from __future__ import annotations

import math

import numpy as np

from fsbench.values import Dataset


def ranges(data: Dataset) -> list[tuple[float, float] | None]:
    """Smallest and largest known value of each numeric column; zeros of sparse data do not count."""
    found: list[tuple[float, float] | None] = []
    for j in range(data.n_features):
        values = [x for x in data.X[:, j].tolist() if not math.isnan(x) and not (data.sparse and x == 0.0)]
        found.append((min(values), max(values)) if values else None)
    return found


def scaled(x: float, span: tuple[float, float] | None) -> float:
    if span is None or span[1] - span[0] < 1e-6:
        return 0.0
    return (x - span[0]) / (span[1] - span[0])


def difference(data: Dataset, j: int, span: tuple[float, float] | None, a: float, b: float) -> float:
    """diff of one feature: 0/1 for labels, distance of scaled numbers; the farthest possible where one is missing."""
    unknown = math.isnan(a) + math.isnan(b)
    if data.features[j].is_nominal:
        return 1.0 - 1.0 / data.features[j].n_labels if unknown else float(a != b)
    if unknown == 2:
        return 1.0
    if unknown == 1:
        known = scaled(b if math.isnan(a) else a, span)
        return max(known, 1.0 - known)
    return abs(scaled(a, span) - scaled(b, span))


def nearest(distances: dict[int, float], k: int) -> list[int]:
    """The rows that Weka's scan keeps: k slots, a strictly nearer row takes the lowest slot among the worst."""
    slots: list[tuple[float, int]] = []
    for row in sorted(distances):
        d = distances[row]
        if len(slots) < k:
            slots.append((d, row))
            continue
        worst = max(range(k), key=lambda s: (slots[s][0], -s))
        if d < slots[worst][0]:
            slots[worst] = (d, row)
    return [row for _, row in slots]


def relieff(data: Dataset, k: int, probes: list[int] | None = None) -> list[float]:
    """The weights, every update added in the order that Weka has: by probe, hits first, then class by class."""
    n, spans = data.n_rows, ranges(data)
    X, y = data.X.tolist(), data.y.tolist()
    weights = np.zeros(data.n_features)
    probes = list(range(n)) if probes is None else probes
    prior = [int(count) / n for count in data.class_counts]
    for p in probes:
        diffs = [[difference(data, j, spans[j], X[p][j], X[r][j]) for j in range(data.n_features)] for r in range(n)]
        kept = []
        for c in range(data.n_classes):
            distances = {}
            for r in range(n):
                if y[r] == c and r != p:
                    total = 0.0
                    for d in diffs[r]:
                        total += d
                    distances[r] = total
            kept.append(nearest(distances, k))
        own = y[p]
        for r in kept[own]:
            weights -= np.array(diffs[r]) / len(kept[own])
        for c in range(data.n_classes):
            for r in kept[c] if c != own else []:
                factor = 1.0 if data.n_classes == 2 else prior[c] / (1.0 - prior[own])
                weights += factor * (np.array(diffs[r]) / len(kept[c]))
    return (weights * (1.0 / len(probes))).tolist()
