"""The multi-label paper: its tables and comparison from made results that are the printed ones, and a small run."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from fsbench.cli.compare import command as compare
from fsbench.cli.report import command as report
from fsbench.data.multilabel import LabelStatistics
from fsbench.evaluation.multilabel_metrics import MEASURES, RANKING_MEASURES
from fsbench.experiment.config import load_experiment
from fsbench.experiment.label_store import STORED_MEASURES
from fsbench.experiment.run import make_plan, run_plan
from fsbench.experiment.writer import StoreWriter
from fsbench.published import multilabel as paper
from fsbench.report.multilabel import degraded, degraded_cells, method_of, paper_setups
from fsbench.report.multilabel_compare import compare_convention, compare_prose, compare_table, summarise_cells
from fsbench.report.paper_page import paper_page
from fsbench.report.renderers import FORMATS, render
from fsbench.report.reproduction import reproduce
from fsbench.report.results import Results, load
from fsbench.report.tables import build
from tests.report.label_runs import LABELLED, make_labelled
from tests.report.samples import cell, dataset, experiment, methods

NAMES = list(paper.PAPER_NAMES)
RANKERS = [
    {**methods(name, label), "transform": {"method": transform}} for (name, transform), label in paper.METHODS.items()
]
SPEC = experiment(
    paper="multilabel2013",
    kind="multilabel",
    folds={"scheme": "mulan", "folds": 10, "repeats": 1, "seed": 1},
    datasets=[{"name": n, "path": None, "label": n} for n in NAMES],
    rankers=RANKERS,
    classifiers=[methods("brknn-b", "B", k=5, ties="mulan")],
    selections=[{"selection": "all", "k": None}, {"selection": "threshold", "k": None, "amount": 0.01}],
)


def printed(table: str, name: str, column: str):
    return next(c for c in paper.cells() if (c.table, c.dataset, c.column) == (table, name, column))


def frame(shift: float = 0.0, folds: int = 2) -> pd.DataFrame:
    """Measures on two folds whose means and deviations are the printed ones, or shifted."""
    rows = []
    for name in NAMES:
        for method in ("baseline", *paper.METHODS.values()):
            names = {ours: f"{theirs}/{method}" for theirs, ours in paper.MEASURES.items()}
            found = {ours: printed("table4", name, column) for ours, column in names.items()}
            kept = printed("table3", name, method) if method != "baseline" else None
            for fold in range(folds):
                sign = 1 if fold else -1
                row = dict.fromkeys(STORED_MEASURES, 0.5) | {"reduction": 0.0}
                ok = found["accuracy"].value is not None
                if ok:
                    row |= {k: c.value + shift + sign * float(c.spread) for k, c in found.items()}
                    row |= dict.fromkeys(("f_macro_one", "f_macro_zero", "f_macro_skip"), row["f_macro"])
                    row["f_macro_skip"] += 0.004
                if kept is not None and ok:
                    row["reduction"] = kept.value + sign * float(kept.spread)
                if not ok:
                    row = dict.fromkeys(STORED_MEASURES, float("nan"))
                base = method == "baseline"
                rows.append({
                    "dataset": name, "repeat": 0, "fold": fold, "classifier": "B", "ranker": "" if base else method,
                    "selection": "all" if base else "threshold", "amount": float("nan") if base else 0.01,
                    "n_test": 10, **row, "status": "ok" if ok else "skipped",
                    "reason": "" if ok else "threshold keeps no feature of it",
                })  # fmt: skip
    return pd.DataFrame(rows)


def statistics(name: str) -> LabelStatistics:
    values = {c.column: c.value for c in paper.cells() if c.table == "table2" and c.dataset == name}
    return LabelStatistics(
        int(values["n_labels"]), values["label_cardinality"], values["label_density"],
        int(values["distinct_combinations"]), 0, 0, 0, 0,
    )  # fmt: skip


def sample(measures: pd.DataFrame | None = None, names: list[str] = NAMES, **changes) -> Results:
    sizes = {c.dataset: c.value for c in paper.cells() if (c.table, c.column) == ("table2", "n_examples")}
    columns = {c.dataset: c.value for c in paper.cells() if (c.table, c.column) == ("table2", "n_features")}
    sets = pd.DataFrame(
        [
            dataset(n, int(sizes.get(n, 1)), missing="" if n in names else "gone", features=int(columns[n]))
            for n in NAMES
        ]
    )
    empty = pd.DataFrame([], columns=list(cell("", "", "", "", [1])[0]))
    times = pd.DataFrame([], columns=["dataset", "repeat", "fold", "ranker", "seconds"])
    found = frame() if measures is None else measures
    return Results(
        SPEC | changes, sets, empty, times, labelled=lambda: (found, {n: statistics(n) for n in names})
    )  # fmt: skip


def test_the_printed_numbers_agree_with_themselves():
    results = sample()
    for table, count in (("table2", 60), ("table3", 40), ("table4", 300)):
        cells = compare_table(results, table)
        assert len(cells) == count
        assert [c.agrees for c in cells] == [True] * count
        assert [c.strict for c in cells] == [True] * count
        assert not any(c.note for c in cells if c.printed is not None)
    found = summarise_cells(results, [c for t in ("table3", "table4") for c in compare_table(results, t)])
    whole = {a.column: a for a in found}
    assert (whole["all"].cells, whole["all"].agree, whole["all"].strict) == (340, 340, 340)
    assert whole["all but macro F"].cells == 290
    assert whole["macro_f, 0/0 left out"].mean_distance == pytest.approx(0.004)


def test_tolerances_are_two_printed_deviations_and_chance():
    (c,) = (
        c
        for c in compare_table(sample(frame(0.05)), "table4")
        if (c.dataset, c.column) == ("emotions", "f_measure/RF-BR")
    )
    value = printed("table4", "emotions", "f_measure/RF-BR")
    assert c.tolerance == pytest.approx(2 * float(value.spread) + 0.005)
    assert c.agrees == (c.tolerance >= 0.05)
    # Two folds at mean +- s: the sample deviation is s * sqrt(2); 2 sqrt(2) s sqrt(2) / sqrt(2) folds.
    assert c.strict == (2 * 2**0.5 * float(value.spread) + 0.005 >= 0.05)


def test_a_dash_agrees_with_an_empty_selection_only():
    measures = frame()
    first = (measures.dataset == "bibtex") & (measures.ranker == "IG-BR") & (measures.fold == 0)
    measures.loc[first, ["status", "reason"]] = ["ok", ""]
    measures.loc[first, list(STORED_MEASURES)] = 0.5
    other = (measures.dataset == "enron") & (measures.ranker == "RF-LP")
    measures.loc[other, "status"] = "skipped"
    measures.loc[other, "reason"] = "keeps no feature"
    results = sample(measures)
    cells = {(c.dataset, c.column): c for c in compare_table(results, "table3")}
    partly, gone = cells["bibtex", "IG-BR"], cells["enron", "RF-LP"]
    assert (partly.agrees, partly.ours, partly.printed) == (False, 0.5, None)
    assert "1 of 2 folds keep no feature" in partly.note
    assert (gone.agrees, gone.ours) == (False, None)
    text = render(build(results)[2], "text")
    assert next(line for line in text.splitlines() if line.startswith("enron")).split()[5:7] == ["-", "0.12"]


def test_twenty_cells_are_degraded_in_print():
    found = degraded_cells()
    assert len(found) == 20
    assert sum(measure == "hamming_loss" for _, measure, _ in found) == 6
    assert sum(measure == "subset_accuracy" for _, measure, _ in found) == 6
    assert {name for name, *_ in found} == {"corel16k001", "corel5k", "enron"}
    prose = {c.column: c for c in compare_prose(sample())}
    assert all(c.agrees is not False for c in prose.values())
    assert (prose["n_degraded"].ours, prose["n_cells"].ours, prose["n_empty_pairs"].ours) == (20, 210, 5)
    assert "20 of them are degraded in print" in prose["n_degraded"].note


@pytest.mark.parametrize(
    ("measure", "base", "other", "expected"),
    [
        ("accuracy", (0.50, 0.01), (0.47, 0.01), True),
        ("accuracy", (0.50, 0.01), (0.48, 0.01), False),  # intervals that touch
        ("accuracy", (0.47, 0.01), (0.50, 0.01), False),
        ("hamming_loss", (0.06, 0.0), (0.07, 0.0), True),
        ("hamming_loss", (0.0605, 0.0), (0.0645, 0.0), False),  # the same hundredths
        ("hamming_loss", (0.07, 0.0), (0.06, 0.0), False),
    ],
)
def test_the_rule_of_degraded_cells(measure, base, other, expected):
    assert degraded(measure, base, other) is expected


def test_setups_are_compared_one_by_one():
    setups = {"full": NAMES, "some": ["emotions", "other"]}
    measures = frame()
    shifted = measures[measures.dataset == "emotions"].copy()
    shifted[list(MEASURES)] += 0.3
    results = sample(pd.concat([measures[measures.dataset != "emotions"], shifted]), setups=setups)
    cells = compare_table(results, "table4")
    assert len(cells) == 600
    assert {c.setup for c in cells} == {"full", "some"}
    assert sum(c.outside for c in cells if c.setup == "some") == 270
    assert all(c.agrees is False for c in cells if c.dataset == "emotions" and "accuracy/" in c.column)
    assert paper_setups(results)["some"] == {"emotions": "emotions"}


def test_a_cell_that_agrees_in_another_setup_says_so():
    measures = frame()
    twin = measures[measures.dataset == "yeast"].assign(dataset="scene")
    measures = pd.concat([measures[measures.dataset != "scene"], twin])
    setups = {"full": [n for n in NAMES if n != "scene"], "twin": ["scene"]}
    # Here `scene` stands for yeast, and yeast itself is shifted.
    own = measures.dataset == "yeast"
    measures.loc[own, "reduction"] += 40.0
    results = sample(measures, setups=setups, paper_names={"scene": "yeast"})
    cells = {(c.setup, c.dataset, c.column): c for c in compare_table(results, "table3")}
    assert cells["twin", "yeast", "RF-BR"].agrees
    assert cells["full", "yeast", "RF-BR"].agrees is False
    assert cells["full", "yeast", "RF-BR"].note == "agrees in the setup twin"


def test_methods_are_the_papers_only_with_its_settings():
    results = sample()
    assert method_of(results, "RF-BR").ranker == "RF-BR"
    assert method_of(results, "baseline").is_baseline
    other = [{**RANKERS[0], "transform": {"method": "br", "combine": "max"}}, *RANKERS[1:]]
    assert method_of(sample(rankers=other), "RF-BR") is None
    top = [{"selection": "all", "k": None}, {"selection": "first", "k": 5}]
    assert method_of(sample(selections=top), "RF-BR") is None
    alias = [{**methods("information-gain", "mine"), "transform": {"method": "label-powerset"}}]
    assert method_of(sample(rankers=alias), "IG-LP").ranker == "mine"


def test_macro_f_under_each_convention():
    results = sample()
    for key, gap in (("f_macro_one", 0.0), ("f_macro_skip", 0.004)):
        cells = compare_convention(results, "", key)
        assert len(cells) == 50
        assert all(c.difference == pytest.approx(gap) for c in cells if c.difference is not None)
    (table,) = (t for t in build(results) if t.key == "macro-f")
    assert "0/0 is 1 0.000, 0/0 left out 0.004, 0/0 is 0 0.000; nearest: 0/0 is 1" in table.notes[0]


def test_tables_have_the_papers_layout():
    tables = {t.key: t for t in build(sample(names=NAMES[:9]))}
    assert list(tables) == ["datasets", "table2", "table3", "table4", "degraded", "macro-f", "counts", "ranks",
                            "friedman", "pairs", "ranking-times", "gaps"]  # fmt: skip
    text = render(tables["table4"], "text").splitlines()
    line = next(t for t in text if "corel5k" in t)
    assert line.split()[:9] == ["corel5k", "0.01", "(0.00)", "0.02", "(0.00)", "••", "0.02", "(0.00)", "••"]
    assert "20 of ours" in " ".join(tables["degraded"].notes)
    assert len(tables["degraded"].rows) == 20
    assert [r.cells[0].value for r in tables["table2"].rows] == NAMES
    assert tables["table2"].rows[9].cells[1].text == "missing"
    for table in tables.values():
        assert all(render(table, form) for form in FORMATS)


SMALL = LABELLED.replace("datasets: [one.arff, two.arff, gone.arff]", """paper: multilabel2013
paper_names: {one: emotions, two: yeast}
datasets: [one.arff, two.arff, {path: gone.arff, label: scene}]""").replace(
    "{first: [one, gone], second: [one, two]}", "{full: [one, scene], paper: [one, two]}"
)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return make_labelled(tmp_path_factory.mktemp("paper"), SMALL)


def invoke(command, *args):
    return CliRunner().invoke(command, [str(a) for a in args], catch_exceptions=False)


def test_compare_lists_all_cells_of_both_setups(run):
    found = json.loads(invoke(compare, "multilabel2013", "--results", run, "--format", "json").stdout)
    cells = found["cells"]
    assert len([c for c in cells if c["table"] != "table2"]) == 2 * 340
    ours = {(c.get("setup"), c["dataset"]) for c in cells if c["ours"] is not None}
    assert ours == {("full", "one"), ("paper", "one"), ("paper", "two")} or ours == {
        ("full", "emotions"), ("paper", "emotions"), ("paper", "yeast")
    }  # fmt: skip
    whole = [s for s in found["summary"] if s["column"] == "all" and s["table"] == ""]
    assert [(s["setup"], s["cells"]) for s in whole] == [("full", 340), ("paper", 340)]
    rows = list(
        csv.DictReader(io.StringIO(invoke(compare, "multilabel2013", "--results", run, "--format", "csv").stdout))
    )
    assert len(rows) == len(cells) + len(found["prose"])
    assert any("missing: no such file" in c["note"] for c in cells)
    extra = {table["table"]: table["rows"] for table in found["extra"]}
    assert list(extra) == ["degraded-full", "macro-f-full", "degraded-paper", "macro-f-paper"]
    assert [row["dataset"] for row in extra["macro-f-paper"]] == ["emotions", "yeast"]


def test_compare_prints_both_rules_and_the_nearest_convention(run):
    text = invoke(compare, "multilabel2013", "--results", run, "--table", "4").stdout
    assert "two printed standard deviations plus half a printed unit; strictly: at" in text
    assert "nearest to the printed macro F by mean distance" in text
    assert "Table 3" not in text
    assert "The degraded cells of Table 4 (printed in grey), setup full" in text
    assert "Macro F under each convention for 0/0, setup paper" in text
    assert "degraded cells" not in invoke(compare, "multilabel2013", "--results", run, "--table", "3").stdout


def test_reports_of_a_run_have_every_table_in_every_form(run):
    done = invoke(report, run, "--format", "all")
    assert "Table 3: features left out (%), setup full" in done.stdout
    names = {p.stem for p in run.rglob("*.csv")}
    assert {"table3-full", "table3-paper", "table4-full", "macro-f-paper", "degraded-full", "gaps"} <= names
    assert "one stands for it" in done.stdout


def test_experiments_of_ones_own_have_measures_counts_and_ranks(tmp_path):
    text = LABELLED.replace("setups: {first: [one, gone], second: [one, two]}\n", "")
    text = text.replace("[{method: brknn-b, label: B}]", "[{method: brknn-b, label: B}, brknn]")
    results = load(make_labelled(tmp_path, text))
    tables = {t.key: t for t in build(results)}
    parts = [
        f"{name}-{which}" for which in ("B", "brknn") for name in ("measures", "ranking-measures", "counts", "ranks")
    ]
    assert list(tables) == ["datasets", *parts, "friedman", "pairs", "ranking-times", "gaps"]
    labelled = results.labelled
    base, other = labelled.of_classifier("B")[:2]
    rows = tables["measures-B"].rows
    assert [r.cells[0].value for r in rows[:1] + rows[9:10]] == ["one", "two"]
    assert len(rows) == 2 * (1 + len(MEASURES))
    assert rows[1].cells[2].value == labelled.scores("one", base, "hamming_loss").mean
    assert len(tables["ranking-measures-B"].rows) == 2 * len(RANKING_MEASURES)
    assert rows[1].cells[3].value == labelled.scores("one", other, "hamming_loss").mean
    for row, best in ((rows[1], min), (rows[4], max)):  # Hamming loss, accuracy
        values = [row.cells[i].value for i in (2, 3, 5)]
        assert [row.cells[i].best for i in (2, 3, 5)] == [round(v, 3) == round(best(values), 3) for v in values]
    statuses = {(r.cells[0].value, r.cells[2].value): r.cells[3].value for r in tables["gaps"].rows}
    assert statuses["two", "IG-BR"] == "empty"
    assert statuses["gone", ""] == "missing"


def test_ranks_put_an_empty_selection_last():
    tables = {t.key: t for t in build(sample())}
    row = next(r for r in tables["ranks"].rows if r.cells[0].value == "Accuracy")
    ranks = [c.value for c in row.cells[1:]]
    assert sum(ranks) == pytest.approx(15)
    assert max(ranks) == ranks[3]


def test_reproduction_of_nothing_is_told(tmp_path):
    results = load(make_labelled(tmp_path))
    assert results.paper is None
    assert reproduce(results, ["table3"]).cells == []


def test_marks_are_adjusted_over_the_methods_of_a_data_set_and_measure():
    from fsbench.stats import compare, holm

    measures = frame(folds=6)
    import numpy as np

    rng = np.random.default_rng(3)
    for k, method in enumerate(["", *paper.METHODS.values()]):
        rows = (measures.dataset == "scene") & (measures.ranker == method)
        measures.loc[rows, "hamming_loss"] = 0.3 - 0.012 * k + rng.normal(0, 0.01, 6)
    results = sample(measures, paper=None, tests={"test": "paired-t", "level": 0.05, "correction": "holm"})
    labelled = results.labelled
    values = [labelled.scores("scene", m, "hamming_loss").values for m in labelled.methods]
    p_values = holm([compare("paired", v, values[0], np.ones(6), np.ones(6)).p_value for v in values[1:]])
    assert any(p < 0.05 for p in p_values)
    assert any(p >= 0.05 for p in p_values)
    (table,) = (t for t in build(results) if t.key == "measures")
    at = next(i for i, row in enumerate(table.rows) if row.cells[0].value == "scene")
    marks = [cell.marks[0] for cell in table.rows[at + 1].cells if cell.marks]
    assert marks == ["better" if p < 0.05 else "equal" for p in p_values]  # less of a loss
    assert "Holm over the methods of each data set and measure" in " ".join(table.notes)


def test_the_page_beside_the_paper_counts_dashes_and_setups():
    found = paper_page(sample(setups={"a": NAMES, "b": NAMES[:5]}))
    coverage = dict(found.coverage)
    assert coverage["Cells of Table 2"] == "60 of 60 computed, 60 of 60 agree"
    assert coverage["Cells of Table 3, setup a"] == "40 of 40 computed, 40 of 40 agree"
    assert coverage["Cells of Table 4, setup b"] == "150 of 300 computed, 150 of 150 agree"
    assert any("training parts" in r.text for r in found.remarks)


@pytest.mark.slow
@pytest.mark.shared
def test_the_whole_paper(tmp_path, shared, monkeypatch):
    """Every printed cell in both setups: six minutes of processor time."""
    monkeypatch.setenv("FSBENCH_DATA", str(shared / "datasets" / "multilabel"))
    plan = make_plan(load_experiment("multilabel2013"), fetch=False)
    with StoreWriter(tmp_path / "out") as store:
        *_, progress = run_plan(plan, store, lambda tasks: 2)
    assert progress.statuses == {"ok": 1209, "skipped": 51}
    results = load(tmp_path / "out")
    cells = [c for table in ("table2", "table3", "table4") for c in compare_table(results, table)]
    found = {(a.setup, a.table, a.column): (a.cells, a.agree, a.strict) for a in summarise_cells(results, cells)}
    assert found["", "table2", "all"] == (60, 60, 60)
    assert found["full", "", "all but macro F"] == (290, 266, 225)
    assert found["paper", "", "all but macro F"] == (290, 275, 273)
    assert found["paper", "table4", "macro_f, 0/0 left out"] == (50, 45, 40)
    assert found["full", "", "all"][:2] == (340, 297)
    assert found["paper", "", "all"][:2] == (340, 305)
