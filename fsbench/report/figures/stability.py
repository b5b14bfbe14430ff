"""Stability of what a ranking selects against how many features are taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fsbench.evaluation.stability import nogueira, top
from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.rankers import chosen_rankers
from fsbench.report.rankings import fold_ranks
from fsbench.report.results import Results
from fsbench.values import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

__all__ = ["Line", "draw", "figures"]

MOST_PANELS = 9
MOST_POINTS = 60


@dataclass(frozen=True, eq=False)
class Line:
    """The stability of one ranker on one data set.

    Parameters
    ----------
    k : ndarray of shape (n_sizes,)
        Numbers of features, below all of them.
    value, low, high : ndarray of shape (n_sizes,)
        Nogueira's measure and its interval.
    """

    k: IntArray
    value: FloatArray
    low: FloatArray
    high: FloatArray


def figures(results: Results) -> list[Figure]:
    """Return pages of panels, one a data set; none without two folds of a ranking.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
    """
    panels = {d: lines for d in results.datasets if (lines := _lines(results, d))}
    met = [r for r in results.rankers if any(r in lines for lines in panels.values())]
    if not met:
        return []
    worth = {r: float(np.mean([lines[r].value.mean() for lines in panels.values() if r in lines])) for r in met}
    shown = chosen_rankers(results, met, worth)
    titles = {r: results.title(r) for r in shown}
    confidence = f"{100 * (1 - results.level):g} % confidence"
    caption = (
        "Stability of the first k features of each ranking over the training parts of the folds "
        f"({results.protocol}): Nogueira's measure, 1 for equal selections, 0 for selections at random; band: its "
        f"asymptotic {confidence} interval, too narrow where training parts overlap as here."
    )
    notes = []
    if len(shown) < len(met):
        notes.append(
            f"{len(shown)} of {len(met)} rankers are shown, the reference and the most stable; "
            "'fsbench export --what rankings' gives all orders."
        )
    absent = [d for d in results.datasets if d not in panels]
    if absent:
        notes.append(f"Without two rankings of two features or more: {', '.join(absent)}.")
    return [
        Figure(f"stability{part}", f"Stability of the selection{words}", caption, _page(page, titles), tuple(notes))
        for part, words, page in style.pages(panels, MOST_PANELS)
    ]


def draw(panels: Mapping[str, Mapping[str, Line]], rankers: Mapping[str, str]) -> Drawing:
    """Draw a panel for each data set.

    Parameters
    ----------
    panels : mapping of str to mapping of str to Line
        Data set to ranker to its line.
    rankers : mapping of str to str
        Those to show, in order: label to title.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(len(panels), height=1.35)
    handles = [axes[0].plot([], [], **style.look(i).line())[0] for i in range(len(rankers))]
    for panel, (dataset, lines) in zip(axes, panels.items(), strict=True):
        panel.set_title(style.short(dataset))
        for i, ranker in enumerate(rankers):
            if ranker in lines:
                line, look = lines[ranker], style.look(i)
                panel.fill_between(line.k, line.low, line.high, color=look.colour, alpha=0.12, linewidth=0)
                every = max(1, len(line.k) // 6)
                panel.plot(line.k, line.value, **look.line(markevery=every, markersize=3.2, linewidth=1.2))
        style.whole_axis(panel.xaxis, max(int(line.k[-1]) for line in lines.values()))
        panel.set_ylim(min(0.0, *(float(line.value.min()) for line in lines.values())) - 0.03, 1.05)
    style.y_title(drawing, "stability")
    style.x_title(drawing, "number of features")
    style.legend(drawing, handles, list(rankers.values()))
    return drawing


def _page(page: Mapping[str, Mapping[str, Line]], rankers: Mapping[str, str]) -> Callable[[], Drawing]:
    return lambda: draw(page, rankers)


def _lines(results: Results, dataset: str) -> dict[str, Line]:
    return {
        ranker: line
        for ranker, folds in fold_ranks(results).get(dataset, {}).items()
        if (line := _line(np.array(list(folds.values())), results.level)) is not None
    }


def _line(ranks: FloatArray, level: float) -> Line | None:
    n_folds, n_features = ranks.shape
    if n_folds < 2 or n_features < 2:
        return None
    k = _sizes(n_features - 1)
    found = [nogueira(top(ranks, int(size)), level) for size in k]
    value, low, high = (np.array([getattr(s, part) for s in found], dtype=float) for part in ("value", "low", "high"))
    return Line(k, value, low, high)


def _sizes(largest: int) -> IntArray:
    if largest <= MOST_POINTS:
        return np.arange(1, largest + 1)
    return np.unique(np.geomspace(1, largest, MOST_POINTS).round().astype(np.int64))
