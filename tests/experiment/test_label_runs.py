"""Multi-label experiments through the engine: what is computed, kept, skipped, and read again."""

from __future__ import annotations

import importlib
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from fsbench.data import load_multilabel
from fsbench.data.generate import blobs
from fsbench.errors import UserError
from fsbench.evaluation.folds import mulan_splits
from fsbench.experiment.config import find_config, load_experiment
from fsbench.experiment.label_store import STORED_MEASURES, LabelStore, open_store
from fsbench.experiment.labelled import evaluate_labels
from fsbench.experiment.run import make_plan, run_plan
from fsbench.experiment.store import Store
from fsbench.experiment.writer import StoreWriter
from fsbench.multilabel import BinaryRelevance, BRkNN, BRkNNb, LabelPowerset, Threshold, TopFeatures, TopShare
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.rankers.information_gain import InformationGain
from fsbench.rankers.relieff import ReliefF
from fsbench.report.multilabel_compare import compare_table
from fsbench.report.results import load
from tests.experiment.label_toys import with_labels, write

TOYS = Path(__file__).with_name("label_toys.py")

TEXT = """
kind: multilabel
datasets: [d.arff]
folds: {folds: 3}
rankers:
  - {method: relieff, transform: br, label: RF-BR}
  - {method: ig, transform: {method: lp, prune: 2}, label: IG-LP}
classifiers: [{method: brknn-b, label: B}, {method: brknn, k: 3, label: K3}]
selections: [all, {threshold: 0.02}, {first: 3}, {share: 0.25}]
"""
RANKERS = {
    "RF-BR": LabelRanker(BinaryRelevance(), ReliefF()),
    "IG-LP": LabelRanker(LabelPowerset(prune=2), InformationGain()),
}
CHOICES = {
    ("threshold", 0.02): Threshold(least=0.02),
    ("first", 3.0): TopFeatures(k=3),
    ("share", 0.25): TopShare(share=0.25),
}


@pytest.fixture
def place(tmp_path):
    write(tmp_path, "d")
    return tmp_path


def run(folder, text=TEXT, output="out", jobs=1):
    path = folder / "my.yaml"
    path.write_text(text.replace("TOYS", str(TOYS)))
    plan = make_plan(load_experiment(path), fetch=False)
    with StoreWriter(folder / output) as store:
        *_, progress = run_plan(plan, store, lambda tasks: jobs)
    return progress


def frames(folder, output="out"):
    store = open_store(folder / output)
    names = ("measures", "predictions", "rankings", "selections", "label_scores", "accuracies", "folds", "datasets")
    return {name: getattr(store, name)().drop(columns=["seconds"], errors="ignore").to_csv() for name in names}


def test_every_cell_is_that_of_one_fold_computed_alone(place):
    progress = run(place)
    assert progress.statuses == {"ok": 3 * (2 + 2 * (1 + 2 * 3))}
    store = open_store(place / "out")
    measures = store.measures().set_index(["fold", "classifier", "ranker", "selection"])
    data = load_multilabel(place / "d.arff")
    for classifier, made in (("B", BRkNNb()), ("K3", BRkNN(k=3))):
        for fold, split in enumerate(mulan_splits(60, 3, 1)):
            for (kind, amount), choice in CHOICES.items():
                alone = evaluate_labels(data, split, RANKERS, choice, made)
                for ranker, kinds in (("", "all"), ("RF-BR", kind), ("IG-LP", kind)):
                    row = measures.loc[(fold, classifier, ranker, kinds)]
                    expected = alone[ranker or "baseline"].value
                    assert all(row[name] == expected.measures[name] for name in STORED_MEASURES)
                    assert row["n_selected"] == len(expected.columns)
                    assert pd.isna(row["amount"]) if kinds == "all" else row["amount"] == amount
    predictions = store.predictions()
    part = predictions[(predictions.classifier == "B") & (predictions.ranker == "") & (predictions.fold == 1)]
    split = mulan_splits(60, 3, 1)[1]
    assert part["row"].tolist() == split.test.tolist()
    outcome = BRkNNb().evaluate(data, split, np.arange(11)).predicted
    sets = ["|".join(data.labels[j] for j in np.flatnonzero(row)) for row in outcome]
    assert part["predicted"].tolist() == sets
    assert part["actual"].tolist() == ["|".join(data.labels[j] for j in np.flatnonzero(r)) for r in data.Y[split.test]]
    assert store.label_statistics() == {"d": data.statistics}
    right = (outcome == data.Y[split.test]).all(axis=1).mean()
    assert measures.loc[(1, "B", "", "all"), "subset_accuracy"] == right


def test_nothing_is_computed_twice_and_more_cells_are_added(place):
    run(place)
    before = frames(place)
    again = run(place)
    assert (again.cells, again.kept) == (0, 48)
    more = run(place, TEXT.replace("{first: 3}", "{first: 3}, {first: 4}"))
    assert more.cells == 3 * 2 * 2
    run(place, output="whole", text=TEXT.replace("{first: 3}", "{first: 3}, {first: 4}"))
    assert frames(place) == frames(place, "whole")
    run(place)
    assert frames(place) == before


def test_any_number_of_jobs_gives_the_same_bytes(place):
    run(place)
    run(place, output="two", jobs=2)
    assert frames(place) == frames(place, "two")


def test_another_convention_for_zero_by_zero_is_another_result(place):
    run(place)
    again = run(place, TEXT + "zero_division: skip\n")
    assert again.cells == 3 * 14  # every test, no ranking
    skip = open_store(place / "out").measures()
    assert (skip["f_macro"] == skip["f_macro_skip"]).all()


def test_an_empty_selection_is_skipped_with_the_reason(place):
    progress = run(place, TEXT.replace("0.02", "5.0"))
    assert progress.statuses["skipped"] == 3 * 2 * 2
    frame = open_store(place / "out").measures()
    empty = frame[frame["selection"] == "threshold"]
    assert set(empty["status"]) == {"skipped"}
    assert empty["reason"].str.contains(r"threshold\(least=5.0\) keeps no feature of").all()
    assert empty["accuracy"].isna().all()
    assert run(place, TEXT.replace("0.02", "5.0")).cells == 0


def test_scores_of_single_labels_are_kept_on_request(place):
    run(place, TEXT + "label_scores: true\n")
    assert run(place, TEXT + "label_scores: true\n").cells == 0
    frame = open_store(place / "out").label_scores()
    assert set(frame["ranker"]) == {"RF-BR"}  # a powerset has none
    train = load_multilabel(place / "d.arff").take(mulan_splits(60, 3, 1)[2].train)
    expected = BinaryRelevance().label_scores(ReliefF(), train)
    part = frame[frame["fold"] == 2]
    assert part["score"].tolist() == expected.ravel().tolist()
    assert part["label"].tolist() == np.repeat(train.labels, 11).tolist()
    assert part["feature"].tolist() == [f.name for f in train.features] * 4


OWN = """
kind: multilabel
datasets: [d.arff]
folds: {folds: 2}
rankers: [RANKER]
classifiers: [CLASSIFIER]
selections: [SELECTION]
"""


def own(ranker="'TOYS:Variance'", classifier="brknn", selection="{threshold: 0.01}"):
    return OWN.replace("RANKER", ranker).replace("CLASSIFIER", classifier).replace("SELECTION", selection)


def test_a_ranker_of_the_users(place):
    assert run(place, own("{method: 'TOYS:Variance', shift: 1.0, transform: lp}")).statuses == {"ok": 4}
    ranking = open_store(place / "out").rankings()
    train = load_multilabel(place / "d.arff").take(mulan_splits(60, 2, 1)[0].train)
    scores = ranking[ranking["fold"] == 0].sort_values("feature_index")["score"]
    assert scores.tolist() == (train.X.var(axis=0) + 1.0).tolist()


def test_a_threshold_is_an_upper_bound_where_low_scores_are_good(place):
    run(place, own("'TOYS:Smallest'", selection="{threshold: 0.3}"))
    assert set(open_store(place / "out").measures()["n_selected"]) == {4}


def test_a_failing_method_is_one_line_and_the_rest_goes_on(place):
    progress = run(place, own("'TOYS:Breaks', ig", "'TOYS:Everything', 'TOYS:TooFew'", "all, {first: 2}"))
    assert progress.statuses == {"ok": 2 * 3, "failed": 2 * 5}
    frame = open_store(place / "out").measures()
    assert set(frame[frame["status"] == "failed"]["reason"].str.split(":").str[0]) == {"Breaks", "TooFew"}
    assert not frame["reason"].str.contains("\n").any()
    assert set(frame[frame["status"] == "ok"]["classifier"]) == {"Everything"}


def test_a_classifier_with_neighbours_of_its_own_is_asked_itself(place):
    run(place, own("ig", "brknn, 'TOYS:Farther'", "all"))
    frame = open_store(place / "out").measures()
    near, far = (frame[frame["classifier"] == name]["hamming_loss"].tolist() for name in ("brknn", "Farther"))
    assert near != far


def test_folds_by_seed_and_from_a_file(place):
    run(place, own("ig").replace("{folds: 2}", "{scheme: plain, folds: 4, repeats: 2, seed: 3}"))
    assert len(open_store(place / "out").folds()) == 8
    (place / "folds-d.txt").write_text("\n".join(str(i % 3) for i in range(60)))
    run(place, own("ig").replace("{folds: 2}", '{scheme: file, file: "folds-{dataset}.txt"}'))
    predictions = open_store(place / "out").predictions()
    assert predictions[predictions["fold"] == 1]["row"].tolist() == list(range(1, 60, 3))


def test_label_columns_by_every_way_of_naming_them(place):
    data = load_multilabel(place / "d.arff")
    names = ",".join([f.name for f in data.features] + list(data.labels))
    lines = [names] + [",".join(map(str, [*x, *y])) for x, y in zip(data.X.tolist(), data.Y.tolist(), strict=True)]
    (place / "c.csv").write_text("\n".join(lines))
    (place / "moved").mkdir()
    (place / "d.xml").rename(place / "moved" / "labels.xml")
    text = own("ig").replace("d.arff", "{path: d.arff, labels: moved/labels.xml, label: xml}, "
                             "{path: d.arff, labels: -4, label: counted}, "
                             "{path: c.csv, labels: [round, large, bright, rare], label: named}")  # fmt: skip
    run(place, text)
    statistics = open_store(place / "out").label_statistics()
    assert set(statistics) == {"xml", "counted", "named"}
    assert len(set(statistics.values())) == 1
    frame = open_store(place / "out").datasets().set_index("dataset")
    assert frame.loc["xml", "digest"] == frame.loc["counted", "digest"]
    assert frame["n_classes"].tolist() == [4, 4, 4]


def test_features_can_be_left_out_and_missing_sets_are_named(place):
    text = own("ig", selection="all").replace("d.arff", "{path: d.arff, drop: [size]}, gone.arff, blobs")
    run(place, text)
    frame = open_store(place / "out").datasets()
    assert frame["n_features"].tolist() == [10, pd.NA, 11]
    assert "without size" in frame["note"][0]
    assert "no such file" in frame["reason"][1]
    assert frame["note"][2] == "generated, seed 1"


def test_stores_are_told_apart(place, workshop):
    run(place)
    assert isinstance(open_store(place / "out"), LabelStore)
    workshop.run("datasets: [a.arff]\nrankers: [ig]\n", output="single")
    assert type(open_store(workshop.folder / "single")) is Store
    assert "kind" not in workshop.store("single").experiment()


@pytest.mark.parametrize(
    "Y",
    [
        np.array([[i % 2, 0] for i in range(60)]),
        np.array([[i % 2, i == 3] for i in range(60)]),
        np.ones((60, 3), dtype=int),
        np.zeros((60, 2), dtype=int),
        np.array([[i % 3 == 0] for i in range(60)]),
        np.array([[i < 20, i < 20, i < 20] for i in range(60)]),
    ],
    ids=["never positive", "once positive", "all labels", "no labels", "one label", "none or all"],
)
@pytest.mark.parametrize("ties", ["index", "mulan"])
def test_odd_labels_give_a_result_or_a_reason(tmp_path, Y, ties):
    write(tmp_path, "d", with_labels(Y))
    text = TEXT.replace("brknn-b", f"brknn-b, ties: {ties}")
    progress = run(tmp_path, text)
    assert progress.statuses["failed"] == 0
    frame = open_store(tmp_path / "out").measures()
    done = frame[frame["status"] == "ok"]
    assert done["hamming_loss"].between(0, 1).all()
    if ties == "index":
        assert (frame[frame["selection"] != "threshold"]["status"] == "ok").all()
    reasons = frame[frame["status"] == "skipped"]["reason"]
    assert reasons.str.contains("keeps no feature|Mulan's BRkNN-b fails|no label set has 2 rows").all()


def test_blobs_needs_no_file(tmp_path):
    run(tmp_path, own("ig").replace("d.arff", "blobs"))
    assert open_store(tmp_path / "out").label_statistics() == {"blobs": blobs().statistics}


def test_exports_of_every_kind(place):
    run(place, TEXT + "label_scores: true\n")
    command = importlib.import_module("fsbench.cli.export").command

    def export(*args):
        done = CliRunner().invoke(command, [str(place / "out"), *args], catch_exceptions=False)
        return pd.read_csv(io.StringIO(done.stdout))

    store = open_store(place / "out")
    assert export().columns.tolist() == store.measures().columns.tolist()  # by default
    for what in ("measures", "predictions", "rankings", "selections", "label-scores", "accuracies"):
        assert len(export("--what", what)) == len(getattr(store, what.replace("-", "_"))())
    with pytest.raises(UserError, match="there are no curves in these results"):
        export("--what", "curves")


def test_single_label_results_have_no_measures(workshop):
    workshop.run("datasets: [a.arff]\nrankers: [ig]\n")
    command = importlib.import_module("fsbench.cli.export").command
    with pytest.raises(UserError, match="there are no measures in these results"):
        CliRunner().invoke(command, [str(workshop.folder / "out"), "--what", "measures"], catch_exceptions=False)


def test_the_quick_start_runs(tmp_path):
    plan = make_plan(load_experiment("multilabel-quickstart"), fetch=False)
    with StoreWriter(tmp_path / "out") as store:
        *_, progress = run_plan(plan, store, lambda tasks: 1)
    assert progress.statuses == {"ok": 130}


@pytest.mark.shared
def test_the_paper_on_one_of_its_sets(tmp_path, shared, monkeypatch):
    """The reductions and measures of emotions, on the training part that the printed ones fit."""
    monkeypatch.setenv("FSBENCH_DATA", str(shared / "datasets" / "multilabel"))
    text = find_config("multilabel2013").read_text()
    start, end = text.index("datasets:"), text.index("folds:")
    names = "datasets: [emotions-train]\npaper_names: {emotions-train: emotions}\n\n"
    run(tmp_path, text[:start] + names + text[end:])
    results = load(tmp_path / "out")
    cells = [c for table in ("table3", "table4") for c in compare_table(results, table) if not c.outside]
    assert len(cells) == 34
    assert [(c.column, c.ours) for c in cells if not c.agrees] == []
