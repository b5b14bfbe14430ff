"""What is computed again and what is not; interrupted, repeated and parallel runs give the same tables."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fsbench.errors import UserError
from fsbench.experiment.database import FILE_NAME
from fsbench.experiment.writer import StoreWriter

TEXT = """\
datasets: [a.arff, b.arff]
folds: {folds: 3}
rankers: ["TOYS:Spread", nlc]
classifiers: ["TOYS:Centroid"]
selections: [all, {first: 2}, {best: {estimate: [inner_cv, train], folds: 3}}]
"""

# Of one fold: cells of a ranker with one classifier (curves inner_cv, train, test; first, best, best), its ranking.
PER_PAIR = 6
FOLDS = 6


def test_a_second_run_computes_nothing(workshop) -> None:
    first = workshop.run(TEXT)
    assert first.cells == FOLDS * (2 * (1 + PER_PAIR) + 1)
    before = workshop.tables()
    again = workshop.run(TEXT)
    assert (again.cells, again.kept) == (0, first.cells)
    assert workshop.tables() == before
    assert len(workshop.store().provenance()["runs"]) == 1


@pytest.mark.parametrize(("old", "new", "cells"), [
    ('"TOYS:Spread"', '{method: "TOYS:Spread", power: 2}', FOLDS * (1 + PER_PAIR)),
    ('"TOYS:Spread"', '{method: "TOYS:Spread", label: Other}', 0),
    ('"TOYS:Spread", nlc', 'nlc, "TOYS:Spread"', 0),
    ('"TOYS:Spread", nlc', "nlc", 0),
    ('"TOYS:Spread", nlc', '"TOYS:Spread", nlc, ig', FOLDS * (1 + PER_PAIR)),
    ('["TOYS:Centroid"]', '["TOYS:Centroid", "TOYS:NotWithTwo"]', FOLDS * (2 * PER_PAIR + 1)),
    ("first: 2", "first: 3", FOLDS * 2),
    ("[inner_cv, train], folds: 3", "[inner_cv, train, test], folds: 3", FOLDS * 2),
    ("folds: 3}}", "folds: 4}}", FOLDS * 2 * 2),
    ("a.arff, b.arff", "b.arff, a.arff", 0),
    ("a.arff, b.arff", "{path: a.arff, label: z}, b.arff", 0),
    ("folds: {folds: 3}", "seed: 2\nfolds: {folds: 3, seed: 1}", FOLDS * 2 * 2),  # the seed of the inner folds
])  # fmt: skip
def test_a_change_computes_its_own_cells_only(workshop, old: str, new: str, cells: int) -> None:
    workshop.run(TEXT)
    text = TEXT.replace(old, new)
    assert text != TEXT
    assert workshop.run(text).cells == cells
    # What stands in the tables is what a run from nothing gives.
    workshop.run(text, "other")
    assert workshop.tables() == workshop.tables("other")


def test_other_data_or_folds_compute_everything(workshop) -> None:
    first = workshop.run(TEXT)
    assert workshop.run(TEXT.replace("{folds: 3}", "{folds: 3, seed: 2}")).cells == first.cells
    text = (workshop.folder / "b.arff").read_text()
    (workshop.folder / "b.arff").write_text(text.replace("a0", "renamed"))
    assert workshop.run(TEXT).cells == first.cells // 2


def test_stored_rankings_are_not_made_again(workshop) -> None:
    log = workshop.folder / "seen.txt"
    text = f"""\
datasets: [a.arff]
folds: {{folds: 3}}
rankers: [{{method: "TOYS:Recorder", log: "{log}"}}]
classifiers: ["TOYS:Centroid"]
"""
    workshop.run(text)
    shown = log.read_text()
    workshop.run(text.replace('["TOYS:Centroid"]', '["TOYS:Centroid", nb]'))
    assert log.read_text() == shown


def test_an_edited_file_of_the_users_is_another_method(workshop) -> None:
    mine = workshop.folder / "mine.py"
    source = (
        "from fsbench.rankers import Ranker\nclass Mine(Ranker):\n"
        "    def score(self, train):\n        return train.X.max(axis=0)\n"
    )
    text = "datasets: [a.arff]\nfolds: {folds: 3}\nrankers: [mine.py:Mine, nlc]\nclassifiers: ['TOYS:Centroid']\n"
    runs = []
    for version in (source, source, source.replace("max", "min")):
        mine.write_text(version)
        path = workshop.config(text)
        done = subprocess.run(
            [sys.executable, "-m", "fsbench", "run", path, "--output", workshop.folder / "out", "--jobs", "1"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        runs.append(done.stdout.splitlines()[0])
    # Of one fold and ranker: ranking, curves by inner_cv and on the test part, best.
    assert runs == [
        "my: 27 cells computed",
        "my: 0 cells computed, 27 were there already",
        "my: 12 cells computed, 15 were there already",
    ]


def test_one_and_two_processes_give_the_same_tables(workshop) -> None:
    text = TEXT.replace('["TOYS:Centroid"]', '["TOYS:Centroid", nb, 1nn, c45]').replace("nlc]", "nlc, relieff, ig]")
    one = workshop.run(text, "one", jobs=1)
    two = workshop.run(text, "two", jobs=2)
    assert one.statuses == two.statuses == {"ok": one.cells}
    assert workshop.tables("one") == workshop.tables("two")


def finished_tasks(database: Path) -> int:
    try:
        with sqlite3.connect(database, timeout=30) as connection:
            return connection.execute("SELECT count(*) FROM ranking").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0
    finally:
        if "connection" in locals():
            connection.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_and_run_again(workshop, jobs: int) -> None:
    text = TEXT.replace('"TOYS:Spread"', '{method: "TOYS:Slow", seconds: 0.2}').replace("folds: 3}\n", "folds: 8}\n")
    text = text.replace('"TOYS:Centroid"', "nb")  # computed with the rankings of its fold: a fold is one task
    path, output = workshop.config(text), workshop.folder / "killed"
    process = subprocess.Popen(
        [sys.executable, "-m", "fsbench", "run", path, "--output", output, "--jobs", str(jobs)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while finished_tasks(output / FILE_NAME) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = finished_tasks(output / FILE_NAME)
    assert 4 <= kept < 32  # 16 folds, two rankings each
    # What is there can be read as it is.
    assert set(workshop.store("killed").accuracies().status) == {"ok", "pending"}
    again = workshop.run(text, "killed", jobs=jobs)
    assert again.kept == kept // 2 * (2 * (1 + PER_PAIR) + 1)
    workshop.run(text, "whole")
    assert workshop.tables("killed") == workshop.tables("whole")


def test_two_runs_cannot_write_to_one_folder(workshop) -> None:
    with (
        StoreWriter(workshop.folder / "out"),
        pytest.raises(UserError, match="another run is writing here"),
    ):
        StoreWriter(workshop.folder / "out")
    with StoreWriter(workshop.folder / "out"):
        pass


def test_fresh_forgets(workshop) -> None:
    workshop.run(TEXT)
    with StoreWriter(workshop.folder / "out", fresh=True) as store:
        assert store.statuses() == {}
