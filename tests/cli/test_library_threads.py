"""`rank` and `search`: libraries behind methods that are not ours use one thread, unless the user says otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MINE = """
import numpy as np
from threadpoolctl import threadpool_info
from fsbench.classifiers import Classifier
from fsbench.rankers import Ranker

def tell():
    import sklearn.tree, sys
    print("threads", *sorted({library["num_threads"] for library in threadpool_info()}), file=sys.stderr)

class Mine(Ranker):
    def score(self, train):
        tell()
        return train.X.std(axis=0)

class Judge(Classifier):
    def fit(self, train):
        tell()
        raise SystemExit
"""
VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


@pytest.mark.parametrize("args", [["rank", "-m", "mine.py:Mine"], ["search", "--plus", "1", "-c", "mine.py:Judge"]])
@pytest.mark.parametrize("asked", [None, "3"])
def test_one_thread_unless_the_environment_says_how_many(tmp_path: Path, args: list[str], asked: str | None) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "d.csv").write_text("a,b,c\n" + "1,2,x\n2,1,y\n" * 6)
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    if asked is not None:
        environment |= dict.fromkeys(VARIABLES, asked)
    command = [sys.executable, "-m", "fsbench", args[0], "d.csv", *args[1:]]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    (told,) = {line for line in done.stderr.splitlines() if line.startswith("threads ")}
    # Linear algebra takes no more threads than there are cores, OpenMP what it is told.
    assert told == "threads 1" if asked is None else told.endswith(f" {asked}")
