"""`fsbench compare` on a real run of a part of the experiment."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsbench.cli.compare import command
from fsbench.errors import UserError
from tests.report.runs import make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs"))


def compare(*args: str | Path) -> Result:
    return CliRunner().invoke(command, [str(a) for a in args], catch_exceptions=False)


def test_json_has_every_printed_cell(run: Path) -> None:
    found = json.loads(compare("nlc2003", "--results", run, "--format", "json").stdout)
    assert list(found) == ["cells", "summary", "prose"]
    assert len(found["cells"]) == 432
    keys = ["table", "dataset", "column", "ours", "printed", "difference", "tolerance", "agrees", "note"]
    assert all(list(c)[:9] == keys for c in found["cells"])
    ours = [c for c in found["cells"] if c["ours"] is not None]
    assert {(c["dataset"], c["column"].split("/")[0]) for c in ours} == {("iris", "NB")}
    assert len(ours) == 8
    for c in ours:
        assert c["difference"] == pytest.approx(c["ours"] - c["printed"], abs=1e-6)
        assert c["agrees"] == (abs(c["difference"]) <= c["tolerance"])
    assert any(p["column"] == "nlc.iris.petalwidth" and p["ours"] == 16 for p in found["prose"])


def test_csv_is_the_same_cells(run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(compare("nlc2003", "--results", run, "--format", "csv").stdout)))
    assert len([r for r in rows if r["table"] != "prose"]) == 432
    (cell,) = (r for r in rows if (r["table"], r["dataset"], r["column"]) == ("table4", "iris", "NB/all"))
    assert float(cell["ours"]) == 94.0


def test_table_lists_what_does_not_agree_or_all(run: Path) -> None:
    some = compare("nlc2003", "--results", run, "--table", "4").stdout
    every = compare("nlc2003", "--results", run, "--table", "table4", "--all").stdout
    assert "Cells that do not agree or are not there" in some
    assert "212 printed cells are not of this experiment; --all lists them.\n" in some
    assert "Every printed cell" in every
    line = next(line for line in every.splitlines() if line.startswith("Table 4  iris") and "NB/all" in line)
    assert line.split()[2:] == ["iris", "NB/all", "94.00", "95.30", "-1.30", *line.split()[7:]]
    assert line not in some
    assert "Table 3" not in every
    assert "Numbers of the paper's text" not in every


def test_prose_alone(run: Path) -> None:
    done = compare("nlc2003", "--results", run, "--table", "prose").stdout
    assert done.startswith("Numbers of the paper's text\n")
    assert "iris      nlc.iris.sepalwidth" in done


def test_a_folder_of_runs_will_do(run: Path) -> None:
    one = compare("nlc2003", "--results", run.parent, "--table", "3").stdout
    assert one == compare("nlc2003", "--results", run, "--table", "3").stdout


def test_mistakes_are_one_line(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cases = [
        (["nlc2002"], "did you mean 'nlc2003'"),
        (["nlc2003"], "no results yet: run 'fsbench run nlc2003' first"),
        (["nlc2003", "--results", str(run), "--table", "tabel3"], r"no table 'tabel3'; did you mean 'table3'\?"),
        (["rsa2007", "--results", str(run)], "no run of rsa2007 here, found small"),
    ]
    for args, words in cases:
        with pytest.raises(UserError, match=words):
            compare(*args)


def test_several_runs_of_one_paper_need_a_choice(run: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.sqlite").write_bytes((run / "results.sqlite").read_bytes())
    with pytest.raises(UserError, match="several runs of nlc2003 here: small, small"):
        compare("nlc2003", "--results", tmp_path)
