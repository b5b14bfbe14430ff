"""`fsbench report` on a real run: what is printed, which files are written, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsbench.cli.report import command
from fsbench.errors import UserError
from tests.report.runs import make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs"))


def report(*args: str | Path) -> Result:
    return CliRunner().invoke(command, [str(a) for a in args], catch_exceptions=False)


def test_prints_and_writes_every_table(run: Path, tmp_path: Path) -> None:
    done = report(run, "--output", tmp_path)
    keys = ["datasets", "accuracy-best-inner_cv", "accuracy-first-3", "accuracy-best-test", "counts", "estimates"]
    keys += ["retained-best-inner_cv", "retained-best-test", "ranking-times", "gaps"]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        f"{k}.{s}" for k in keys for s in ("txt", "md", "csv", "tex")
    )
    texts = [(tmp_path / f"{key}.txt").read_text(encoding="utf-8") for key in keys]
    assert done.stdout == "".join(text + "\n" for text in texts)
    assert done.stderr == f"Tables written to {tmp_path}\n"


def test_goes_into_the_run_folder_without_output(run: Path) -> None:
    report(run.parent, "--table", "counts", "--format", "latex")
    assert [p.name for p in (run / "report" / "tables").iterdir()] == ["counts.tex"]


def test_same_run_same_bytes_but_for_times(run: Path, tmp_path: Path) -> None:
    again = make_run(run.parent.parent, "again/small")
    for folder, place in ((run, "a"), (again, "b")):
        report(folder, "--output", tmp_path / place)
    names = sorted(p.name for p in (tmp_path / "a").iterdir())
    differ = [n for n in names if (tmp_path / "a" / n).read_bytes() != (tmp_path / "b" / n).read_bytes()]
    assert all(name.startswith("ranking-times.") for name in differ)


def test_one_table_in_one_form(run: Path, tmp_path: Path) -> None:
    done = report(run, "--table", "accuracy-first-3", "--format", "csv", "--output", tmp_path)
    header, iris, gone = done.stdout.splitlines()
    assert header.startswith(
        "dataset,NB all,NB all sd,NB NLC,NB NLC sd,NB NLC vs RLF,NB NLC vs IG,NB NLC printed vs RLF"
    )
    assert iris.startswith("iris,94.0,")
    assert gone.startswith("gone,missing,,missing,,omitted,omitted,omitted,omitted,missing")
    assert (tmp_path / "accuracy-first-3.csv").read_text(encoding="utf-8") == done.stdout


def test_the_missing_data_set_is_shown_in_its_place(run: Path, tmp_path: Path) -> None:
    done = report(run, "--table", "accuracy-first-3", "--output", tmp_path)
    assert "gone        missing  missing  ??    ??     missing  missing\n" in done.stdout
    assert "gone: missing: no such file" in done.stdout


def test_several_runs_are_told_apart(run: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.sqlite").write_bytes((run / "results.sqlite").read_bytes())
    done = report(tmp_path, "--table", "datasets", "--output", tmp_path / "out", "--format", "text")
    assert done.stdout.count("== small ==\n") == 2
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["one", "two"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["{run}", "--table", "count"], r"no table 'count' in this report; did you mean 'counts'\?"),
        (["{empty}"], "no results here: neither results.sqlite nor folders that hold one"),
        (["{empty}/nowhere"], "no such folder"),
    ],
)
def test_mistakes_are_one_line(run: Path, tmp_path: Path, args: list[str], words: str) -> None:
    with pytest.raises(UserError, match=words):
        report(*(a.format(run=run, empty=tmp_path) for a in args))
