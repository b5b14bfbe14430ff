"""Figures of rankings: agreement of rankers, stability against size, time against rows and features."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from fsbench.evaluation.stability import nogueira
from fsbench.report.figures import agreement, build, stability, times
from tests.report.figures.drawn import clipped, draw, ranked, texts
from tests.report.samples import cell, dataset, experiment, methods, results

rng = np.random.default_rng(7)
ORDERS = {
    name: {ranker: [rng.permutation(6).tolist() for _ in range(3)] for ranker in ("nlc", "relieff", "A_1%&<b> $x$")}
    for name in ("iris", "grösse ß")
}


def numbers(drawing) -> list[str]:
    return [t.get_text().replace("\N{MINUS SIGN}", "-") for axes in drawing.axes for t in axes.texts]


def tau(name: str, first: str, second: str) -> float:
    """Scipy's, over the ranks of each fold."""
    places = [[np.argsort(order) for order in ORDERS[name][r]] for r in (first, second)]
    return float(np.mean([kendalltau(a, b).statistic for a, b in zip(*places, strict=True)]))


def test_agreement_is_kendalls_tau() -> None:
    matrix, by_set = agreement.figures(ranked(ORDERS))
    mean = np.mean([tau(name, "nlc", "relieff") for name in ORDERS])
    found = numbers(draw(matrix))
    assert len(found) == 9
    assert found[1] == found[3] == f"{round(mean, 2) + 0.0:.2f}"
    assert found[0] == "1.00"
    assert "over 2 data sets" in matrix.caption
    rows = numbers(draw(by_set))
    assert rows[0] == f"{tau('iris', 'nlc', 'relieff'):.2f}"
    assert rows[3] == f"{tau('grösse ß', 'nlc', 'relieff'):.2f}"


def test_agreement_shows_names_as_they_are() -> None:
    for figure in agreement.figures(ranked(ORDERS)):
        drawing = draw(figure)
        assert any("A_1%&<b> $x$" in t for t in texts(drawing))
        assert not clipped(drawing)


def test_one_ranker_agrees_with_nobody() -> None:
    assert agreement.figures(ranked({"iris": {"nlc": [[0, 1]]}})) == []


def test_a_hundred_rankers_make_a_readable_matrix() -> None:
    many = {"iris": {f"ranker-{i}": [[0, 1, 2]] for i in range(100)}}
    (figure,) = agreement.figures(ranked(many))
    assert "14 of 100 rankers are shown" in figure.notes[0]
    assert len(numbers(draw(figure))) == 196
    assert len(figure.svg()) < 200_000


def test_a_pair_without_common_folds_has_a_dash() -> None:
    gaps = ranked({"a": {"x": [[0, 1]], "y": [[1, 0]]}, "b": {"x": [[0, 1]], "z": [[0, 1]]}})
    matrix, _ = agreement.figures(gaps)
    assert numbers(draw(matrix))[3:6] == ["-1.00", "1.00", "–"]


def test_stability_is_nogueiras_at_every_size() -> None:
    (figure,) = stability.figures(ranked(ORDERS))
    line = draw(figure).axes[0].lines
    drawn = next(x for x in line if len(x.get_xdata()) == 5)
    for k, value in zip(drawn.get_xdata(), drawn.get_ydata(), strict=True):
        selected = np.zeros((3, 6), dtype=bool)
        for fold, order in enumerate(ORDERS["iris"]["nlc"]):
            selected[fold, order[: int(k)]] = True
        assert value == pytest.approx(nogueira(selected).value)
    assert "95 % confidence interval" in figure.caption


def test_stability_of_one_fold_is_not_drawn() -> None:
    assert stability.figures(ranked({"iris": {"nlc": [[0, 1, 2]]}})) == []


def test_stability_of_many_data_sets_is_in_pages() -> None:
    many = {f"d{i}": {"nlc": [[0, 1, 2], [1, 0, 2]]} for i in range(20)}
    figures = stability.figures(ranked(many))
    assert [f.key for f in figures] == ["stability-1", "stability-2", "stability-3"]
    assert [len(draw(f).axes) for f in figures] == [9, 9, 2]


def test_stability_names_sets_without_it() -> None:
    (figure,) = stability.figures(ranked({"a": {"nlc": [[0, 1], [1, 0]]}, "b": {"nlc": [[0, 1]]}}))
    assert figure.notes == ("Without two rankings of two features or more: b.",)


def timed(n_rankers: int):
    spec = experiment(rankers=[methods(f"r{i}") for i in range(n_rankers)])
    sets = [dataset("small", rows=100), dataset("large", rows=10_000, features=300)]
    places = [(d, s, f, i) for d, s in (("small", 0.001), ("large", 0.5)) for f in (0, 1) for i in range(n_rankers)]
    took = [(d, f, f"r{i}", (i + 1) * s) for d, s, f, i in places]
    return results(spec, sets, cell("small", "c45", "", "all", [1]), took)


def test_times_are_means_in_milliseconds() -> None:
    (figure,) = times.figures(timed(2))
    assert figure.timed
    rows, features = draw(figure).axes
    assert rows.get_xscale() == rows.get_yscale() == features.get_xscale() == "log"
    assert list(rows.lines[1].get_xdata()) == [100, 10_000]
    assert list(rows.lines[1].get_ydata()) == pytest.approx([2.0, 1000.0])
    assert list(features.lines[0].get_xdata()) == [4, 300]


def test_numbers_at_logarithmic_axes_are_written_out() -> None:
    shown = texts(draw(times.figures(timed(2))[0]))
    assert {"100", "1000", "10000"} <= set(shown)
    assert not any("mathdefault" in t or "$" in t for t in shown)


def test_of_many_timed_rankers_the_reference_and_the_slowest() -> None:
    (figure,) = times.figures(timed(100))
    assert "8 of 100 rankers" in figure.notes[0]
    assert len(draw(figure).axes[0].lines) == 8


def test_one_data_set_has_no_times_figure() -> None:
    spec = experiment(rankers=[methods("r0")])
    assert times.figures(results(spec, [dataset("one")], [], [("one", 0, "r0", 0.1)])) == []


def test_no_figure_of_rankings_cuts_a_letter_off() -> None:
    for figure in build(ranked(ORDERS, [(d, 0, "nlc", 0.1) for d in ORDERS])):
        assert not clipped(draw(figure)), figure.key
