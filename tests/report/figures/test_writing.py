"""All figures of a report at once: the same files by one process or several, and reports of odd experiments."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from fsbench.errors import UserError
from fsbench.report import figure_files
from fsbench.report.figure_files import save_figures
from fsbench.report.figures import FORMATS, Figure, build, style
from fsbench.report.results import Results
from tests.report.figures.drawn import clipped, draw
from tests.report.samples import cell, dataset, experiment, methods, results


def figures(count: int = 8) -> list[Figure]:
    def line(i: int):
        drawing, axes = style.panels(1)
        axes[0].plot([0, 1], [0, i], **style.look(i).line())
        return drawing

    return [Figure(f"f{i}", f"Figure {i}", "A line.", lambda i=i: line(i)) for i in range(count)]


def test_files_do_not_depend_on_the_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for jobs in (1, 2):
        monkeypatch.setattr(figure_files, "processors", lambda jobs=jobs: jobs)
        texts.append(save_figures(figures(), tmp_path / str(jobs)))
    names = sorted(p.name for p in (tmp_path / "1").iterdir())
    assert names == sorted(f"f{i}.{form}" for i in range(8) for form in FORMATS)
    assert [(tmp_path / "1" / n).read_bytes() for n in names] == [(tmp_path / "2" / n).read_bytes() for n in names]
    assert texts[0] == texts[1] == {f.key: f.svg() for f in figures()}


def test_what_cannot_be_written_is_said_by_every_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(figure_files, "processors", lambda: 2)
    with pytest.raises(UserError, match="cannot write the figure"):
        save_figures(figures(), tmp_path / "file")


def test_nothing_to_draw(tmp_path: Path) -> None:
    assert save_figures([], tmp_path) == {}


def odd(n_sets: int = 2, n_rankers: int = 3, folds: int = 2, failing: bool = False) -> Results:
    """Rankings, curves and cells of any number, each third cell failed if asked for."""
    sets, rankers = [f"d {i} <b>" for i in range(n_sets)], [f"A_{i}%&$x$" for i in range(n_rankers)]
    rows, ranks, curves = [], [], []
    for d, name in enumerate(sets):
        rows += cell(name, "c45", "", "all", [9] * folds)
        for r, ranker in enumerate(rankers):
            right = [None if failing and (d + r) % 3 == 0 else 8 + (d + r + f) % 5 for f in range(folds)]
            rows += cell(name, "c45", ranker, "best", right, estimate="inner_cv")
            for f in range(folds):
                for k in range(4):
                    ranks.append((name, 0, f, ranker, k + 1, (k + r + f) % 4, f"f{k}", 0.5, "bit", 0.1))
                    if not failing:
                        curves.append((name, 0, f, ranker, "c45", "inner_cv", k + 1, 50, 30 + k, 0.6 + 0.01 * k))
    spec = experiment(
        rankers=[methods(r) for r in rankers],
        classifiers=[methods("c45")],
        selections=[
            {"selection": "all", "k": None, "estimate": "", "folds": None},
            {"selection": "best", "k": None, "estimate": "inner_cv", "folds": 10},
        ],
    )
    table = [dataset(name, rows=100 * (i + 1)) for i, name in enumerate(sets)] + [dataset("gone", missing="not found")]
    times = [(name, f, r, 0.01) for name in sets for f in range(folds) for r in rankers]
    base = results(spec, table, rows, times)
    return Results(
        spec,
        base.dataset_table,
        pd.DataFrame(rows),
        base.ranking_times,
        lambda: pd.DataFrame(ranks, columns=RANKS),
        curves=lambda: pd.DataFrame(curves, columns=CURVES),
    )


RANKS = ["dataset", "repeat", "fold", "ranker", "rank", "feature_index", "feature", "score", "unit", "seconds"]
CURVES = ["dataset", "repeat", "fold", "ranker", "classifier", "estimate", "k", "n", "n_correct", "accuracy"]


@pytest.mark.parametrize(
    "shape",
    [
        {"failing": True},
        {"folds": 1},
        {"n_sets": 1},
        {"n_rankers": 1},
        {"n_rankers": 2},
        {"n_sets": 40, "n_rankers": 2},
    ],
    ids=str,
)
def test_odd_experiments_have_figures_all_the_same(shape: dict[str, int]) -> None:
    found = build(odd(**shape))
    assert found
    assert len({f.key for f in found}) == len(found)
    for figure in found[:1] + found[-4:]:
        assert not clipped(draw(figure)), figure.key


def test_a_hundred_methods_stay_legible_and_small() -> None:
    found = build(odd(n_sets=6, n_rankers=100))
    for figure in found:
        drawing = draw(figure)
        assert drawing.get_figheight() < 11, figure.key
        assert drawing.get_figwidth() <= 7, figure.key
        assert len(figure.svg()) < 300_000, figure.key
        assert not clipped(drawing), figure.key
        assert any("100" in note or "101" in note for note in figure.notes), figure.key


def test_missing_data_sets_are_named() -> None:
    notes = [note for figure in build(odd(n_sets=6)) for note in figure.notes]
    assert any("gone" in note for note in notes)
