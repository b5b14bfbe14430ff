"""Which trees grow together: prefixes of rankings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from fsbench.values import IntArray

__all__ = ["Tasks", "all_prefixes", "one_task"]


class Tasks(NamedTuple):
    """Trees by ranking and prefix; see `fsbench.kernels.tree_tasks`.

    Attributes
    ----------
    features : ndarray of int64
        All features of the rankings, each once.
    ranks : ndarray of int64 of shape (n_rankings, n_places)
        Places in `features`, best first.
    table : ndarray of int64 of shape (n_tasks, 2)
        Ranking, and how many of its features a tree may use.
    """

    features: IntArray
    ranks: IntArray
    table: IntArray

    def used(self, task: int) -> IntArray:
        """Return the features that a tree may use, best first."""
        ranking, prefix = self.table[task].tolist()
        return self.features[self.ranks[ranking, :prefix]]


def one_task(order: IntArray) -> Tasks:
    """Return the task of growing one tree with all features of a ranking."""
    places = np.arange(len(order)).reshape(1, -1)
    return Tasks(order, places, np.array([[0, len(order)]]))


def all_prefixes(orders: Sequence[IntArray]) -> Tasks:
    """Return the tasks of growing a tree for every prefix of every ranking."""
    features = np.array(list(dict.fromkeys(chain.from_iterable(order.tolist() for order in orders))), dtype=np.int64)
    place = np.empty(features.max(initial=0) + 1, dtype=np.int64)
    place[features] = np.arange(len(features))
    lengths = [len(order) for order in orders]
    ranks = np.zeros((len(orders), max(lengths)), dtype=np.int64)
    table, end = np.empty((sum(lengths), 2), dtype=np.int64), 0
    for ranking, order in enumerate(orders):
        ranks[ranking, : len(order)] = place[order]
        mine, end = table[end : end + len(order)], end + len(order)
        mine[:, 0], mine[:, 1] = ranking, np.arange(1, len(order) + 1)
    return Tasks(features, ranks, table)
