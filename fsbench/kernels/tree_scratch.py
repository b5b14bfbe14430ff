"""Memory for growing trees, kept between calls: a page of new memory costs more than the tree of few rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from fsbench.kernels.tree_table import Int32Array
from fsbench.values import IntArray

__all__ = ["Size", "choosing", "give_back", "ints", "scratch", "shorts"]

T = TypeVar("T")

MOST_KEPT = 2**23  # numbers in use, of the largest array, above which memory is given back at once
SPACIOUS = 64  # by how much kept memory may exceed what is asked for


class Size(NamedTuple):
    """What bounds the memory of a run.

    Attributes
    ----------
    rows, features, tasks : int
        Of the data; those that may be used; how many trees are grown.
    lanes : int
        Number of numeric features.
    labels, longest : int
        Labels of all features together, and of the one with most.
    cells : int
        Counters of the nominal features.
    capacity : int
        Nodes of the table.
    classes : int
    """

    rows: int
    features: int
    tasks: int
    lanes: int
    labels: int
    longest: int
    cells: int
    capacity: int
    classes: int

    def serves(self, asked: Size) -> bool:
        """Tell whether memory of this size serves for another; rows of arrays are as long as there are classes."""
        if self.classes != asked.classes or self.capacity > SPACIOUS * asked.capacity:
            return False
        return all(mine >= other for mine, other in zip(self, asked, strict=True))


class _Kept(threading.local):
    """What a thread holds ready, by kind."""

    def __init__(self) -> None:
        self.ready: dict[str, tuple[Size, object]] = {}


_kept = _Kept()


def scratch(kind: str, asked: Size, make: Callable[[Size], T]) -> T:
    """Return memory of at least the size asked for; what stands in it was left there by an earlier run.

    Parameters
    ----------
    kind : str
        What `make` makes. One of each kind is kept a thread.
    asked : Size
    make : callable
    """
    size, space = _kept.ready.get(kind, (None, None))
    if size != asked and (size is None or not size.serves(asked)):
        space = make(asked)
        _kept.ready[kind] = asked, space
    return cast(T, space)


def give_back(kind: str, used: int) -> None:
    """Keep the memory of a run for the next one, unless it used too much."""
    if used > MOST_KEPT:
        _kept.ready.pop(kind, None)


def ints(*shape: int) -> IntArray:
    """Return int64 memory, not set to anything."""
    return np.empty(shape, dtype=np.int64)


def shorts(*shape: int) -> Int32Array:
    """Return int32 memory, not set to anything."""
    return np.empty(shape, dtype=np.int32)


def choosing(size: Size) -> dict[str, Any]:
    """Return the work space for evaluating the features of a node and choosing among them, by name."""
    n, n_features, n_tasks, longest = size.rows, size.features, size.tasks, max(size.longest, 2)
    return {
        "many": np.empty(n_features, np.bool_),
        "gain": np.empty(n_features),
        "ratio": np.empty(n_features),
        "cut": ints(n_features),
        "pick": ints(n_tasks),
        "size": ints(n_tasks),
        "feature": ints(n_tasks),
        "seen": ints(n_features),
        "dead": np.empty(n_features, np.bool_),
        "graves": ints(n_features),
        "asked": ints(n_features),
        "wanted": ints(n_features),
        "chosen_from": ints(n_tasks),
        "met": ints(n_tasks, 2),
        "going_at": ints(longest),
        "step": ints(n + 1),
        "sides": ints(n + 2),
        "crossed": np.empty((2, size.classes), np.uint64),
        "chosen": shorts(longest),
    }
