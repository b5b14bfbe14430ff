"""Methods and places that misbehave: the others' results stay right, and one line says what happened."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

RANKERS = """
import sys
import numpy as np
from fsbench.rankers import Ranker

class Writes(Ranker):
    def score(self, train):
        train.X[:] = 0
        return np.zeros(train.n_features)

class Leaves(Ranker):
    def score(self, train):
        sys.exit("bye")

class Breaks(Ranker):
    def score(self, train):
        raise KeyError("no such thing")

class Silent(Ranker):
    def score(self, train):
        return [float("nan")] * train.n_features

class Complex(Ranker):
    def score(self, train):
        return np.ones(train.n_features) * 1j

class Absent(Ranker):
    pass
"""

MESSAGES = {
    "Writes": "score() failed with ValueError: assignment destination is read-only",
    "Leaves": "score() failed with SystemExit: bye",
    "Breaks": "score() failed with KeyError: 'no such thing'",
    "Silent": "score() gave no feature a number",
    "Complex": "it must return numbers, found complex128",
    "Absent": "abstract",
}


def fsbench(*args: str, cwd: Path, **kwargs: object) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "fsbench", *args]
    return subprocess.run(call, capture_output=True, text=True, cwd=cwd, **kwargs)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "r.py").write_text(RANKERS)
    return tmp_path


@pytest.mark.parametrize("name", MESSAGES)
def test_rank_names_what_a_ranker_did(folder: Path, name: str) -> None:
    done = fsbench("rank", "iris", "-m", f"r.py:{name}", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert MESSAGES[name] in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_run_keeps_the_other_rankers_cells(folder: Path) -> None:
    text = "name: {0}\ndatasets: [glass2]\nrankers: [{1}relieff]\nclassifiers: [nb]\nselections: [first: 3]\n"
    (folder / "bad.yaml").write_text(text.format("bad", "'r.py:Writes', 'r.py:Leaves', "))
    (folder / "good.yaml").write_text(text.format("good", ""))
    bad, good = (fsbench("run", f"{n}.yaml", "--jobs", "1", cwd=folder) for n in ("bad", "good"))
    assert (bad.returncode, good.returncode) == (1, 0)
    found = [
        [line for line in fsbench("export", f"results/{n}", "--what", "predictions", cwd=folder).stdout.splitlines()
         if "relieff" in line]
        for n in ("bad", "good")
    ]  # fmt: skip
    assert found[0] == found[1] != []


def test_a_pipe_is_written_through_and_a_link_is_followed(folder: Path) -> None:
    pipe, link, real = folder / "pipe", folder / "link.csv", folder / "real.csv"
    os.mkfifo(pipe)
    link.symlink_to(real)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    assert fsbench("rank", "iris", "--format", "csv", "--output", str(pipe), cwd=folder).returncode == 0
    assert reader.communicate()[0].startswith("method,dataset")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert fsbench("rank", "iris", "--format", "csv", "--output", str(link), cwd=folder).returncode == 0
    assert link.is_symlink()
    assert real.read_text().startswith("method,dataset")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full")
def test_a_full_disk(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fsbench", "rank", "iris"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_an_ascii_terminal(folder: Path) -> None:
    (folder / "d.yaml").write_text(
        "name: d\ndatasets: [{name: iris, label: größe}]\nclassifiers: [nb]\nselections: [all]\n", encoding="utf-8"
    )
    env = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    assert fsbench("run", "d.yaml", "--jobs", "1", cwd=folder, env=env).returncode == 0
    done = fsbench("report", "results/d", cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    assert "größe" in next((folder / "results/d/report/tables").glob("datasets.txt")).read_text(encoding="utf-8")


def test_a_damaged_results_file(folder: Path) -> None:
    (folder / "c.yaml").write_text("name: c\ndatasets: [iris]\nclassifiers: [nb]\nselections: [all]\n")
    assert fsbench("run", "c.yaml", "--jobs", "1", cwd=folder).returncode == 0
    path = folder / "results" / "c" / "results.sqlite"
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    done = fsbench("export", "results/c", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("paper: nlc2004", "'nlc2003'"),
        ("seed: 99999999999999999999", "seed"),
        ("folds: {repeats: 1000000000}", "repeats"),
        ('name: "a\\nb"', "name"),
        ("rankers: [':X']", "cannot import"),
        ("tests: &a {level: *a}", ""),
    ],
)
def test_hostile_configs(folder: Path, line: str, word: str) -> None:
    (folder / "c.yaml").write_text(f"datasets: [iris]\nclassifiers: [nb]\nselections: [all]\n{line}\n")
    done = fsbench("run", "c.yaml", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert word in done.stderr
    assert done.stderr.count("\n") == 1
