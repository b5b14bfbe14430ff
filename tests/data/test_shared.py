"""All files beside the project load, and are what their manifest says."""

from __future__ import annotations

import csv
import functools
import hashlib
import os

import numpy as np
import pytest

from fsbench.data import info, load, names, read_arff
from fsbench.data.inspect import summarise
from tests.conftest import SHARED

pytestmark = pytest.mark.shared
SINGLE, MULTI = SHARED / "datasets" / "single", SHARED / "datasets" / "multilabel"


@functools.cache
def manifest(folder):
    path = folder / "manifest.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as stream:
        return {row["name"]: row for row in csv.DictReader(stream)}


@pytest.mark.parametrize("name", [n for n in manifest(SINGLE) if (SINGLE / f"{n}.arff").is_file()])
def test_single_label_files(name):
    row, path = manifest(SINGLE)[name], SINGLE / f"{name}.arff"
    data = load(path)
    counts = dict(zip(data.target.labels, data.class_counts.tolist(), strict=True))
    assert (data.n_rows, data.n_features) == (int(row["instances"]), int(row["attributes"]))
    assert int(data.is_nominal.sum()) == int(row["nominal"])
    assert int(np.isnan(data.X).sum()) == int(row["missing_values"])
    declared = row["classes"].split()[-2] if "declared" in row["classes"] else row["classes"]
    assert data.n_classes == int(declared)
    assert " ".join(f"{k}:{v}" for k, v in counts.items()) == row["class_counts"]
    careful, compiled = read_arff(path, compiled=False), read_arff(path, compiled=True)
    assert np.array_equal(careful.values, compiled.values, equal_nan=True)
    assert data.digest == info(name).digest


def test_the_manifest_was_seen():
    assert len(manifest(SINGLE)) == 59
    assert set(manifest(SINGLE)) == {name for name in names() if not info(name).labels}


@pytest.mark.parametrize("name", list(manifest(SINGLE)))
def test_the_registry_agrees_with_the_manifest(name):
    row, entry = manifest(SINGLE)[name], info(name)
    assert (entry.rows, entry.features) == (int(row["instances"]), int(row["attributes"]))
    assert entry.citation == row["citation"]
    assert entry.licence == row["licence"]
    # What is not in a package stays outside the project.
    assert (entry.kind == "shipped") == (row["source_kind"] == "package")
    if (SINGLE / f"{name}.arff").is_file():
        assert entry.sha256 == hashlib.sha256((SINGLE / f"{name}.arff").read_bytes()).hexdigest() == row["sha256"]


def test_all_are_found_by_name(monkeypatch):
    monkeypatch.setenv("FSBENCH_DATA", os.pathsep.join([str(SHARED / "datasets")]))
    for name in manifest(SINGLE):
        if (SINGLE / f"{name}.arff").is_file():
            data = load(name)
            assert (data.source, data.note) == (str(SINGLE / f"{name}.arff"), "")


@pytest.mark.parametrize("name", list(manifest(MULTI)))
def test_multilabel_files(name):
    """Their class is not one column: the table is read, sparse and dense."""
    row = manifest(MULTI)[name]
    path = next(p for p in (MULTI / f"{name}.arff", MULTI / f"{name}.arff.gz") if p.is_file())
    table = read_arff(path)
    assert table.values.shape == (int(row["instances"]), int(row["features"]) + int(row["labels"]))
    assert table.sparse == (row["sparse"] == "yes")
    labels = table.values[:, -int(row["labels"]) :]
    names_ = [c.labels for c in table.columns[-int(row["labels"]) :]]
    ones = [k.index("1") if "1" in k else k.index("TRUE") for k in names_]
    assert f"{(labels == ones).sum(axis=1).mean():.4f}" == row["cardinality"]
    assert info(name).labels == int(row["labels"])


@pytest.mark.parametrize(
    ("name", "duplicates", "inconsistent"),
    [
        ("letter", 1332, 0), ("breast-w", 236, 0), ("segment", 224, 0), ("splice", 184, 1), ("vote", 93, 0),
        ("hypothyroid", 61, 0), ("soybean", 52, 1), ("iris", 3, 0), ("glass", 1, 0), ("ionosphere", 1, 0),
        ("spect", 39, 16), ("breast-cancer", 14, 6), ("hypothyroid-uci3163", 77, 1),
    ],
)  # fmt: skip
def test_known_duplicates(name, duplicates, inconsistent):
    found = summarise(load(SINGLE / f"{name}.arff"))
    assert (found.duplicate_rows, found.inconsistent_rows) == (duplicates, inconsistent)
