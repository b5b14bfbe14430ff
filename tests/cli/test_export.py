"""`fsbench export`: whole tables, in both formats."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

TOYS = Path(__file__).parents[1] / "experiment" / "toys.py"


def fsbench(folder: Path, *args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fsbench", *map(str, args)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of a small run: two folds, classes and names that CSV must quote."""
    made = tmp_path_factory.mktemp("export")
    rows = "1,5,'x, 1'\n2,4,'x, 1'\n5,1,y\n1,0,y\n"
    head = "@relation d\n@attribute a numeric\n@attribute 'b, c' numeric\n@attribute class {'x, 1',y}\n@data\n"
    (made / "d.arff").write_text(head + rows)
    (made / "folds.txt").write_text("0\n1\n0\n1\n")
    (made / "demo.yaml").write_text(f"""\
datasets: [d.arff]
folds: {{scheme: file, file: folds.txt}}
rankers: [{{method: "{TOYS}:Spread", label: spread}}]
classifiers: [{{method: "{TOYS}:Centroid", label: centroid}}]
selections: [all, {{first: 1}}, {{best: {{estimate: train}}}}]
""")
    assert fsbench(made, "run", "demo.yaml", "--output", "out", "--quiet").returncode == 0
    return made


TABLES = {
    "predictions": """\
dataset,repeat,fold,classifier,ranker,selection,estimate,k,row,actual,predicted
d,0,0,centroid,,all,,,0,"x, 1","x, 1"
d,0,0,centroid,,all,,,2,y,y
d,0,0,centroid,spread,first,,1,0,"x, 1","x, 1"
d,0,0,centroid,spread,first,,1,2,y,y
d,0,0,centroid,spread,best,train,,0,"x, 1","x, 1"
d,0,0,centroid,spread,best,train,,2,y,y
d,0,1,centroid,,all,,,1,"x, 1","x, 1"
d,0,1,centroid,,all,,,3,y,y
d,0,1,centroid,spread,first,,1,1,"x, 1","x, 1"
d,0,1,centroid,spread,first,,1,3,y,"x, 1"
d,0,1,centroid,spread,best,train,,1,"x, 1","x, 1"
d,0,1,centroid,spread,best,train,,3,y,"x, 1"
""",
    "curves": """\
dataset,repeat,fold,ranker,classifier,estimate,k,n,n_correct,accuracy
d,0,0,spread,centroid,train,1,2,2,1.0
d,0,0,spread,centroid,train,2,2,2,1.0
d,0,0,spread,centroid,test,1,2,2,1.0
d,0,0,spread,centroid,test,2,2,2,1.0
d,0,1,spread,centroid,train,1,2,2,1.0
d,0,1,spread,centroid,train,2,2,2,1.0
d,0,1,spread,centroid,test,1,2,1,0.5
d,0,1,spread,centroid,test,2,2,2,1.0
""",
    "selections": """\
dataset,repeat,fold,classifier,ranker,selection,estimate,k,position,feature_index,feature
d,0,0,centroid,,all,,,1,0,a
d,0,0,centroid,,all,,,2,1,"b, c"
d,0,0,centroid,spread,first,,1,1,1,"b, c"
d,0,0,centroid,spread,best,train,,1,1,"b, c"
d,0,1,centroid,,all,,,1,0,a
d,0,1,centroid,,all,,,2,1,"b, c"
d,0,1,centroid,spread,first,,1,1,0,a
d,0,1,centroid,spread,best,train,,1,0,a
""",
}


@pytest.mark.parametrize("what", TABLES)
def test_whole_tables(folder: Path, what: str) -> None:
    done = fsbench(folder, "export", "out", "--what", what)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == TABLES[what]


TIMED = {
    "accuracies": """\
dataset,repeat,fold,classifier,ranker,selection,estimate,k,n_selected,n_features,n_test,n_correct,accuracy,tree_size,tree_leaves,status,reason
d,0,0,centroid,,all,,,2,2,2,2,1.0,,,ok,
d,0,0,centroid,spread,first,,1,1,2,2,2,1.0,,,ok,
d,0,0,centroid,spread,best,train,,1,2,2,2,1.0,,,ok,
d,0,1,centroid,,all,,,2,2,2,2,1.0,,,ok,
d,0,1,centroid,spread,first,,1,1,2,2,1,0.5,,,ok,
d,0,1,centroid,spread,best,train,,1,2,2,1,0.5,,,ok,
""",
    "rankings": """\
dataset,repeat,fold,ranker,rank,feature_index,feature,score,unit
d,0,0,spread,1,1,"b, c",4.0,score
d,0,0,spread,2,0,a,0.25,score
d,0,1,spread,1,0,a,4.0,score
d,0,1,spread,2,1,"b, c",4.0,score
""",
}


@pytest.mark.parametrize("what", TIMED)
def test_whole_tables_but_for_times(folder: Path, what: str) -> None:
    done = fsbench(folder, "export", "out", "--what", what)
    frame = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False, dtype=str)
    assert (frame.pop("seconds").astype(float) >= 0).all()
    assert frame.to_csv(index=False) == TIMED[what]


@pytest.mark.parametrize("what", [*TABLES, *TIMED])
def test_parquet_holds_what_csv_holds(folder: Path, what: str) -> None:
    pytest.importorskip("pyarrow")
    done = fsbench(folder, "export", "out", "--what", what, "--output", f"{what}.parquet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    fsbench(folder, "export", "out", "--what", what, "--output", f"{what}.csv")
    assert pd.read_parquet(folder / f"{what}.parquet").to_csv(index=False) == (folder / f"{what}.csv").read_text()


def test_without_pyarrow(folder: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from fsbench.cli.main import main; main(['export', 'out', '--output', 'no.parquet'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "fsbench: parquet needs pyarrow: pip install pyarrow, or use --format csv\n"
    assert not list(folder.glob("*no.parquet*"))


@pytest.mark.parametrize(("args", "message"), [
    (("export", "nowhere"), "nowhere: no results here: expected a folder with results.sqlite, as 'fsbench run' makes"),
    (("export", "out", "--format", "parquet"), "parquet is not for the terminal: give --output FILE"),
])  # fmt: skip
def test_mistakes(folder: Path, args: tuple[str, ...], message: str) -> None:
    done = fsbench(folder, *args)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"fsbench: {message}\n")


def test_what_an_experiment_does_not_have_is_refused(folder: Path) -> None:
    (folder / "plain.yaml").write_text(f'datasets: [d.arff]\nfolds: {{folds: 2}}\nclassifiers: ["{TOYS}:Centroid"]\n')
    fsbench(folder, "run", "plain.yaml", "--output", "plain", "--quiet")
    for what in ("rankings", "curves", "searches", "traces", "measures", "label-scores"):
        done = fsbench(folder, "export", "plain", "--what", what, "--output", "none.csv")
        text = f"plain: there are no {what} in these results; they hold accuracies, predictions, selections"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"fsbench: {text}\n")
    assert not (folder / "none.csv").exists()


def test_tables_of_what_was_not_computed_yet_have_a_header(folder: Path) -> None:
    (folder / "none.py").write_text(
        "from fsbench.rankers import Ranker\n"
        "class Fails(Ranker):\n"
        "    def score(self, train):\n"
        "        raise ValueError('no')\n"
    )
    (folder / "failed.yaml").write_text("datasets: [d.arff]\nfolds: {folds: 2}\nrankers: ['none.py:Fails']\n")
    assert fsbench(folder, "run", "failed.yaml", "--output", "failed", "--quiet").returncode == 1
    done = fsbench(folder, "export", "failed", "--what", "rankings")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "dataset,repeat,fold,ranker,rank,feature_index,feature,score,unit,seconds\n"
    done = fsbench(folder, "export", "failed")
    assert done.stderr == "fsbench: failed: there are no accuracies in these results; they hold rankings\n"
