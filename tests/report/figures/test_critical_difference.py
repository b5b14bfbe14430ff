"""Critical-difference diagrams: Demsar's numbers, which methods are under one bar, and when the test is omitted."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.report.figures import critical_difference, style
from fsbench.report.figures.critical_difference import Ranks, groups, nemenyi_distance
from tests.report.samples import cell, dataset, experiment, methods, results

# Demsar (2006), table 5 (a): critical values of the two-tailed Nemenyi test for 2 to 10 methods.
CRITICAL = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}


@pytest.mark.parametrize("level", [0.05, 0.10])
def test_distance_is_demsars(level: float) -> None:
    for k, q in enumerate(CRITICAL[level], 2):
        assert nemenyi_distance(k, 14, level) == pytest.approx(q * (k * (k + 1) / 84) ** 0.5, abs=1e-3 * k)


def test_groups_are_the_largest_runs() -> None:
    # Demsar's table 6: the ranks 3.143, 2.000, 2.893 and 1.964; at CD 1.25 nothing is significant, at 1.12
    # (Nemenyi, 0.10) the best and the worst differ, and C4.5+m+cf does not differ from the last but one.
    assert groups([1.964, 2.0, 2.893, 3.143], 1.25) == [(0, 3)]
    assert groups([1.964, 2.0, 2.893, 3.143], 1.12) == [(0, 2), (2, 3)]
    assert groups([1.0, 2.0, 3.0], 0.5) == []
    assert groups([1.0, 1.4, 1.8, 2.2], 0.9) == [(0, 2), (1, 3)]


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
    assert not figure.notes


def test_few_data_sets_have_ranks_without_a_test() -> None:
    (figure,) = critical_difference.figures(some(4))
    assert figure.notes == ("nb, 4 data sets: Nemenyi's test is omitted: 4 data sets, it takes 5.",)
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
    assert any("2 methods, it takes 3" in note for note in figure.notes)


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
