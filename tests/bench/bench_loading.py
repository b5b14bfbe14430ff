"""Loading a dense ARFF: 581,012 rows x 54 features by us; a cut of 50,000 rows by us and by liac-arff."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import arff
import numpy as np

from fsbench.data import load
from tests.bench.harness import Pair, seconds, show


def write(path: Path, n: int, m: int = 54) -> None:
    rng = np.random.default_rng(1)
    with path.open("w") as stream:
        stream.write("@relation big\n" + "".join(f"@attribute f{j} numeric\n" for j in range(m)))
        stream.write("@attribute class {1,2,3,4,5,6,7}\n@data\n")
        for start in range(0, n, 20_000):
            rows = min(20_000, n - start)
            block = np.column_stack([rng.integers(0, 4000, (rows, m)), rng.integers(1, 8, rows)])
            np.savetxt(stream, block, fmt="%d", delimiter=",")


def peak(path: Path) -> tuple[float, int]:
    """Seconds and peak bytes of a fresh process that loads the file, less those of one that only imports."""
    code = "import sys, resource, time; from fsbench.data import load; import pandas; t = time.perf_counter()\n"
    report = "\nprint(time.perf_counter() - t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    runs = [code + "d = load(sys.argv[1])" + report, code + "pass" + report]
    found = [
        subprocess.run([sys.executable, "-c", c, str(path)], capture_output=True, text=True, check=True).stdout.split()
        for c in runs
    ]
    return float(found[0][0]), (int(found[0][1]) - int(found[1][1])) * 1024


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        big, cut = Path(folder, "big.arff"), Path(folder, "cut.arff")
        write(big, 581_012)
        write(cut, 50_000)
        time, memory = peak(big)
        size = 581_012 * 54 * 8
        print(f"581,012 x 54: {time:.2f} s (wanted < 8), peak {memory / size:.2f} x the array (wanted < 2.5)")
        load(cut)
        ours = min(seconds(lambda: load(cut)) for _ in range(3))
        other = seconds(lambda: arff.load(cut.open()))
        show("50,000 x 54", [Pair("load", ours, other, 20.0)], "fsbench", "liac-arff")


if __name__ == "__main__":
    main()
