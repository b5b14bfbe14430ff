"""Steps of the searches of an experiment: which stand together, what is drawn of them, what is left out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fsbench.report.figures import search_traces, style
from fsbench.report.results import Results
from tests.report.figures.drawn import clipped, draw, texts
from tests.report.samples import dataset, experiment, methods, results


def search(label: str, **params: object) -> dict[str, object]:
    return {"label": label, "spec": {"method": "pta", **params}}


SEARCHES = [
    search("PTA(1,0)", plus=1, minus=0),
    search("PTA(1,0) aware", plus=1, minus=0, remainder=0.8),
    search("A_1%&<b> $x$", plus=2, minus=1, remainder=0.8),
    search("other", plus=2, minus=1),
]


def made(searches=SEARCHES, protocol: str = "search-cv", seeds: int = 1, repeats: int = 1) -> Results:
    steps = [
        {
            "dataset": name, "repeat": r, "fold": pd.NA if protocol == "search-cv" else fold, "seed": r + 1,
            "classifier": "1NN", "search": ref["label"], "protocol": protocol, "step": k, "action": "add", "size": k,
            "usefulness": 0.5 + 0.1 * k - 0.01 * i - 0.05 * r - 0.001 * fold, "remainder": np.nan,
            "best": k == 2 + i % 2,
        }
        for name in ("iris", "grösse ß") for r in range(repeats) for fold in range(1 if protocol == "search-cv" else 3)
        for i, ref in enumerate(searches) for k in range(4)
    ]  # fmt: skip
    sets = [{"label": "iris", "name": "iris", "seeds": seeds}, {"label": "grösse ß", "path": "x.arff"}]
    searching = {"protocol": [protocol], "folds": 5}
    spec = experiment(searches=searches, searching=searching, rankers=[], classifiers=[methods("1NN")], datasets=sets)
    base = results(spec, [dataset("iris"), dataset("grösse ß")], [])
    frames = (base.dataset_table, pd.DataFrame(columns=_CELLS), base.ranking_times)
    return Results(spec, *frames, searches=lambda: pd.DataFrame(), traces=lambda: pd.DataFrame(steps))


_CELLS = [
    "dataset", "repeat", "fold", "classifier", "ranker", "selection", "estimate", "k", "n_selected", "n_features",
    "n_test", "n_correct", "accuracy", "tree_size", "tree_leaves", "status", "reason", "seconds",
]  # fmt: skip


def panels(drawing) -> list:
    return [axes for axes in drawing.axes if axes.get_title()]


def test_searches_that_differ_in_the_remainder_stand_together() -> None:
    first, second = search_traces.figures(made())
    assert (first.key, second.key) == ("search-traces-iris", "search-traces-gr-sse")
    drawing = draw(first)
    # The conventional one names the panel, whatever the order in the configuration.
    assert [axes.get_title() for axes in panels(drawing)] == ["PTA(1,0)", "other"]
    assert {"conventional", "aware", "A_1%&<b> $x$", "number of features (right axis)"} <= set(texts(drawing))
    assert not clipped(drawing)


def test_lines_are_errors_and_rings_the_best() -> None:
    drawing = draw(search_traces.figures(made())[0])
    axes = panels(drawing)[0]
    lines = [x for x in axes.lines if len(x.get_xdata()) == 4]
    assert list(lines[0].get_ydata()) == pytest.approx([50.0, 40.0, 30.0, 20.0])
    assert list(lines[1].get_ydata()) == pytest.approx([51.0, 41.0, 31.0, 21.0])
    rings = [x.get_xydata()[0].tolist() for x in axes.lines if len(x.get_xdata()) == 1]
    assert rings == [pytest.approx([2, 30.0]), pytest.approx([3, 21.0])]


def test_sizes_are_on_the_right_axis() -> None:
    drawing = draw(search_traces.figures(made())[0])
    right = [axes for axes in drawing.axes if not axes.get_title() and axes.lines]
    assert list(right[0].lines[0].get_ydata()) == [0, 1, 2, 3]


def test_of_several_seeds_the_first() -> None:
    figure = search_traces.figures(made(seeds=7, repeats=7))[0]
    assert figure.notes == ("The first of 7 seeds of the folds.",)
    assert len(panels(draw(figure))[0].lines) == 4


def test_nested_searches_show_the_first_training_part() -> None:
    figure = search_traces.figures(made(protocol="nested"))[0]
    assert "by inner folds of the first training part" in figure.caption
    lines = [x for x in panels(draw(figure))[0].lines if len(x.get_xdata()) == 4]
    assert lines[0].get_ydata()[0] == pytest.approx(50.0)


def test_a_hundred_searches_are_cut() -> None:
    many = [search(f"s{i}", plus=1 + i // 20, minus=0, remainder=i) for i in range(100)]
    many += [search(f"t{i}", plus=i + 10, minus=0) for i in range(9)]
    figure = search_traces.figures(made(many))[0]
    assert "The first 8 groups of searches" in figure.notes[0]
    drawing = draw(figure)
    assert len(panels(drawing)) == 8
    assert len(figure.svg()) < 400_000


def test_other_experiments_have_none() -> None:
    assert search_traces.figures(results(experiment(), [dataset("iris")], [])) == []


def test_one_search_alone() -> None:
    with style.context():
        drawing = search_traces.draw({"s": [search_traces.Walk("s", np.array([5.0, 4.0]), np.array([0, 1]), 1)]})
    assert "search" in texts(drawing)
