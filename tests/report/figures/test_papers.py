"""Figures that papers have: ours against the printed cells, the sweep over intervals."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from fsbench.report.compare import Compared
from fsbench.report.figures import printed, style, sweep
from fsbench.report.figures.sweep import Sweep
from fsbench.report.results import load
from tests.report.figures.drawn import clipped, draw, texts
from tests.report.runs import make_run
from tests.report.samples import dataset, experiment, results


def compared(column: str, ours: float, printed: float, tolerance: float, table: str = "table3") -> Compared:
    agrees = abs(ours - printed) <= tolerance
    return Compared(table, "A_1%&<b>", column, ours, printed, tolerance, agrees)


CELLS = [
    compared("C4.5/NLC", 90.0, 91.0, 2.0),
    compared("C4.5/RLF", 80.0, 91.0, 2.0),
    compared("NB/NLC", 80.0, 91.0, 2.0),
]


def drawing():
    with style.context():
        return printed.draw({"Table 3 (%)": CELLS}, printed._farthest({"Table 3 (%)": CELLS}))


def test_every_cell_is_at_its_place() -> None:
    (axes,) = drawing().axes
    marks = {m.get_marker(): m.get_xydata() for m in axes.lines if m.get_marker() in "o^" and len(m.get_xdata())}
    assert marks["o"].tolist() == [[91.0, 90.0]]
    assert marks["^"].tolist() == [[91.0, 80.0], [91.0, 80.0]]
    (strokes,) = axes.collections
    assert strokes.get_segments()[0].tolist() == [[91.0, 89.0], [91.0, 93.0]]


def test_cells_at_one_place_share_a_number() -> None:
    found = texts(drawing())
    assert "1  A_1%&<b> C4.5/RLF and 1 more: 80, printed 91" in found
    assert "2" not in [t.get_text() for t in drawing().axes[0].texts]


def test_the_farthest_are_named_first() -> None:
    cells = [compared(f"c{i}", 50.0 + i, 50.0, 1.0) for i in range(40)]
    named = printed._farthest({"t": cells})
    assert len(named) == printed.MOST_NAMED
    assert named[0][0].column == "c39"


def test_every_panel_names_its_farthest() -> None:
    sizes = [compared(f"size{i}", 50.0 + i, 10.0, 0.5) for i in range(30)]
    errors = [compared(f"error{i}", 12.0 + i, 10.0, 1.0) for i in range(3)]
    named = printed._farthest({"sizes": sizes, "errors": errors})
    assert [spot[0].column for spot in named[-3:]] == ["error2", "error1", "error0"]
    assert [spot[0].column for spot in named[:-3]] == [f"size{i}" for i in range(29, 18, -1)]


def test_a_dash_against_a_number_has_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    dash = Compared("table3", "iris", "C4.5/IG", 80.0, None, None, False)
    made = SimpleNamespace(cells=[*CELLS, dash])
    monkeypatch.setattr(printed, "reproduce", lambda results, tables: made)
    (figure,) = printed.figures(results(experiment(paper="nlc2003"), [dataset("iris")], []))
    assert "1 of 3 agree" in figure.caption
    assert figure.notes[-1].startswith("1 printed cells are not shown")
    assert len(draw(figure).axes) == 1


def test_a_run_of_a_paper(tmp_path) -> None:
    (figure,) = printed.figures(load(make_run(tmp_path)))
    # iris: NB with all features, NLC, ReliefF, IG in Table 3; the rest of Table 4 too.
    assert "8 agree" in figure.caption
    assert "Ours by the best prefix of each ranking by cross-validation" in figure.notes[0]
    assert not clipped(draw(figure))


def test_without_a_paper_there_is_no_figure() -> None:
    assert printed.figures(results(experiment(), [dataset("iris")], [])) == []


def test_numbers_of_wide_ranges_are_on_logarithmic_axes() -> None:
    cells = [compared("n", 10.0, 10.0, 1.0), compared("n", 9000.0, 10000.0, 1.0)]
    with style.context():
        (axes,) = printed.draw({"t": cells}, []).axes
    assert axes.get_xscale() == axes.get_yscale() == "log"


def test_sweep_has_a_line_for_each_column_and_the_printed_number() -> None:
    lines = {
        c: Sweep([(3, 10.0 + i), (5, 11.0 + i)], 9.0 + i)
        for i, c in enumerate(("original_a", "ordered_b", "reduced_c"))
    }
    lines["reduced_c"] = Sweep([(3, 12.0)], None)
    with style.context():
        drawn = sweep.draw({"$x$ <b>": lines})
    (axes,) = drawn.axes
    assert [x.get_ydata()[0] for x in axes.lines] == [10.0, 9.0, 11.0, 10.0, 12.0]
    assert "$x$ <b>" in texts(drawn)
    assert not clipped(drawn)


def test_other_papers_have_no_sweep() -> None:
    assert sweep.figures(results(experiment(), [dataset("iris")], [])) == []


@pytest.mark.parametrize("count", [1, 2, 3, 7, 9, 10, 18, 20])
def test_pages_hold_everything_once(count: int) -> None:
    items = {str(i): i for i in range(count)}
    parts = style.pages(items, 9)
    assert [n for *_, page in parts for n in page] == list(items)
    assert max(len(page) for *_, page in parts) <= 9
    assert len({name for name, *_ in parts}) == len(parts)
    assert np.ptp([len(page) for *_, page in parts[:-1]] or [0]) == 0
