"""Several runs as one report: the union where names mean the same, one line for each reason where they do not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fsbench.cli.report import command
from fsbench.errors import UserError
from fsbench.report.results import Results, load
from fsbench.report.scores import Way
from tests.report.runs import make_run

BASE = """
name: {name}
datasets: [{datasets}]
folds: {{folds: 3}}
rankers: [{rankers}]
classifiers: [{classifiers}]
selections: [all, {{first: 2}}]
"""


def text(name: str, datasets: str = "iris", rankers: str = "nlc", classifiers: str = "nb") -> str:
    return BASE.format(name=name, datasets=datasets, rankers=rankers, classifiers=classifiers)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("one"), "results/one", text("one", "iris, zoo"))


def run(folder: Path, content: str) -> Path:
    return make_run(folder, "results/two", content)


def means(results: Results, ranker: str, k: int = 2) -> list[float | None]:
    return [results.scores(d, "nb", ranker, Way("first", "", k)).mean for d in results.datasets]


def test_data_sets_and_methods_of_both(one: Path, tmp_path: Path) -> None:
    two = run(tmp_path, text("two", "glass2, iris", "ig, nlc"))
    joined = load(one, two)
    assert joined.name == "one + two"
    assert joined.datasets == ["iris", "zoo", "glass2"]
    assert joined.rankers == ["nlc", "ig"]
    assert joined.classifiers == ["nb"]
    first, second = load(one), load(two)
    assert means(joined, "nlc") == [*means(first, "nlc"), means(second, "nlc")[0]]
    assert means(joined, "ig") == [means(second, "ig")[1], None, means(second, "ig")[0]]
    assert joined.scores("zoo", "nb", "ig", Way("first", "", 2)).status == "absent"
    assert joined.rankings is not None
    both = joined.rankings.groupby(["dataset", "ranker"]).size()
    assert both["iris", "nlc"] == 3 * 4  # once, though both runs have it
    assert both["glass2", "ig"] == 3 * 9


def test_a_run_with_itself_is_itself(one: Path) -> None:
    joined, alone = load(one, one), load(one)
    assert joined.name == "one"
    assert joined.datasets == alone.datasets
    assert means(joined, "nlc") == means(alone, "nlc")
    assert [len(v) for v in (joined.curves, joined.rankings)] == [len(v) for v in (alone.curves, alone.rankings)]  # type: ignore[arg-type]


def test_a_report_of_two_runs_names_both(one: Path, tmp_path: Path) -> None:
    two = run(tmp_path, text("two", "glass2"))
    done = CliRunner().invoke(command, [str(one), str(two), "--output", str(tmp_path / "out")], catch_exceptions=False)
    assert done.exit_code == 0
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<h1>one + two</h1>" in page
    assert page.count('id="run-') == 2
    methods = re.sub(r"\\", "", (tmp_path / "out" / "methods.md").read_text(encoding="utf-8"))
    assert "3 data sets: iris" in methods


def test_a_data_set_that_one_run_lacks_is_that_of_the_other(one: Path, tmp_path: Path) -> None:
    two = run(tmp_path, text("two", "iris, {path: gone.arff, label: zoo}"))
    assert load(two).missing
    joined = load(two, one)
    assert not joined.missing
    assert means(joined, "nlc") == means(load(one), "nlc")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (text("two").replace("folds: 3", "folds: 4"), "other folds: folds 3 in .*, folds 4 in "),
        (text("two") + "seed: 7\n", "another seed: 1 in .*, 7 in "),
        (text("two") + "tests: {level: 0.01}\n", "another test: level 0.05 in .*, level 0.01 in "),
        (text("two", rankers="{method: relieff, k: 3, label: nlc}"), "another ranker under the label nlc: method nlc"),
        (text("two", "{name: glass2, label: zoo}"), "other data under the name zoo: "),
        (text("two", classifiers="{method: 1nn, k: 3, label: nb}"), "another classifier under the label nb: "),
    ],
)
def test_what_must_not_be_mixed(one: Path, tmp_path: Path, content: str, words: str) -> None:
    two = run(tmp_path, content)
    with pytest.raises(UserError, match=words) as caught:
        load(one, two)
    assert str(caught.value).count("\n") == 0
    assert str(two) in str(caught.value)


def test_parameters_that_differ_are_named(one: Path, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    first = make_run(tmp_path / "a", "results/a", text("a", rankers="{method: relieff, k: 3, label: R}"))
    second = run(tmp_path, text("b", rankers="{method: relieff, k: 4, label: R}"))
    with pytest.raises(UserError, match=r"another ranker under the label R: k 3 in .*/a, k 4 in .*/two$"):
        load(first, second)


def test_every_reason_is_told(one: Path, tmp_path: Path) -> None:
    two = run(tmp_path, text("two").replace("folds: 3", "folds: 4") + "seed: 7\n")
    with pytest.raises(UserError, match=r"other folds: .*another seed: "):
        load(one, two)
    done = CliRunner().invoke(command, [str(one), str(two), "--output", str(tmp_path / "out")])
    assert done.exit_code == 2
    lines = done.stderr.splitlines()
    assert len(lines) >= 2
    assert all(line.startswith("fsbench: cannot join: ") for line in lines)
    assert not (tmp_path / "out").exists()
