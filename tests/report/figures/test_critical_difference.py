"""Critical-difference diagrams: Demsar's numbers, which methods are under one bar, and when the test is omitted."""

from __future__ import annotations

import numpy as np

from fsbench.report.figures import critical_difference, style
from fsbench.report.figures.critical_difference import Ranks
from fsbench.stats import critical_difference as nemenyi_distance
from tests.report.samples import cell, dataset, experiment, methods, results


def some(n_sets: int, rankers: int = 3, gap: int = 1):
    names = [f"r{i}" for i in range(rankers)]
    rows = []
    for d in range(n_sets):
        rows += cell(f"d{d}", "nb", "", "all", [10, 11])
        for i, name in enumerate(names):
            rows += cell(f"d{d}", "nb", name, "best", [12 - gap * i % 9, 12], estimate="inner_cv")
    spec = experiment(
        classifiers=[methods("nb")],
        rankers=[methods(n) for n in names],
        selections=[
            {"selection": "all", "k": None, "estimate": "", "folds": None},
            {"selection": "best", "k": None, "estimate": "inner_cv", "folds": 10},
        ],
        tests={"test": "paired-t", "level": 0.1},
    )
    return results(spec, [dataset(f"d{d}") for d in range(n_sets)], rows)


def texts(drawing) -> list[str]:
    return [text.get_text() for axes in drawing.axes for text in axes.texts]


def test_level_is_the_configured_one() -> None:
    (figure,) = critical_difference.figures(some(6))
    assert "Nemenyi's test at 10 %" in figure.caption
    with style.context():
        assert f"CD {nemenyi_distance(4, 6, 0.1):.2f}" in texts(figure.draw())
    assert "Friedman's test in the form of Iman and Davenport (F = " in figure.notes[0]


def test_few_data_sets_have_ranks_without_a_test() -> None:
    (figure,) = critical_difference.figures(some(1))
    assert figure.notes[0].startswith("nb, 1 data set: Nemenyi's test is omitted: 1 data set: too few")
    assert "Nemenyi" not in figure.caption
    with style.context():
        assert not any(t.startswith("CD") for t in texts(figure.draw()))


def test_equal_means_share_their_ranks() -> None:
    (figure,) = critical_difference.figures(some(5, gap=0))
    with style.context():
        found = texts(figure.draw())
    assert sum("2.00" in t for t in found) == 3
    assert sum("4.00" in t for t in found) == 1  # all features


def test_data_sets_with_a_gap_are_left_out_and_named() -> None:
    rows = [r for d in range(6) for r in cell(f"d{d}", "nb", "a", "first", [9, None if d == 2 else 9], k=3)]
    rows += [r for d in range(6) for r in cell(f"d{d}", "nb", "b", "first", [8, 9], k=3)]
    spec = experiment(
        classifiers=[methods("nb")],
        rankers=[methods("a"), methods("b")],
        selections=[{"selection": "first", "k": 3, "estimate": "", "folds": None}],
    )
    (figure,) = critical_difference.figures(results(spec, [dataset(f"d{d}") for d in range(6)], rows))
    assert "Left out where a cell is not there: d2." in figure.notes
    assert any("2 methods: Friedman's test needs three or more" in note for note in figure.notes)


def test_one_ranker_has_no_diagram() -> None:
    assert critical_difference.figures(some(6, rankers=1)) == []


def test_a_hundred_methods_are_cut_to_the_best() -> None:
    (figure,) = critical_difference.figures(some(5, rankers=100))
    assert any("the best 30 of 101 methods" in note for note in figure.notes)
    with style.context():
        assert figure.draw().get_figheight() < 6


def test_bars_do_not_overlap() -> None:
    ranks = np.array([1.0, 1.4, 1.8, 2.2, 2.6])
    panel = Ranks("t", list("abcde"), ranks, 10, 0.9)
    bars = critical_difference._bars(panel)
    assert [(a, b) for a, b, _ in bars] == [(0, 2), (1, 3), (2, 4)]
    by_level: dict[int, list[tuple[int, int]]] = {}
    for first, last, level in bars:
        assert all(last < a or b < first for a, b in by_level.get(level, []))
        by_level.setdefault(level, []).append((first, last))
