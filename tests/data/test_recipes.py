"""The recipes, on source files rebuilt from the finished ones."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.data import info, load, names
from fsbench.data.recipes import RECIPES

pytestmark = pytest.mark.shared


def rows_of(data, first):
    """The rows as text, the class first or last."""
    columns = [
        [
            ("?" if np.isnan(v) else repr(float(v)).removesuffix(".0") if f.labels is None else f.labels[int(v)])
            for v in values
        ]
        for f, values in zip((*data.features, data.target), (*data.X.T, data.y.astype(float)), strict=True)
    ]
    if first:
        columns = [columns[-1], *columns[:-1]]
    return [",".join(cells) for cells in zip(*columns, strict=True)]


def head_of(data):
    """The head of an ARFF file, the class first."""
    kinds = ["{" + ",".join(c.labels) + "}" if c.labels else "INTEGER" for c in (data.target, *data.features)]
    columns = zip((data.target, *data.features), kinds, strict=True)
    return "@relation x\n" + "".join(f"@attribute {c.name} {kind}\n" for c, kind in columns) + "@data\n"


@pytest.fixture
def single(shared):
    return lambda name: load(shared / "datasets" / "single" / f"{name}.arff")


def made(name, write, *texts):
    files = [write(text, f"source{i}") for i, text in enumerate(texts)]
    return RECIPES[info(name).recipe](files).digest


@pytest.mark.parametrize("name", [n for n in names() if info(n).recipe == "plain"])
def test_plain(single, shared, write, name):
    text = (shared / "datasets" / "single" / f"{name}.arff").read_text()
    assert made(name, write, text.replace("\n", "\r\n")) == info(name).digest


@pytest.mark.parametrize("name", ["spect", "spectf"])
def test_class_first(single, write, name):
    parts = [single(f"{name}-train"), single(f"{name}-test")]
    train, test = (head_of(p) + "\n".join(rows_of(p, first=True)) + "\n" for p in parts)
    assert made(f"{name}-train", write, train) == info(f"{name}-train").digest
    if name == "spect":
        assert made("spect-test", write, test) == info("spect-test").digest
        assert made("spect", write, train, test) == info("spect").digest


def test_spectf_is_mended(single, write):
    train, test = single("spectf-train"), single("spectf-test")
    good, trained = rows_of(test, first=True), rows_of(train, first=True)
    # As the file is spread: a training row before, one test row twice, all training rows after.
    spread = [trained[0], *good[:172], good[46], *good[172:], *trained]
    assert len(spread) == 269
    broken = head_of(test) + "\n".join(spread)
    assert made("spectf-test", write, broken) == info("spectf-test").digest
    whole = made("spectf", write, head_of(train) + "\n".join(trained), broken)
    assert whole == info("spectf").digest


@pytest.mark.parametrize("name", ["waveform-21", "sick-euthyroid", "hypothyroid-uci3163"])
def test_headed(single, write, name):
    rows = rows_of(single(name), first=name == "hypothyroid-uci3163")
    assert made(name, write, "\n".join(rows) + "\n") == info(name).digest


@pytest.mark.parametrize("name", ["colon", "madelon"])
def test_matrix(single, tmp_path, name):
    from scipy.io import savemat

    data = single(name)
    path = tmp_path / "source.mat"
    savemat(path, {"X": data.X, "Y": (2 * data.y - 1).reshape(-1, 1)})
    assert RECIPES["matrix"]([path]).digest == info(name).digest


def test_covertype(write):
    entry = info("covertype")
    row = [str(i) for i in range(10)] + ["0", "1"] * 22
    data = RECIPES[entry.recipe]([write(",".join([*row, "7"]) + "\n" + ",".join([*row, "1"]) + "\n", "source")])
    assert (data.n_features, int(data.is_nominal.sum()), data.n_classes) == (entry.features, entry.nominal, 7)
    assert data.y.tolist() == [6, 0]
