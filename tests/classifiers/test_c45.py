"""C4.5 against Weka's recorded outputs."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from fsbench.classifiers.c45 import C45
from fsbench.data import load
from fsbench.errors import MethodError

FAST = ["iris", "zoo", "labor", "contact-lenses", "weather.numeric", "weather.nominal", "probe-edge5"]


def rows_of(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        return list(csv.DictReader(lines))


@pytest.mark.shared
@pytest.mark.parametrize("name", FAST)
def test_predictions_and_probabilities_equal_weka(shared: Path, name: str) -> None:
    path = shared / "datasets" / "single" / f"{name}.arff"
    data = load(path if path.exists() else shared / "weka" / "arff" / f"{name}.arff")
    folds = np.loadtxt(shared / "weka" / "folds" / f"{name}.txt", dtype=int)
    weka = [r for r in rows_of(shared / "weka/reference" / name / "distributions.csv.gz") if r["classifier"] == "J48"]
    expected = np.array([[float(v) for k, v in r.items() if k.startswith("p")] for r in weka])
    sizes = [r for r in rows_of(shared / "weka/reference" / name / "summary.csv") if r["classifier"] == "J48"]
    for fold in range(10):
        model = C45().fit(data.take(folds != fold))
        p = model.predict_proba(data.take(folds == fold))
        np.testing.assert_allclose(p, expected[folds == fold], rtol=0, atol=1e-9)
        np.testing.assert_array_equal(p.argmax(axis=1), expected[folds == fold].argmax(axis=1))
        size, leaves = float(sizes[fold]["tree_size"]), float(sizes[fold]["leaves"])
        assert model.measures() == {"size": size, "leaves": leaves}


@pytest.mark.shared
@pytest.mark.parametrize("name", FAST)
def test_printed_trees_equal_weka(shared: Path, name: str) -> None:
    path = shared / "datasets" / "single" / f"{name}.arff"
    data = load(path if path.exists() else shared / "weka" / "arff" / f"{name}.arff")
    pruned, unpruned = (C45(unpruned=u).fit(data).describe() for u in (False, True))
    text = f"# full data, -C 0.25 -M 2\n{pruned}\n# full data, unpruned -U -M 2\n{unpruned}\n"
    assert text == (shared / "weka" / "reference" / name / "j48_tree.txt").read_text(encoding="utf-8")


def test_confidence_must_be_positive() -> None:
    with pytest.raises(MethodError, match=r"above 0 and at most 0\.5, found 0"):
        C45(confidence=0.0)
