"""The exclusiveness paper: its tables from hand-made results, the comparison, and a small run."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from fsbench.cli.compare import command as compare
from fsbench.cli.report import command as report
from fsbench.experiment.store import Store
from fsbench.published import exclusiveness as paper
from fsbench.report.exclusiveness import kendall_tau, main_setting, relevance, settings
from fsbench.report.exclusiveness_compare import compare_prose, compare_table, mean_change
from fsbench.report.renderers import render
from fsbench.report.reproduction import reproduce
from fsbench.report.results import Results, load
from fsbench.report.tables import build
from tests.report.runs import make_run
from tests.report.samples import cell, dataset, experiment, methods
from tests.report.samples import results as made

SPEC = experiment(
    paper="exclusiveness2003",
    datasets=[{"name": n, "label": n} for n in ("breast-w", "diabetes", "covertype")],
    rankers=[methods("exclusiveness", "R10", intervals=10), methods("exclusiveness", "R3", intervals=3)],
    classifiers=[
        {**methods("trie", "T3", intervals=3), "rankers": ["R3"]},
        {**methods("trie", "T10"), "rankers": ["R10"]},
        {**methods("c45", "tree"), "rankers": []},
    ],
    selections=[
        {"selection": "all"},
        {"selection": "ordered"},
        {"selection": "reduced", "estimate": "inner_cv", "folds": 10},
    ],
)

# Errors in percent on two folds of 100 rows: original, ordered, reduced, by data set and trie.
ERRORS = {
    ("breast-w", "T10"): ([6, 4], [3, 1], [4, 2]),
    ("breast-w", "T3"): ([8, 6], [9, 7], [9, 7]),
    ("diabetes", "T10"): ([30, 26], [31, 29], [28, 24]),
    ("diabetes", "T3"): ([28, 28], [22, 22], [23, 23]),
}


def sample() -> Results:
    """Two of the paper's data sets; the ranking R10 of breast-w is the printed one on the first fold."""
    rows = []
    for (name, trie), errors in ERRORS.items():
        ways = (("", "all", ""), (f"R{trie[1:]}", "ordered", ""), (f"R{trie[1:]}", "reduced", "inner_cv"))
        for (ranker, selection, estimate), wrong in zip(ways, errors, strict=True):
            rows += cell(name, trie, ranker, selection, [100 - e for e in wrong], 100, estimate=estimate)
    for name, wrong in (("breast-w", [5, 5]), ("diabetes", [27, 27])):
        rows += cell(name, "tree", "", "all", [100 - e for e in wrong], 100)
    sets = [
        dataset("breast-w", 200, note="complete rows"),
        dataset("diabetes", 200),
        dataset("covertype", missing="put it there"),
    ]
    base = made(SPEC, sets, rows)
    return Results(SPEC, base.dataset_table, pd.DataFrame(rows), base.ranking_times, rankings)


def rankings() -> pd.DataFrame:
    """Deltas by place: breast-w in the printed order, then in that of the file with two exact ties; diabetes zeros."""
    printed = [j - 1 for j in paper.attribute_orders()["breast-w"]]
    falling = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    tied = [0.9, 0.9, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 0.0]
    folds = [
        ("breast-w", 0, printed, falling),
        ("breast-w", 1, list(range(9)), tied),
        ("diabetes", 0, list(range(8)), [0.5, 0.5] + [0.0] * 6),
        ("diabetes", 1, list(range(8)), [0.5, 0.25] + [0.0] * 6),
    ]
    rows = [
        (name, 0, fold, ranker, rank + 1, feature, score)
        for ranker in ("R10", "R3")
        for name, fold, order, scores in folds
        for rank, (feature, score) in enumerate(zip(order, scores, strict=True))
    ]
    return pd.DataFrame(rows, columns=["dataset", "repeat", "fold", "ranker", "rank", "feature_index", "score"])


def test_settings_are_tries_with_a_ranker_of_their_own() -> None:
    found = settings(sample())
    assert [(s.intervals, s.classifier, s.ranker) for s in found] == [("3", "T3", "R3"), ("10", "T10", "R10")]
    assert main_setting(sample()) == found[1]


def test_relevance_ties_and_tau_by_hand() -> None:
    setting = main_setting(sample())
    assert setting is not None
    found = relevance(sample(), "breast-w", setting)
    assert found is not None
    assert found.relevant.tolist() == [100.0, pytest.approx(100 * 7 / 9)]
    assert found.tied.tolist() == [0, 4]
    # 7,2,1,8,3,9,4,6,5 against 1..9: pairs in falling order are 6+1+0+4+0+3+0+1+0 = 15 of 36.
    assert found.tau.tolist() == [1.0, pytest.approx((36 - 2 * 15) / 36)]
    # Mean deltas: 0.85 of 2, 0.8 of 1, 0.5 of 3 and 7, 0.35 of 4, 0.3 of 8, 0.2 of 5, 6 and 9.
    assert found.order == (2, 1, 3, 7, 4, 8, 5, 6, 9)


def test_tau_counts_what_both_orders_have() -> None:
    assert kendall_tau([3, 1, 2], [1, 2, 3]) == pytest.approx(-1 / 3)
    assert kendall_tau([1, 9, 2], [1, 2]) == 1.0
    assert kendall_tau([1], [1]) is None


def table(key: str):
    return next(t for t in build(sample()) if t.key == key)


def row(key: str, name: str) -> dict[str, object]:
    found = table(key)
    cells = next(r.cells for r in found.rows if r.cells[0].value == name)
    return {c.key: cell.text or cell.value for c, cell in zip(found.columns, cells, strict=True)}


def test_table_1_counts_and_shares() -> None:
    assert row("table1", "breast-w") == {
        "dataset": "breast-w",
        "attributes": 4.0,
        "attributes_printed": 16.0,
        "attributes_from_share": 9,
        "n_train": 100.0,
        "n_train_printed": 407.0,
        "n_test": 100.0,
        "n_test_printed": 273.0,
        "relevant": pytest.approx(100 * 8 / 9),
        "relevant_printed": 100.0,
        "tied": 2.0,
        "tau": pytest.approx(0.5 * (1 + 1 / 6)),
    }
    assert row("table1", "covertype")["relevant"] == "missing"


def test_table_2_differences_averages_and_what_is_said_of_them() -> None:
    found = row("table2", "breast-w")
    assert [found[k] for k in ("original_a", "ordered_b", "reduced_c")] == [5.0, 2.0, 3.0]
    assert (found["order_b_minus_a"], found["order_b_minus_a_printed"]) == (-3.0, -3.3)
    assert (found["reduction_c_minus_b"], found["reduction_c_minus_b_printed"]) == (1.0, 0.4)
    assert found["pruned"] == 50.0
    average = row("table2", "average")
    assert (average["order_b_minus_a"], average["order_b_minus_a_printed"]) == (-0.5, -4.3)
    assert average["reduction_c_minus_b"] == -1.5
    notes = " ".join(table("table2").notes)
    assert "-0.50 points in the mean of 2 data sets (lower in 1 of them); printed -4.3, and -4.45" in notes
    assert "the same sign" in notes
    assert "lowers the error in 1 of 2 data sets and raises it in 1" in notes
    assert "+0.4 for hypothyroid (printed -0.4)" in notes


def test_table_3_takes_the_lower_of_ordered_and_reduced() -> None:
    assert row("table3", "breast-w")["ours_error"] == 2.0
    found = row("table3", "diabetes")
    assert (found["ours_error"], found["ours_error_printed"], found["ours_error_printed_sd"]) == (26.0, 22.2, 1.4)
    assert found["ours_error_sd"] == pytest.approx(math.sqrt(8))
    assert row("table3", "diabetes")["difference"] == -1.0
    assert row("table3", "diabetes")["difference_printed"] == pytest.approx(22.2 - 26.8)
    assert "from the literature" in " ".join(table("table3").notes)


def test_the_sweep_names_the_nearest_setting() -> None:
    found = table("nearest")
    cells = {r.cells[0].value: [c.value for c in r.cells[1:]] for r in found.rows}
    assert list(cells) == ["breast-w", "diabetes"]
    # Both rankers are the same here; errors: printed 5.5, 2.2, 1.8 and 27.8, 22.2, 22.5.
    assert cells["breast-w"][0] == "3, 10"
    assert cells["breast-w"][4:] == ["10", pytest.approx((0.5 + 0.2 + 1.2) / 3)]
    assert cells["diabetes"][4:] == ["3", pytest.approx((0.2 + 0.2 + 0.5) / 3)]
    assert cells["diabetes"][3] == pytest.approx(75.0 - 25.0)
    assert [[c.value for c in r.cells[:2]] for r in table("sweep").rows] == [
        ["breast-w", "3"], ["breast-w", "10"], ["diabetes", "3"], ["diabetes", "10"],
    ]  # fmt: skip


def test_every_table_has_every_form() -> None:
    for one in build(sample()):
        for form in ("text", "markdown", "csv", "latex"):
            assert render(one, form)


def test_every_printed_cell_is_compared() -> None:
    found = reproduce(sample(), ["table1", "table2", "table3", "prose"])
    assert [(c.table, c.column, c.printed) for c in found.cells] == [
        (c.table, c.column, c.value) for c in paper.cells()
    ]
    assert {c.column for c in found.prose} == set(paper.prose())
    groups = [(a.table, a.column) for a in found.summary]
    assert len(groups) == len(set(groups)) == 9  # without the two sizes, which are not judged


def test_errors_are_judged_by_their_folds_and_sizes_only_in_a_holdout() -> None:
    cells = {(c.dataset, c.column): c for c in compare_table(sample(), "table2")}
    ordered = cells["breast-w", "ordered_b"]
    # 3 and 1 percent: s = sqrt(2), so 2 * sqrt(2) * s / sqrt(2) = 2 * sqrt(2).
    assert (ordered.ours, ordered.printed) == (2.0, 2.2)
    assert ordered.tolerance == pytest.approx(2 * math.sqrt(2) + 0.05)
    assert ordered.agrees is True
    # The difference is the same on both folds: only rounding is left.
    change = cells["breast-w", "order_b_minus_a"]
    assert (change.ours, change.tolerance, change.agrees) == (-3.0, pytest.approx(0.05), False)
    assert "the printed columns give -0.4" in cells["breast-w", "reduction_c_minus_b"].note
    assert cells["covertype", "ordered_b"].note == "missing: put it there"
    assert cells["adult", "ordered_b"].outside
    average = cells["average", "order_b_minus_a"]
    assert (average.ours, average.printed, average.agrees) == (-0.5, -4.3, None)
    assert "2 of 7 data sets, over which the printed mean is -4.45" in average.note
    sizes = [c for c in compare_table(sample(), "table1") if c.column == "n_train" and c.dataset == "breast-w"]
    assert [(c.ours, c.agrees) for c in sizes] == [(100.0, None)]
    spec = {**SPEC, "folds": {"scheme": "holdout", "repeats": 2}}
    held_out = made(spec, [dataset("breast-w", 200)], cell("breast-w", "T10", "", "all", [95, 94], 100))
    sizes = [c for c in compare_table(held_out, "table1") if c.column == "n_train" and c.dataset == "breast-w"]
    assert [(c.ours, c.agrees) for c in sizes] == [(100.0, False)]


def test_the_figure_is_computed_from_its_frequencies() -> None:
    prose = {c.column: c for c in compare_prose(sample())}
    assert prose["figure1.delta_A1"].ours == 54 / 408
    assert prose["figure1.delta_A2"].ours == 112 / 408
    assert prose["figure1.delta_A1"].agrees
    assert prose["phi"].ours == 0.75
    assert (prose["share_cases_reduction_helps"].ours, prose["max_loss_reduction"].ours) == (50.0, 1.0)
    assert prose["mean_attribute_reduction"].ours == 50.0


def test_a_mean_over_no_data_set_is_none() -> None:
    empty = made({**SPEC, "datasets": []}, [dataset("covertype", missing="gone")], [])
    assert mean_change(empty, "order_b_minus_a") == (None, None, [])
    assert [t.key for t in build(empty)]


SMALL = """
name: small
paper: exclusiveness2003
datasets: [{name: breast-w, complete_rows: true}, {name: iris}, covertype.arff]
folds: {folds: 3}
rankers: [{method: exclusiveness, intervals: 10, label: R10}, {method: exclusiveness, intervals: 3, label: R3}]
classifiers:
  - {method: trie, intervals: 10, label: T10, rankers: [R10]}
  - {method: trie, intervals: 3, label: T3, rankers: [R3]}
  - {method: c45, rankers: []}
selections: [all, ordered, {reduced: {folds: 2}}]
"""


def test_a_run_is_reported_and_compared(tmp_path: Path) -> None:
    run = make_run(tmp_path, "results/small", SMALL)
    runner = CliRunner()
    shown = runner.invoke(report, [str(run), "--format", "csv"])
    assert shown.exit_code == 0, shown.output
    files = {p.name for p in (run / "report" / "tables").glob("*.csv")}
    assert {"table1.csv", "table1-orders.csv", "table2.csv", "table3.csv", "sweep.csv", "nearest.csv"} <= files
    compared = runner.invoke(compare, ["exclusiveness2003", "--results", str(run), "--format", "json"])
    assert compared.exit_code == 0, compared.output
    plain = json.loads(compared.stdout)
    assert set(plain) == {"cells", "summary", "prose"}
    assert list(plain["cells"][0]) == [
        "table", "dataset", "column", "ours", "printed", "difference", "tolerance", "agrees", "note", "unit",
    ]  # fmt: skip
    ours = {(c["dataset"], c["column"]): c["ours"] for c in plain["cells"]}
    assert ours["breast-w", "printed_n_attributes"] == 9.0
    assert ours["breast-w", "relevant_pct"] == 100.0
    stored = Store(run).accuracies().query("dataset == 'breast-w' and ranker == 'R10' and selection == 'ordered'")
    assert ours["breast-w", "ordered_b"] == pytest.approx(100.0 * (1.0 - stored.accuracy.mean()))
    table_form = runner.invoke(compare, ["exclusiveness2003", "--results", str(run), "--all"])
    assert table_form.exit_code == 0, table_form.output
    # Nothing is said of pairs that were not asked for.
    assert "absent" not in (run / "report" / "tables" / "gaps.csv").read_text(encoding="utf-8")


def test_ordered_and_reduced_have_tables_without_a_paper(tmp_path: Path) -> None:
    text = """
name: small
datasets: [iris]
folds: {folds: 3}
rankers: [exclusiveness, ig]
classifiers: [nb, {method: trie, rankers: [exclusiveness]}]
selections: [all, ordered, {reduced: {folds: 2}}]
"""
    tables = {t.key: t for t in build(load(make_run(tmp_path, text=text)))}
    assert {"accuracy-ordered", "accuracy-reduced-inner_cv"} <= set(tables)
    assert "reduced rankings" in tables["accuracy-reduced-inner_cv"].title
    assert "gaps" not in tables


GOLDEN = """\
Table 3: error (%) of C4.5 and of the trie

                      C4.5                trie                          trie - C4.5
data set   classes       ours  printed       ours    ±  printed    ±       ours  printed
---------  -------    -------  -------    -------  ---  -------  ---    -------  -------
covertype             missing     29.1    missing          20.5  2.5    missing     -8.6
breast-w         3        5.0      5.8        2.0  1.4      2.2  0.2       -3.0     -3.6
diabetes         3       27.0     26.8       26.0  2.8     22.2  1.4       -1.0     -4.6
"""


def test_table_3_as_text() -> None:
    assert render(table("table3"), "text").startswith(GOLDEN)


def test_without_a_trie_only_what_is_there_is_shown() -> None:
    spec = {**SPEC, "rankers": [], "classifiers": [methods("c45", "tree")], "selections": [{"selection": "all"}]}
    found = made(spec, [dataset("breast-w", 200)], cell("breast-w", "tree", "", "all", [95, 95], 100))
    assert [t.key for t in build(found)] == ["datasets"]
    cells = {(c.dataset, c.column): c for c in compare_table(found, "table3")}
    assert "no trie" in cells["breast-w", "ours_error"].note
    assert cells["breast-w", "c45_error"].ours == 5.0
