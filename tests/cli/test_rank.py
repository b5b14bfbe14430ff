"""`fsbench rank` from outside: whole outputs, every option, and what the user gets wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsbench.cli import main as entry

IRIS_NLC = """\
iris: 150 rows, 4 features, 3 classes; method: nlc

  rank  feature        score (label changes)
------  -----------  -----------------------
     1  petalwidth                        16
     2  petallength                       19
     3  sepallength                       87
     4  sepalwidth                       120
"""


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        entry.main(list(args))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_iris_by_nlc(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "rank", "iris") == (0, IRIS_NLC, "")


def test_wine_by_nlc(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rank", "wine", "--method", "nlc", "--format", "json")
    (found,) = json.loads(out)
    assert code == 0
    assert found["features"][0] == {"rank": 1, "feature": "Flavanoids", "score": 43.0}
    # The paper prints 139 for the last one; no reading that gives its other numbers gives it (ours: 151).
    assert found["features"][-1]["feature"] == "Nonflavanoid_phenols"


def test_side_by_side_and_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rank", "iris", "-m", "ig", "-m", "relieff", "-p", "relieff.k=5", "--top", "2")
    assert code == 0
    assert out.splitlines()[0] == "iris: 150 rows, 4 features, 3 classes; method: ig, relieff(k=5)"
    assert out.splitlines()[2].split("  ")[-1].strip() == "score (weight)"
    assert len(out.splitlines()) == 6


def test_csv_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "r.csv"
    path.parent.mkdir()
    assert run(capsys, "rank", "iris", "--format", "csv", "--output", str(path)) == (0, "", "")
    assert path.read_text().splitlines()[:2] == [
        "method,dataset,rank,feature,score,unit",
        "nlc,iris,1,petalwidth,16.0,label changes",
    ]
    assert [p.name for p in path.parent.iterdir()] == ["r.csv"]


def test_write_reduced(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from fsbench.data import load

    path = tmp_path / "small.arff"
    code, _, err = run(capsys, "rank", "iris", "--top", "2", "--write-reduced", str(path))
    assert code == 0
    assert err == f"wrote {path}: 2 of 4 features\n"
    small, whole = load(path), load("iris")
    assert [f.name for f in small.features] == ["petalwidth", "petallength"]
    assert (whole.X[:, [3, 2]] == small.X).all()
    assert (small.y == whole.y).all()


def test_class_by_name_and_number(capsys: pytest.CaptureFixture[str]) -> None:
    by_name = run(capsys, "rank", "zoo", "--class", "hair", "--format", "csv")
    by_number = run(capsys, "rank", "zoo", "--class", "1", "--format", "csv")
    assert by_name == by_number
    assert by_name[0] == 0
    assert "type" in by_name[1]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["rank", "iris", "-m", "nlcc"], "unknown ranker 'nlcc'; did you mean 'nlc'?"),
        (["rank", "iris", "-p", "k=3"], "nlc: unknown parameter 'k'"),
        (["rank", "iris", "-m", "relieff", "-p", "k"], "--param must be key=value, found 'k'"),
        (["rank", "iris", "-m", "relieff", "-p", "k=0"], "parameter k must be a whole number of at least 1"),
        (["rank", "iris", "--class", "9"], "9"),
        (["rank", "iris", "--class", "clas"], "did you mean 'class'?"),
        (["rank", "iris", "--class", "petalwidth"], "numeric"),
        (["rank", "iris", "--top", "0"], "--top"),
        (["rank", "iris", "--write-reduced", "x.arff"], "--write-reduced needs --top"),
        (["rank", "no_such_file.arff"], "no_such_file.arff"),
        (["rank", "iriss"], "did you mean 'iris'?"),
        (["rank", "iris", "--output", "/dev/null/x"], "cannot be written"),
        (["rank"], "DATA"),
        (["rank", "iris", "--explain"], "nothing to explain"),
        (["rnak"], "did you mean 'rank'?"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    code, _, err = run(capsys, *args)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("fsbench: ")
