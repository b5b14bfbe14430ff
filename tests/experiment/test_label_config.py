"""Experiment files of multi-label data: what they may say, and the one line for what they may not."""

from __future__ import annotations

import pytest

from fsbench.errors import UserError
from fsbench.experiment.config import load_experiment
from fsbench.experiment.experiment import Selection
from fsbench.experiment.run import make_plan
from tests.experiment.label_toys import with_labels, write

GOOD = """kind: multilabel
datasets: [blobs]
folds: {folds: 3}
rankers: [{method: ig, transform: br, label: A}]
classifiers: [brknn-b]
selections: [all, {threshold: 0.01}]
"""


def load(folder, text):
    path = folder / "my.yaml"
    path.write_text(text)
    return load_experiment(path)


def test_defaults(tmp_path):
    made = load(tmp_path, "kind: multilabel\ndatasets: [blobs]\nrankers: [ig]\nclassifiers: [brknn]\n")
    assert made.folds.scheme == "mulan"
    assert made.selections == (Selection("all"), Selection("threshold", amount=0.01))
    assert made.rankers[0].transform == {"method": "br"}
    assert made.rankers[0].label == "ig br"
    assert made.zero_division == "one"
    assert list(made.make_rankers()) == ["ig br"]


def test_options_of_transformations_reach_them(tmp_path):
    text = GOOD.replace("transform: br", "transform: {method: br, combine: max}, discretize: none")
    ranker = load(tmp_path, text).make_rankers()["A"]
    assert ranker.transform.combine == "max"
    assert ranker.ranker.discretize == "none"


def test_other_experiments_are_stored_as_before(tmp_path):
    stored = load(tmp_path, "datasets: [iris]\nrankers: [ig]\n").as_dict()
    assert not {"kind", "setups", "zero_division", "label_scores"} & set(stored)
    assert not {"transform"} & set(stored["rankers"][0])
    assert not {"labels"} & set(stored["datasets"][0])


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("kind: multilabel", "kind: multi", 1, "kind: found 'multi'; did you mean 'multilabel'?"),
        ("folds: {folds: 3}", "folds: {scheme: stratified}", 3, "'stratified' needs data with one class"),
        ("folds: {folds: 3}", "folds: {scheme: holdout}", 3, "needs data with one class; valid for multi-label data"),
        ("transform: br", "transform: bt", 4, "unknown transform 'bt'; valid: br, lp"),
        ("transform: br", "transform: 3", 4, "rankers[1].transform: must be br, lp, or a mapping"),
        ("transform: br", "transform: {combine: max}", 4, "rankers[1].transform: must be br, lp, or a mapping"),
        ("transform: br", "transform: {method: br, combine: min}", 4, "combine must be one of mean, max, weighted"),
        ("transform: br", "tranform: br", 4, "unknown parameter 'tranform'"),
        ("brknn-b", "c45", 5, "unknown label-classifier 'c45'; valid: brknn"),
        ("brknn-b", "{method: brknn-b, k: 0}", 5, "k must be a whole number of at least 1, found 0"),
        ("{threshold: 0.01}", "best", 6, "a selection of multi-label data is one of all, {threshold: score}"),
        ("{threshold: 0.01}", "{threshold: 1, first: 2}", 6, "a selection of multi-label data is one of"),
        ("{threshold: 0.01}", "{threshold: .nan}", 6, "threshold"),
        ("{threshold: 0.01}", "{share: 1.5}", 6, "share"),
        ("{threshold: 0.01}", "{share: 0}", 6, "share: must be above 0, found 0"),
        ("{threshold: 0.01}", "all", 6, "this selection is given twice"),
        ("{threshold: 0.01}", "{threshold: high}", 6, "selections[2].threshold: must be a number, found 'high'"),
        ("[blobs]", "[{name: blobs, target: rare}]", 2, "datasets[1].target: not for multi-label data"),
        ("[blobs]", "[{name: blobs, complete_rows: true}]", 2, "datasets[1].complete_rows: not for multi-label data"),
        ("[blobs]", "[{path: a.arff, labels: []}]", 2, "datasets[1].labels: must be an XML file, a list of column"),
        ("[blobs]", "[{path: a.arff, labels: true}]", 2, "or how many columns (-3: the last three), found true"),
        ("[blobs]", "[{path: a.arff, labels: [x, x]}]", 2, "datasets[1].labels[2]: 'x' is given twice"),
        ("folds: {folds: 3}", "setups: {one: [blob]}", 3, "no data set 'blob' above; did you mean 'blobs'?"),
        ("folds: {folds: 3}", "setups: {one: [blobs, blobs]}", 3, "'blobs' is given twice"),
        ("folds: {folds: 3}", "zero_division: two", 3, "zero_division: found 'two'; valid: one, zero, skip"),
        ("kind: multilabel", "zero_division: one", 1, "zero_division: only in experiments with 'kind: multilabel'"),
        ("kind: multilabel\n", "", 3, "only in experiments with 'kind: multilabel'"),
    ],
)
def test_errors_are_one_line_with_the_place(tmp_path, old, new, line, message):
    assert GOOD.count(old) == 1
    with pytest.raises(UserError) as caught:
        load(tmp_path, GOOD.replace(old, new))
    text = str(caught.value)
    assert message in text
    assert f"my.yaml:{line}:" in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("names", "labels", "message"),
    [
        (("a", "b", "c"), "", "the label 'c' is no column of the data"),
        (("a", "a"), "", "twice"),
        (("a", "size"), "", "the label 'size' must be 0 or 1, found"),
        (("a", "outline"), "", "the label 'outline' must be declared {0,1} or {FALSE,TRUE}, found {circle"),
        (("a",), ", labels: other.xml", "other.xml"),
        (("a",), ", labels: [z]", "the label 'z' is no column of the data"),
        (("a",), ", labels: 50", "50 of 13 columns cannot be labels"),
    ],
)
def test_what_is_wrong_with_label_columns_ends_the_run_with_one_line(tmp_path, names, labels, message):
    import numpy as np

    write(tmp_path, "d", with_labels(np.eye(60, 2, dtype=int)), names)
    made = load(tmp_path, GOOD.replace("[blobs]", f"[{{path: d.arff{labels}}}]"))
    with pytest.raises(UserError) as caught:
        make_plan(made, fetch=False)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("datasets", "message"),
    [
        ("[iris]", "iris is no multi-label data set"),
        ("[blob]", "unknown data set 'blob'; did you mean 'blobs'?"),
        ("[{name: blobs, drop: [sise]}]", "no feature 'sise' to drop; did you mean 'size'?"),
    ],
)
def test_what_is_wrong_with_data_sets(tmp_path, datasets, message):
    with pytest.raises(UserError) as caught:
        make_plan(load(tmp_path, GOOD.replace("[blobs]", datasets)), fetch=False)
    assert message in str(caught.value)


def test_a_multi_label_set_in_another_experiment_is_told_apart(tmp_path):
    with pytest.raises(UserError, match="blobs is a multi-label data set"):
        make_plan(load(tmp_path, "datasets: [blobs]\nrankers: [ig]\n"), fetch=False)
