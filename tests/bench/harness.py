"""Timing in pairs: ours and the other one in turn, in one process; seconds of the processor beside those of the clock.

The processor's seconds are those of all threads of this process. Other work on the machine lengthens them little, so
what two sides with equally many threads are compared by. Where threads are part of the claim, the clock decides.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Clock = Literal["cpu", "wall"]


class Spent(NamedTuple):
    """Seconds spent on one call."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Pair:
    """What a paired measurement found.

    Parameters
    ----------
    name : str
    ours, other : sequence of Spent
        Of the same runs in the same order; or of unequal length, and then only the medians are compared.
    wanted : float, optional
        The smallest ratio other / ours that was asked for.
    most : float, optional
        The largest one.
    clock : {"cpu", "wall"}
        What the ratio is made of.
    """

    name: str
    ours: Sequence[Spent]
    other: Sequence[Spent]
    wanted: float | None = None
    most: float | None = None
    clock: Clock = "cpu"

    @property
    def ratio(self) -> float:
        """Median over the runs of other / ours."""
        ours, other = ([getattr(spent, self.clock) for spent in side] for side in (self.ours, self.other))
        if len(ours) == len(other):
            return statistics.median(b / a for a, b in zip(ours, other, strict=True))
        return statistics.median(other) / statistics.median(ours)

    @property
    def verdict(self) -> str:
        """Say what was asked for, and whether it was missed; nothing without a figure to compare with."""
        if self.ratio != self.ratio:
            return ""
        if self.wanted is not None:
            return f"{'>=' if self.ratio >= self.wanted else 'MISSED >='} {self.wanted:g}"
        if self.most is not None:
            return f"{'<=' if self.ratio <= self.most else 'MISSED <='} {self.most:g}"
        return ""


def measure(function: Callable[[], object]) -> Spent:
    """Time one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def recorded(seconds: float) -> tuple[Spent]:
    """Wrap a figure that was measured elsewhere and stands for both clocks."""
    return (Spent(seconds, seconds),)


def paired(
    name: str,
    ours: Callable[[], object],
    other: Callable[[], object],
    wanted: float | None = None,
    most: float | None = None,
    runs: int = 5,
    clock: Clock = "cpu",
    warm: bool = True,
) -> Pair:
    """Time both in turn, `runs` times, after one call of each that is not counted.

    What takes less than a millisecond is called several times a run.
    """
    times = 1
    if warm:
        ours(), other()
        times = max(1, round(2e-3 / max(min(measure(ours).wall, measure(other).wall), 1e-5)))
    spent = [(measure(repeated(ours, times)), measure(repeated(other, times))) for _ in range(runs)]
    a, b = ([Spent(s.wall / times, s.cpu / times) for s in side] for side in zip(*spent, strict=True))
    return Pair(name, a, b, wanted, most, clock)


def repeated(function: Callable[[], object], times: int) -> Callable[[], object]:
    """Return a function that calls another one several times."""
    if times == 1:
        return function
    return lambda: [function() for _ in range(times)]


def show(title: str, pairs: Sequence[Pair], ours: str = "fsbench", other: str = "other") -> None:
    """Print the table: medians in milliseconds, and the ratio, of which one above 1 means that ours is faster."""
    width = max(len(p.name) for p in pairs)
    heads = [f"{name} {clock}" for name in (ours, other) for clock in ("ms", "CPU ms")]
    sizes = [max(len(head), 12) for head in heads]
    print(f"\n{title}\n{'':{width}}  {'  '.join(f'{h:>{s}}' for h, s in zip(heads, sizes, strict=True))}  {'ratio':>8}")
    for p in pairs:
        cells = [statistics.median(side) * 1e3 for spent in (p.ours, p.other) for side in zip(*spent, strict=True)]
        text = "  ".join(f"{cell:{size}.3f}" for cell, size in zip(cells, sizes, strict=True))
        print(f"{p.name:{width}}  {text}  {p.ratio:8.2f}  {'' if p.clock == 'cpu' else 'wall '}{p.verdict}", flush=True)
