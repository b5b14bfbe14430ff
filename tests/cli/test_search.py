"""`fsbench search` from outside: whole outputs, every option, and what the user gets wrong."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fsbench.cli import main as entry

HEAD = """\
corral-test: 128 rows, 6 features, 2 classes
search: pta(remainder=0.8, plus=1, minus=0); classifier: 1nn(scale=none, ties=first); 5 folds, seed 1

"""

STEPS = """\
  step  action    feature         size    J(X)    J(Y - X)    criterion    scored
------  --------  ------------  ------  ------  ----------  -----------  --------  ----
                  (0 features)       0  0.5625      0.8905       0.4055         2
     1  add       B1                 1  0.6231      0.8040       0.4944        14
     2  add       B0                 2  0.7172      0.7418       0.5847        24
     3  add       A1                 3  0.8132      0.6717       0.6783        32
     4  add       A0                 4  1.0000      0.6637       0.8042        38  best
     5  add       Correlated         5  0.9840      0.4997       0.8595        38
     6  add       Irrelevant         6  0.8905      0.5625       0.7725        38

"""

VERDICT = """\
best: 4 of 6 features: A0, A1, B0, B1
error: 0.00 % (sigma 0.00) over the 5 folds that were searched on: optimistic
the search went to the end: 6 steps, 38 subsets scored, 6 met again
"""


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        entry.main(["search", *args])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, object]:
    code, out, err = run(capsys, *args, "--format", "json")
    assert (code, err) == (0, "")
    found: dict[str, object] = json.loads(out)
    return found


CORRAL = ("corral-test", "--plus", "1", "--remainder", "0.8")


def test_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, *CORRAL) == (0, HEAD + VERDICT, "")


def test_every_step_if_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, *CORRAL, "--steps") == (0, HEAD + STEPS + VERDICT, "")


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals of POSIX")
def test_a_terminal_sees_where_the_search_stands(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "from fsbench.searches import Search\n"
        "class Slow(Search):\n"
        "    def steps(self, walk):\n"
        "        while not walk.arrived:\n"
        "            time.sleep(0.3)\n"
        "            yield walk.best('add')\n"
    )
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "fsbench", "search", "iris", "--search", "slow.py:Slow", "--protocol", "nested"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # raised where the other end was closed
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    out = process.communicate()[0].decode()
    assert process.returncode == 0
    assert out.startswith("iris: 150 rows")
    text = shown.decode()
    assert re.search(r"\b3 features, error \d\.\d\d %, \d+ subsets scored", text)
    assert re.search(r"outer fold 2 of 5: 3 features, error \d\.\d\d %", text)
    assert "Traceback" not in text


def test_json_has_the_agreed_form(capsys: pytest.CaptureFixture[str]) -> None:
    args = [
        "corral-test",
        "--plus",
        "2",
        "--minus",
        "1",
        "--classifier",
        "1nn",
        "--remainder",
        "0.8",
        "--folds",
        "5",
        "--seed",
        "1",
    ]
    found = told(capsys, *args)
    assert list(found)[5:7] == ["steps", "best"]
    for step in found["steps"]:
        assert list(step) == ["action", "feature", "size", "usefulness", "remainder", "criterion"]
        x, y = step["usefulness"], step["remainder"]
        assert step["criterion"] == pytest.approx(x**0.8 * (1 - y) ** 0.2)
    assert found["best"] == {"features": ["A0", "A1", "B0", "B1"], "error": 0.0}
    sizes = [step["size"] for step in found["steps"]]
    assert sizes == [1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6]


def test_without_a_remainder_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "corral-test", "--plus", "1")
    assert {step["remainder"] for step in found["steps"]} == {None}
    assert all(step["criterion"] == step["usefulness"] for step in found["steps"])


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "corral", "--minus", "1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert out.startswith(
        "step,action,feature,size,usefulness,remainder,criterion,evaluations,best,subset\n0,start,,6,"
    )
    assert [r["action"] for r in rows] == ["start", *["remove"] * 6]
    assert [r["best"] for r in rows].count("1") == 1
    assert rows[-1]["subset"] == ""


def test_nested_shows_both_errors(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "glass", "--plus", "1", "--protocol", "nested", "--folds", "3")
    nested = found["nested"]
    assert [f["fold"] for f in nested["folds"]] == [1, 2, 3]
    assert nested["error"] == pytest.approx(sum(f["error"] for f in nested["folds"]) / 3)
    assert nested["optimism"] == pytest.approx(nested["error"] - found["best"]["error"])
    plain = told(capsys, "glass", "--plus", "1", "--folds", "3")
    assert {k: v for k, v in found.items() if k != "nested"} == plain
    code, out, _ = run(capsys, "glass", "--plus", "1", "--protocol", "nested", "--folds", "3")
    assert code == 0
    assert "over the 3 folds that were searched on: optimistic" in out
    assert f"error on rows that the search never saw: {100 * nested['error']:.2f} %" in out
    assert f"optimism of the error searched on: {100 * nested['optimism']:.2f} points" in out
    code, out, _ = run(capsys, "glass", "--plus", "1", "--protocol", "nested", "--folds", "3", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [float(r["error"]) for r in rows] == [f["error"] for f in nested["folds"]]


def test_long_lists_of_features_keep_the_table_narrow(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = [f"a_rather_long_name_{j}" for j in range(12)]
    head = "@relation made\n" + "".join(f"@attribute {n} numeric\n" for n in names) + "@attribute c {a,b}\n@data\n"
    rows = "".join(",".join(str((i * 7 + j * i) % 11) for j in range(12)) + f",{'ab'[i % 2]}\n" for i in range(20))
    path = made(tmp_path, rows, head)
    args = [path, "--minus", "1", "--min-size", "9", "--folds", "2", "--protocol", "nested"]
    code, out, _ = run(capsys, *args)
    assert code == 0
    assert max(len(line) for line in out.splitlines()) <= 112
    start = out.index("best: ")
    shown = " ".join(out[start : out.index("error:")].split()).split(": ", 2)[2].split(", ")
    assert shown == told(capsys, *args)["best"]["features"]
    assert out.count(" ...\n") == 2


def test_any_search_and_any_classifier(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "iris", "--search", "sbfs", "-c", "nb", "--max-size", "2")
    assert (found["search"], found["classifier"]) == ("sbfs(max_size=2)", "nb")
    assert len(found["best"]["features"]) <= 2
    found = told(capsys, "iris", "--search", "sfg", "-p", "textbook=true", "-p", "1nn.scale=minmax", "-p", "k=3")
    assert (found["search"], found["classifier"]) == ("sfg(textbook=True)", "1nn(k=3, ties=first)")
    assert found["stopped"] in ("early", "end")


def test_limits(capsys: pytest.CaptureFixture[str]) -> None:
    args = [
        "iris",
        "--search",
        "sfg",
        "--start",
        "sepalwidth",
        "--min-size",
        "2",
        "--patience",
        "1",
        "--tolerance",
        "0.5",
    ]
    found = told(capsys, *args)
    assert "sepalwidth" in found["best"]["features"]
    assert (found["stopped"], [s["size"] for s in found["steps"]]) == ("patience", [2, 3])
    found = told(capsys, "iris", "--budget", "8")
    assert found["stopped"] == "budget"
    assert found["evaluations"] <= 8


def test_the_seed_decides_folds_and_ties(capsys: pytest.CaptureFixture[str]) -> None:
    first, again, other = (told(capsys, "corral-test", "--plus", "1", "--seed", s) for s in ("1", "1", "2"))
    assert first == again
    assert first["steps"] != other["steps"]
    assert other["classifier"] == "1nn(scale=none, ties=first, seed=2)"


def test_a_search_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from fsbench.searches import Search\n"
        "class Last(Search):\n"
        "    def steps(self, walk):\n"
        "        while not walk.arrived:\n"
        "            yield walk.best('add')\n"
        "class Nothing: pass\n"
    )
    assert told(capsys, "iris", "--search", f"{path}:Last")["search"] == "Last"
    code, _, err = run(capsys, "iris", "--search", f"{path}:Nothing")
    assert code == 2
    assert "is not a search: derive a class from fsbench.searches.Search" in err


def test_output_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "s.txt"
    assert run(capsys, "corral-test", "--plus", "1", "--remainder", "0.8", "--output", str(path)) == (0, "", "")
    assert path.read_text() == HEAD + STEPS + VERDICT


ARFF = "@relation made\n@attribute x numeric\n@attribute y numeric\n@attribute class {a,b}\n@data\n"


def made(tmp_path: Path, rows: str, head: str = ARFF) -> str:
    path = tmp_path / "made.arff"
    path.write_text(head + rows)
    return str(path)


def test_one_feature(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    head = ARFF.replace("@attribute y numeric\n", "")
    path = made(tmp_path, "1,a\n2,a\n3,a\n11,b\n12,b\n13,b\n", head)
    for args in (
        ["--plus", "1"],
        ["--minus", "1"],
        [],
        ["--search", "sffs"],
        ["--search", "sbfs", "--remainder", "0.5"],
    ):
        assert told(capsys, path, *args, "--folds", "3")["best"] == {"features": ["x"], "error": 0.0}


def test_identical_and_constant_features(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = "".join(f"{i},{i},{'a' if i < 5 else 'b'}\n" for i in range(10))
    assert told(capsys, made(tmp_path, rows), "--plus", "1")["best"]["features"] == ["x"]
    rows = "".join(f"7,{i},{'a' if i < 5 else 'b'}\n" for i in range(10))
    for args in (["--plus", "1"], ["--minus", "1"]):
        assert told(capsys, made(tmp_path, rows), *args)["best"]["features"] == ["y"]


def test_a_class_with_fewer_rows_than_folds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 3},a\n" for i in range(11)) + "50,1,b\n"
    found = told(capsys, made(tmp_path, rows), "--remainder", "0.8", "--protocol", "nested")
    assert 0 <= found["best"]["error"] <= 1


def test_two_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = made(tmp_path, "1,2,a\n3,4,b\n")
    assert run(capsys, path) == (2, "", "fsbench: 5 folds need at least 5 rows, found 2\n")
    assert told(capsys, path, "--folds", "2")["best"]["error"] == 1.0
    code, _, err = run(capsys, path, "--folds", "2", "--protocol", "nested")
    assert (code, err) == (2, "fsbench: made: outer fold 1 leaves 1 training row, too few to search on\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--plus", "2", "--minus", "2"], "--search: pta: plus and minus are both 2, so the search would never end"),
        (["--plus", "0"], "plus and minus are both 0"),
        (["--search", "sffz"], "--search: unknown search 'sffz'; did you mean 'sffs'?"),
        (["-c", "1mn"], "--classifier: unknown classifier '1mn'; did you mean '1nn'?"),
        (["-p", "patienc=1"], "--param: neither pta nor 1nn has a parameter 'patienc'; did you mean 'patience'?"),
        (["-p", "1nn.kk=1"], "--classifier: 1nn: unknown parameter 'kk'"),
        (["-p", "zzz=1"], "has a parameter 'zzz'; valid: remainder, weighting, min_size,"),
        (["-p", "forward=1"], "--param: neither pta nor 1nn has a parameter 'forward'"),
        (["--tolerance", "inf"], "--search: pta: parameter tolerance must be a finite number, found inf"),
        (["-p", "scale"], "--param must be key=value, found 'scale'"),
        (["--search", "sfg", "--plus", "1"], "--search: sfg: unknown parameter 'plus'"),
        (["--start", "sepal"], "start names no feature 'sepal'"),
        (["--min-size", "9"], "min_size is 9, but there are 4 features"),
        (["--max-size", "5"], "pta: max_size is 5, but there are 4 features"),
        (["--min-size", "3", "--max-size", "2"], "min_size 3 exceeds max_size 2"),
        (["--budget", "1"], "a budget of 1 evaluations is spent before a subset of an allowed size is met"),
        (["--remainder", "2"], "2.0 is not in the range 0<=x<=1"),
        (["--folds", "151"], "151 folds need at least 151 rows, found 150"),
        (["--class", "nope"], "nope"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    code, out, err = run(capsys, "iris", *args)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_plot(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "t.svg"
    code, out, err = run(capsys, "corral-test", "--plus", "1", "--remainder", "0.8", "--plot", str(path))
    assert (code, out, err) == (0, HEAD + VERDICT, f"wrote {path}\n")
    assert ">+Correlated<" in path.read_text()


@pytest.mark.parametrize(("plot", "message"), [
    ("t.gif", "--plot: the plot's file must end in .svg, .pdf or .png, found 't.gif'"),
    ("none/t.svg", "--plot: cannot write the plot: no such folder: "),
    ("there.svg", "--plot: --output and --plot both name "),
])  # fmt: skip
def test_a_plot_that_cannot_be_is_refused_before_anything_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, plot: str, message: str
) -> None:
    kept = tmp_path / "there.svg"
    kept.write_text("kept")
    code, out, err = run(capsys, "corral-test", "--output", str(kept), "--plot", str(tmp_path / plot))
    assert (code, out, kept.read_text()) == (2, "", "kept")
    assert message in err
    assert err.count("\n") == 1


def test_a_classifier_that_ends_the_process_does_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(
        "import sys\n"
        "from fsbench.classifiers import Classifier\n"
        "class Ends(Classifier):\n"
        "    def fit(self, train):\n"
        "        sys.exit(0)\n"
    )
    code, out, err = run(capsys, "iris", "-c", f"{tmp_path / 'ends.py'}:Ends")
    assert (code, out, err) == (2, "", "fsbench: Ends: failed with SystemExit: 0 (ends.py:5)\n")


def test_a_classifier_of_a_users_that_fails_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text(
        "from fsbench.classifiers import Classifier\n"
        "class Fails(Classifier):\n"
        "    def fit(self, train):\n"
        "        raise KeyError('x')\n"
    )
    code, out, err = run(capsys, "iris", "-c", f"{tmp_path / 'fails.py'}:Fails")
    assert (code, out) == (2, "")
    assert err == "fsbench: Fails: failed with KeyError: 'x' (fails.py:4)\n"
