"""Reports of experiments that lack something: a report all the same, and what is absent said in its place."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from fsbench.report.results import load
from fsbench.report.tables import build
from fsbench.report.whole import write_report
from tests.report.label_runs import make_labelled
from tests.report.runs import make_run

BROKEN = """
import numpy as np
from fsbench.rankers import Ranker

class Breaks(Ranker):
    def score(self, train):
        raise KeyError("no such thing")
"""


SMALL = "folds: {folds: 2}\nselections: [all, {first: 2}]\n"


def many(n: int) -> str:
    rankers = ", ".join(f"{{method: nlc, label: method {i}}}" for i in range(n))
    return f"{SMALL}datasets: [iris]\nrankers: [{rankers}]\nclassifiers: [nb]\n"


CASES = {
    "failed cells": SMALL + "datasets: [iris, zoo]\nrankers: [nlc, 'broken.py:Breaks']\nclassifiers: [nb, c45]\n",
    "no data at all": SMALL + "datasets: [gone.arff, lost.arff]\nrankers: [nlc, ig]\nclassifiers: [nb]\n",
    "some data missing": SMALL + "datasets: [iris, gone.arff]\nrankers: [nlc, ig]\nclassifiers: [nb]\n",
    "one fold": "datasets: [{name: iris, first_rows: 100}]\nfolds: {scheme: holdout}\nrankers: [nlc, ig]\n"
    "classifiers: [nb]\nselections: [all, {first: 2}]\n",
    "one data set, two methods": SMALL + "datasets: [iris]\nrankers: [nlc, ig]\nclassifiers: [nb]\n",
    "one method": SMALL + "datasets: [iris]\nrankers: [nlc]\nclassifiers: [nb]\n",
    "no rankers": "folds: {folds: 2}\nselections: [all]\ndatasets: [iris, zoo]\nclassifiers: [nb, c45]\n",
    "no classifiers": "folds: {folds: 2}\ndatasets: [iris, zoo]\nrankers: [nlc, ig]\n",
    "a hundred methods": many(100),
    "searches": "datasets: [iris]\nfolds: {folds: 2}\nclassifiers: [1nn]\nselections: [all]\n"
    "searches: [sfg, {method: sbg, label: back}]\nsearching: {protocol: nested, folds: 2}\n",
    "a paper without its cells": SMALL + "datasets: [iris]\nrankers: [nlc]\nclassifiers: [nb]\npaper: rsa2007\n",
}


def report(folder: Path, run: Path) -> Path:
    results = load(run)
    write_report(results, [run], build(results), folder / "out")
    return folder / "out"


def text_of(page: str) -> str:
    body = re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    known: dict[str, Path] = {}

    def make(case: str) -> Path:
        if case not in known:
            folder = tmp_path_factory.mktemp(re.sub(r"\W", "-", case))
            (folder / "broken.py").write_text(BROKEN)
            known[case] = report(folder, make_run(folder, text=f"name: small\n{CASES[case]}"))
        return known[case]

    return make


@pytest.mark.parametrize("case", CASES)
def test_there_is_a_report(made: Callable[[str], Path], case: str) -> None:
    out = made(case)
    page = (out / "index.html").read_text(encoding="utf-8")
    for id_ in ("summary", "tables", "figures", "methods", "runs", "references"):
        assert f'<section id="{id_}"' in page
    assert "nan" not in re.findall(r"\w+", text_of(page).lower())
    assert len(list((out / "tables").glob("*.csv"))) >= 2 - (case == "no classifiers")
    assert (out / "methods.md").read_text(encoding="utf-8").startswith("# Methods: small")


def words(made: Callable[[str], Path], case: str) -> str:
    return text_of((made(case) / "index.html").read_text(encoding="utf-8"))


def test_failed_cells_are_named_with_their_reason(made: Callable[[str], Path]) -> None:
    text = words(made, "failed cells")
    assert "Results that are not there" in text
    assert "no such thing" in text
    assert re.search(r"Results \d+ computed, \d+ failed", text)


@pytest.mark.parametrize("case", ["failed cells", "searches", "a hundred methods"])
def test_notes_are_open_under_every_table(made: Callable[[str], Path], case: str) -> None:
    page = (made(case) / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'<details class="notes"[^>]*>', page)) == {'<details class="notes" open>'}


def test_tables_without_any_test_are_closed_and_say_why(made: Callable[[str], Path]) -> None:
    page = (made("failed cells") / "index.html").read_text(encoding="utf-8")
    (table,) = re.findall(r'<section class="table" id="table-pairs-first-2">.*?</section>', page, flags=re.S)
    why = "no data sets: at 5 % the test needs 6 or more"
    assert re.search(rf'<details class="long"><summary>\d+ rows, without a test: {why}', table)
    (table,) = re.findall(r'<section class="table" id="table-accuracy-first-2">.*?</section>', page, flags=re.S)
    assert '<details class="long">' not in table


def test_missing_data_is_said_at_the_top(made: Callable[[str], Path]) -> None:
    assert re.search(r"Without data: gone \(no such file: .*?gone.arff\)", words(made, "some data missing"))
    text = words(made, "no data at all")
    assert "Data sets 2, of which 2 could not be had" in text
    assert "We used 0 data sets" in text


def test_without_classifiers_rankings_are_what_there_is(made: Callable[[str], Path]) -> None:
    text = words(made, "no classifiers")
    assert "Classifiers none" in text
    assert "Ranking time" in text


def test_a_hundred_methods_fit_on_pages_of_latex(made: Callable[[str], Path]) -> None:
    source = (made("a hundred methods") / "tables" / "accuracy-first-2.tex").read_text(encoding="utf-8")
    assert source.count(r"\begin{table}") > 5
    assert len(set(re.findall(r"method \d+", source))) == 100


def test_a_paper_that_has_none_of_the_cells_says_so(made: Callable[[str], Path]) -> None:
    text = words(made, "a paper without its cells")
    assert "Beside Prat-Masramon, Belanche (2007)" in text
    assert re.search(r"Cells of Table 4 0 of \d+ computed", text)


def test_many_labels_a_row(tmp_path: Path) -> None:
    text = text_of((report(tmp_path, make_labelled(tmp_path)) / "index.html").read_text(encoding="utf-8"))
    assert "Information gain, binary relevance" in text
    assert re.search(r"Without data: gone \(", text)
    assert "the features with a score of at least 0.01" in text


def test_a_run_that_was_stopped(tmp_path: Path) -> None:
    run = make_run(tmp_path, text="name: small\n" + CASES["one data set, two methods"])
    with sqlite3.connect(run / "results.sqlite") as connection:
        connection.execute("DELETE FROM result WHERE key IN (SELECT key FROM result LIMIT 3)")
        connection.execute("UPDATE environment SET finished = NULL")
    connection.close()
    text = text_of((report(tmp_path, run) / "index.html").read_text(encoding="utf-8"))
    assert "pending" in text
    assert "not finished" in text
