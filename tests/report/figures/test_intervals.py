"""The strips of intervals that `fsbench rank --plot` draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fsbench.errors import UserError
from fsbench.rankers.exclusiveness import Exclusiveness
from fsbench.report.figures import intervals, style
from fsbench.values import Dataset, Feature
from tests.report.figures.drawn import clipped, draw, texts


def data(X: list[list[float]], y: list[int], *features: Feature, labels: tuple[str, ...] = ("n", "p")) -> Dataset:
    names = features or tuple(Feature(f"f{j}") for j in range(len(X[0])))
    return Dataset("toy <b>", names, np.array(X), Feature("class", labels), np.array(y))


def example() -> Dataset:
    X = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, np.nan], [1.0, np.nan]]
    return data(X, [0, 0, 0, 1, 1, 0], Feature("width"), Feature("colour", ("red", "green")))


@pytest.mark.parametrize("missing", ["own", "skip"])
def test_strips_are_named_and_equal_bytes(tmp_path: Path, missing: str) -> None:
    figure = intervals.figure(Exclusiveness(intervals=2, missing=missing), example())
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    figure.write(first)
    figure.write(second)
    assert "width  0.500" in first.read_text()
    assert "colour  0.667" in first.read_text()
    assert first.read_bytes() == second.read_bytes()


def test_boxes_have_the_look_of_their_class() -> None:
    drawing = draw(intervals.figure(Exclusiveness(intervals=2), example()))
    (axes,) = drawing.axes
    from matplotlib.colors import to_hex

    fills = [(to_hex(box.get_facecolor()), box.get_hatch() or "") for box in axes.patches]
    # width: three rows of n, then three with two p; colour: four red, all n, no green, two missing (one n, one p).
    assert fills.count((style.look(0).colour, style.look(0).hatch)) == 2
    assert {"n", "none dominates"} <= set(texts(drawing))
    assert not clipped(drawing)


def test_twenty_classes_differ_in_colour_or_hatch() -> None:
    fills = [intervals._fill(c) for c in range(20)]
    assert len({(f["facecolor"], f["hatch"]) for f in fills}) == 20


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_names_with_dollar_signs(tmp_path: Path, form: str) -> None:
    odd = data([[0.0], [1.0]], [0, 1], Feature("price in $ or US$"), labels=("$x^2$", "<b>&"))
    path = tmp_path / f"a.{form}"
    intervals.figure(Exclusiveness(intervals=2), odd).write(path)
    assert path.stat().st_size > 0
    assert form != "svg" or "price in $ or US$" in path.read_text()


def test_of_many_features_the_best_are_shown() -> None:
    many = data(np.random.default_rng(1).random((20, 101)).tolist(), [0, 1] * 10)
    figure = intervals.figure(Exclusiveness(intervals=2), many)
    assert "(the best 100 of 101 features)" in figure.title
    assert len(draw(figure).axes[0].get_yticks()) == 100


def test_what_cannot_be_written(tmp_path: Path) -> None:
    figure = intervals.figure(Exclusiveness(), example())
    with pytest.raises(UserError, match=r"must end in \.svg, \.pdf or \.png, found 'a\.txt'"):
        figure.write(tmp_path / "a.txt")
    with pytest.raises(UserError, match="cannot write the plot: No such file or directory"):
        figure.write(tmp_path / "none" / "a.svg")


def test_readers_settings_are_not_used() -> None:
    import matplotlib as mpl

    figure = intervals.figure(Exclusiveness(intervals=2), example())
    before = figure.svg()
    with mpl.rc_context({"font.size": 30.0, "axes.facecolor": "red"}):
        assert intervals.figure(Exclusiveness(intervals=2), example()).svg() == before
    assert style.look(0).colour in before
