"""Radar charts of multi-label results: five measures, one polygon a method, the baseline dashed.

As figure 1 of Spolaor et al. (2013). Drawn on plain axes: rings and spokes are few, and names have room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.labels import by_classifier, gaps, label_looks, shown_methods
from fsbench.report.results import Results
from fsbench.values import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["SPOKES", "draw", "figures"]

MOST_PANELS = 9

# Measures by their key in the results, with a name short enough for the end of a spoke.
SPOKES = {
    "subset_accuracy": "subset",
    "f_example": "F",
    "accuracy": "accuracy",
    "f_macro": "macro F",
    "f_micro": "micro F",
}

Values = Mapping[str, FloatArray]


def figures(results: Results) -> list[Figure]:
    """Return pages of charts, one chart a data set, for each classifier of a multi-label experiment.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
        Empty for experiments of another kind.
    """
    return [figure for found in by_classifier(results) for figure in _figures(results, *found)]


def draw(panels: Mapping[str, Values], looks: Mapping[str, style.Look], spokes: Sequence[str]) -> Drawing:
    """Draw a chart for each data set.

    Parameters
    ----------
    panels : mapping of str to mapping of str to ndarray of shape (n_spokes,)
        Data set to method to its measures, 0 at the centre; each chart has a scale of its own.
    looks : mapping of str to Look
        By method; those without are not drawn.
    spokes : sequence of str
        Names of the measures, clockwise from the top.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(len(panels), height=1.42)
    handles = [axes[0].plot([], [], **_line(look))[0] for look in looks.values()]
    for panel, (dataset, methods) in zip(axes, panels.items(), strict=True):
        panel.set_axis_off()
        panel.set_aspect("equal", anchor="C")
        end = _nice(max((float(v.max()) for name, v in methods.items() if name in looks), default=1.0))
        panel.set_title(f"{style.short(dataset, 18)} (edge {end:g})")
        _web(panel, spokes)
        for method, look in looks.items():
            if method in methods:
                x, y = _corners(methods[method] / end)
                panel.plot(x, y, **_line(look))
    style.legend(drawing, handles, list(looks))
    return drawing


def _line(look: style.Look) -> dict[str, Any]:
    return look.line(linewidth=1.2, markersize=3.4)


def _nice(largest: float) -> float:
    """Return the end of the scale: the next tenth, or for small values the next round number."""
    if largest <= 0:
        return 1.0
    step = 10.0 ** math.floor(math.log10(largest))
    return min((m * step for m in (1, 2, 3, 4, 5, 6, 8, 10) if m * step >= largest - 1e-12), default=10 * step)


def _corners(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the closed polygon of values on spokes, clockwise from the top."""
    angle = 2.0 * np.pi * np.arange(len(values) + 1) / len(values)
    radius = np.append(values, values[0])
    return radius * np.sin(angle), radius * np.cos(angle)


def _web(axes: Axes, spokes: Sequence[str]) -> None:
    x, y = _corners(np.ones(len(spokes)))
    for part in (0.5, 1.0):
        axes.plot(part * x, part * y, color=style.QUIET, linewidth=0.5, alpha=0.7)
    for i, name in enumerate(spokes):
        axes.plot([0, x[i]], [0, y[i]], color=style.QUIET, linewidth=0.5, alpha=0.5)
        side = "center" if abs(x[i]) < 0.1 else "left" if x[i] > 0 else "right"
        level = "bottom" if y[i] > 0.5 else "top" if y[i] < -0.5 else "center"
        axes.text(1.06 * x[i], 1.06 * y[i], name, ha=side, va=level, fontsize=7.5)
    axes.set_xlim(-1.22, 1.22)
    axes.set_ylim(-0.95, 1.18)


def _figures(results: Results, classifier: str, ending: str) -> list[Figure]:
    labelled = results.labelled
    assert labelled is not None
    methods, cut = shown_methods(results, classifier)
    looks = label_looks(methods)
    panels = {}
    for dataset in labelled.datasets:
        means = {m.title: [labelled.scores(dataset, m, s).mean for s in SPOKES] for m in methods}
        whole = {name: np.array(v, dtype=float) for name, v in means.items() if None not in v}
        if whole:
            panels[dataset] = whole
    caption = (
        f"{', '.join(labelled_names())} of {classifier} with the features that each method keeps, mean over the "
        f"folds ({results.protocol}); farther out is better, the edge of a chart is what its title says; dashed "
        "without marks: the baseline with all features."
    )
    notes = (*cut, *gaps(results, methods, "subset_accuracy"))
    return [
        Figure(f"radar{ending}{part}", f"Five measures of {classifier}{words}", caption, _page(page, looks), notes)
        for part, words, page in style.pages(panels, MOST_PANELS)
        if page
    ]


def labelled_names() -> list[str]:
    """Return the names of the measures in a caption."""
    from fsbench.report.label_results import TITLES

    return [TITLES[key] for key in SPOKES]


def _page(page: Mapping[str, Values], looks: Mapping[str, style.Look]) -> Callable[[], Drawing]:
    return lambda: draw(page, looks, list(SPOKES.values()))
