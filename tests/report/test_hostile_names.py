"""Names of data sets, features, classes, methods, experiments that would be markup: text in every file of a report."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fsbench.report.results import load
from fsbench.report.tables import build
from fsbench.report.whole import write_report
from tests.report.runs import make_run

NAMES = (
    "A_1%&<b>", "grösse ß", "tic-tac-toe", "</script><script>alert(1)</script>", r"\input{/etc/passwd}", "$x^2$",
    "[x](javascript:alert(1))", "=cmd()",
)  # fmt: skip

CONFIG = """
name: "<b>&%_$^=name"
datasets:
{datasets}
folds: {{folds: 2}}
rankers:
{rankers}
classifiers: [{{method: nb, label: "<i>NB</i>&"}}]
selections: [all, {{best: {{estimate: [inner_cv], folds: 2}}}}]
"""


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def arff(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    lines = [
        "@relation r",
        f"@attribute '{escaped}' numeric",
        "@attribute b numeric",
        f"@attribute class {{'{escaped}',no}}",
    ]
    rows = [f"{i % 7},{i},{('no', chr(39) + escaped + chr(39))[i > 9]}" for i in range(20)]
    return "\n".join([*lines, "@data", *rows]) + "\n"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    for i, name in enumerate(NAMES):
        (folder / f"d{i}.arff").write_text(arff(name), encoding="utf-8")
    datasets = "\n".join(f"  - {{path: d{i}.arff, label: {quoted(name)}}}" for i, name in enumerate(NAMES))
    rankers = "\n".join(f"  - {{method: nlc, label: {quoted(name + ' r')}}}" for name in NAMES)
    run = make_run(folder, text=CONFIG.format(datasets=datasets, rankers=rankers))
    results = load(run)
    write_report(results, [run], build(results), folder / "out")
    return folder / "out"


class Reader(HTMLParser):
    """Gathers elements, attributes and what a reader would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_has_no_element_that_is_not_ours(out: Path) -> None:
    page = (out / "index.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(page)
    assert [tag for tag, _ in reader.tags].count("script") == 2
    assert not {tag for tag, _ in reader.tags} & {"img", "iframe", "object", "embed", "i"}
    assert all(not key.startswith("on") for _, attributes in reader.tags for key in attributes)
    targets = [value for _, attributes in reader.tags for key, value in attributes.items() if key in ("href", "src")]
    assert all(re.match(r"#|(tables|figures)/|[a-z]+\.(md|tex|bib)$|data:,$", value or "") for value in targets)
    for name in (*NAMES, "<b>&%_$^=name", "<i>NB</i>&"):
        assert name in reader.text


@pytest.mark.parametrize("path", ["methods.md", "tables/datasets.md", "tables/accuracy-best-inner_cv.md"])
def test_markdown_has_no_live_markup(out: Path, path: str) -> None:
    text = (out / path).read_text(encoding="utf-8")
    assert "<" not in text.replace("&lt;", "")
    assert not re.search(r"(?<!\\)\[[^@\]]*\]\(", text)
    assert not re.search(r"(?<!\\)\$", text)
    assert "javascript" in text


def test_csv_names_read_back_and_none_is_a_formula(out: Path) -> None:
    with (out / "tables" / "datasets.csv").open(encoding="utf-8", newline="") as file:
        names = [row["dataset"] for row in csv.DictReader(file)]
    assert names == [name if name != "=cmd()" else "'=cmd()" for name in NAMES]
    for path in (out / "tables").glob("*.csv"):
        for row in csv.reader(path.read_text(encoding="utf-8").splitlines()):
            assert not [cell for cell in row if cell.startswith(("=", "@"))]


def test_latex_has_no_command_of_a_name(out: Path) -> None:
    sources = [out / "methods.tex", out / "report.tex", *(out / "tables").glob("*.tex"), out / "references.bib"]
    for path in sources:
        text = path.read_text(encoding="utf-8")
        assert r"\input{/etc" not in text
        assert "$x^2$" not in text
        assert "<b>" not in text


def test_file_names_are_plain(out: Path) -> None:
    names = [p.relative_to(out).as_posix() for p in out.rglob("*")]
    assert all(re.fullmatch(r"[A-Za-z0-9_./-]+", name) and ".." not in name for name in names)
    assert {p.parent.relative_to(out).as_posix() for p in out.rglob("*")} <= {".", "tables", "figures"}
