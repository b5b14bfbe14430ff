"""Multi-label files: which columns are labels, what is refused, and Table 2 of the paper."""

from __future__ import annotations

import csv
import json
import pickle

import numpy as np
import pytest
from click.testing import CliRunner

from fsbench.cli.main import cli
from fsbench.data import load, load_multilabel, names
from fsbench.data.generate import blobs
from fsbench.data.label_names import read_label_names
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.errors import DataError
from fsbench.published import paper
from fsbench.values import Feature

ARFF = """@relation r
@attribute a numeric
@attribute red {0,1}
@attribute b {x,y}
@attribute blue {1,0}
@attribute green {FALSE,TRUE}
@data
1,0,x,1,TRUE
2,1,y,0,FALSE
3,1,y,1,FALSE
"""
XML = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">{}</labels>'
TREE = XML.format('\n<label name="green"><label name="blue"></label></label>\n<label name="red"/>')


def check_tiny(data):
    assert data.labels == ("red", "blue", "green")  # the order of the columns, not of the XML
    assert data.Y.tolist() == [[0, 1, 1], [1, 0, 0], [1, 1, 0]]
    assert [f.name for f in data.features] == ["a", "b"]
    assert data.X.tolist() == [[1, 0], [2, 1], [3, 1]]


def test_labels_anywhere_named_by_a_tree(write):
    path = write(ARFF, "r.arff")
    write(TREE, "r.xml")
    check_tiny(load_multilabel(path))
    check_tiny(load_multilabel(str(path), "green, red,blue"))
    check_tiny(load_multilabel(path, ["green", "red", "blue"]))
    write(TREE, "other.xml")
    check_tiny(load_multilabel(path, str(path.with_name("other.xml"))))


def test_sparse_rows_leave_out_the_first_label_of_a_declaration(write):
    text = ARFF.split("@data")[0] + "@data\n{0 1,4 TRUE}\n{0 2,1 1,2 y,3 0}\n{0 3,1 1,2 y}\n"
    data = load_multilabel(write(text, "r.arff"), "red,green,blue")
    check_tiny(data)
    assert data.sparse


def test_meka_says_how_many_labels_stand_in_front_or_at_the_end(write):
    rows = "@attribute l1 {0,1}\n@attribute l2 {0,1}\n@attribute f numeric\n@data\n0,1,5\n1,1,6\n"
    assert load_multilabel(write("@relation 'x: -C 2 -split 1'\n" + rows)).labels == ("l1", "l2")
    rows = "@attribute f numeric\n@attribute l1 {0,1}\n@attribute l2 {0,1}\n@data\n5,0,1\n6,1,1\n"
    assert load_multilabel(write("@relation 'x: -C -2'\n" + rows)).labels == ("l1", "l2")
    assert load_multilabel(write("@relation x\n" + rows), -2).labels == ("l1", "l2")
    with pytest.raises(DataError, match="filters have changed the columns"):
        load_multilabel(write("@relation 'x: -C 2-weka.filters.unsupervised.attribute.Remove-R1'\n" + rows))


def test_csv_needs_names_or_a_number(write):
    path = write("a,red,b,blue\n0.5,0,x,1\n1.5,1,y,1\n2.5,1,y,0\n", "t.csv")
    for labels in ("red,blue", ["blue", "red"]):
        data = load_multilabel(path, labels)
        assert (data.labels, data.Y.tolist()) == (("red", "blue"), [[0, 1], [1, 1], [1, 0]])
        assert [f.is_nominal for f in data.features] == [False, True]
    path = write("a,b,red,blue\n0.5,7,0,1\n1.5,8,1,1\n", "t.csv")
    data = load_multilabel(path, "-2")
    assert (data.labels, [f.is_nominal for f in data.features]) == (("red", "blue"), [False, False])
    with pytest.raises(DataError, match="a CSV file does not say which columns are labels"):
        load_multilabel(path)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "nothing says which columns are labels"),
        ("red,black", "the label 'black' is no column of the data; valid: a, red, b, blue, green"),
        ("red,blu", "did you mean 'blue'"),
        ("red,red", "the label 'red' is named twice"),
        ("a", "the label 'a' must be 0 or 1, found 2 in row 2"),
        ("b", "the label 'b' must be declared {0,1} or {FALSE,TRUE}, found {x, y}"),
        (",", "there is no label"),
        (0, "0 of 5 columns cannot be labels"),
        (5, "5 of 5 columns cannot be labels"),
        ("a,b,red,blue,green", "every column is a label"),
        ("none.xml", "the label file cannot be read"),
    ],
)
def test_bad_labels_are_one_line(write, labels, message):
    with pytest.raises(DataError) as caught:
        load_multilabel(write(ARFF), labels)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_labels_counted_from_the_wrong_end(write):
    text = "a,b,red,blue\n0.5,7,0,1\n1.5,8,1,1\n"
    for path in (write(text, "t.csv"), write("@relation r\n@attribute a numeric\n@attribute red {0,1}\n@data\n2,1\n")):
        with pytest.raises(DataError, match="; 1 counts from the front, -1 means the last column"):
            load_multilabel(path, "1")
    with pytest.raises(DataError, match="-2 means the last 2 columns"):
        load_multilabel(write(text, "t.csv"), 2)
    with pytest.raises(DataError) as caught:
        load_multilabel(write(text, "t.csv"), -3)
    assert "counts from" not in str(caught.value)


def test_a_missing_label_and_numeric_labels(write):
    with pytest.raises(DataError, match="the label 'red' is missing in row 2"):
        load_multilabel(write(ARFF.replace("2,1,y", "2,?,y")), "red")
    numeric = ARFF.replace("red {0,1}", "red numeric")
    assert load_multilabel(write(numeric), "red").Y.ravel().tolist() == [0, 1, 1]
    with pytest.raises(DataError, match=r"the label 'red' must be 0 or 1, found 0\.5 in row 3"):
        load_multilabel(write(numeric.replace("3,1", "3,0.5")), "red")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<!DOCTYPE labels SYSTEM "http://x/y.dtd"><labels/>', "document type"),
        ('<!DOCTYPE labels [<!ENTITY x "y">]><labels><label name="&x;"/></labels>', "document type"),
        ('<labels><label name="&x;"/></labels>', "undefined entity"),
        (
            '<labels>\n<label name="a"/><label name="a"/></labels>',
            "line 2: the label 'a' is named twice, first on line 2",
        ),
        ("<labels><label/></labels>", "a label without a name"),
        ("<labels></labels>", "the file names no label"),
        ("<labels><lable name='a'/></labels>", "expected <label>, found <lable>"),
        ("<html/>", "expected <labels>, found <html>"),
        ("<labels>", "no well-formed XML"),
        ("", "no well-formed XML"),
    ],
)
def test_malformed_xml(write, content, message):
    with pytest.raises(DataError) as caught:
        read_label_names(write(content, "l.xml"))
    assert message in str(caught.value)


def test_the_value_checks_itself():
    features, X = (Feature("f"),), np.zeros((2, 1))
    for labels, Y, message in [
        ((), np.zeros((2, 0)), "at least one label"),
        (("a", "a"), np.zeros((2, 2)), "'a' is named twice"),
        (("a",), np.zeros((3, 1)), r"must have shape \(2, 1\)"),
    ]:
        with pytest.raises(DataError, match=message):
            MultiLabelDataset("x", features, X, labels, Y)


def test_parts_of_a_data_set():
    data = blobs()
    again = pickle.loads(pickle.dumps(data))
    assert again.digest == data.digest
    rows = np.array([5, 2])
    part = data.take(rows).select([3, 0])
    assert np.array_equal(part.X, data.X[rows][:, [3, 0]])
    assert np.array_equal(part.Y, data.Y[rows])
    assert part.features == (data.features[3], data.features[0])
    assert part.digest != data.digest


def test_label_sets_are_numbered_by_first_appearance():
    Y = np.array([[0, 1], [1, 1], [0, 1], [0, 0]])
    data = MultiLabelDataset("x", (Feature("f"),), np.zeros((4, 1)), ("a", "b"), Y)
    powerset = data.powerset()
    assert powerset.target.labels == ("01", "11", "00")
    assert powerset.y.tolist() == [0, 1, 0, 2]
    assert data.statistics.single_sets == 2
    assert data.statistics.unlabelled_rows == 1


def test_names_without_a_file(monkeypatch):
    with pytest.raises(DataError, match=r"'corel16k001' is not on this machine; put corel16k001.arff and corel"):
        load_multilabel("corel16k001")
    with pytest.raises(DataError, match="iris is no multi-label data set"):
        load_multilabel("iris")
    with pytest.raises(DataError, match="unknown multi-label data set 'nothing'"):
        load_multilabel("nothing")
    for name in ("genbase", "blobs"):
        with pytest.raises(DataError, match="is a multi-label data set"):
            load(name)


def test_info_counts_labels():
    done = CliRunner().invoke(cli, ["datasets", "info", "blobs", "--format", "json"])
    facts = json.loads(done.stdout)
    assert (facts["labels"], facts["rows"], facts["distinct"], facts["unlabelled_rows"]) == (4, 240, 10, 50)
    assert facts["cardinality"] == pytest.approx(1.2958, abs=1e-4)
    assert sum(facts["label_counts"].values()) == round(240 * facts["cardinality"])


TABLE2 = [
    "bibtex",
    "cal500",
    "corel16k001",
    "corel5k",
    "emotions",
    "enron",
    "genbase",
    "medical",
    "scene",
    "yeast",
]


@pytest.mark.shared
@pytest.mark.parametrize("name", TABLE2)
def test_table_2_as_printed(name, shared, monkeypatch):
    monkeypatch.setenv("FSBENCH_DATA", str(shared / "datasets" / "multilabel"))
    data = load_multilabel(name)
    assert data.note == ""  # the registry describes this very content
    s = data.statistics
    printed = {c.column: c.text for c in paper("multilabel2013").cells() if c.table == "table2" and c.dataset == name}
    assert printed == {
        "n_examples": str(data.n_rows),
        "n_features": str(data.n_features),
        "n_labels": str(data.n_labels),
        "label_cardinality": f"{s.cardinality:.2f}",
        "label_density": f"{s.density:.2f}",
        "distinct_combinations": str(s.distinct),
    }
    assert name in names("multilabel2013")


@pytest.mark.shared
@pytest.mark.parametrize("name", ["emotions-train", "enron-train", "scene-train", "yeast-train", "flags", "birds"])
def test_other_registered_files(name, shared, monkeypatch):
    monkeypatch.setenv("FSBENCH_DATA", str(shared / "datasets" / "multilabel"))
    assert load_multilabel(name).note == ""


@pytest.mark.shared
def test_another_file_of_a_registered_name_is_told(shared, monkeypatch, tmp_path):
    folder = shared / "datasets" / "multilabel"
    (tmp_path / "flags.arff").write_text((folder / "flags.arff").read_text().rsplit("\n", 3)[0] + "\n")
    (tmp_path / "flags.xml").write_text((folder / "flags.xml").read_text())
    monkeypatch.setenv("FSBENCH_DATA", str(tmp_path))
    assert load_multilabel("flags").note.startswith("not the registered flags: ")


@pytest.mark.shared
def test_the_manifest_is_registered(shared):
    from fsbench.data import info

    folder = shared / "datasets" / "multilabel"
    with (folder / "manifest.csv").open() as stream:
        for row in csv.DictReader(stream):
            entry = info(row["name"])
            assert (entry.rows, entry.features, entry.labels) == tuple(
                int(row[k]) for k in ("instances", "features", "labels")
            )
            # The manifest has the hash of the archive where a file is zipped.
            if not (folder / f"{row['name']}.arff.gz").exists():
                assert entry.sha256 == row["sha256"]
            assert f"{entry.density:.4f}" == row["density"]
