"""`fsbench report` on a real run: what is printed, which files are written, what is refused."""

from __future__ import annotations

import re
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


def listing(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_prints_the_tables_and_writes_the_report_beside_the_results(run: Path) -> None:
    done = report(run)
    place = run / "report"
    assert done.stderr == f"Report written to {place / 'index.html'}\n"
    keys = [p.stem for p in (place / "tables").glob("*.txt")]
    assert {"datasets", "accuracy-best-inner_cv", "accuracy-first-3", "counts", "ranking-times", "gaps"} <= set(keys)
    # Of another estimate the table of estimates says what comes of it.
    other = {f"{name}-best-test" for name in ("accuracy", "retained", "ranks", "pairs")}
    long = {key for key in keys if key.startswith(("tests-", "stability", "curve-"))} | other
    shown, named = done.stdout.removesuffix("; --table NAME shows one, --all shows all.\n\n").rsplit("Not shown: ", 1)
    assert set(named.split(", ")) == long
    # With one data set there is no test over data sets.
    untested = ["friedman", "pairs-best-inner_cv", "pairs-first-3"]
    others = set(keys) - long - set(untested)
    texts = {(place / "tables" / f"{key}.txt").read_text(encoding="utf-8") for key in others}
    head, *lines = re.split(r"(?=^.*: no test \()", shown, flags=re.M)
    assert sorted(head) == sorted("".join(text + "\n" for text in texts))
    assert [line.rpartition("--table ")[2] for line in lines] == [f"{key} shows the rest.\n\n" for key in untested]
    assert lines[2] == (
        "Pairs of methods over the data sets, with the first 3 features of each ranking: "
        "no test (1 data set: at 5 % the test needs 6 or more); --table pairs-first-3 shows the rest.\n\n"
    )
    assert "omitted" in report(run, "--table", "pairs-best-inner_cv", "--output", place).stdout
    assert done.stdout.startswith((place / "tables" / "datasets.txt").read_text(encoding="utf-8"))


def test_one_folder_holds_everything(run: Path, tmp_path: Path) -> None:
    done = report(run, "--output", tmp_path / "out")
    assert done.stdout == ""
    found = listing(tmp_path / "out")
    tables = {name for name in found if name.startswith("tables/")}
    assert {Path(name).suffix for name in tables} == {".txt", ".md", ".csv", ".tex"}
    figures = {name for name in found if name.startswith("figures/")}
    assert {Path(name).suffix for name in figures} == {".svg", ".pdf", ".png"}
    rest = ["index.html", "methods.md", "methods.tex", "references.bib", "report.json", "report.tex", "reproduction.md"]
    assert sorted(set(found) - tables - figures) == rest


def test_tables_alone_leave_the_rest_of_the_report(run: Path, tmp_path: Path) -> None:
    report(run, "--output", tmp_path)
    whole = listing(tmp_path)
    (tmp_path / "tables" / "counts.tex").unlink()
    report(run.parent, "--table", "counts", "--format", "latex", "--output", tmp_path)
    assert listing(tmp_path) == whole


def test_same_run_same_bytes_but_for_what_is_timed(run: Path, tmp_path: Path) -> None:
    again = make_run(run.parent.parent, "again/small")
    for folder, place in ((run, "a"), (run, "b"), (again, "c")):
        report(folder, "--output", tmp_path / place)
    first, second, other = ({n: (tmp_path / p / n).read_bytes() for n in listing(tmp_path / p)} for p in "abc")
    assert first == second
    assert first.keys() == other.keys()
    differ = {name for name in first if first[name] != other[name]}
    # The page and the methods say when and where the cells were computed; the paper's text has times too.
    said = {"index.html", "methods.md", "methods.tex", "reproduction.md"}
    assert {name for name in differ if "time" not in name} <= said


def test_one_table_in_one_form(run: Path, tmp_path: Path) -> None:
    done = report(run, "--table", "accuracy-first-3", "--format", "csv", "--output", tmp_path)
    header, iris, gone, counts = done.stdout.splitlines()
    assert header.startswith(
        "dataset,NB all,NB all sd,NB NLC,NB NLC sd,NB NLC vs RLF,NB NLC vs IG,NB NLC printed vs RLF"
    )
    assert iris.startswith("iris,94.0,")
    assert gone.startswith("gone,missing,,missing,,omitted,omitted,omitted,omitted,missing")
    assert counts.startswith("NLC w/d/l,,,,,,,,,0/1/0,,0/1/0,,")
    assert (tmp_path / "tables" / "accuracy-first-3.csv").read_text(encoding="utf-8") == done.stdout


def test_the_missing_data_set_is_shown_in_its_place(run: Path, tmp_path: Path) -> None:
    done = report(run, "--table", "accuracy-first-3", "--output", tmp_path)
    assert "gone         missing  missing   ??    ??     missing   missing\n" in done.stdout
    assert "gone: missing: no such file" in done.stdout


def test_several_runs_in_a_folder_are_told_apart(run: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.sqlite").write_bytes((run / "results.sqlite").read_bytes())
    done = report(tmp_path, "--table", "datasets", "--format", "text")
    assert done.stdout.count("== small ==\n") == 2
    report(tmp_path, "--table", "datasets", "--output", tmp_path / "out", "--format", "text")
    assert listing(tmp_path / "out") == [
        f"{n}/{f}" for n in ("one", "two") for f in ("report.json", "tables/datasets.txt")
    ]


def test_several_reports_have_a_page_that_leads_to_them(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fsbench.report.figures.build", lambda results: [])
    for name in ("one & two", "three"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "results.sqlite").write_bytes((run / "results.sqlite").read_bytes())
    out = tmp_path / "out"
    for _ in range(2):
        report(tmp_path / "in", "--output", out)
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count("<li>") == 2
    assert 'href="one%20%26%20two/index.html"' in page
    assert (out / "one & two" / "index.html").is_file()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(UserError, match=r"holds 'thesis.tex'"):
        report(tmp_path / "in", "--output", tmp_path / "mine")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["{run}", "--table", "count"], r"no table 'count' in this report; did you mean 'counts'\?"),
        (["{empty}"], "no results here: neither results.sqlite nor folders that hold one"),
        (["{empty}/nowhere"], "no such folder"),
        (["{run}", "--output", "{run}"], "and is not the folder of a report; give an empty folder"),
    ],
)
def test_mistakes_are_one_line(run: Path, tmp_path: Path, args: list[str], words: str) -> None:
    with pytest.raises(UserError, match=words):
        report(*(a.format(run=run, empty=tmp_path) for a in args))


def test_all_prints_every_table(run: Path, tmp_path: Path) -> None:
    few, everything = report(run), report(run, "--all")
    texts = [path.read_text(encoding="utf-8") for path in (run / "report" / "tables").glob("*.txt")]
    assert sorted(everything.stdout) == sorted("".join(text + "\n" for text in texts))
    assert all(text in everything.stdout for text in texts)
    assert "--table" not in everything.stdout
    assert len(few.stdout) < len(everything.stdout)
    # What goes into files is the same.
    report(run, "--all", "--output", tmp_path / "all")
    report(run, "--output", tmp_path / "few")
    names = listing(tmp_path / "few")
    assert names == listing(tmp_path / "all")
    assert all((tmp_path / "few" / name).read_bytes() == (tmp_path / "all" / name).read_bytes() for name in names)
