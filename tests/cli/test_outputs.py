"""What is read is never written over, and what is not a report of ours is left alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsbench.cli.main import cli
from fsbench.errors import UserError
from fsbench.files import check_writable, spare
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


@pytest.fixture
def counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A folder with what cannot be written to; the list says what was computed."""
    (folder / "inner").mkdir()
    (folder / "inner" / "link").symlink_to(folder / "d.csv" / "under")
    done: list[str] = []
    monkeypatch.setattr("fsbench.rankers.base.Ranker.rank", lambda *_: done.append("rank"))
    monkeypatch.setattr("fsbench.cli.search.compute", lambda *_, **__: done.append("search"))
    return done


@pytest.mark.parametrize("name", ["d.csv/out", "inner/link"])
def test_what_cannot_be_written_is_refused_before_anything_is_computed(
    folder: Path, counted: list[str], name: str
) -> None:
    with pytest.raises(UserError, match=re.escape("d.csv is no folder")):
        check_writable(folder / name)
    before = sorted(folder.rglob("*"))
    for command in (
        ["rank", "d.csv", "--output", name],
        ["rank", "d.csv", "--top", "1", "--write-reduced", f"{name}/x.arff"],
        ["rank", "d.csv", "--method", "exclusiveness", "--plot", f"{name}/x.svg"],
        ["search", "d.csv", "--plus", "1", "--output", name],
    ):
        assert isinstance(fsbench(*command).exception, UserError), command
    assert counted == []
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("args", [
    ["rank", "d.csv", "--output", "none/x.csv"], ["rank", "d.csv", "--top", "1", "--write-reduced", "none/x.arff"],
    ["search", "d.csv", "--output", "none/x.csv"], ["export", ".", "--output", "none/x.csv"],
])  # fmt: skip
def test_a_folder_that_is_not_there_is_not_made(folder: Path, counted: list[str], args: list[str]) -> None:
    done = fsbench(*args)
    assert isinstance(done.exception, UserError)
    assert "no such folder: none" in str(done.exception)
    assert counted == []
    assert not (folder / "none").exists()


@pytest.mark.parametrize("name", ["x.csv", "x", "x.gz", "x.csv.gz"])
def test_reduced_data_are_arff(folder: Path, counted: list[str], name: str) -> None:
    done = fsbench("rank", "d.csv", "--top", "1", "--write-reduced", name)
    assert "the name must end in .arff or .arff.gz, found" in str(done.exception)
    assert counted == []


def test_a_folder_is_no_file(folder: Path) -> None:
    with pytest.raises(UserError, match="it is a folder"):
        check_writable(folder)


@pytest.mark.parametrize("name", ["new", "d.csv", "a/b/new", "/dev/null"])
def test_what_can_be_written_passes_and_nothing_is_made(folder: Path, name: str) -> None:
    before = sorted(folder.rglob("*"))
    check_writable(folder / name)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_closed_folder(folder: Path) -> None:
    (folder / "closed").mkdir(mode=0o500)
    with pytest.raises(UserError, match="no permission to write to"):
        check_writable(folder / "closed" / "new")


@pytest.mark.parametrize("args", [
    ["rank", "d.csv", "--method", "exclusiveness", "--output", "a.svg", "--plot", "a.svg"],
    ["rank", "d.csv", "--top", "1", "--output", "a.arff", "--write-reduced", "../{name}/a.arff"],
])  # fmt: skip
def test_two_outputs_are_two_files(folder: Path, counted: list[str], args: list[str]) -> None:
    done = fsbench(*(arg.format(name=folder.name) for arg in args))
    assert isinstance(done.exception, UserError)
    assert "name two files" in str(done.exception)
    assert counted == []
    assert fsbench("rank", "d.csv", "--output", "/dev/null", "--method", "nlc").exit_code == 1  # was it asked at all?
    assert counted == ["rank"]


@pytest.mark.parametrize(("args", "message"), [
    (["--method", "nlc", "--explain"], "NLC has nothing to explain beyond its scores"),
    (["--method", "nlc", "--plot", "x.svg"], "there is no drawing of nlc; --method exclusiveness has one"),
    (["--method", "exclusiveness", "--plot", "x.gif"], "must end in .svg, .pdf or .png"),
])  # fmt: skip
def test_what_cannot_be_explained_or_drawn_is_refused_before_anything_is_computed(
    folder: Path, counted: list[str], args: list[str], message: str
) -> None:
    done = fsbench("rank", "d.csv", *args)
    assert message.lower() in str(done.exception).lower()
    assert counted == []


CLOSED = [
    ["datasets"],
    ["methods"],
    ["--help"],
    ["rank", "--help"],
    ["rank", "d.csv"],
    ["rank", "d.csv", "--format", "csv"],
]


def with_closed_pipe(*args: str, stderr: bool = False) -> subprocess.CompletedProcess[bytes]:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            [sys.executable, "-m", "fsbench", *args],
            stdout=writer, stderr=writer if stderr else subprocess.PIPE, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("args", CLOSED, ids=" ".join)
def test_a_reader_that_has_seen_enough_is_no_error(folder: Path, args: list[str]) -> None:
    done = with_closed_pipe(*args)
    assert (done.returncode, done.stderr) == (141, b"")  # as of a program that SIGPIPE has ended
    assert with_closed_pipe(*args, stderr=True).returncode == 141


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_mistakes_have_their_code_whoever_reads(folder: Path) -> None:
    done = with_closed_pipe("rank", "gone.csv")
    assert done.returncode == 2
    assert done.stderr.startswith(b"fsbench: gone.csv: ")
    assert with_closed_pipe("rank", "gone.csv", stderr=True).returncode == 141


@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("command", ["rank iris --method nlc", "--help", "methods"])
def test_streams_that_the_shell_has_closed(command: str, streams: str) -> None:
    line = f"{shlex.quote(sys.executable)} -m fsbench {command} {streams}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == streams.startswith("2")
