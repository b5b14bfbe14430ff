"""The paper on remainder subset awareness: a small run of it, its tables, the comparison, and its own arithmetic."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from fsbench.classifiers.nearest_scorer import NearestScorer
from fsbench.cli.compare import command as compare
from fsbench.cli.export import command as export
from fsbench.cli.report import command as report
from fsbench.data import load as load_data
from fsbench.evaluation.folds import stratified_splits
from fsbench.experiment.store import Store
from fsbench.published import rsa as paper
from fsbench.report import rsa
from fsbench.report.results import Results, load
from fsbench.report.rsa import Pair, corral, cross, order, outcome, printed_pairs, variants
from fsbench.report.rsa_compare import compare_prose, compare_table
from fsbench.report.rsa_statements import below_empty, near_counts, overhead
from fsbench.report.searching import Judged, judged_nested, judged_on_folds, optimism
from fsbench.report.table import Table
from fsbench.report.tables import build
from fsbench.searches.plus_l_take_away_r import SBG, SFG
from tests.report.runs import make_run

SMALL = """
name: rsa2007
paper: rsa2007
datasets:
  - {name: corral-test, seeds: 5}
  - mammogram
  - {path: extra.arff, label: extra}
folds: {folds: 5}
searches:
  - {method: sbg, label: SBG}
  - {method: sbg, remainder: 0.8, label: SBG aware}
  - {method: sfg, label: SFG}
  - {method: pta, plus: 1, minus: 0, remainder: 0.8, label: SFG aware}
  - {method: sfg, remainder: 0.5, label: SFG half}
  - {method: sfg, remainder: 0.8, weighting: size, label: SFG by size}
  - {method: sffs, label: floating}
searching: {protocol: [search-cv, nested], folds: 3}
classifiers: [{method: 1nn, scale: none, ties: first, label: 1NN}]
selections: [all]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rsa")
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 40)
    X = (rng.normal(size=(40, 5)) + np.outer(y, [1, 0, 0.5, 0, 0])).round(2)
    head = [f"@attribute a{j} numeric" for j in range(5)]
    rows = [",".join([*map(str, x), "ab"[c]]) for x, c in zip(X, y, strict=True)]
    text = "\n".join(["@relation extra", *head, "@attribute class {a,b}", "@data", *rows])
    (folder / "extra.arff").write_text(text + "\n")
    return make_run(folder, text=SMALL)


@pytest.fixture(scope="module")
def results(run: Path) -> Results:
    return load(run)


@pytest.fixture(scope="module")
def tables(results: Results) -> dict[str, Table]:
    return {table.key: table for table in build(results)}


def column(table: Table, key: str) -> list[object]:
    i = [c.key for c in table.columns].index(key)
    return [row.cells[i].value for row in table.rows]


def test_the_searches_are_named_by_what_they_do(results: Results) -> None:
    assert [(v.label, v.algorithm, v.k, v.weighting) for v in variants(results)] == [
        ("SBG", (0, 1), 1.0, "constant"),
        ("SBG aware", (0, 1), 0.8, "constant"),
        ("SFG", (1, 0), 1.0, "constant"),
        ("SFG aware", (1, 0), 0.8, "constant"),
        ("SFG half", (1, 0), 0.5, "constant"),
        ("SFG by size", (1, 0), 0.8, "size"),
    ]


def test_the_printed_percentages_are_those_of_the_printed_table_4_and_one_more_set() -> None:
    found = list(printed_pairs(list(paper.PAPER_NAMES)))
    every, forward = cross(found), cross([p for p in found if p.algorithm in ((1, 0), (2, 1))])
    cells = [("better", "="), ("better", ">"), ("better", "<"), ("equal", "="), ("equal", ">"), ("worse", ">")]
    assert [every[c] for c in [*cells, ("worse", "<")]] == [1, 10, 9, 4, 1, 3, 4]
    assert [forward[c] for c in [*cells, ("worse", "<")]] == [0, 8, 3, 1, 1, 1, 2]
    assert sum(every.values()) == 32


def test_near_ties_of_the_printed_table() -> None:
    found = list(printed_pairs(list(paper.PAPER_NAMES)))
    count, smaller, same, larger = near_counts(found)
    assert count == smaller + same + larger
    sonar = next(p for p in found if (p.dataset, p.algorithm) == ("sonar", (2, 1)))
    assert sonar.difference == pytest.approx(3.36)
    assert near_counts([sonar]) == (0, 0, 0, 0)


@pytest.mark.parametrize(("errors", "sizes", "expected"), [
    ((5.0, 4.0), (3, 2), ("better", ">")),
    ((5.0, 5.0 + 1e-13), (3, 3), ("equal", "=")),
    ((5.0, 5.1), (2, 3), ("worse", "<")),
])  # fmt: skip
def test_an_outcome(errors: tuple[float, float], sizes: tuple[int, int], expected: tuple[str, str]) -> None:
    sides = [Judged(error, 0.0, size, 5) for error, size in zip(errors, sizes, strict=True)]
    assert outcome(Pair("x", (1, 0), *sides)) == expected


def test_corral_is_counted_from_what_the_run_stored(results: Results, tables: dict[str, Table]) -> None:
    data = load_data("corral-test")
    names = [feature.name for feature in data.features]
    misled, saved, kept = [], [], []
    for seed in range(1, 6):
        scorer = NearestScorer(data, stratified_splits(data.y, 2, 5, seed), seed=seed)
        plain, aware, back = (s.run(scorer, 6) for s in (SFG(), SFG(remainder=0.8), SBG()))
        misled += [seed] if names[plain.inclusion[0]] == "Correlated" else []
        four = {names[j] for j in aware.inclusion[:4]} == {"A0", "A1", "B0", "B1"}
        saved += [seed] if four and aware.steps[3].usefulness == 1.0 else []
        kept += [seed] if "Correlated" not in [names[j] for j in back.best.subset] else []
    found = corral(results, "corral-test")
    assert found is not None
    assert found.seeds == (1, 2, 3, 4, 5)
    assert (list(found.misled), list(found.saved)) == (misled, saved)
    assert found.discards["conventional"] == len(kept)
    assert found.both == tuple(s for s in misled if s in saved) == (4, 5)
    (row,) = tables["corral"].rows
    assert [cell.value for cell in row.cells][:7] == ["corral-test", 128, 5, 20 * len(misled), 20 * len(saved), 40, 4]
    assert column(tables["corral-orders"], "seed") == ["printed", "1", "4"]
    assert order(results, "corral-test", 1.0, 4)[0] == "C"
    assert corral(results, "extra") is not None  # one seed only
    assert corral(results, "mammogram") is None


def test_what_the_run_stored_of_corral_is_read_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, made = [], rsa._read_by_seed
    monkeypatch.setattr(rsa, "_read_by_seed", lambda results, *key: read.append(key) or made(results, *key))
    build(load(run))
    assert len(read) == len(set(read)) > 0


def test_table_4_has_ours_beside_the_printed(run: Path, tables: dict[str, Table]) -> None:
    table = tables["table4"]
    names = column(table, "dataset")
    assert names == ["CorrAL"] * 4 + ["Mammogram"] * 4 + ["extra"] * 4
    rows = {(row.cells[0].value, row.cells[1].value, row.cells[2].value): row for row in table.rows}
    frame = Store(run).searches()
    stored = frame[(frame.dataset == "corral-test") & (frame.search == "SFG") & (frame.protocol == "search-cv")]
    ours = [cell.value for cell in rows["CorrAL", 1, 0].cells[3:6]]
    first = stored[stored.seed == 1].iloc[0]
    assert ours == pytest.approx([100 * first.error, 100 * first.sigma, first.n_selected])
    assert [cell.value for cell in rows["CorrAL", 1, 0].cells[9:15]] == [3.2, 6.4, 5, 0.0, 0.0, 4]
    assert [cell.text for cell in rows["CorrAL", 1, 2].cells[3:6]] == ["absent"] * 3
    assert [cell.text for cell in rows["Mammogram", 0, 1].cells[3:9]] == ["missing"] * 6
    assert any("put mammogram.arff into a folder" in note or "not here" in note for note in table.all_notes())
    # CorrAL's SFG at seed 1: 1.60 with 5 features against 0.00 with 4.
    assert [cell.best for cell in rows["CorrAL", 1, 0].cells[3:9]] == [False, False, False, True, False, True]


def test_optimism_is_the_honest_error_minus_the_one_searched_on(
    run: Path, results: Results, tables: dict[str, Table]
) -> None:
    store = Store(run)
    tests = store.accuracies().query("dataset == 'extra' and ranker == 'SFG aware'")
    assert len(tests) == 5
    frame = store.searches()
    searched = frame[(frame.dataset == "extra") & (frame.search == "SFG aware") & (frame.protocol == "search-cv")]
    expected = 100 * (1 - tests.accuracy.mean()) - 100 * searched.error.iloc[0]
    assert optimism(results, "extra", "1NN", "SFG aware") == pytest.approx(expected)
    table = tables["searches"]
    at = next(i for i, row in enumerate(table.rows) if [c.value for c in row.cells[:2]] == ["extra", "SFG aware"])
    assert column(table, "optimism")[at] == pytest.approx(expected)
    assert judged_nested(results, "extra", "1NN", "SFG aware").size == pytest.approx(tests.n_selected.mean())
    assert judged_on_folds(results, "mammogram", "1NN", "SFG").status == "missing"
    everything = [row for row in table.rows if row.cells[1].value == "all features"]
    assert len(everything) == 3
    assert "optimistic" in " ".join(column.group for column in table.columns)


def test_what_the_remainder_costs(run: Path, results: Results, tables: dict[str, Table]) -> None:
    found = overhead(results, (1, 0))
    assert found is not None
    assert 1 < found[0] <= 2
    assert overhead(results, (1, 2)) is None
    assert column(tables["overhead"], "algorithm") == ["PTA(0,1)", "PTA(1,0)"]
    assert tables["overhead"].timed
    assert tables["search-costs"].timed
    traces = Store(run).traces()
    mine = traces[(traces.search == "SFG") & (traces.protocol == "search-cv") & (traces.repeat == 0)]
    below = met = 0
    for _, steps in mine.groupby("dataset"):
        below += (steps.usefulness[1:] < steps.usefulness.iloc[0] - 1e-12).sum()
        met += len(steps) - 1
    assert below_empty(results, "SFG") == pytest.approx(100 * below / met)


def test_other_weights(tables: dict[str, Table]) -> None:
    for protocol in ("search-cv", "nested"):
        table = tables[f"weights-{protocol}"]
        heads = [c.title for c in table.columns if c.group == "error (%)"]
        assert heads == ["k = 1", "k = 0.8", "k = 0.5", "k = 0.8, by size"]
        row = next(r for r in table.rows if [c.value for c in r.cells[:2]] == ["extra", "PTA(1,0)"])
        assert all(isinstance(c.value, float) for c in row.cells[2:6])
        # SBG was run with two weights only: no row is whole but those of SFG.
        assert [r.cells[0].value for r in table.rows if r.rule] == ["mean of 2 rows"]


def test_every_printed_cell_is_compared(results: Results) -> None:
    found = {(c.dataset, c.column): c for c in compare_table(results, "table4")}
    assert len(found) == 192
    error = found["corral-test", "PTA(1,0)/conventional/error"]
    assert (error.ours, error.printed, error.agrees) == (pytest.approx(1.6), 3.2, True)
    assert error.tolerance == pytest.approx(0.005 + 2 * 2**0.5 * 3.2 * (5 / 4) ** 0.5 / 5**0.5)
    size = found["corral-test", "PTA(1,0)/conventional/size"]
    assert (size.ours, size.printed, size.agrees) == (5, 5, True)
    assert found["corral-test", "PTA(1,2)/modified/error"].outside
    assert "missing" in found["mammogram", "PTA(0,1)/modified/error"].note
    assert found["sonar", "PTA(0,1)/modified/error"].outside
    shares = compare_table(results, "table2")
    assert len(shares) == 14
    assert {c.agrees for c in shares} == {None}
    assert next(c.ours for c in shares if c.column == "total/total") == 100.0
    # Two pairs of CorrAL, of which Table 4 prints one better with fewer features and one equal in both.
    assert "2 pairs, of which Table 4 prints 50.0 %" in next(c.note for c in shares if c.column == "better/features_gt")


def test_the_text_is_compared(results: Results) -> None:
    found = {(c.dataset, c.column): c for c in compare_prose(results)}
    assert {c for _, c in found} >= {q for q, p in paper.prose().items() if p.value is not None and "." not in q}
    assert found["", "corral.c_agreement"].ours == 75.0
    assert found["", "k_geometric_mean"].agrees
    assert found["", "n_datasets"].agrees is None
    assert found["", "mammogram.n_features"].ours is None
    assert found["corral-test", "corral.both"].ours == 2.0
    assert "the first is 4" in found["corral-test", "corral.both"].note
    table = next(t for t in build(results) if t.key == "weights-nested")
    shown = next(r for r in table.rows if r.rule).cells[2:6]
    told = [c.ours for (_, name), c in found.items() if name.startswith("mean_error.nested.")]
    assert told == [cell.value for cell in shown]
    assert found["corral-test", "corral.sbg_discards_c.conventional"].ours == 5.0


def test_the_commands(run: Path, tmp_path: Path) -> None:
    shown = CliRunner().invoke(report, [str(run), "--output", str(tmp_path / "tables")], catch_exceptions=False)
    assert shown.exit_code == 0
    page = (tmp_path / "tables" / "index.html").read_text(encoding="utf-8")
    assert "Table 4: error, sigma and number of features" in page
    compared = CliRunner().invoke(
        compare, ["rsa2007", "--results", str(run), "--format", "json"], catch_exceptions=False
    )
    plain = json.loads(compared.stdout)
    assert len(plain["cells"]) == 14 + 13 + 192
    assert {c["column"] for c in plain["prose"]} >= {"overhead.time.PTA(1,0)", "near_ties"}
    traces = CliRunner().invoke(export, [str(run), "--what", "traces"], catch_exceptions=False).stdout.splitlines()
    head = traces[0].split(",")
    assert head[-1] == "subset"
    assert len(traces) == len(Store(run).traces()) + 1
    searches = CliRunner().invoke(export, [str(run), "--what", "searches"], catch_exceptions=False).stdout
    assert "Correlated;" in searches
