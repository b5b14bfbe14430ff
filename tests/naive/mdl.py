"""Fayyad and Irani's discretisation, contingency tables and OneR's intervals in plain Python, row by row."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Pairs = Sequence[tuple[float, int]]


def entropy(classes: Sequence[int]) -> float:
    n = len(classes)
    return -sum(c / n * math.log2(c / n) for c in Counter(classes).values())


def mdl_cuts(pairs: Pairs, count_changes: bool) -> list[float]:
    """Cuts of the (value, class) pairs, recursively: the lowest cut of least class information entropy."""
    pairs = sorted(pairs)
    values, classes = [v for v, _ in pairs], [c for _, c in pairs]
    n = len(pairs)
    places = [i for i in range(1, n) if values[i] != values[i - 1]]
    if not places:
        return []

    def conditional(i: int) -> float:
        return i / n * entropy(classes[:i]) + (n - i) / n * entropy(classes[i:])

    lowest = min(conditional(i) for i in places)
    place = next(i for i in places if conditional(i) <= lowest + 1e-13)
    left, right = classes[:place], classes[place:]
    k, k1, k2 = len(set(classes)), len(set(left)), len(set(right))
    gain = entropy(classes) - conditional(place)
    delta = math.log2(3**k - 2) - (k * entropy(classes) - k1 * entropy(left) - k2 * entropy(right))
    named = len(places) if count_changes else n - 1
    if gain <= 1e-13 or gain <= (math.log2(named) + delta) / n:
        return []
    cut = (values[place - 1] + values[place]) / 2
    return [*mdl_cuts(pairs[:place], count_changes), cut, *mdl_cuts(pairs[place:], count_changes)]


def interval(value: float, cuts: Sequence[float]) -> int:
    return sum(value > cut for cut in cuts)


def table(values: Sequence[float], classes: Sequence[int], n_classes: int) -> list[list[float]]:
    """Rows by value and class; rows with a missing value are spread over the values by their known totals."""
    known = [(v, c) for v, c in zip(values, classes, strict=True) if not math.isnan(v)]
    missing = Counter(c for v, c in zip(values, classes, strict=True) if math.isnan(v))
    rows = []
    for value in sorted({v for v, _ in known}):
        here = Counter(c for v, c in known if v == value)
        share = here.total() / len(known)
        rows.append([here[c] + share * missing[c] for c in range(n_classes)])
    return rows


def scores(cells: Sequence[Sequence[float]]) -> dict[str, float]:
    """Information gain, gain ratio, symmetrical uncertainty and chi-squared of a table."""
    total = sum(map(sum, cells))
    if total == 0:
        return dict.fromkeys(("ig", "gain-ratio", "su", "chi2"), 0.0)

    def spread(shares: Sequence[float]) -> float:
        return -sum(s / sum(shares) * math.log2(s / sum(shares)) for s in shares if s > 0)

    by_row = [sum(row) for row in cells]
    by_class = [sum(column) for column in zip(*cells, strict=True)]
    own, target = spread(by_row), spread(by_class)
    gain = target - sum(r / total * spread(row) for r, row in zip(by_row, cells, strict=True) if r > 0)
    chi2 = 0.0
    for r, row in zip(by_row, cells, strict=True):
        for c, cell in zip(by_class, row, strict=True):
            if r > 0 and c > 0:
                chi2 += (cell - r * c / total) ** 2 / (r * c / total)
    small = own < 1e-6 or target < 1e-6
    return {
        "ig": gain,
        "gain-ratio": 0.0 if own < 1e-6 else gain / own,
        "su": 0.0 if small else 2 * gain / (own + target),
        "chi2": chi2,
    }


def one_rule_correct(values: Sequence[float], classes: Sequence[int], n_classes: int, bucket: int) -> int:
    """Rows that OneR's intervals of a numeric feature get right; missing values are a branch of their own."""
    known = sorted((v, c) for v, c in zip(values, classes, strict=True) if not math.isnan(v))
    missing = Counter(c for v, c in zip(values, classes, strict=True) if math.isnan(v))
    correct = max(missing.values(), default=0)
    distinct = sorted({v for v, _ in known})
    here: list[int] = []

    def majority(labels: Sequence[int]) -> int:
        return max(range(n_classes), key=lambda c: (labels.count(c), -c))

    for value in distinct:
        labels = [c for v, c in known if v == value]
        full = here and here.count(majority(here)) >= bucket
        if full and majority(labels) != majority(here):
            correct += here.count(majority(here))
            here = []
        here += labels
    return correct + (here.count(majority(here)) if here else 0)
