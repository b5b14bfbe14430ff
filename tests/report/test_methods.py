"""The methods section: what it says of an experiment, and that every citation has its entry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fsbench.report.methods import Cite, MethodsSection, describe
from fsbench.report.methods_text import latex, markdown_text
from fsbench.report.results import load
from fsbench.report.tables import build
from tests.report.runs import make_run

TEXT = """
name: told
datasets: [iris, {name: zoo, label: animals}, gone.arff]
folds: {folds: 3, repeats: 2, seed: 5}
rankers: [{method: relieff, label: R}, {method: relieff, k: 3, label: R3}, {method: ig, ties: weka}]
classifiers: [{method: nb, label: NB}]
selections: [all, {best: {estimate: [inner_cv, test], folds: 2}}, {first: 3}]
tests: {test: paired-t, level: 0.01}
"""


@pytest.fixture(scope="module")
def methods(tmp_path_factory: pytest.TempPathFactory) -> MethodsSection:
    run = make_run(tmp_path_factory.mktemp("methods"), text=TEXT)
    results = load(run)
    return describe(results, [run], build(results))


def said(methods: MethodsSection, title: str) -> str:
    (found,) = [p for p in methods.paragraphs if p.title == title]
    return "".join("[" + ",".join(p.keys) + "]" if isinstance(p, Cite) else p for p in found.pieces)


def test_data(methods: MethodsSection) -> None:
    assert said(methods, "Data") == (
        "We used 2 data sets: iris [data-iris] and animals [data-zoo]. Their content is identified by the hashes in "
        "the table of data sets. gone could not be had and is left out. "
    )


def test_protocol(methods: MethodsSection) -> None:
    text = said(methods, "Protocol")
    assert "2 times 3-fold cross-validation, stratified, seed 5." in text
    assert "Repeat r, counted from 0, was drawn with the seed plus r." in text
    assert "within the training part of each fold" in text


def test_variants_of_a_method_share_a_sentence(methods: MethodsSection) -> None:
    text = said(methods, "Methods")
    assert text.startswith(
        "Features were ranked by ReliefF [RobnikSikonja2003] (R: k = 10; R3: k = 3; all with ties = "
    )
    found = re.search(r"Information gain \[(.*?)\]", text)
    assert found
    assert set(found[1].split(",")) == {"Quinlan1986", "Fayyad1993", "Hall2009"}
    assert text.endswith("The classifiers were Naive Bayes [John1995] (NB). ")


def test_selection_and_tests(methods: MethodsSection) -> None:
    assert "(2 inner folds)" in said(methods, "Selection")
    assert "optimistic and shown for comparison only" in said(methods, "Selection")
    assert "two-sided paired t test at a level of 1 %" in said(methods, "Tests")
    assert "Nadeau2003" in said(methods, "Tests")


def test_programs(methods: MethodsSection) -> None:
    assert re.search(r"Computed with fsbench \d+\.\d+\.\d+.*numpy \d.*\[Harris2020\]", said(methods, "Programs"))


def test_every_citation_has_its_entry_in_every_form(methods: MethodsSection) -> None:
    known = {r.key for r in methods.references}
    cited = {key for p in methods.paragraphs for piece in p.pieces if isinstance(piece, Cite) for key in piece.keys}
    assert cited == known
    text = markdown_text(methods, "told")
    assert set(re.findall(r"@([A-Za-z0-9_-]+)", text)) == known
    assert set(re.findall(r"^- `(.*?)`:", text, re.M)) == known
    assert {k for keys in re.findall(r"\\cite{(.*?)}", latex(methods)) for k in keys.split(",")} == known


def test_without_folder_nothing_is_invented(tmp_path: Path) -> None:
    run = make_run(tmp_path, text="name: bare\ndatasets: [iris]\nclassifiers: [nb]\nselections: [all]\n")
    results = load(run)
    bare = describe(results, [], [])
    assert [p.title for p in bare.paragraphs] == ["Data", "Protocol", "Selection"]
