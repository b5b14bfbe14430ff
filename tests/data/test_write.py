from __future__ import annotations

import gzip
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fsbench.data import load, read_arff, write_arff
from fsbench.errors import UserError
from fsbench.values import Dataset, Feature

arff = pytest.importorskip("arff")

LABELS = ("?", "", "a b", "it's", '"q"', "\\n", "x\ny", "%c", "{", "}", ",", "ü", "\t", "\x01", "a\\b", "'", "\u2028")


def dataset(labels=LABELS, sparse=False):
    n = len(labels)
    numbers = [[i, np.nan if i % 3 else -0.0, 1e300 / 3**i] for i in range(n)]
    features = (Feature("a\"b'c", labels), Feature("?"), Feature("x{y"))
    data = Dataset("it's a name", features, np.array(numbers), Feature("the class", labels), np.arange(n))
    # A sparse file cannot tell -0 from 0, which it leaves out.
    return replace(data, sparse=True, X=data.X + 0.0) if sparse else data


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", ["w.arff", "w.arff.gz"])
def test_what_is_written_reads_back_exactly(tmp_path, name, sparse):
    data, path = dataset(sparse=sparse), tmp_path / name
    write_arff(data, path)
    assert load(path).digest == data.digest
    assert read_arff(path, compiled=True).to_dataset().digest == data.digest
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["iris", "anneal", "anneal.ORIG", "labor", "vowel", "credit-g"])
def test_shipped_sets_read_back(tmp_path, name):
    data = load(name)
    write_arff(data, tmp_path / "w.arff")
    assert load(tmp_path / "w.arff").digest == data.digest


@settings(max_examples=50, deadline=None)
@given(
    hnp.arrays(np.float64, st.tuples(st.integers(0, 5), st.integers(1, 4)), elements=st.floats(allow_infinity=False)),
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=4, unique=True),
)
def test_all_numbers_and_labels_read_back(tmp_path_factory, X, labels):
    path = tmp_path_factory.mktemp("w") / "w.arff"
    X = np.where(np.isnan(X), np.nan, X)  # one bit pattern of NaN
    features = tuple(Feature(f"f{i}") for i in range(X.shape[1]))
    data = Dataset("w", features, X, Feature("class", tuple(labels)), np.arange(len(X)) % len(labels))
    write_arff(data, path)
    assert load(path).digest == data.digest


def test_equal_data_make_equal_files(tmp_path):
    for name in ("a.arff.gz", "b.arff.gz"):
        write_arff(dataset(), tmp_path / name)
    assert (tmp_path / "a.arff.gz").read_bytes() == (tmp_path / "b.arff.gz").read_bytes()


def test_the_text(tmp_path):
    data = Dataset(
        "two words",
        (Feature("size"), Feature("a colour", ("red", "?", "light blue"))),
        np.array([[1.0, 0.0], [0.1, 1.0], [np.nan, np.nan], [1e22, 2.0]]),
        Feature("class", ("no", "yes")),
        np.array([0, 1, 1, 0]),
    )
    write_arff(data, tmp_path / "w.arff")
    assert (tmp_path / "w.arff").read_text() == (
        "@relation 'two words'\n\n@attribute size numeric\n@attribute 'a colour' {red,'?','light blue'}\n"
        "@attribute class {no,yes}\n\n@DATA\n1,red,no\n0.1,'?',yes\n?,?,yes\n1e+22,'light blue',no\n"
    )
    write_arff(replace(data, sparse=True), tmp_path / "s.arff.gz")
    text = gzip.decompress((tmp_path / "s.arff.gz").read_bytes()).decode()
    assert text.splitlines()[-4:] == ["{0 1}", "{0 0.1,1 '?',2 yes}", "{0 ?,1 ?,2 yes}", "{0 1e+22,1 'light blue'}"]


def test_a_file_that_fails_half_way_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "w.arff"
    write_arff(dataset(), path)
    before = path.read_bytes()
    monkeypatch.setattr("fsbench.data.arff_write._cells", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_arff(load("iris"), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["w.arff"]


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_arff(load("iris"), tmp_path / "file" / "w.arff")


@pytest.mark.parametrize("name", ["iris", "breast-w", "vehicle", "kr-vs-kp", "labor", "glass", "credit-g"])
def test_liac_arff_reads_the_same(tmp_path, name):
    """The other reader agrees where it is right: it takes a quoted question mark for a missing value."""
    data = load(name)
    write_arff(data, tmp_path / "w.arff")
    with (tmp_path / "w.arff").open() as stream:
        found = arff.load(stream)
    assert [(n, None if isinstance(k, str) else tuple(k)) for n, k in found["attributes"]] == [
        (c.name, c.labels) for c in (*data.features, data.target)
    ]
    columns = list(zip(*found["data"], strict=True))
    for column, feature, values in zip(columns, data.features, data.X.T, strict=False):
        shown = [None if np.isnan(v) else v if feature.labels is None else feature.labels[int(v)] for v in values]
        assert list(column) == shown
    assert list(columns[-1]) == [data.target.labels[k] for k in data.y]
