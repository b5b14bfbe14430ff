"""C4.5 against Weka's J48: every prediction, probability, tree size, printed tree and point of every curve.

`weka_trees.zip` holds small random sets (`tests.naive.c45_samples`) with the parameters tried on them and J48's
answers, made by `WekaTrees.java` with Weka 3.9.7. Equality is to the last bit.
"""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path

import numpy as np
import pytest

from fsbench.classifiers.c45 import C45
from fsbench.data import load
from fsbench.values import Split
from tests.classifiers.weka_references import CASES, data_and_splits, distributions
from tests.naive.c45_samples import PARAMETERS

ARCHIVE = Path(__file__).parent / "weka_trees.zip"
SMALL = sorted(
    (Path(name).stem for name in zipfile.ZipFile(ARCHIVE).namelist() if name.endswith(".arff")),
    key=lambda s: int(s[4:]),
)


@pytest.mark.parametrize("name", SMALL)
def test_small_sets(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        data = load(Path(archive.extract(f"{name}.arff", tmp_path)))
        fold, order = (np.array(archive.read(f"{name}.{part}").split(), dtype=int) for part in ("folds", "order"))
        printed, answers = (archive.read(f"{name}.{part}").decode() for part in ("trees", "out"))
    classifier = C45(**PARAMETERS[int(name[4:]) % len(PARAMETERS)])
    expected = {(int(k), what): values.split() for k, what, values in csv.reader(answers.splitlines())}
    chosen, text = data.select(order), ""
    shares = np.array(expected[len(order), "shares"], dtype=float).reshape(data.n_rows, -1)
    for f in range(3):
        split = Split(np.flatnonzero(fold != f), np.flatnonzero(fold == f))
        curve = classifier.curve(data, split, order)
        for k in range(1, len(order) + 1):
            at = curve.at(k)
            assert at.measures == {
                "size": float(expected[k, "sizes"][f]),
                "leaves": float(expected[k, "leaves"][f]),
            }, f"{k} features"
            assert np.array_equal(at.predicted, np.array(expected[k, "classes"], dtype=int)[split.test]), f"at {k}"
        model = classifier.fit(chosen.take(split.train))
        assert np.array_equal(model.predict_proba(chosen.take(split.test)), shares[split.test])
        text += f"# fold {f}\n{model.describe()}"
    assert text == printed


@pytest.mark.shared
@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.name)
def test_recorded_predictions_and_sizes(folder: Path) -> None:
    data, splits = data_and_splits(folder)
    expected = distributions(folder, "J48")
    with (folder / "summary.csv").open(newline="") as lines:
        sizes = {r["fold"]: r for r in csv.DictReader(lines) if r["classifier"] == "J48"}
    for split in splits:
        model = C45().fit(data.take(split.train))
        outcome = C45().evaluate(data, split, np.arange(data.n_features))
        assert np.array_equal(model.predict_proba(data.take(split.test)), expected[split.test])
        assert np.array_equal(outcome.predicted, expected[split.test].argmax(axis=1))
        size = sizes[str(split.fold)]
        assert model.measures() == {"size": float(size["tree_size"]), "leaves": float(size["leaves"])}
        assert outcome.measures == model.measures()


@pytest.mark.shared
@pytest.mark.parametrize("folder", [f for f in CASES if (f / "j48_tree.txt").exists()], ids=lambda p: p.name)
def test_recorded_trees(folder: Path) -> None:
    data, splits = data_and_splits(folder)
    pruned, unpruned = (C45(unpruned=u).fit(data).describe() for u in (False, True))
    text = f"# full data, -C 0.25 -M 2\n{pruned}\n# full data, unpruned -U -M 2\n{unpruned}\n"
    assert text == (folder / "j48_tree.txt").read_text(encoding="utf-8")
    if (folder / "j48_trees_folds.txt").exists():
        trees = [C45().fit(data.take(split.train)).describe() for split in splits]
        text = "".join(f"# training part without fold {f}\n{tree}\n" for f, tree in enumerate(trees))
        assert text == (folder / "j48_trees_folds.txt").read_text(encoding="utf-8")


@pytest.mark.shared
@pytest.mark.parametrize("folder", [f for f in CASES if (f / "curve.csv").exists()], ids=lambda p: p.name)
def test_recorded_curves(folder: Path) -> None:
    data, splits = data_and_splits(folder)
    ranks: dict[tuple[str, str], dict[int, int]] = {}
    with (folder / "scores_folds.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            ranks.setdefault((row["evaluator"], row["fold"]), {})[int(row["rank"])] = int(row["attr"])
    points: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    with (folder / "curve.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            point = (float(row["J48_correct"]), float(row["J48_size"]), float(row["J48_leaves"]))
            points.setdefault((row["ranking"], row["fold"]), []).append(point)
    for key, expected in points.items():
        split, order = splits[int(key[1])], [ranks[key][rank] for rank in sorted(ranks[key])]
        curve = C45().curve(data, split, order)
        correct = (curve.predicted == data.y[split.test]).sum(axis=1)
        assert np.array_equal(np.column_stack([correct, *curve.measures.values()]), np.array(expected))
