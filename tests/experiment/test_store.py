"""Reading results: what is said of data sets, methods, folds and runs, and of what is not a results folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsbench.errors import UserError
from fsbench.experiment.store import Store

TEXT = """\
name: all of it
seed: 4
datasets: [a.arff, gone.arff, b.arff]
folds: {folds: 3}
rankers: [{method: "TOYS:Spread", label: Spread 1}, {method: "TOYS:Spread", power: 2}]
classifiers: [c45, "TOYS:Centroid"]
selections: [all, {first: 2}, best]
paper_names: {a: Alpha}
"""


@pytest.fixture
def store(workshop) -> Store:
    workshop.run(TEXT)
    return workshop.store()


def test_experiment(store: Store) -> None:
    assert store.experiment() == {
        "name": "all of it",
        "seed": 4,
        "datasets": [
            {"label": "a", "name": None, "path": "a.arff", "target": None},
            {"label": "gone", "name": None, "path": "gone.arff", "target": None},
            {"label": "b", "name": None, "path": "b.arff", "target": None},
        ],
        "folds": {"scheme": "stratified", "folds": 3, "repeats": 1, "seed": 4, "file": None},
        "rankers": [
            {"spec": {"method": _toys("Spread")}, "label": "Spread 1"},
            {"spec": {"method": _toys("Spread"), "power": 2}, "label": "Spread(power=2.0)"},
        ],
        "classifiers": [
            {"spec": {"method": "c45"}, "label": "c45"},
            {"spec": {"method": _toys("Centroid")}, "label": "Centroid"},
        ],
        "selections": [
            {"selection": "all", "k": None, "estimate": "", "folds": None},
            {"selection": "first", "k": 2, "estimate": "", "folds": None},
            {"selection": "best", "k": None, "estimate": "inner_cv", "folds": 10},
        ],
        "tests": {"test": "corrected-t", "level": 0.05, "correction": "holm", "rope": 0.01, "reference": None},
        "paper": None,
        "paper_names": {"a": "Alpha"},
    }


def _toys(name: str) -> str:
    return f"{Path(__file__).with_name('toys.py')}:{name}"


def test_datasets(store: Store, workshop) -> None:
    found = store.datasets().set_index("dataset")
    assert list(found.index) == ["a", "gone", "b"]
    assert found.loc["a", ["n_rows", "n_features", "n_numeric", "n_nominal", "n_classes"]].tolist() == [60, 5, 5, 0, 3]
    assert found.loc["b", "source"] == str(workshop.folder / "b.arff")
    assert found.loc["gone", ["missing", "reason", "digest"]].tolist() == [
        True,
        f"no such file: {workshop.folder / 'gone.arff'}",
        "",
    ]
    assert list(found.missing) == [False, True, False]


def test_order_follows_the_configuration(store: Store) -> None:
    found = store.accuracies()
    assert list(found.dataset.unique()) == ["a", "b"]
    first = found.query("dataset == 'a' and fold == 0")
    assert list(zip(first.classifier, first.ranker, first.selection, strict=True)) == [
        (classifier, ranker, selection)
        for classifier in ("c45", "Centroid")
        for ranker, selections in (
            ("", ["all"]),
            ("Spread 1", ["first", "best"]),
            ("Spread(power=2.0)", ["first", "best"]),
        )
        for selection in selections
    ]
    assert list(first.k.dropna().unique()) == [2]


def test_only_trees_have_a_size(store: Store) -> None:
    found = store.accuracies()
    trees = found.classifier == "c45"
    assert (found[trees].tree_size == 2 * found[trees].tree_leaves - 1).all()  # numeric splits are binary
    assert found[~trees][["tree_size", "tree_leaves"]].isna().all(axis=None)


def test_folds_and_methods(store: Store) -> None:
    folds = store.folds()
    assert len(folds) == 6
    assert (folds.n_train + folds.n_test == folds.dataset.map({"a": 60, "b": 40})).all()
    assert folds.digest.nunique() == 6
    methods = store.methods()
    assert list(zip(methods.kind, methods.label, methods.name, strict=True)) == [
        ("ranker", "Spread 1", "Spread"),
        ("ranker", "Spread(power=2.0)", "Spread"),
        ("classifier", "c45", "c45"),
        ("classifier", "Centroid", "Centroid"),
    ]
    assert json.loads(methods.identity[1])["params"] == {"power": 2.0, "ties": "index"}


def test_times(store: Store) -> None:
    times = store.ranking_times()
    assert list(times.columns) == ["dataset", "repeat", "fold", "ranker", "seconds"]
    assert len(times) == 2 * 3 * 2
    assert (times.seconds > 0).all()
    assert (store.accuracies().seconds > 0).all()


def test_provenance(store: Store, workshop) -> None:
    provenance = store.provenance()
    assert provenance["seed"] == 4
    assert set(provenance["datasets"]) == {"a", "b"}
    assert {"fsbench", "python", "numpy", "numba"} <= set(provenance["versions"])
    assert {"system", "processor", "cores", "jobs"} == set(provenance["machine"])
    (run,) = provenance["runs"]
    assert run["cells"] == 2 * 3 * (2 + 2 * (1 + 2 * 4))
    assert run["started"] <= run["finished"]
    workshop.run(TEXT.replace("first: 2", "first: 3"))
    assert [run["cells"] for run in store.provenance()["runs"]] == [run["cells"], 2 * 3 * 4]


def test_identical_methods_share_their_results_under_both_names(workshop) -> None:
    text = TEXT.replace("power: 2}", "label: Twin}").replace("[a.arff, gone.arff, b.arff]", "[a.arff]")
    workshop.run(text)
    found = workshop.store().accuracies().query("ranker != ''")
    one, other = (found[found.ranker == label].n_correct.tolist() for label in ("Spread 1", "Twin"))
    assert one == other
    assert len(one) == 3 * 2 * 2


def test_names_that_need_care(workshop) -> None:
    name = "A_1%&<b> ß 'q' \"d\""
    workshop.run(TEXT.replace("label: Spread 1", f"label: {json.dumps(name)}"))
    assert name in set(workshop.store().accuracies().ranker)


@pytest.mark.parametrize("name", ["", "nothing", "file.txt"])
def test_not_a_results_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(UserError, match="no results here"):
        Store(tmp_path / name)


def test_the_file_itself_may_be_named(store: Store) -> None:
    assert Store(store.path / "results.sqlite").experiment() == store.experiment()
