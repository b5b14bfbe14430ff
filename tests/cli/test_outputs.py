"""What is read is never written over, and what is not a report of ours is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsbench.cli.main import cli
from fsbench.errors import UserError
from fsbench.files import spare
from fsbench.report.folder import check, staged

CSV = "a,b,class\n1,2,x\n2,1,x\n3,5,y\n4,1,y\n5,2,y\n6,3,x\n"
CONFIG = "name: d\ndatasets: [d.csv]\nfolds: {folds: 2}\nrankers: [nlc]\nclassifiers: [nb]\nselections: [{first: 1}]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text(CSV)
    return tmp_path


def fsbench(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


@pytest.mark.parametrize(
    "args",
    [
        ["rank", "d.csv", "--output", "d.csv"],
        ["rank", "d.csv", "--output", "../{name}/d.csv"],
        ["rank", "d.csv", "--top", "1", "--write-reduced", "d.csv"],
        ["search", "d.csv", "--plus", "1", "--minus", "0", "--folds", "2", "--output", "d.csv"],
    ],
)
def test_data_are_not_written_over(folder: Path, args: list[str]) -> None:
    done = fsbench(*(arg.format(name=folder.name) for arg in args))
    assert isinstance(done.exception, UserError)
    assert "is read, and would be written over; name another file" in str(done.exception)
    assert (folder / "d.csv").read_text() == CSV


@pytest.mark.parametrize("name", ["results.sqlite", "experiment.yaml"])
def test_results_are_not_written_over(folder: Path, name: str) -> None:
    (folder / "d.yaml").write_text(CONFIG)
    assert fsbench("run", "d.yaml", "--output", "r", "--jobs", "1").exit_code == 0
    before = (folder / "r" / name).read_bytes()
    assert isinstance(fsbench("export", "r", "--output", f"r/{name}").exception, UserError)
    assert (folder / "r" / name).read_bytes() == before


def test_names_of_data_sets_and_lists_of_labels_are_no_files(folder: Path) -> None:
    spare(folder / "d.csv", "iris", "red,green", None, "x" * 5000)
    spare(None, "d.csv")
    spare(folder / "new", "d.csv")


@pytest.mark.parametrize("content", ['{"my": "data"}', '{"files": ["keep"]}', "[]", "no json"])
def test_a_list_of_files_that_is_not_ours_makes_no_report(folder: Path, content: str) -> None:
    place = folder / "mine"
    place.mkdir()
    (place / "report.json").write_text(content)
    (place / "keep").write_text("x")
    with pytest.raises(UserError, match="is not the folder of a report"):
        check(place)
    (place / "report.json").write_text(json.dumps({"report": "fsbench", "files": []}))
    check(place)


def test_a_link_that_leads_to_itself(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    with pytest.raises(UserError, match=r"loop: cannot be (written|read): "), staged(folder / "loop", whole=True):
        pass


def test_several_runs_are_not_written_into_the_report_of_one(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.yaml").write_text(CONFIG.replace("name: d", f"name: {name}"))
        assert fsbench("run", f"{name}.yaml", "--jobs", "1").exit_code == 0
    done = fsbench("report", "results/a", "results/b", "--format", "csv")
    assert done.exit_code == 0
    assert "Nothing written: --output DIR" in done.output
    assert not (folder / "results" / "a" / "report").exists()
    assert fsbench("report", "results/a", "results/b", "--format", "csv", "--output", "both").exit_code == 0
    assert (folder / "both" / "tables").is_dir()


def test_reports_of_several_runs_are_those_of_each_alone(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.yaml").write_text(CONFIG.replace("name: d", f"name: {name}"))
        assert fsbench("run", f"{name}.yaml", "--jobs", "1").exit_code == 0
    done = fsbench("report", "results", "--output", "all")
    assert done.exit_code == 0, done.exception
    assert done.output.splitlines()[-1] == f"All of them: {Path('all', 'index.html')}"
    assert fsbench("report", "results/b", "--output", "one").exit_code == 0
    for path in (folder / "one").rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (folder / "all" / "b" / path.relative_to(folder / "one")).read_bytes(), path
    assert '"a/index.html"' in (folder / "all" / "index.html").read_text(encoding="utf-8")
