"""Timing in pairs: ours and the other one in turn, in one process, medians and their ratio."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Pair:
    """What a paired measurement found; seconds are medians over the runs."""

    name: str
    ours: float
    other: float
    wanted: float | None = None  # the smallest ratio other / ours that was asked for

    @property
    def ratio(self) -> float:
        return self.other / self.ours


def seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def paired(
    name: str,
    ours: Callable[[], object],
    other: Callable[[], object],
    wanted: float | None = None,
    runs: int = 5,
) -> Pair:
    """Time both in turn, `runs` times, after one call of each that is not counted."""
    ours(), other()
    times = [(seconds(ours), seconds(other)) for _ in range(runs)]
    return Pair(name, statistics.median(a for a, _ in times), statistics.median(b for _, b in times), wanted)


def show(title: str, pairs: list[Pair], ours: str = "fsbench", other: str = "other") -> None:
    """Print the table; a ratio above 1 means that ours is faster."""
    width = max(len(p.name) for p in pairs)
    print(f"\n{title}\n{'':{width}}  {ours + ' ms':>14}  {other + ' ms':>18}  {'ratio':>8}  wanted")
    for p in pairs:
        wanted = "" if p.wanted is None else f"{'>=' if p.ratio >= p.wanted else 'MISSED'} {p.wanted:g}"
        print(f"{p.name:{width}}  {p.ours * 1e3:14.3f}  {p.other * 1e3:18.3f}  {p.ratio:8.2f}  {wanted}")
