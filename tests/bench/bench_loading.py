"""Loading a dense ARFF: 581,012 rows x 54 features by us; a cut of 50,000 rows by us and by liac-arff."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import arff
import numpy as np

from fsbench.data import load
from tests.bench.harness import Spent, paired, show


def write(path: Path, n: int, m: int = 54) -> None:
    rng = np.random.default_rng(1)
    with path.open("w") as stream:
        stream.write("@relation big\n" + "".join(f"@attribute f{j} numeric\n" for j in range(m)))
        stream.write("@attribute class {1,2,3,4,5,6,7}\n@data\n")
        words = [str(i) for i in range(4000)]
        for start in range(0, n, 20_000):
            rows = min(20_000, n - start)
            block = np.column_stack([rng.integers(0, 4000, (rows, m)), rng.integers(1, 8, rows)])
            stream.writelines(",".join([words[v] for v in line]) + "\n" for line in block.tolist())


def peak(path: Path) -> tuple[Spent, int]:
    """Seconds and peak bytes of a fresh process that loads the file, less those of one that only imports."""
    start = "import sys, resource, time; from fsbench.data import load; import pandas"
    start += "; wall, cpu = time.perf_counter, time.process_time; t = wall(), cpu()\n"
    report = "\nprint(wall() - t[0], cpu() - t[1], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    runs = [start + "d = load(sys.argv[1])" + report, start + "pass" + report]
    found = [
        subprocess.run([sys.executable, "-c", c, str(path)], capture_output=True, text=True, check=True).stdout.split()
        for c in runs
    ]
    return Spent(float(found[0][0]), float(found[0][1])), (int(found[0][2]) - int(found[1][2])) * 1024


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        big, cut = Path(folder, "big.arff"), Path(folder, "cut.arff")
        write(big, 581_012)
        write(cut, 50_000)
        found = [peak(big) for _ in range(3)]
        wall, cpu = (statistics.median(spent[i] for spent, _ in found) for i in range(2))
        memory = max(bytes_ for _, bytes_ in found) / (581_012 * 54 * 8)
        missed = "" if wall < 8 and memory < 2.5 else "  MISSED"
        print(f"581,012 x 54: {wall:.2f} s, CPU {cpu:.2f} s (< 8), peak {memory:.2f} x the array (< 2.5){missed}")
        load(cut)
        pair = paired("load", lambda: load(cut), lambda: arff.load(cut.open()), wanted=20.0, clock="wall")
        show("50,000 x 54", [pair], "fsbench", "liac-arff")


if __name__ == "__main__":
    main()
