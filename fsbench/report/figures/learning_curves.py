"""Learning curves: the accuracy of every prefix of a ranking, all rankers of a data set together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.rankers import chosen_rankers
from fsbench.report.results import Results
from fsbench.report.scores import ESTIMATES, Way
from fsbench.report.tables.common import slug
from fsbench.values import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["Line", "draw", "figures"]

# More points than that on a line cannot be seen; longer curves are drawn at so many sizes, denser at the left.
MOST_POINTS = 150
MOST_PANELS = 9


@dataclass(frozen=True, eq=False)
class Line:
    """A curve over its folds.

    Parameters
    ----------
    ranker, classifier : str
    k : ndarray of shape (n_sizes,)
        Numbers of features.
    mean, spread : ndarray of shape (n_sizes,)
        Mean accuracy over the folds and its standard error, in percent; no spread for one fold.
    size : float or None
        The mean size of the prefixes that were chosen.
    """

    ranker: str
    classifier: str
    k: IntArray
    mean: FloatArray
    spread: FloatArray | None
    size: float | None


def figures(results: Results) -> list[Figure]:
    """Return one figure a data set that has curves, in the order of the configuration.

    The curves are those by which the prefixes were chosen: of several estimates the configuration's first.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
    """
    curves = results.curves
    if curves is None or curves.empty:
        return []
    estimate = _estimate(results, list(curves["estimate"].unique()))
    lines = _lines(results, curves[curves["estimate"] == estimate], estimate)
    others = [e for e in dict.fromkeys(curves["estimate"]) if e != estimate]
    return [_figure(results, d, lines[d], estimate, others) for d in results.datasets if d in lines]


def draw(lines: Sequence[Line], classifiers: Mapping[str, str], rankers: Mapping[str, str]) -> Drawing:
    """Draw one panel a classifier.

    Parameters
    ----------
    lines : sequence of Line
    classifiers, rankers : mapping of str to str
        Those to show, in order: label to title.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(len(classifiers), sharex=True)
    looks = {ranker: style.look(i) for i, ranker in enumerate(rankers)}
    for panel, (classifier, title) in zip(axes, classifiers.items(), strict=True):
        mine = [line for line in lines if line.classifier == classifier and line.ranker in looks]
        for line in mine:
            _draw_line(panel, line, looks[line.ranker])
        panel.set_title(style.short(title))
        style.whole_axis(panel.xaxis, max((int(line.k[-1]) for line in mine), default=1))
    style.y_title(drawing, "accuracy (%)")
    style.x_title(drawing, "number of features")
    handles = [axes[0].plot([], [], **look.line())[0] for look in looks.values()]
    style.legend(drawing, handles, list(rankers.values()))
    return drawing


def _draw_line(axes: Axes, line: Line, look: style.Look) -> None:
    # Markers at about eight places tell the lines apart without hiding them.
    every = max(1, len(line.k) // 8)
    axes.plot(line.k, line.mean, **look.line(markevery=every, markersize=3.2, linewidth=1.2))
    if line.spread is not None:
        low, high = line.mean - line.spread, line.mean + line.spread
        axes.fill_between(line.k, low, high, color=look.colour, alpha=0.12, linewidth=0)
    if line.size is not None:
        height = float(np.interp(line.size, line.k, line.mean))
        axes.plot([line.size], [height], **look.ring(9.0, zorder=5))


def _estimate(results: Results, known: Sequence[str]) -> str:
    """Return the estimate whose curves are shown: the one that the first selection goes by."""
    return next((w.estimate for w in results.best if w.estimate in known), known[0])


def _lines(results: Results, curves: pd.DataFrame, estimate: str) -> dict[str, list[Line]]:
    """Return the lines of each data set; means over the folds of all data sets in one pass."""
    keys = ["dataset", "classifier", "ranker", "k"]
    stats = curves.groupby(keys, sort=False)["accuracy"].agg(["mean", "std", "count"]).reset_index()
    found: dict[str, list[Line]] = {}
    for (dataset, classifier, ranker), rows in stats.groupby(keys[:3], sort=False):
        rows = rows.iloc[_thin(len(rows))]
        count = rows["count"].to_numpy(float)
        spread = 100.0 * rows["std"].to_numpy(float) / np.sqrt(count) if (count > 1).all() else None
        size = _chosen_size(results, str(dataset), str(classifier), str(ranker), estimate)
        k, mean = rows["k"].to_numpy(int), 100.0 * rows["mean"].to_numpy(float)
        found.setdefault(str(dataset), []).append(Line(str(ranker), str(classifier), k, mean, spread, size))
    return found


def _thin(length: int) -> IntArray:
    if length <= MOST_POINTS:
        return np.arange(length)
    return np.unique(np.geomspace(1, length, MOST_POINTS).round().astype(np.int64)) - 1


def _chosen_size(results: Results, dataset: str, classifier: str, ranker: str, estimate: str) -> float | None:
    for selection in ("best", "reduced"):
        scores = results.scores(dataset, classifier, ranker, Way(selection, estimate))
        if scores.ok and len(scores.n_selected):
            return float(scores.n_selected.mean())
    return None


def _figure(results: Results, dataset: str, lines: Sequence[Line], estimate: str, others: Sequence[str]) -> Figure:
    classifiers = [c for c in results.classifiers if any(line.classifier == c for line in lines)]
    met = [r for r in results.rankers if any(line.ranker == r for line in lines)]
    means = {r: float(np.mean([line.mean.mean() for line in lines if line.ranker == r])) for r in met}
    rankers = chosen_rankers(results, met, means)
    caption = (
        f"{dataset}: accuracy against the number of features taken from the top of each ranking; mean over the "
        f"folds ({results.protocol}) of the {_words(estimate)}"
    )
    if any(line.spread is not None for line in lines):
        caption += ", band: one standard error on either side (a guide only, since folds share training rows)"
    if any(line.size is not None for line in lines):
        caption += "; large hollow mark: the mean size of what was chosen"
    shown = {c: results.title(c) for c in classifiers[:MOST_PANELS]}
    titles = {r: results.title(r) for r in rankers}
    return Figure(
        f"learning-curves-{slug(dataset)}",
        f"Learning curves: {dataset}",
        f"{caption}.",
        lambda: draw(lines, shown, titles),
        tuple(_notes(results, dataset, lines, met, rankers, classifiers, others)),
    )


def _words(estimate: str) -> str:
    words = ESTIMATES.get(estimate, estimate)
    return words if words.startswith("accuracy") else f"accuracy by {words}"


def _notes(
    results: Results,
    dataset: str,
    lines: Sequence[Line],
    met: Sequence[str],
    rankers: Sequence[str],
    classifiers: Sequence[str],
    others: Sequence[str],
) -> Iterator[str]:
    if dataset in results.notes:
        yield f"{dataset}: {results.notes[dataset]}."
    if len(rankers) < len(met):
        yield (
            f"{len(rankers)} of {len(met)} rankers are shown, the reference and those with the highest mean; "
            "'fsbench export --what curves' gives all."
        )
    if len(classifiers) > MOST_PANELS:
        yield f"The first {MOST_PANELS} of {len(classifiers)} classifiers; 'fsbench export --what curves' gives all."
    if any(len(line.k) < int(line.k[-1]) for line in lines):
        yield f"Drawn at {len(lines[0].k)} of {int(lines[0].k[-1])} sizes."
    if others:
        yield f"Curves of other estimates ({', '.join(others)}) are given by 'fsbench export --what curves'."
