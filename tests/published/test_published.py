"""The transcriptions agree with themselves: counts, names, totals that the papers state."""

from collections import Counter
from pathlib import Path

import pytest

from fsbench.errors import ConfigError
from fsbench.published import PAPERS, nlc, paper, read, rsa
from fsbench.published.printed import half_unit, number


def test_nlc_has_every_cell_once() -> None:
    cells = nlc.cells()
    assert len(cells) == len({(c.table, c.dataset, c.column) for c in cells}) == 432
    assert {c.dataset for c in cells} == set(nlc.PAPER_NAMES)
    columns = {f"{c}/{m}" for c in nlc.CLASSIFIERS.values() for m in ("all", *nlc.RANKERS.values())}
    assert {c.column for c in cells} == columns
    assert all(c.value is not None and 0 < c.value <= 100 and c.half_unit == 0.05 for c in cells)


def test_nlc_baselines_are_the_same_in_both_tables() -> None:
    values = {(c.table, c.dataset, c.column): c.text for c in nlc.cells() if c.column.endswith("/all")}
    assert len(values) == 108
    for table, dataset, column in values:
        assert values[table, dataset, column] == values["table3", dataset, column]


def test_nlc_markers_add_up_to_the_counts_in_the_text() -> None:
    for (table, against), (better, _, worse) in nlc.COUNTS.items():
        words = Counter(m.nlc_is for key, m in nlc.markers(table).items() if (key[2] == "all") == (against == "all"))
        assert (words["better"], words["worse"]) == (better, worse)
    assert len(nlc.markers("table3")) + len(nlc.markers("table4")) == 52


def test_nlc_markers_point_the_way_the_accuracies_do() -> None:
    value = {(c.table, c.dataset, c.column): c.value for c in nlc.cells()}
    for table in nlc.TABLES:
        for (dataset, classifier, versus), marker in nlc.markers(table).items():
            gap = value[table, dataset, f"{classifier}/NLC"] - value[table, dataset, f"{classifier}/{versus}"]
            assert (gap > 0) == (marker.nlc_is == "better")


def test_counts_match_the_prose() -> None:
    prose = nlc.prose()
    for (table, against), counts in nlc.COUNTS.items():
        suffix = f"_than_{against}" if table == "table3" else ""
        suffixes = (suffix, suffix.replace("than", "to"), suffix)
        keys = [f"{table}.{w}{s}" for w, s in zip(("better", "equal", "worse"), suffixes, strict=True)]
        assert tuple(int(prose[k].value) for k in keys) == counts


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("nlc2003", {"table3": 216, "table4": 216}),
        ("rsa2007", {"table2": 14, "table3": 13, "table4": 192}),
        ("exclusiveness2003", {"table1": 28, "table2": 36, "table3": 14}),
        ("multilabel2013", {"table2": 60, "table3": 40, "table4": 300}),
    ],
)
def test_every_paper_lists_its_cells(name: str, tables: dict[str, int]) -> None:
    module = paper(name)
    assert Counter(c.table for c in module.cells()) == tables
    assert module.TITLE
    assert module.prose()


def test_dashes_of_the_multilabel_paper_stay() -> None:
    dashes = [c for c in paper("multilabel2013").cells() if c.table == "table4" and c.value is None]
    assert len(dashes) == 30


def test_corral_is_the_set_of_128_rows() -> None:
    (cell,) = (c for c in rsa.cells() if c.dataset == "corral-test" and c.column == "PTA(1,0)/conventional/error")
    assert (cell.text, cell.spread, cell.printed_dataset) == ("3.20", "6.40", "corral")


def test_unknown_paper_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'nlc2003'"):
        paper("nlc2004")
    assert len(PAPERS) == 4


def test_half_a_printed_unit() -> None:
    assert [half_unit(t) for t in ("84.6", "16", "80.34", "0.02")] == [0.05, 0.5, 0.005, 0.005]
    assert number("+3.4") == 3.4
    assert number("") is None


@pytest.mark.shared
def test_the_transcriptions_are_those_handed_down(shared: Path) -> None:
    for path in sorted((shared / "papers").glob("*.csv")):
        assert read(path.stem)
        ours = Path(nlc.__file__).with_name(path.name)
        assert ours.read_bytes() == path.read_bytes()
