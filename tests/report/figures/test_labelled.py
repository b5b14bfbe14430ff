"""Figures of multi-label experiments: radar charts, measures against size, average ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fsbench.report.figures import build, label_ranks, radar, shares, style
from fsbench.report.figures.shares import Point
from fsbench.report.results import Results, load
from tests.report.figures.drawn import clipped, draw, texts
from tests.report.label_runs import make_labelled
from tests.report.samples import dataset, experiment, results


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return load(make_labelled(tmp_path_factory.mktemp("labelled")))


LOOKS = {"baseline": style.BASELINE, "A_1%&<b>": style.look(0)}


def test_polygons_are_the_measures() -> None:
    values = np.array([0.4, 0.1, 0.2, 0.3, 0.25])
    with style.context():
        (axes,) = radar.draw({"$x^2$": {"baseline": values / 2, "A_1%&<b>": values}}, LOOKS, list("abcde")).axes
    assert axes.get_title() == "$x^2$ (edge 0.4)"
    mine = next(x for x in axes.lines if x.get_marker() == "o" and len(x.get_xdata()))
    radius = np.hypot(*mine.get_data())
    assert radius == pytest.approx([*values / 0.4, 1.0])
    assert mine.get_xydata()[0] == pytest.approx([0.0, 1.0])  # the first measure is at the top
    assert mine.get_xdata()[1] > 0  # clockwise


@pytest.mark.parametrize(
    ("largest", "end"), [(0.0, 1.0), (0.004, 0.004), (0.23, 0.3), (0.61, 0.8), (0.81, 1.0), (1.0, 1.0), (3.7, 4.0)]
)
def test_edge_of_a_chart_is_a_round_number(largest: float, end: float) -> None:
    assert radar._nice(largest) == pytest.approx(end)


def test_radar_of_a_run(run: Results) -> None:
    (figure,) = radar.figures(run)
    assert "Subset accuracy, F-measure, Accuracy, Macro F, Micro F of B" in figure.caption
    assert any(note.startswith("gone: missing") for note in figure.notes)
    shown = texts(draw(figure))
    assert {"baseline", "RF-BR", "IG-BR"} <= set(shown)
    assert not clipped(draw(figure))


def test_points_are_means_and_shares_of_a_run(run: Results) -> None:
    first = shares.figures(run)[0]
    assert first.key == "share-hamming-loss"
    assert "better is left" in first.caption
    assert run.labelled is not None
    frame = run.labelled.summary
    asked = (frame["measure"] == "hamming_loss") & (frame["dataset"] == "one") & (frame["method"] == "RF-BR")
    row = frame[asked].iloc[0]
    axes = draw(first).axes[0]
    marks = [x.get_xydata()[0].tolist() for x in axes.lines if x.get_marker() == "o" and len(x.get_xdata()) == 1]
    assert marks == [pytest.approx([row["mean"], 100.0 * row["share"]])]


def test_baseline_is_at_all_features() -> None:
    panels = {"d": {"baseline": Point(0.5, 0.1, 1.0), "A_1%&<b>": Point(0.4, 0.1, 0.25)}}
    with style.context():
        drawn = shares.draw(panels, LOOKS, "Hamming $loss$")
    (axes,) = drawn.axes
    marks = [x for x in axes.lines if x.get_marker() in "xo" and len(x.get_xdata()) == 1]
    places = {x.get_marker(): x.get_xydata().tolist() for x in marks}
    assert places == {"x": [[0.5, 100.0]], "o": [[0.4, 25.0]]}
    assert "Hamming $loss$" in texts(drawn)
    assert not clipped(drawn)


def test_a_measure_where_high_is_good_says_so(run: Results) -> None:
    assert any("better is right" in f.caption for f in shares.figures(run))


def test_methods_that_keep_nothing_are_named(run: Results) -> None:
    assert run.labelled is not None
    places = [(d, m) for d in ("one", "two") for m in run.labelled.methods]
    empty = [d for d, m in places if run.labelled.scores(d, m, "accuracy").status == "empty"]
    notes = [n for n in shares.figures(run)[0].notes if "no feature is kept" in n]
    assert len(notes) == len(set(empty))


def test_ranks_are_by_setup_and_measure(run: Results) -> None:
    figures = label_ranks.figures(run)
    assert [f.key for f in figures] == ["critical-difference-first", "critical-difference-second"]
    assert "Nemenyi's test is omitted" in figures[0].notes[0]


def test_other_experiments_have_none_of_these() -> None:
    plain = results(experiment(), [dataset("iris")], [])
    assert [*radar.figures(plain), *shares.figures(plain), *label_ranks.figures(plain)] == []


def test_every_figure_of_a_run_can_be_written(run: Results, tmp_path: Path) -> None:
    figures = build(run)
    assert len({f.key for f in figures}) == len(figures)
    for figure in figures:
        assert figure.save(tmp_path, ["svg"])[0].stat().st_size > 1000
        assert not clipped(draw(figure)), figure.key
