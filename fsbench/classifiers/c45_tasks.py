"""Which trees grow together: prefixes of rankings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest
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
    lengths = np.array([len(order) for order in orders])
    prefixes = np.arange(1, lengths.sum() + 1) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    table = np.column_stack([np.repeat(np.arange(len(orders)), lengths), prefixes])
    # What is ranked high stands first, so that what short prefixes use stands together.
    lists = [order.tolist() for order in orders]
    merged = [f for f in dict.fromkeys(chain.from_iterable(zip_longest(*lists))) if f is not None]
    place = {f: i for i, f in enumerate(merged)}
    ranks = np.zeros((len(orders), lengths.max(initial=0)), dtype=np.int64)
    for line, mine in zip(ranks, lists, strict=True):
        line[: len(mine)] = [place[f] for f in mine]
    return Tasks(np.array(merged, dtype=np.int64), ranks, table)
