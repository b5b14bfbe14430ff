"""How many threads a kernel may use, and how work is spread over them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["map_threads", "set_threads", "threads"]

T = TypeVar("T")
R = TypeVar("R")

_threads: int | None = None


def threads() -> int:
    """Return the number of threads a kernel may use: all cores unless `set_threads` said otherwise."""
    if _threads is not None:
        return _threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def set_threads(count: int | None) -> None:
    """Fix the number of threads, or give it back to the machine with None. Worker processes set 1."""
    global _threads
    _threads = count


def map_threads(function: Callable[[T], R], tasks: Iterable[T]) -> list[R]:
    """Apply `function` to every task, in order, with the threads allowed.

    Kernels release the GIL. The result must not depend on the number of threads: split the work by its size,
    never by the thread count.
    """
    items = list(tasks)
    count = min(threads(), len(items))
    if count <= 1:
        return [function(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor  # here: small commands need no threads

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(function, items))
