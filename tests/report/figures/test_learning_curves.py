"""Learning curves: means and bands of the folds, the chosen size, and what is left out of large experiments."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fsbench.report.figures import build, learning_curves, style
from fsbench.report.results import Results, load
from tests.report.runs import make_run
from tests.report.samples import cell, dataset, experiment, methods, results


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return load(make_run(tmp_path_factory.mktemp("run")))


def made(n_rankers: int, n_sizes: int, folds: int = 2, n_classifiers: int = 1, name: str = "iris") -> Results:
    rankers, classifiers = [f"r{i}" for i in range(n_rankers)], [f"c{i}" for i in range(n_classifiers)]
    rows = [
        {
            "dataset": name, "repeat": 0, "fold": f, "ranker": r, "classifier": c, "estimate": "inner_cv",
            "k": k, "n": 100, "n_correct": 50 + i, "accuracy": (50 + i + f) / 100,
        }
        for f in range(folds) for i, r in enumerate(rankers) for c in classifiers for k in range(1, n_sizes + 1)
    ]  # fmt: skip
    spec = experiment(rankers=[methods(r) for r in rankers], classifiers=[methods(c) for c in classifiers])
    base = results(spec, [dataset(name)], cell(name, "c0", "r0", "best", [10, 12], estimate="inner_cv"))
    frames = (base.dataset_table, pd.DataFrame(cell(name, "c0", "r0", "best", [10] * folds, estimate="inner_cv")))
    return Results(spec, *frames, base.ranking_times, None, lambda: pd.DataFrame(rows))


def test_lines_are_the_means_of_the_store(run: Results) -> None:
    (figure,) = learning_curves.figures(run)
    assert figure.key == "learning-curves-iris"
    assert "cross-validation inside the training part" in figure.caption
    assert "other estimates (test)" in figure.notes[-1]
    with style.context():
        (axes,) = figure.draw().axes
    curves = run.curves
    assert curves is not None
    nlc = curves[(curves["ranker"] == "NLC") & (curves["estimate"] == "inner_cv")]
    line = next(drawn for drawn in axes.lines if len(drawn.get_xdata()) == 4)
    assert list(line.get_ydata()) == pytest.approx(list(100 * nlc.groupby("k")["accuracy"].mean()))


def test_the_chosen_size_is_marked(run: Results) -> None:
    (figure,) = learning_curves.figures(run)
    with style.context():
        (axes,) = figure.draw().axes
    sizes = [float(drawn.get_xdata()[0]) for drawn in axes.lines if len(drawn.get_xdata()) == 1]
    from fsbench.report.scores import Way

    means = [run.scores("iris", "NB", r, Way("best", "inner_cv")).n_selected.mean() for r in run.rankers]
    assert sizes == pytest.approx(means)


def test_band_is_a_standard_error() -> None:
    (figure,) = learning_curves.figures(made(1, 3))
    with style.context():
        (axes,) = figure.draw().axes
    low, high = (f(axes.collections[0].get_paths()[0].vertices[:, 1]) for f in (min, max))
    assert high - low == pytest.approx(2 * np.std([50, 51], ddof=1) / np.sqrt(2))


def test_one_fold_has_no_band() -> None:
    (figure,) = learning_curves.figures(made(1, 3, folds=1))
    assert "band" not in figure.caption
    with style.context():
        assert not figure.draw().axes[0].collections


def test_of_many_rankers_the_reference_and_the_best_are_shown() -> None:
    (figure,) = learning_curves.figures(made(100, 2))
    assert "8 of 100 rankers are shown" in figure.notes[0]
    with style.context():
        (legend,) = figure.draw().legends
    assert [t.get_text() for t in legend.get_texts()] == ["r0", *(f"r{i}" for i in range(93, 100))]


def test_long_curves_are_thinned_and_say_so() -> None:
    (figure,) = learning_curves.figures(made(1, 3000))
    assert "of 3000 sizes" in figure.notes[0]
    assert len(figure.svg()) < 60_000


def test_many_classifiers_are_cut() -> None:
    (figure,) = learning_curves.figures(made(2, 3, n_classifiers=12))
    assert "The first 9 of 12 classifiers" in figure.notes[0]
    with style.context():
        assert len(figure.draw().axes) == 9


def test_two_names_that_differ_in_punctuation_have_two_files() -> None:
    one, two = (made(1, 2, name=name) for name in ("a b", "a-b"))
    frames = [pd.concat([getattr(one, f), getattr(two, f)]) for f in ("dataset_table", "curves")]
    cells = pd.DataFrame(cell("a b", "c0", "r0", "best", [10], estimate="inner_cv"))
    both = Results(one.experiment, frames[0], cells, one.ranking_times, None, lambda: frames[1])
    assert [f.key for f in build(both)] == ["learning-curves-a-b", "learning-curves-a-b-2"]


def test_without_curves_there_is_nothing() -> None:
    assert learning_curves.figures(results(experiment(), [dataset("iris")], [])) == []
