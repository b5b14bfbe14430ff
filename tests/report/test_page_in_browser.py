"""The page in a real browser: quiet, of the width of the window, its tables sort, its numbers tell their origin."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from fsbench.report.results import load
from fsbench.report.tables import build
from fsbench.report.whole import write_report
from tests.report.browser import BROWSER, Browser, browser
from tests.report.runs import make_run

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium")

HOSTILE = "</script><script>alert(1)</script>"

TEXT = f"""
name: hostile
datasets:
  - {{name: glass2, label: "{HOSTILE}"}}
  - {{name: iris, label: "A_1%&<b>"}}
  - {{name: zoo, label: "grösse ß"}}
  - gone.arff
folds: {{folds: 3}}
rankers: [{{method: nlc, label: "<img src=x onerror=alert(2)>"}}, {{method: ig, label: "$x^2$"}}]
classifiers: [{{method: nb, label: "[x](javascript:alert(3))"}}, c45]
selections: [all, {{best: {{estimate: [inner_cv], folds: 2}}}}, {{first: 3}}]
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    run = make_run(folder, text=TEXT)
    results = load(run)
    write_report(results, [run], build(results), folder / "out")
    return folder / "out" / "index.html"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1600])
def test_quiet_and_as_wide_as_the_window(page: Path, chromium: Browser, width: int, scheme: str) -> None:
    chromium.open(page, width, scheme=scheme)
    assert chromium.problems == []
    assert [url for url in chromium.requests if not url.startswith(("file:", "data:"))] == []
    assert chromium.value("document.documentElement.scrollWidth") == width
    paper = chromium.value("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


@pytest.mark.parametrize("width", [400, 1600])
def test_figures_are_seen(page: Path, chromium: Browser, width: int) -> None:
    chromium.open(page, width)
    boxes = chromium.value(
        "[...document.querySelectorAll('figure')].map(f => { const s = f.querySelector('svg'), d = s.parentElement; "
        "const r = s.getBoundingClientRect(), q = d.getBoundingClientRect(); "
        "return [r.left, r.right, r.height, q.left, q.right, d.clientWidth, d.scrollWidth, "
        "s.querySelectorAll('path, text').length]; })"
    )
    assert len(boxes) > 3
    for left, right, height, start, end, inside, content, parts in boxes:
        assert 0 <= start <= left < right
        assert end <= width
        # On a wide page all of a figure is in sight; on a phone letters stay legible, and its frame scrolls.
        assert right <= end or (width == 400 and content > inside and right - left < 500)
        assert height > 40
        assert parts > 5
    assert chromium.value("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size") == chromium.value(
        "document.querySelectorAll('[id]').length"
    )


ROWS = "[...document.querySelectorAll('#table-datasets tbody tr')].map(r => r.cells[{column}].textContent)"
HEAD = "#table-datasets thead tr:last-child th:nth-child({n})"


def test_tables_sort_by_click_and_by_key(page: Path, chromium: Browser) -> None:
    chromium.open(page, 1600)
    names = chromium.value(ROWS.format(column=0))
    assert names == [HOSTILE, "A_1%&<b>", "grösse ß", "gone"]
    head = HEAD.format(n=2)
    chromium.click(f"{head} button")
    # What is absent stays last, whichever way.
    assert chromium.value(ROWS.format(column=1)) == ["163", "150", "101", "missing"]
    assert chromium.value(f"document.querySelector('{head}').getAttribute('aria-sort')") == "descending"
    chromium.press("Enter")
    assert chromium.value(ROWS.format(column=1)) == ["101", "150", "163", "missing"]
    assert chromium.value(f"document.querySelector('{head}').getAttribute('aria-sort')") == "ascending"
    chromium.click(f"{HEAD.format(n=1)} button")
    assert chromium.value(ROWS.format(column=0)) == [HOSTILE, "A_1%&<b>", "gone", "grösse ß"]
    assert chromium.problems == []


def test_sums_stay_below(page: Path, chromium: Browser) -> None:
    chromium.open(page, 1600)
    foot = "document.querySelector('#table-accuracy-best-inner_cv table').lastElementChild"
    assert chromium.value(f"[{foot}.tagName, {foot}.textContent.trim().startsWith('mean of 3')]") == ["TFOOT", True]


NUMBER = "#table-accuracy-first-3 tbody tr:nth-child(2) button.v"


def test_a_number_tells_its_folds_and_run(page: Path, chromium: Browser) -> None:
    chromium.open(page, 1600)
    chromium.click(NUMBER)
    assert chromium.value("document.getElementById('trace').open") is True
    assert chromium.value("document.getElementById('trace-title').textContent").startswith("A_1%&<b>, ")
    rows = chromium.value(
        "[...document.querySelectorAll('#trace tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    assert len(rows) == 3
    for fold, (repeat, number, seed, right, of, accuracy, *_, run, key) in enumerate(rows, 1):
        assert (repeat, number, seed, of, run) == ("1", str(fold), "1", "50", "1")
        assert float(accuracy) == pytest.approx(100 * int(right) / 50)
        assert len(key) == 32
    mean = sum(float(row[5]) for row in rows) / 3
    assert float(chromium.value(f"document.querySelector('{NUMBER}').textContent")) == pytest.approx(mean, abs=0.05)
    assert "Run 1: " in chromium.value("document.getElementById('trace-runs').textContent")
    chromium.press("Escape")
    assert chromium.value("document.getElementById('trace').open") is False


def test_keys_go_from_number_to_number(page: Path, chromium: Browser) -> None:
    chromium.open(page, 1600)
    chromium.value("document.querySelector('#table-accuracy-first-3 button.v').focus()")
    cell = "document.activeElement.closest('td')"
    place = f"[{cell}.parentElement.sectionRowIndex, {cell}.cellIndex]"
    start = chromium.value(place)
    chromium.press("ArrowDown")
    chromium.press("ArrowRight")
    assert chromium.value(place) == [start[0] + 1, start[1] + 1]
    assert chromium.value("document.querySelectorAll('#table-accuracy-first-3 button.v[tabindex=\"0\"]').length") == 1
    chromium.press("Enter")
    assert chromium.value("document.getElementById('trace').open") is True


def test_names_are_text_and_nothing_else(page: Path, chromium: Browser) -> None:
    chromium.open(page, 1600)
    assert chromium.value("document.querySelectorAll('main script, main img, main b > b').length") == 0
    assert chromium.value("document.querySelectorAll('a[href^=\"javascript\"]').length") == 0
    assert chromium.value("document.scripts.length") == 2
    assert HOSTILE in chromium.value("document.getElementById('table-datasets').textContent")


def test_readers_who_hear_the_page(page: Path, chromium: Browser) -> None:
    chromium.open(page, 1600)
    assert chromium.value("document.querySelectorAll('main table:not(:has(caption))').length") == 0
    assert chromium.value("document.querySelectorAll('main thead th:not([scope])').length") == 0
    assert chromium.value("document.querySelectorAll('tbody tr:not(:has(th[scope=row])):not(#trace tr)').length") == 0
    assert chromium.value("document.querySelectorAll('figure svg:not([role=img])').length") == 0
    levels = chromium.value("[...document.querySelectorAll('h1, h2, h3')].map(h => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
