"""Searches as the papers write them, one loop at a time, and the plainest nearest neighbour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

Usefulness = Callable[[frozenset[int]], float]
Met = tuple[str, int, frozenset[int]]


def criterion(J: Usefulness, subset: frozenset[int], n: int, k: float | None) -> float:
    """f(J(X), J(Y - X)) = J(X)^k (1 - J(Y - X))^(1-k); J(X) alone if there is no k."""
    if k is None:
        return J(subset)
    return J(subset) ** k * (1 - J(frozenset(range(n)) - subset)) ** (1 - k)


def best_change(J: Usefulness, subset: frozenset[int], n: int, k: float | None, action: str, spare: int = -1) -> int:
    """The feature to add or to remove; the lowest index of equally good ones."""
    best, best_value = -1, float("-inf")
    for j in range(n):
        if (j in subset) == (action == "remove") and j != spare:
            changed = subset | {j} if action == "add" else subset - {j}
            value = criterion(J, changed, n, k)
            if value > best_value:
                best, best_value = j, value
    return best


def pta(J: Usefulness, n: int, plus: int, minus: int, k: float | None = None) -> list[Met]:
    """Plus l, take away r, run to the end: every single step."""
    met: list[Met] = []
    subset = frozenset() if plus > minus else frozenset(range(n))
    first, second = ("add", plus), ("remove", minus)
    if plus < minus:
        first, second = second, first
    goal = n if plus > minus else 0
    while len(subset) != goal:
        for action, times in (first, second):
            for _ in range(times):
                if len(subset) == goal:
                    return met
                j = best_change(J, subset, n, k, action)
                subset = subset ^ {j}
                met.append((action, j, subset))
    return met


def floating(J: Usefulness, n: int, forward: bool, rule: str = "pudil", k: float | None = None) -> list[Met]:
    """SFFS (forward) and SBFS: Pudil et al. 1994, steps 1 to 3; `mlxtend` is the rule of that package."""
    met: list[Met] = []
    subset = frozenset() if forward else frozenset(range(n))
    ahead, back = ("add", "remove") if forward else ("remove", "add")
    record = {len(subset): criterion(J, subset, n, k)}

    def visit(action: str, j: int) -> None:
        nonlocal subset
        subset = subset ^ {j}
        met.append((action, j, subset))
        value = criterion(J, subset, n, k)
        record[len(subset)] = max(value, record.get(len(subset), value))

    while len(subset) != (n if forward else 0):
        moved = best_change(J, subset, n, k, ahead)
        visit(ahead, moved)
        while (len(subset) if forward else n - len(subset)) > 2:
            j = best_change(J, subset, n, k, back, moved if rule == "mlxtend" else -1)
            if j < 0:
                break
            value = criterion(J, subset ^ {j}, n, k)
            if value <= record[len(subset ^ {j})]:
                break
            if rule == "mlxtend" and value <= criterion(J, subset, n, k):
                break
            visit(back, j)
    return met


def best_met(J: Usefulness, met: Sequence[frozenset[int]]) -> frozenset[int]:
    """The most useful non-empty subset, the smaller on ties, then the earlier."""
    filled = [s for s in met if s]
    top = max(J(s) for s in filled)
    least = min(len(s) for s in filled if J(s) == top)
    return next(s for s in filled if J(s) == top and len(s) == least)


def nearest_class(
    train: Sequence[Sequence[float]],
    labels: Sequence[int],
    row: Sequence[float],
    nominal: Sequence[bool],
    columns: Sequence[int],
    ties: str,
    places: Sequence[int],
) -> int:
    """The class that the nearest training row gives; `places` is the order in which rows of equal distance count."""
    distances = []
    for other in train:
        total = 0.0
        for j in columns:
            total += float(row[j] != other[j]) if nominal[j] else (row[j] - other[j]) * (row[j] - other[j])
        distances.append(total)
    tied = [i for i, d in enumerate(distances) if d == min(distances)]
    if ties == "vote":
        votes = [sum(labels[i] == c for i in tied) for c in range(max(labels) + 1)]
        return votes.index(max(votes))
    return labels[min(tied, key=lambda i: places[i])]


def mean_accuracy(right: Sequence[int], sizes: Sequence[int]) -> float:
    """J as a fraction, rounded once."""
    return float(sum(Fraction(r, s) for r, s in zip(right, sizes, strict=True)) / len(sizes))
