"""The page beside the paper: coverage, agreement, the largest differences first, what the paper itself lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsbench.published import PAPERS
from fsbench.published.remarks import KINDS, remarks
from fsbench.report.compare import Compared
from fsbench.report.paper_page import PaperPage, largest_table, paper_page
from fsbench.report.results import load
from tests.report.runs import make_run


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> PaperPage:
    made = paper_page(load(make_run(tmp_path_factory.mktemp("paper"))))
    assert made is not None
    return made


def test_coverage_counts_every_printed_cell(page: PaperPage) -> None:
    facts = dict(page.coverage)
    # One data set and one classifier of three: all features and three rankers.
    assert facts["Cells of Table 3"].startswith("4 of 216 computed, ")
    assert facts["Cells of Table 4"].startswith("4 of 216 computed, ")
    assert page.cells is not None
    assert len(page.cells.rows) == 432


def test_what_could_not_be_had_is_said(page: PaperPage) -> None:
    groups = dict(page.grouped())
    assert any(r.place == "gone" for r in groups[KINDS["unavailable"]])
    assert any("add up to 104" in r.text for r in groups[KINDS["inconsistent"]])
    text = page.markdown()
    assert text.startswith("# Beside the paper: Ruiz, Riquelme, Aguilar-Ruiz (2003), NLC\n")
    assert "## The largest differences" in text or "## Agreement" in text


def cell(name: str, difference: float | None, tolerance: float | None, note: str = "") -> Compared:
    ours = None if difference is None else 50.0 + difference
    agrees = None if ours is None or tolerance is None else abs(difference or 0) <= tolerance
    return Compared("table3", name, "C4.5/NLC", ours, 50.0, tolerance, agrees, note)


def test_the_largest_differences_come_first_as_multiples_of_the_tolerance() -> None:
    cells = [
        cell("a", 4.0, 2.0),
        cell("b", -3.0, 1.0, "why"),
        cell("c", 0.5, 1.0),
        cell("d", None, None),
        cell("e", 9, None),
    ]
    rows = largest_table(cells).rows
    assert [row.cells[1].value for row in rows] == ["b", "a", "c"]
    assert [row.cells[7].value for row in rows] == [3.0, 2.0, 0.5]
    assert [row.cells[8].value for row in rows] == ["why", "", "within the tolerance"]


def test_an_experiment_without_paper_has_no_page(tmp_path: Path) -> None:
    run = make_run(tmp_path, text="name: own\ndatasets: [iris]\nclassifiers: [nb]\nselections: [all]\n")
    assert paper_page(load(run)) is None


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_has_remarks(name: str) -> None:
    found = remarks(name)
    assert {r.kind for r in found} >= {"inconsistent", "unstated"}
    assert all(r.place and r.text.endswith((".", ")")) for r in found)
    assert len({r.text for r in found}) == len(found)
