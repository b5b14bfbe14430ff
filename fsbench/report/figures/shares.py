"""A measure against the share of features kept, one panel a data set: what a smaller selection costs.

As figures 2 and 3 of Spolaor et al. (2013).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.labels import by_classifier, gaps, label_looks, shown_methods
from fsbench.report.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["Point", "draw", "figures"]

MOST_PANELS = 9
MEASURES = ("hamming_loss", "subset_accuracy", "f_example", "accuracy", "f_macro", "f_micro")


@dataclass(frozen=True)
class Point:
    """One method on one data set.

    Parameters
    ----------
    mean, sd : float
        Of the measure over the folds.
    share : float
        Mean share of features kept, 0 to 1.
    """

    mean: float
    sd: float
    share: float


def figures(results: Results) -> list[Figure]:
    """Return pages of panels for each measure, of each classifier of a multi-label experiment.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
        Empty for experiments of another kind.
    """
    found = [(classifier, ending, m) for classifier, ending in by_classifier(results) for m in MEASURES]
    return [figure for place in found for figure in _figures(results, *place)]


def draw(panels: Mapping[str, Mapping[str, Point]], looks: Mapping[str, style.Look], title: str) -> Drawing:
    """Draw a panel for each data set: the measure along, the share up.

    Parameters
    ----------
    panels : mapping of str to mapping of str to Point
        Data set to method to its point.
    looks : mapping of str to Look
        By method; one without a marker is the baseline, a cross and a dashed line down from it.
    title : str
        The measure.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(len(panels), height=1.3)
    for panel, (dataset, points) in zip(axes, panels.items(), strict=True):
        panel.set_title(style.short(dataset))
        for method, look in looks.items():
            if method in points:
                _draw_point(panel, points[method], look)
        panel.set_ylim(-5, 109)
        panel.set_yticks([0, 25, 50, 75, 100])
        panel.margins(x=0.12)
        panel.locator_params(axis="x", nbins=4)
    style.y_title(drawing, "features kept (%)")
    style.x_title(drawing, title)
    handles = [axes[0].plot([], [], **_mark(look))[0] for look in looks.values()]
    style.legend(drawing, handles, list(looks))
    return drawing


def _mark(look: style.Look) -> dict[str, Any]:
    if not look.marker:
        return look.line(marker="x", markersize=5.0, markeredgecolor=look.colour, markeredgewidth=1.2, linewidth=0.8)
    return look.ring(5.0)


def _draw_point(axes: Axes, point: Point, look: style.Look) -> None:
    height = 100.0 * point.share
    if not look.marker:
        axes.axvline(point.mean, color=look.colour, linestyle=look.dash, linewidth=0.8)
    ends = [point.mean - point.sd, point.mean + point.sd]
    axes.plot(ends, [height, height], color=look.colour, linewidth=0.9)
    axes.plot([point.mean], [height], **{**_mark(look), "zorder": 3})


def _figures(results: Results, classifier: str, ending: str, measure: str) -> list[Figure]:
    from fsbench.report.label_results import TITLES

    labelled = results.labelled
    assert labelled is not None
    methods, cut = shown_methods(results, classifier)
    looks = label_looks(methods)
    panels: dict[str, dict[str, Point]] = {}
    for dataset in labelled.datasets:
        for method in methods:
            scores = labelled.scores(dataset, method, measure)
            reduction = labelled.scores(dataset, method, "reduction").mean
            if scores.mean is not None and scores.sd is not None and reduction is not None:
                point = Point(scores.mean, scores.sd, 1.0 - reduction / 100.0)
                panels.setdefault(dataset, {})[method.title] = point
    if not panels:
        return []
    title, side = TITLES[measure], "right" if labelled.higher_is_better(measure) else "left"
    caption = (
        f"{title} of {classifier} against the share of features that each method keeps, mean over the folds "
        f"({results.protocol}); strokes: one standard deviation on either side; better is {side}, smaller is lower; "
        "cross and dashed line: the baseline with all features."
    )
    notes = (*cut, *gaps(results, methods, measure))
    key = f"share-{measure.replace('_', '-')}{ending}"
    heading = f"{title} of {classifier} against size"
    return [
        Figure(f"{key}{part}", f"{heading}{words}", caption, _page(page, looks, title), notes)
        for part, words, page in style.pages(panels, MOST_PANELS)
    ]


def _page(
    page: Mapping[str, Mapping[str, Point]], looks: Mapping[str, style.Look], title: str
) -> Callable[[], Drawing]:
    return lambda: draw(page, looks, title)
