"""The page about methods of one's own: its files and its experiment are run, and what it says of them is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fsbench.experiment.store import Store

PAGE = (Path(__file__).resolve().parents[1] / "fsbench" / "docs" / "own-methods.md").read_text(encoding="utf-8")
DATA = """\
@relation mixed
@attribute a numeric
@attribute b {{p,q,r}}
@attribute class {{x,y}}
@data
"""


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fsbench", "run", "own.yaml", "--jobs", "1", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's files, and its experiment run."""
    folder = tmp_path_factory.mktemp("own")
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        (folder / block.partition("\n")[0].removeprefix("# ")).write_text(block)
    (config,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (folder / "own.yaml").write_text(config)
    done = run(folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) <= 120


def test_every_method_of_the_page_takes_part(folder: Path) -> None:
    named = set(re.findall(r"\w+\.py:(\w+)", PAGE))
    defined = set(re.findall(r"^(?:class|def) (\w+)", PAGE, re.MULTILINE))
    assert defined - named == {"Shares", "shares"}
    store = Store(folder / "results" / "own")
    assert set(store.statuses().values()) == {"ok"}
    labels = set(store.methods().label)
    assert labels >= {"Spread", "Spread(power=2.0)", "correlation", "RFE", "Majority", "Nearest", "Greedy"}
    scaled = next(row for row in store.methods().itertuples() if row.label.startswith("scaled("))
    of = json.loads(scaled.identity)["made"]["of"]
    assert (of["logisticregression__C"], of["logisticregression__tol"]) == ("0.5", "0.001")
    assert of["logisticregression__random_state"] == "None"


def test_a_module_beside_is_watched(folder: Path) -> None:
    assert "own: 0 cells computed" in run(folder).stdout
    (folder / "my_tools.py").write_text((folder / "my_tools.py").read_text() + "\n")
    done = run(folder, "--dry-run")
    assert "to compute: 0" not in done.stdout, done.stdout


def test_what_does_not_apply_is_skipped_and_what_fails_is_named(folder: Path) -> None:
    rows = "".join(f"{i % 5},{'pqr'[i % 3]},{'xy'[i % 2]}\n" for i in range(20))
    (folder / "mixed.arff").write_text(DATA.format() + rows)
    text = (folder / "own.yaml").read_text().replace("[iris]", "[mixed.arff]").replace("searches: ", "# ")
    text = text.replace("name: own", "name: mixed")
    (folder / "other").mkdir()
    for name in ("my_rankers.py", "my_classifiers.py", "my_tools.py", "mixed.arff"):
        (folder / "other" / name).write_text((folder / name).read_text())
    (folder / "other" / "my_tools.py").write_text("def shares(y, n_classes):\n    return [1] * 2 + [0]\n")
    (folder / "other" / "own.yaml").write_text(text)
    done = run(folder / "other")
    assert done.returncode == 1
    assert "skipped as not applicable" in done.stdout
    assert "mixed: Majority: predict_proba() must return numbers of shape" in done.stderr
    curves = Store(folder / "other" / "results" / "mixed").accuracies()
    skipped = curves[curves.status == "skipped"]
    assert set(skipped.ranker) == {"Spread", "Spread(power=2.0)"}
    assert set(skipped.reason) <= {f"mixed: {label} does not take nominal features" for label in set(skipped.ranker)}
    assert set(curves[curves.status == "failed"].classifier) == {"Majority"}
