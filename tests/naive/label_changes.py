"""Label changes by trying every order of the rows of equal value."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def possible_orders(counts: Sequence[int]) -> set[tuple[int, ...]]:
    """Every order of the class labels of one group."""
    return orders_of(tuple(counts))


def orders_of(counts: tuple[int, ...]) -> set[tuple[int, ...]]:
    if sum(counts) == 0:
        return {()}
    found = set()
    for label, rows in enumerate(counts):
        if rows:
            rest = tuple(r - (i == label) for i, r in enumerate(counts))
            found |= {(label, *order) for order in orders_of(rest)}
    return found


def most_changes_by_search(groups: Sequence[Sequence[int]]) -> int:
    """The largest number of changes, by a search over what is left of each group and the last label."""
    states: dict[int | None, int] = {None: 0}
    for counts in groups:
        open_states = {(tuple(counts), last): changes for last, changes in states.items()}
        for _ in range(sum(counts)):
            following: dict[tuple[tuple[int, ...], int | None], int] = {}
            for ((left, last), changes), label in itertools.product(open_states.items(), range(len(counts))):
                if left[label]:
                    rest = tuple(r - (i == label) for i, r in enumerate(left))
                    total = changes + (last is not None and last != label)
                    following[rest, label] = max(total, following.get((rest, label), -1))
            open_states = following
        states = {last: changes for (_, last), changes in open_states.items()}
    return max(states.values())
