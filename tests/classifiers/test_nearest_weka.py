"""The nearest neighbours against Weka's IBk: every prediction and every point of every curve, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fsbench.classifiers.nearest import NearestNeighbour
from tests.classifiers.weka_references import CASES, SMALL, curves, data_and_splits, distributions, small

IBK = NearestNeighbour(ranges="weka")
METHODS = {
    "1": IBK,
    "3": NearestNeighbour(ranges="weka", k=3),
    "5": NearestNeighbour(ranges="weka", k=5),
    "1D": NearestNeighbour(ranges="weka", scale="none"),
    "3D": NearestNeighbour(ranges="weka", scale="none", k=3),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_sets(name: str, tmp_path: Path) -> None:
    data, splits, order, classes, shares = small(name, tmp_path)
    for key, method in METHODS.items():
        for split in splits:
            curve = method.curve(data, split, order)
            for k, expected in classes.get(key, {}).items():
                assert np.array_equal(curve.at(k).predicted, expected[split.test]), f"{key} at {k}"
            if key in shares:
                chosen = data.select(order)
                p = method.fit(chosen.take(split.train)).predict_proba(chosen.take(split.test))
                assert np.array_equal(p, shares[key][split.test]), key


@pytest.mark.shared
@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.name)
def test_recorded_sets(folder: Path) -> None:
    data, splits = data_and_splits(folder)
    expected = distributions(folder, "IBk")
    for split in splits:
        p = IBK.fit(data.take(split.train)).predict_proba(data.take(split.test))
        assert np.abs(p - expected[split.test]).max() <= 1e-15
        predicted = IBK.evaluate(data, split, np.arange(data.n_features)).predicted
        assert np.array_equal(predicted, np.argmax(expected[split.test], axis=1))
    for fold, order, right in curves(folder, "IBk"):
        curve = IBK.curve(data, splits[fold], order)
        assert np.array_equal((curve.predicted == data.y[splits[fold].test]).sum(axis=1), right)
