"""`fsbench run` from the outside: what it says, where, and its exit codes."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOYS = Path(__file__).parents[1] / "experiment" / "toys.py"

DATA = """\
@relation d
@attribute a numeric
@attribute b numeric
@attribute class {x,y}
@data
1,5,x
2,4,x
3,5,x
1,4,x
5,1,y
6,5,y
7,2,y
6,1,y
"""

CONFIG = f"""\
name: demo
datasets: [d.arff]
folds: {{folds: 2}}
rankers: [nlc]
classifiers: ["{TOYS}:Centroid"]
selections: [all, {{first: 1}}, {{best: {{estimate: [inner_cv, test], folds: 2}}}}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "d.arff").write_text(DATA)
    (tmp_path / "demo.yaml").write_text(CONFIG)
    return tmp_path


def fsbench(folder: Path, *args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fsbench", *map(str, args)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def quiet_kernels(text: str) -> str:
    """Drop the lines that depend on whether kernels were compiled before."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("compiling ", "compiled ")))


def test_first_and_second_run(folder: Path) -> None:
    first = fsbench(folder, "run", "demo.yaml")
    assert first.returncode == 0
    assert first.stdout == "demo: 14 cells computed\nnext: fsbench report results/demo\n"
    assert quiet_kernels(first.stderr) == (
        "demo: 14 cells to compute, 4 parts\n"  # of each fold the ranking, and the classifier that is not ours
        "fitted anew with each number of features: Centroid up to 14 times\n"
    )
    assert sorted(p.name for p in (folder / "results" / "demo").iterdir()) == [
        ".lock",
        "experiment.yaml",
        "results.sqlite",
    ]
    assert (folder / "results" / "demo" / "experiment.yaml").read_text() == CONFIG
    second = fsbench(folder, "run", "demo.yaml")
    assert second.returncode == 0
    assert second.stdout == "demo: 0 cells computed, 14 were there already\nnext: fsbench report results/demo\n"
    assert second.stderr == ""


def test_dry_run_leaves_nothing_behind(folder: Path) -> None:
    done = fsbench(folder, "run", "demo.yaml", "--dry-run")
    assert done.returncode == 0
    assert done.stdout == (
        "demo: 1 of 1 data sets, 1 ranker, 1 classifier, 2 folds\n"
        "14 cells: 2 rankings, 4 curves, 8 tests\n"
        "to compute: 14; in results/demo: 0\n"
        "fitted anew with each number of features: Centroid up to 14 times\n"
    )
    assert not (folder / "results").exists()
    fsbench(folder, "run", "demo.yaml", "--quiet")
    assert "to compute: 0; in results/demo: 14\n" in fsbench(folder, "run", "demo.yaml", "--dry-run").stdout
    assert "to compute: 14; in" in fsbench(folder, "run", "demo.yaml", "--dry-run", "--fresh").stdout


def test_quiet(folder: Path) -> None:
    done = fsbench(folder, "run", "demo.yaml", "--quiet", "--output", "there")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "there" / "results.sqlite").is_file()


def test_a_run_goes_on_without_a_missing_data_set(folder: Path) -> None:
    (folder / "demo.yaml").write_text(CONFIG.replace("[d.arff]", "[d.arff, gone.arff, mammogram]"))
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "demo: 14 cells computed, 2 data sets are missing"
    (folder / "demo.yaml").write_text(CONFIG.replace("[d.arff]", "[d.arff, gone.arff]"))
    again = fsbench(folder, "run", "demo.yaml", "--output", "other")
    assert again.stdout.splitlines()[0] == "demo: 14 cells computed, 1 data set is missing"
    first, second = done.stderr.splitlines()[:2]
    assert first == f"missing data set gone: no such file: {folder / 'gone.arff'}"
    assert second.startswith("missing data set mammogram: ")
    from fsbench.experiment.store import Store

    known = Store(folder / "results" / "demo").datasets()
    assert list(known.dataset) == ["d", "gone", "mammogram"]
    assert list(known.missing) == [False, True, True]


@pytest.mark.parametrize("jobs", [1, 2])
def test_warnings_of_methods_are_counted(folder: Path, jobs: int) -> None:
    (folder / "demo.yaml").write_text(CONFIG.replace("[nlc]", f'[nlc, "{TOYS}:Warner"]'))
    done = fsbench(folder, "run", "demo.yaml", "--quiet", "--jobs", jobs)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "warnings of the methods, with how often each occurred:",
        "  2 x Warner: RuntimeWarning: this is not good",
        "  2 x Warner: UserWarning: 28.0 is left",
    ]


def test_failed_cells_give_exit_code_1(folder: Path) -> None:
    (folder / "demo.yaml").write_text(CONFIG.replace("[nlc]", f'[nlc, "{TOYS}:Shapeless"]'))
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "demo: 14 cells computed"
    assert quiet_kernels(done.stderr).splitlines()[2:] == [
        "12 cells failed; the next run tries them again:",
        "  12 x d: Shapeless: score() must return one number for each of the 2 features, found shape (1,)",
    ]
    again = fsbench(folder, "run", "demo.yaml")
    assert again.returncode == 1
    assert again.stdout.splitlines()[0] == "demo: 0 cells computed, 14 were there already"


@pytest.mark.parametrize(("old", "new", "message"), [
    ("[d.arff]", "[irsi]", "unknown data set 'irsi'; did you mean 'iris'?"),
    ("[d.arff]", "[gone.arff]", "demo.yaml: none of its data sets is here"),
    ("folds: 2}\n", "folds: 20}\n", "d: 20 folds need at least 20 rows, found 8"),
    ("name: demo", "nam: demo", "demo.yaml:1: unknown key 'nam'; did you mean 'name'?"),
    ("[nlc]", "[ncl]", "demo.yaml:4: rankers[1]: unknown ranker 'ncl'; did you mean 'nlc'?"),
])  # fmt: skip
def test_the_users_mistakes_are_one_line_and_exit_code_2(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "demo.yaml").write_text(CONFIG.replace(old, new))
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == f"fsbench: {message}"


def test_a_broken_data_file_stops_the_run_before_it_begins(folder: Path) -> None:
    (folder / "d.arff").write_text(DATA.replace("3,5,x", "3,5,z"))
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "d.arff" in done.stderr
    assert "'z'" in done.stderr


@pytest.mark.parametrize("spoil", [
    lambda path: path.write_text("no database"),
    lambda path: sqlite3.connect(path).executescript("CREATE TABLE x (y)").connection.close(),
])  # fmt: skip
def test_a_results_file_of_another_kind(folder: Path, spoil) -> None:
    path = folder / "results" / "demo" / "results.sqlite"
    path.parent.mkdir(parents=True)
    spoil(path)
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "results.sqlite: " in done.stderr
    assert fsbench(folder, "run", "demo.yaml", "--fresh").returncode == 0


def test_a_results_file_of_another_version(folder: Path) -> None:
    fsbench(folder, "run", "demo.yaml")
    with sqlite3.connect(folder / "results" / "demo" / "results.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 2
    assert done.stderr == (
        "fsbench: results/demo/results.sqlite: expected results of format 2, found format 99; "
        "'fsbench run --fresh' starts a new file\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("asked", "jobs", "whole_group"), [
    (signal.SIGINT, 1, True), (signal.SIGINT, 2, True),
    (signal.SIGTERM, 1, False), (signal.SIGTERM, 2, False), (signal.SIGTERM, 2, True),
])  # fmt: skip
def test_a_stopped_run_says_one_line_and_leaves_no_process_behind(
    folder: Path, asked: signal.Signals, jobs: int, whole_group: bool
) -> None:
    text = CONFIG.replace("[nlc]", f'[{{method: "{TOYS}:Slow", seconds: 0.3}}]').replace(
        "folds: 2}\n", "folds: 8}\n", 1
    )
    (folder / "demo.yaml").write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-m", "fsbench", "run", "demo.yaml", "--jobs", str(jobs)],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        # Whoever runs the tests in the background of a shell has given them a SIGINT that is ignored; SIGTERM works so.
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL if asked == signal.SIGINT else signal.SIG_IGN
        ),
    )  # fmt: skip
    database = folder / "results" / "demo" / "results.sqlite"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        time.sleep(0.02)
        if database.is_file():
            connection = sqlite3.connect(database, timeout=30)
            found = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'ranking'").fetchone()[0]
            done = connection.execute("SELECT count(*) FROM ranking").fetchone()[0] if found else 0
            connection.close()
            if done:
                break
    (os.killpg if whole_group else os.kill)(process.pid, asked)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + asked
    assert out == ""
    last = err.splitlines()[-1]
    assert last.startswith("stopped; ")
    assert last.endswith(" cells of this run are kept in results/demo: the same command goes on from there")
    assert "Traceback" not in err
    assert "leaked" not in err
    # Nothing of its process group is left.
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("worker processes are still there")
    again = fsbench(folder, "run", "demo.yaml", "--jobs", jobs)
    assert again.returncode == 0
    assert " there already" in again.stdout


def test_without_arguments_the_help_is_printed_as_it_is_laid_out(folder: Path) -> None:
    bare, asked = fsbench(folder), fsbench(folder, "--help")
    assert bare.returncode in (0, 2)  # click before 8.2 ends with 0
    assert bare.stdout + bare.stderr == asked.stdout
    assert len(asked.stdout.splitlines()) > 10


@pytest.mark.parametrize(
    ("command", "place"), [(["run", "demo.yaml"], "/d.arff"), (["search", "d.arff"], "fsbench: d.arff")]
)
def test_one_class_is_refused(folder: Path, command: list[str], place: str) -> None:
    (folder / "d.arff").write_text(DATA.replace(",y\n", ",x\n"))
    done = fsbench(folder, *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{place}: all 8 rows are of the class 'x'; two classes are needed, at least\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("old", "new", "message"), [
    ("[nlc]", "[{method: IG, transform: br}]", "rankers[1].transform: only in experiments with 'kind: multilabel'"),
    ("selections", "classifiers: [brknn]\nselections", "'brknn' is for experiments with 'kind: multilabel' only"),
])  # fmt: skip
def test_methods_for_multi_label_data_name_the_kind(folder: Path, old: str, new: str, message: str) -> None:
    lines = [line for line in CONFIG.splitlines(keepends=True) if "brknn" not in new or "classifiers" not in line]
    (folder / "demo.yaml").write_text("".join(lines).replace(old, new))
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 2
    assert message in done.stderr


def test_help_names_the_shipped_experiments() -> None:
    from click.testing import CliRunner

    from fsbench.cli.main import cli
    from fsbench.experiment.config import shipped_configs

    text = CliRunner().invoke(cli, ["run", "--help"]).output
    for name, path in shipped_configs().items():
        assert name in text.partition("Shipped experiments:")[2]
        assert path.read_text(encoding="utf-8").startswith("# "), "the first line is shown beside the name"


def test_dry_run_says_what_stands_in_for_a_data_set(folder: Path) -> None:
    config = "name: w\ndatasets: [{name: waveform-5000, label: w}]\nrankers: [nlc]\n"
    (folder / "w.yaml").write_text(config)
    command = [sys.executable, "-m", "fsbench", "run", "w.yaml", "--dry-run"]
    environment = {**os.environ, "FSBENCH_DATA": ""}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "w: generated by Breiman's recipe, seed 1; not the UCI sample"


def test_of_many_kinds_of_warnings_the_rest_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    from fsbench.cli.run import _tell_warnings
    from fsbench.experiment.run import Progress

    progress = Progress(tasks=1, cells=1, kept=0, cost=1.0)
    _tell_warnings(progress)
    assert capsys.readouterr().err == ""
    for i, letter in enumerate("abcdefghijkl"):
        progress.warned.add(letter, 20 - i)
    _tell_warnings(progress)
    _, first, *_, last = capsys.readouterr().err.splitlines()
    assert (first, last) == ("  20 x a", "  19 x others, of 2 kinds")
    progress.warned.left_out = 5
    _tell_warnings(progress)
    assert capsys.readouterr().err.splitlines()[-1] == "  24 x others, of more than 2 kinds"


def test_what_does_not_apply_is_said_with_its_reason(folder: Path) -> None:
    (folder / "d.arff").write_text(DATA.replace("1,5,x", "?,5,x"))
    (folder / "demo.yaml").write_text(CONFIG.replace("[nlc]", '[nlc, "sklearn.feature_selection:f_classif"]'))
    done = fsbench(folder, "run", "demo.yaml")
    assert done.returncode == 0
    said = done.stderr.split("not applicable, with how many cells each:\n")[1]
    assert re.match(r"  \d+ x d: f_classif does not take missing values\n", said)
    assert "not applicable, with" not in fsbench(folder, "run", "demo.yaml", "--fresh", "--quiet").stderr
