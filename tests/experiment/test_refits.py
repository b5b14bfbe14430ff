"""Classifiers that are fitted anew at each prefix: counted beforehand, and stored part by part."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsbench.experiment.config import load_experiment
from fsbench.experiment.run import make_plan, pending_fits, run_plan
from fsbench.experiment.writer import StoreWriter

TEXT = """\
datasets: [a.arff]
folds: {folds: 3}
rankers: [RANKERS]
classifiers: [nb, {method: "TOYS:Noted", log: "LOG", label: Noted}, "TOYS:Centroid"]
SELECTIONS
"""
SELECTIONS = "selections: [all, {first: 2}, {best: {estimate: [inner_cv, train], folds: 4}}]"


def text(workshop, rankers: str = "nlc", selections: str = SELECTIONS) -> str:
    made = TEXT.replace("RANKERS", rankers).replace("SELECTIONS", selections)
    return made.replace("LOG", str(workshop.folder / "fits.txt"))


def fits(workshop) -> list[str]:
    log: Path = workshop.folder / "fits.txt"
    return log.read_text().splitlines() if log.exists() else []


@pytest.mark.parametrize(("selections", "count"), [
    (SELECTIONS, 3 * (1 + 5 * (1 + 4 + 1))),  # folds: all features; prefixes: test part, inner folds, training part
    ("selections: [all, {first: 2}]", 3 * (1 + 2)),
    ("selections: [{first: 2}, {best: {estimate: test}}]", 3 * 5),
    ("selections: [all]", 3),
])  # fmt: skip
def test_with_one_ranking_the_count_is_right(workshop, selections: str, count: int) -> None:
    plan = make_plan(load_experiment(workshop.config(text(workshop, selections=selections))))
    assert pending_fits(plan, {}) == {"Noted": count, "Centroid": count}
    progress = workshop.run(text(workshop, selections=selections))
    assert progress.fits == {"Noted": count, "Centroid": count}
    assert len(fits(workshop)) == count
    assert workshop.run(text(workshop, selections=selections)).fits == {}


def test_equal_rankings_cost_nothing_more(workshop) -> None:
    workshop.run(text(workshop))
    once = fits(workshop)
    workshop.run(text(workshop, rankers="nlc, {method: nlc, label: Again}"), "again")
    assert fits(workshop)[len(once) :] == once
    found = workshop.store("again").accuracies()
    found = found[found.classifier == "Noted"]
    assert found[found.ranker == "nlc"].n_correct.to_list() == found[found.ranker == "Again"].n_correct.to_list()


def test_experiments_without_them_have_a_task_a_fold(workshop) -> None:
    progress = workshop.run("datasets: [a.arff]\nfolds: {folds: 3}\nrankers: [nlc]\nclassifiers: [nb, 1nn]\n")
    assert (progress.tasks, progress.fits) == (3, {})


@pytest.mark.parametrize("parts", range(1, 9))
def test_what_is_stored_when_a_run_stops_is_not_computed_again(workshop, parts: int) -> None:
    log = workshop.folder / "seen.txt"
    full = text(workshop, rankers=f'{{method: "TOYS:Recorder", log: "{log}"}}')
    workshop.run(full, "whole")
    whole, ranked = len(fits(workshop)), log.read_text().count("end")
    plan = make_plan(load_experiment(workshop.folder / "my.yaml"))
    with StoreWriter(workshop.folder / "out") as store:
        run = run_plan(plan, store, lambda tasks: 1)
        for progress in run:
            if progress.tasks_done == parts:
                break
        run.close()
    assert progress.tasks == 9  # three folds; for each, two classifiers
    kept = sum(progress.statuses.values())
    again = workshop.run(full)
    assert (again.kept, again.tasks) == (kept, 9 - parts)
    assert workshop.tables() == workshop.tables("whole")
    assert len(fits(workshop)) == 2 * whole
    assert log.read_text().count("end") == 2 * ranked


def test_a_ranker_that_fails_fails_every_part(workshop) -> None:
    progress = workshop.run(text(workshop, rankers='"TOYS:Shapeless", "TOYS:Declines", nlc'))
    found = workshop.store().accuracies()
    assert set(found[found.ranker == "nlc"].status) == {"ok"}
    assert set(found[found.ranker == "Shapeless"].status) == {"failed"}
    assert set(found[found.ranker == "Declines"].status) == {"skipped"}
    assert sum(progress.statuses.values()) == progress.cells


def test_a_ranking_that_failed_is_not_tried_again_for_each_classifier(workshop) -> None:
    log = workshop.folder / "tries.txt"
    full = text(workshop, rankers=f'{{method: "TOYS:FailsAtFirst", label: Late, log: "{log}", times: 3}}, nlc')
    workshop.run(full)
    assert len(log.read_text().splitlines()) == 3
    found = workshop.store().accuracies()
    assert set(found[found.ranker == "Late"].status) == {"failed"}
    again = workshop.run(full)  # what failed is tried again by the next run: once a fold, and with all its classifiers
    assert len(log.read_text().splitlines()) == 6
    assert set(workshop.store().accuracies().status) == {"ok"}
    assert again.tasks == 9
