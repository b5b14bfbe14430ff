"""The whole NLC paper by `fsbench run nlc2003` on two processes: seconds, and the memory of the whole process tree.

Memory is the peak over time of the tree's proportional set size (shared pages count once), where /proc tells it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def children(parent: int) -> list[int]:
    """Return a process and all that it started, directly or not."""
    found = [parent]
    for pid in found:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except OSError:
                continue  # ended in the meantime
    return found


def memory(pids: list[int]) -> int:
    """Return their proportional set size in bytes."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-m", "fsbench", "run", "nlc2003", "--jobs", "2", "--output", folder, "--quiet"]
        start, peak = time.perf_counter(), 0
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(call)
        while process.poll() is None:
            peak = max(peak, memory(children(process.pid)))
            time.sleep(0.5)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        held = peak / 2**30
        missed = "" if process.returncode == 0 and wall < 90 and held < 1.5 else "  MISSED"
        print(f"fsbench run nlc2003, {os.cpu_count()} cores: {wall:.1f} s (< 90), CPU {cpu:.1f} s,", end=" ")
        print(f"peak of the process tree {held:.2f} GB (< 1.5){missed}")


if __name__ == "__main__":
    main()
