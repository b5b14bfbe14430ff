"""Weka's recorded outputs: beside the project (data sets that may not ship), and of small random sets within it.

`weka_small_sets.zip` holds, for each set made by `tests.naive.samples.sample`, the ARFF file, a fold number a row, an
order of the features, and Weka's answers: lines ``classifier,k,what,values`` for the first k features in that order,
where `what` is ``classes`` (one a row) or ``shares`` (class probabilities row by row). Classifiers: ``nb``, and IBk
with 1, 3 or 5 neighbours, D for unscaled features. `WekaSmallSets.java` made them with Weka 3.9.7.
"""

from __future__ import annotations

import csv
import gzip
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fsbench.data import load
from fsbench.values import Dataset, Split
from tests.conftest import SHARED

__all__ = ["CASES", "SMALL", "Small", "curves", "data_and_splits", "distributions", "small"]

# More references of the same layout, made with Weka on other data, may be given by a folder in the environment.
FOLDERS = [SHARED / "weka" / "reference", *map(Path, filter(None, [os.environ.get("FSBENCH_REFERENCES")]))]
PLACES = [SHARED / "datasets" / "single", SHARED / "weka" / "arff", FOLDERS[-1] / "arff"]
CASES = [folder for parent in FOLDERS if parent.is_dir() for folder in sorted(parent.iterdir()) if folder.is_dir()]

ARCHIVE = Path(__file__).parent / "weka_small_sets.zip"
SMALL = sorted(Path(name).stem for name in zipfile.ZipFile(ARCHIVE).namelist() if name.endswith(".arff"))


def data_and_splits(folder: Path) -> tuple[Dataset, list[Split]]:
    """The data set and the splits that a folder's outputs were made from."""
    path = next(p / f"{folder.name}.arff" for p in PLACES if (p / f"{folder.name}.arff").exists())
    folds = [p / "folds" / f"{folder.name}.txt" for p in (SHARED / "weka", folder.parent)]
    return load(path), splits(np.loadtxt(next(p for p in folds if p.exists()), dtype=int))


def splits(fold: np.ndarray) -> list[Split]:
    return [Split(np.flatnonzero(fold != f), np.flatnonzero(fold == f), f) for f in range(fold.max() + 1)]


def distributions(folder: Path, classifier: str) -> np.ndarray:
    """Weka's class probabilities of each row when its fold is tested."""
    with gzip.open(folder / "distributions.csv.gz", "rt", newline="") as lines:
        found = {int(r[0]): [float(v) for v in r[3:]] for r in csv.reader(lines) if r[2] == classifier}
    return np.array([found[i] for i in range(len(found))])


def curves(folder: Path, classifier: str) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield fold, ranking (Weka's order, best first), and how many test rows Weka gets right at each prefix."""
    if not (folder / "curve.csv").exists():
        return
    ranks: dict[tuple[str, int], dict[int, int]] = {}
    with (folder / "scores_folds.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            ranks.setdefault((row["evaluator"], int(row["fold"])), {})[int(row["rank"])] = int(row["attr"])
    right: dict[tuple[str, int], dict[int, int]] = {}
    with (folder / "curve.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            right.setdefault((row["ranking"], int(row["fold"])), {})[int(row["k"])] = int(row[f"{classifier}_correct"])
    for key, counts in right.items():
        order = [ranks[key][rank] for rank in sorted(ranks[key])]
        yield key[1], np.array(order), np.array([counts[k] for k in sorted(counts)])


class Small(NamedTuple):
    """A small random set and Weka's answers: classifier -> {k: classes}, classifier -> shares with all features."""

    data: Dataset
    splits: list[Split]
    order: np.ndarray
    classes: dict[str, dict[int, np.ndarray]]
    shares: dict[str, np.ndarray]


def small(name: str, folder: Path) -> Small:
    """Unpack one of `SMALL` into a folder and read it."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        data = load(Path(archive.extract(f"{name}.arff", folder)))
        fold, order, answers = (archive.read(f"{name}.{part}").decode() for part in ("folds", "order", "out"))
    classes: dict[str, dict[int, np.ndarray]] = {}
    shares = {}
    for line in answers.splitlines():
        classifier, k, what, values = line.split(",")
        if what == "classes":
            classes.setdefault(classifier, {})[int(k)] = np.array(values.split(), dtype=int)
        else:
            shares[classifier] = np.array(values.split(), dtype=float).reshape(data.n_rows, -1)
    return Small(data, splits(np.array(fold.split(), dtype=int)), np.array(order.split(), dtype=int), classes, shares)
