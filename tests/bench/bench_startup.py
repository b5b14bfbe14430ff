"""Whole processes, from a warm cache: the help, and ranking iris. Their CPU seconds are those of the child process."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

from tests.bench.harness import Spent

COMMANDS = [
    (["--help"], 0.15),
    (["rank", "iris", "-m", "nlc"], 0.3),
    (["rank", "iris", "-m", "ig"], 0.3),
    (["rank", "iris", "-m", "relieff"], 0.3),
]


def run(call: list[str]) -> Spent:
    """Time a process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    print(f"{'':32}  wall s   CPU s  medians of 11")
    for args, wanted in COMMANDS:
        spent = [run([sys.executable, "-m", "fsbench", *args]) for _ in range(11)]
        wall, cpu = (statistics.median(side) for side in zip(*spent, strict=True))
        verdict = f"{'<' if wall < wanted else 'MISSED <'} {wanted}"
        print(f"fsbench {' '.join(args):24}  {wall:6.3f}  {cpu:6.3f}  {verdict}")


if __name__ == "__main__":
    main()
