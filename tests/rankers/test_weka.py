"""Scores and orders against Weka's, on the full data and on the training part of every fold."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fsbench import registry
from fsbench.data import load
from fsbench.rankers.order import rank_order
from tests.conftest import SHARED

EVALUATORS = {
    "InfoGainAttributeEval": "ig",
    "ReliefFAttributeEval": "relieff",
    "GainRatioAttributeEval": "gain-ratio",
    "SymmetricalUncertAttributeEval": "su",
    "ChiSquaredAttributeEval": "chi2",
}
# More references of the same layout, made with Weka on other data, may be given by a folder in the environment.
FOLDERS = [SHARED / "weka" / "reference", *map(Path, filter(None, [os.environ.get("FSBENCH_REFERENCES")]))]
PLACES = [SHARED / "datasets" / "single", SHARED / "weka" / "arff", FOLDERS[-1] / "arff"]
CASES = [folder for parent in FOLDERS if parent.is_dir() for folder in sorted(parent.iterdir()) if folder.is_dir()]

# Weka 3.9.7 (chi-squared: 3.6.14) on data sets that ship, all rows: scores in file order, and Weka's order of them.
FIXTURE = Path(__file__).with_name("weka_scores.csv")


def recorded(folder: Path) -> Iterator[tuple[int | None, str, np.ndarray, np.ndarray]]:
    """Yield fold (None: all rows), evaluator, scores and Weka's order, best first."""
    for name in ("scores_full", "scores_folds", "chi_full", "chi_folds"):
        path = folder / f"{name}.csv"
        if not path.exists():  # chi-squared was recorded for some of the sets
            continue
        found: dict[tuple[str, str], list[tuple[int, float, int]]] = {}
        with path.open(newline="") as lines:
            for row in csv.DictReader(lines):
                cell = (int(row["attr"]), float(row["score"]), int(row["rank"]))
                found.setdefault((row.get("fold", ""), row["evaluator"]), []).append(cell)
        for (fold, evaluator), cells in found.items():
            if evaluator in EVALUATORS:
                cells.sort()
                scores, ranks = np.array([c[1] for c in cells]), np.array([c[2] for c in cells])
                yield int(fold) if fold else None, evaluator, scores, np.argsort(ranks)


def places(folder: Path) -> tuple[Path, Path]:
    """The data and the folds that a folder's outputs were made from."""
    data = next(p / f"{folder.name}.arff" for p in PLACES if (p / f"{folder.name}.arff").exists())
    folds = [p / "folds" / f"{folder.name}.txt" for p in (SHARED / "weka", folder.parent)]
    return data, next(p for p in folds if p.exists())


def same_order(scores: np.ndarray, order: np.ndarray) -> None:
    """Check that Weka's tie rule gives Weka's order; scores within 1e-12 are rounding noise and may change places."""
    np.testing.assert_allclose(scores[rank_order(scores, ties="weka")], scores[order], rtol=0, atol=1e-12)


with FIXTURE.open(newline="") as lines:
    SHIPPED = list(csv.DictReader(lines))


@pytest.mark.parametrize("row", SHIPPED, ids=lambda row: f"{row['dataset']}-{row['method']}")
def test_shipped_data(row: dict[str, str]) -> None:
    scores = np.array([float(s) for s in row["scores"].split()])
    found = registry.make("ranker", row["method"]).score(load(row["dataset"]))  # type: ignore[attr-defined]
    np.testing.assert_allclose(found, scores, rtol=1e-9, atol=1e-9)
    same_order(scores, np.array([int(j) for j in row["order"].split()]))


@pytest.mark.shared
@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.name)
def test_scores_and_orders_are_wekas(folder: Path) -> None:
    path, folds = places(folder)
    data, fold_of = load(str(path)), np.loadtxt(folds, dtype=np.int64, ndmin=1)
    parts = {None: data} | {f: data.take(fold_of != f) for f in np.unique(fold_of).tolist()}
    checked = 0
    for fold, evaluator, scores, order in recorded(folder):
        found = registry.make("ranker", EVALUATORS[evaluator]).rank(parts[fold]).scores
        np.testing.assert_allclose(found, scores, rtol=1e-9, atol=1e-9, err_msg=f"{evaluator}, fold {fold}")
        same_order(scores, order)
        checked += 1
    assert checked >= 4
