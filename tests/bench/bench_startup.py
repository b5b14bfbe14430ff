"""Whole processes: the help, and ranking iris."""

from __future__ import annotations

import statistics
import subprocess
import sys

from tests.bench.harness import seconds

COMMANDS = [
    (["--help"], 0.15),
    (["rank", "iris", "-m", "nlc"], 0.3),
    (["rank", "iris", "-m", "ig"], 0.3),
    (["rank", "iris", "-m", "relieff"], 0.3),
]


def main() -> None:
    for args, wanted in COMMANDS:
        call = [sys.executable, "-m", "fsbench", *args]
        times = [seconds(lambda c=call: subprocess.run(c, check=True, stdout=subprocess.DEVNULL)) for _ in range(11)]
        print(f"fsbench {' '.join(args):24} median {statistics.median(times):.3f} s, wanted < {wanted}")


if __name__ == "__main__":
    main()
