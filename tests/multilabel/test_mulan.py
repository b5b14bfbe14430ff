"""Everything against Mulan's own outputs, on the same folds: scores, selections, label sets, measures."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fsbench.data import load_multilabel
from fsbench.evaluation.folds import file_splits
from fsbench.evaluation.multilabel_metrics import label_counts, measure
from fsbench.multilabel import BinaryRelevance, BRkNNb, LabelPowerset, Threshold
from fsbench.rankers.information_gain import InformationGain
from fsbench.rankers.relieff import ReliefF
from tests.conftest import SHARED

pytestmark = pytest.mark.shared

RF, IG, BR, LP = ReliefF(), InformationGain(), BinaryRelevance(), LabelPowerset()
METHODS = {"RF-BR": (BR, RF), "RF-LP": (LP, RF), "IG-BR": (BR, IG), "IG-LP": (LP, IG)}
SIX = ("hamming_loss", "subset_accuracy", "f_example", "accuracy", "f_macro", "f_micro")
NAMES = ["emotions", "flags", "genbase", "medical"]


def rows(name: str, what: str):
    path = SHARED / "mulan" / "reference" / name / f"{what}.csv"
    with path.open() if path.exists() else gzip.open(f"{path}.gz", "rt") as stream:
        yield from csv.DictReader(stream)


@cache
def loaded(name: str):
    folder = SHARED / "datasets" / "multilabel"
    path = next(p for p in (folder / f"{name}.arff", folder / f"{name}.arff.gz") if p.exists())
    data = load_multilabel(path)
    return data, file_splits(Path(SHARED / "mulan" / "folds" / f"{name}.txt"), data.n_rows)


@cache
def rankings(name: str):
    data, splits = loaded(name)
    return {
        (s.fold, method): transform.rank(ranker, data.take(s.train))
        for s in splits
        for method, (transform, ranker) in METHODS.items()
    }


@cache
def outcomes(name: str):
    """The label sets of each fold and method, None where no feature is left."""
    data, splits = loaded(name)
    found = {}
    for s in splits:
        for method in ("all", *METHODS):
            chosen = np.arange(data.n_features)
            if method != "all":
                chosen = Threshold().choose(rankings(name)[s.fold, method])
            found[s.fold, method] = BRkNNb(ties="mulan").evaluate(data, s, chosen).predicted if len(chosen) else None
    return found


@pytest.mark.parametrize("name", NAMES)
def test_scores_and_selections(name):
    scores, selected = defaultdict(list), defaultdict(list)
    for row in rows(name, "scores"):
        key = int(row["fold"]), row["method"]
        scores[key].append(float(row["score"]))
        if row["selected"] == "1":
            selected[key].append(int(row["feature"]))
    assert len(scores) == 40
    for key, expected in scores.items():
        found = rankings(name)[key]
        assert np.abs(found.scores - expected).max() <= 1e-9, key
        assert Threshold().choose(found).tolist() == selected[key], key


@pytest.mark.parametrize("name", NAMES)
def test_label_sets(name):
    splits = loaded(name)[1]
    expected = defaultdict(list)
    for row in rows(name, "predictions"):
        labels = [int(i) for i in row["predicted_labels"].split()]
        expected[int(row["fold"]), row["method"]].append((int(row["instance"]), labels))
    assert len(expected) == 50 - sum(outcome is None for outcome in outcomes(name).values())
    for (fold, method), said in expected.items():
        found = outcomes(name)[fold, method]
        ours = [(row, np.flatnonzero(z).tolist()) for row, z in zip(splits[fold].test.tolist(), found, strict=True)]
        assert ours == said, (fold, method)


@pytest.mark.parametrize("name", NAMES)
def test_measures_and_counts(name):
    data, splits = loaded(name)
    compared = 0
    for row in rows(name, "measures"):
        fold, method = int(row["fold"]), row["method"]
        found, actual = outcomes(name)[fold, method], data.Y[splits[fold].test]
        if found is None:
            assert row["hamming_loss"] == ""
            continue
        measures = measure(actual, found)
        for m in SIX:
            assert measures[m] == pytest.approx(float(row[m]), abs=1e-12), (fold, method, m)
            compared += 1
    assert compared == 6 * sum(outcome is not None for outcome in outcomes(name).values())
    for row in rows(name, "labelcounts"):
        fold, label = int(row["fold"]), int(row["label"])
        counts = label_counts(data.Y[splits[fold].test], outcomes(name)[fold, row["method"]])
        ours = [int(part[label]) for part in (counts.tp, counts.fp, counts.fn, counts.tn)]
        assert ours == [int(row[part]) for part in ("tp", "fp", "fn", "tn")]
