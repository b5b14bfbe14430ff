"""The plan: the longest task first, stored rankings handed on, curves no longer than needed."""

from __future__ import annotations

from fsbench.experiment.config import load_experiment
from fsbench.experiment.plan import make_tasks
from fsbench.experiment.run import make_plan
from fsbench.values import Ranking

TEXT = """\
datasets: [b.arff, a.arff]
folds: {folds: 3}
rankers: ["TOYS:Spread", nlc]
classifiers: ["TOYS:Centroid"]
"""


def plan_of(workshop, text: str = TEXT):
    return make_plan(load_experiment(workshop.config(text)))


def test_longest_first_and_folds_of_a_data_set_together(workshop) -> None:
    tasks = make_tasks(plan_of(workshop).folds, lambda cell: False, lambda cell: None)
    assert [(task.dataset, task.split.fold) for task in tasks[:3]] == [("a", 0), ("a", 1), ("a", 2)]
    assert {task.dataset for task in tasks[3:]} == {"b"}
    costs = [task.cost for task in tasks]
    assert costs == sorted(costs, reverse=True)


def test_what_is_done_is_left_out_and_its_ranking_handed_on(workshop) -> None:
    plan = plan_of(workshop)
    ranking = Ranking(order=None, scores=None)  # type: ignore[arg-type]
    done = {cell.key for cell in plan.folds[0].cells} | {
        c.key for f in plan.folds for c in f.cells if c.ranker == "nlc"
    }
    tasks = make_tasks(plan.folds, lambda cell: cell.key in done, lambda cell: ranking if cell.key in done else None)
    assert len(tasks) == 5
    for task in tasks:
        assert dict(task.rankings) == {"nlc": ranking}
        assert {cell.ranker for cell in task.cells} == {"", "Spread"}


def test_keys_are_unique_and_the_same_for_the_same_plan(workshop) -> None:
    keys = [cell.key for fold in plan_of(workshop).folds for cell in fold.cells]
    assert len(set(keys)) == len(keys)
    assert keys == [cell.key for fold in plan_of(workshop).folds for cell in fold.cells]


def test_curves_reach_as_far_as_first_asks_where_no_best_is_sought(workshop) -> None:
    workshop.run(TEXT + "selections: [all, {first: 2}, {first: 1}]\n")
    assert workshop.store().curves().k.max() == 2
    workshop.run(TEXT + "selections: [best, {first: 2}]\n")
    assert set(workshop.store().curves().groupby("dataset").k.max()) == {4, 5}


def test_the_shipped_plan_of_the_paper() -> None:
    plan = make_plan(load_experiment("nlc2003"), fetch=False)
    assert plan.missing == []
    kinds = [cell.kind for fold in plan.folds for cell in fold.cells]
    # 18 sets x 10 folds: 3 rankings; 3 classifiers x 3 rankers x 3 curves; 3 x (1 + 3 x 4) tests.
    assert (kinds.count("ranking"), kinds.count("curve"), kinds.count("result")) == (540, 4860, 7020)
