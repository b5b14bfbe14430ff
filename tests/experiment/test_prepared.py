"""Prepared data sets, hold-outs, pairs of methods, ordered and reduced features: what an experiment may ask for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fsbench.classifiers.trie import TrieClassifier
from fsbench.data import load
from fsbench.data.prepare import complete_rows, join_rows, without_features
from fsbench.errors import UserError
from fsbench.evaluation.reduction import reduce_ranking
from fsbench.experiment.config import load_experiment, shipped_configs
from fsbench.experiment.prepared import holdout_split
from fsbench.experiment.run import make_plan
from fsbench.experiment.splits import inner_splits
from fsbench.rankers.exclusiveness import Exclusiveness

HOLED = """@relation x
@attribute a numeric
@attribute b {u,v}
@attribute c numeric
@attribute class {n,p}
@data
"""
FIRST = "1,u,?,n\n2,?,5,p\n3,v,6,n\n4,u,?,p\n"
SECOND = "5,v,1,n\n6,u,?,p\n"


@pytest.fixture
def holed(workshop):
    """Two files to be joined; `c` is missing most often."""
    (workshop.folder / "one.arff").write_text(HOLED + FIRST, encoding="utf-8")
    (workshop.folder / "two.arff").write_text(HOLED + SECOND, encoding="utf-8")
    return workshop


def test_a_data_set_is_joined_cut_and_hashed_as_prepared(holed) -> None:
    text = """\
datasets:
  - {join: [one.arff, two.arff], label: both, drop: c, complete_rows: true}
  - {path: one.arff, label: whole}
  - {join: [one.arff, gone.arff], label: half}
folds: {folds: 2}
classifiers: [nb]
selections: [all]
"""
    holed.run(text)
    one, two = load(holed.folder / "one.arff"), load(holed.folder / "two.arff")
    expected = complete_rows(without_features(join_rows(one, two, "both"), ["c"]))
    found = holed.store().datasets().set_index("dataset")
    assert found.loc["both", "digest"] == expected.digest
    assert found.loc["both", ["n_rows", "n_features"]].tolist() == [5, 2]
    assert found.loc["both", "note"] == (
        "rows: 4 of one and 2 of two; without c; 5 of 6 rows: those without missing values"
    )
    assert found.loc["whole", ["n_rows", "note"]].tolist() == [4, ""]
    assert found.loc["half", "reason"] == f"gone: no such file: {holed.folder / 'gone.arff'}"
    assert holed.store().experiment()["datasets"][0]["drop"] == ["c"]
    # Row numbers are those of the prepared data set, each tested once.
    assert sorted(holed.store().predictions().query("dataset == 'both'").row) == [0, 1, 2, 3, 4]


def test_a_holdout_has_the_stated_size(workshop) -> None:
    text = """\
datasets: [{path: a.arff, train_rows: 25}, {path: b.arff, first_rows: 30}]
folds: {scheme: holdout, repeats: 3, seed: 5}
classifiers: [nb]
selections: [all]
"""
    workshop.run(text)
    folds = workshop.store().folds()
    assert folds[["dataset", "repeat", "fold", "n_train", "n_test"]].values.tolist() == [
        *(["a", r, 0, 25, 35] for r in range(3)),
        ["b", 0, 0, 30, 10],  # the file's order decides: there is nothing to repeat
    ]
    drawn = workshop.store().predictions().query("dataset == 'a'").groupby("repeat").row.agg(tuple)
    assert len(set(drawn)) == 3
    assert list(workshop.store().predictions().query("dataset == 'b'").row) == list(range(30, 40))


def test_a_drawn_training_part_holds_the_classes_in_their_shares(workshop) -> None:
    data = load(workshop.folder / "a.arff")
    for n_train in (1, 7, 30, 59):
        split = holdout_split(data, n_train, True, seed=2)
        assert len(split.train) == n_train
        assert sorted([*split.train, *split.test]) == list(range(60))
        share = np.bincount(data.y[split.train], minlength=3) - data.class_counts * n_train / 60
        assert np.abs(share).max() <= 1.0


def test_ordered_and_reduced_equal_a_plain_restatement(workshop) -> None:
    text = """\
seed: 3
datasets: [a.arff]
folds: {folds: 3}
rankers: [{method: exclusiveness, intervals: 4, label: R}]
classifiers: [{method: trie, intervals: 4, label: T}]
selections: [ordered, {reduced: {folds: 4, tolerance: 0.05, thresholds: [0.6, 0.3, 0.1]}}]
"""
    workshop.run(text)
    store = workshop.store()
    found = store.accuracies().set_index(["selection", "fold"])
    plan = make_plan(load_experiment(workshop.folder / "my.yaml"))
    data, trie = load(workshop.folder / "a.arff"), TrieClassifier(intervals=4)
    kept = []
    for split in (fold.split for fold in plan.folds):
        train, test = data.take(split.train), data.take(split.test)
        ranking = Exclusiveness(intervals=4).rank(train)
        correct = np.zeros(5, dtype=np.int64)
        for inner in inner_splits(train.y, 3, 4, (3, 0, split.fold)):
            for k in range(1, 6):
                part = train.select(ranking.order[:k])
                model = trie.fit(part.take(inner.train))
                correct[k - 1] += (model.predict(part.take(inner.test)) == train.y[inner.test]).sum()
        k = reduce_ranking(ranking, correct, train.n_rows, 0.05, (0.6, 0.3, 0.1)).k
        kept.append(k)
        for selection, n in (("ordered", 5), ("reduced", k)):
            order = ranking.order[:n]
            model = trie.fit(train.select(order))
            right = int((model.predict(test.select(order)) == test.y).sum())
            row = found.loc[selection, split.fold]
            assert (row.n_selected, row.n_correct) == (n, right)
    assert min(kept) < 5


def test_a_ranking_that_does_not_fall_cannot_be_reduced(workshop) -> None:
    text = "datasets: [a.arff]\nfolds: {folds: 2}\nrankers: [nlc]\nclassifiers: [nb]\nselections: [reduced]\n"
    with pytest.raises(UserError, match="'reduced' keeps scores above a threshold"):
        workshop.run(text)


def test_the_rule_of_a_reduction_decides_its_key(workshop) -> None:
    text = "datasets: [a.arff]\nfolds: {folds: 2}\nrankers: [ig]\nclassifiers: [nb]\nselections: [{reduced: {folds: 2"
    workshop.run(text + "}}]\n")
    assert workshop.run(text + "}}]\n").cells == 0
    again = workshop.run(text + ", tolerance: 0.1}}]\n")
    assert (again.cells, again.kept) == (2, 6)  # the result of each fold; rankings and curves are kept


def test_a_classifier_meets_the_rankers_that_it_names(workshop) -> None:
    text = """\
datasets: [a.arff]
folds: {folds: 2}
rankers: [ig, "TOYS:Spread"]
classifiers: [{method: nb, rankers: [ig]}, {method: 1nn, rankers: []}, {method: "TOYS:Centroid"}]
selections: [all, {first: 2}]
"""
    workshop.run(text)
    found = workshop.store().accuracies().query("fold == 0")
    assert found[["classifier", "ranker"]].values.tolist() == [
        ["nb", ""], ["nb", "ig"], ["1nn", ""], ["Centroid", ""], ["Centroid", "ig"], ["Centroid", "Spread"],
    ]  # fmt: skip


BASIC = "datasets: [iris]\nrankers: [ig]\nclassifiers: [nb]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("datasets: [{join: [iris, iris]}]\nclassifiers: [nb]\n", "datasets[1]: joined data sets need a 'label'"),
        ("datasets: [{name: iris, join: [iris], label: x}]\nclassifiers: [nb]\n", "datasets[1]: a data set needs"),
        ("datasets: [{name: iris, train_rows: 5}]\nclassifiers: [nb]\n", "datasets[1]: 'scheme: holdout'"),
        (BASIC + "folds: {scheme: holdout}\n", "datasets[1]: 'scheme: holdout'"),
        ("datasets: [{name: iris, train_rows: 0}]\nclassifiers: [nb]\n", "datasets[1].train_rows: must be at least 1"),
        (
            "datasets: [{name: iris, train_rows: 5, first_rows: 5}]\nclassifiers: [nb]\n",
            "datasets[1]: either 'train_rows'",
        ),
        (
            "datasets: [{name: iris, train_rows: 5}]\nclassifiers: [nb]\nfolds: {scheme: holdout, folds: 3}\n",
            "folds.folds: a holdout has",
        ),
        (BASIC.replace("nb", "{method: nb, rankers: [gi]}"), "classifiers[1].rankers: no ranker 'gi'"),
        (BASIC.replace("[ig]", "[{method: ig, rankers: []}]"), "rankers[1].rankers: only a classifier"),
        (BASIC + "selections: [{reduced: {tolerance: -1}}]\n", "selections[1].reduced.tolerance: must be at least 0"),
        (BASIC + "selections: [{reduced: {thresholds: [0, 1]}}]\n", "selections[1].reduced.thresholds: thresholds"),
        (BASIC + "selections: [{reduced: {fold: 1}}]\n", "unknown key 'fold'; did you mean 'folds'?"),
    ],
)
def test_one_line_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        load_experiment(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}:")


def test_features_and_sizes_that_do_not_fit(workshop) -> None:
    tail = "folds: {scheme: holdout}\nclassifiers: [nb]\nselections: [all]\n"
    with pytest.raises(UserError, match="60 training rows of 60 leave none to test"):
        workshop.run("datasets: [{path: a.arff, train_rows: 60}]\n" + tail)
    with pytest.raises(UserError, match="no feature 'a9' to drop"):
        workshop.run("datasets: [{path: a.arff, train_rows: 6, drop: [a9]}]\n" + tail)


@pytest.mark.parametrize("name", sorted(shipped_configs()))
def test_shipped_experiments_are_valid(name: str) -> None:
    assert load_experiment(name).name == name
