"""Time of a ranking against the rows and the features of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.rankers import chosen_rankers
from fsbench.report.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

__all__ = ["Timed", "draw", "figures"]


@dataclass(frozen=True)
class Timed:
    """One ranker on one data set.

    Parameters
    ----------
    ranker : str
    n_rows, n_features : int
        Of the whole data set.
    seconds : float
        Mean over the folds.
    """

    ranker: str
    n_rows: int
    n_features: int
    seconds: float


def figures(results: Results) -> list[Figure]:
    """Return one figure, none with fewer than two data sets that were timed.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
    """
    points = _points(results)
    if len({(p.n_rows, p.n_features) for p in points}) < 2:
        return []
    met = [r for r in results.rankers if any(p.ranker == r for p in points)]
    # Many rankers: the reference and the slowest, which are those that a reader would ask about.
    shown = chosen_rankers(results, met, {r: max(p.seconds for p in points if p.ranker == r) for r in met})
    notes = []
    if len(shown) < len(met):
        notes.append(
            f"{len(shown)} of {len(met)} rankers are shown, the reference and the slowest; the table of times has all."
        )
    caption = (
        "Wall time of one ranking, mean over the folds, against the rows and the features of the data set; both axes "
        "logarithmic. A mark is a data set: those with many rows need not have many features."
    )
    titles = {r: results.title(r) for r in shown}
    figure = Figure("ranking-times", "Time of a ranking", caption, lambda: draw(points, titles), tuple(notes), True)
    return [figure]


def draw(points: Sequence[Timed], rankers: Mapping[str, str]) -> Drawing:
    """Draw time against rows and time against features side by side.

    Parameters
    ----------
    points : sequence of Timed
    rankers : mapping of str to str
        Those to show, in order: label to title.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(2, height=2.3, sharey=True)
    handles = []
    for i, ranker in enumerate(rankers):
        mine = [p for p in points if p.ranker == ranker]
        marks = style.look(i).ring(5.5)
        for panel, of in zip(axes, ("n_rows", "n_features"), strict=True):
            drawn = panel.plot([getattr(p, of) for p in mine], [1000.0 * p.seconds for p in mine], **marks)
        handles += drawn
    for panel, title in zip(axes, ("rows", "features"), strict=True):
        panel.set_xlabel(title)
        style.log_axis(panel.xaxis)
    style.log_axis(axes[0].yaxis)
    style.y_title(drawing, "time (ms)")
    style.legend(drawing, handles, list(rankers.values()))
    return drawing


def _points(results: Results) -> list[Timed]:
    times = results.ranking_times
    times = times[times["seconds"].notna() & (times["seconds"].fillna(0) > 0)]
    means: Any = times.groupby(["dataset", "ranker"], sort=False)["seconds"].mean()
    table = results.dataset_table.dropna(subset=["n_rows", "n_features"])
    columns = (table["dataset"], table["n_rows"], table["n_features"])
    sizes = {str(d): (int(n), int(m)) for d, n, m in zip(*columns, strict=True) if n and m}
    return [
        Timed(str(ranker), *sizes[str(dataset)], float(seconds))
        for (dataset, ranker), seconds in means.items()
        if str(dataset) in sizes and np.isfinite(seconds)
    ]
