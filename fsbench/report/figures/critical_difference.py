"""Critical-difference diagrams: average ranks over data sets, and bars over methods that Nemenyi's test equates.

Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.2.2 and figure 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fsbench.report.across import across
from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.results import Results
from fsbench.report.scores import ALL, Way
from fsbench.stats import average_ranks, cliques, critical_difference, friedman
from fsbench.values import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["Ranks", "draw", "figures", "ranked"]

MOST_METHODS = 30
MOST_PANELS = 8

_ROW = 0.19  # inches between two names


@dataclass(frozen=True, eq=False)
class Ranks:
    """Average ranks under one classifier.

    Parameters
    ----------
    title : str
        Over the panel.
    names : sequence of str
        The methods.
    ranks : ndarray of shape (n_methods,)
        Average rank of each, 1 is best.
    n_sets : int
        Data sets that the average is of.
    distance : float or None
        Nemenyi's critical difference; None if the test is omitted.
    words : str
        What Friedman's test says, or why it is omitted.
    """

    title: str
    names: Sequence[str]
    ranks: FloatArray
    n_sets: int
    distance: float | None
    words: str = ""


def figures(results: Results) -> list[Figure]:
    """Return a diagram for each way of choosing features, one panel a classifier.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
    """
    ways = [*results.best[:1], *results.first, *results.best[1:], *results.relevant]
    made = [_figure(results, way) for way in ways] if len(results.rankers) > 1 and results.labelled is None else []
    return [figure for figure in made if figure is not None]


def draw(panels: Sequence[Ranks]) -> Drawing:
    """Draw the panels below each other.

    Parameters
    ----------
    panels : sequence of Ranks

    Returns
    -------
    Drawing
    """
    shown = [_thinned(panel) for panel in panels]
    heights = [_rows(p) * _ROW for p in shown]
    drawing = style.new(sum(heights) + 0.1)
    axes = drawing.subplots(len(shown), 1, squeeze=False, height_ratios=heights).ravel()
    for panel, axis in zip(shown, axes, strict=True):
        _draw_panel(axis, panel)
    return drawing


def _thinned(panel: Ranks) -> Ranks:
    """Return the panel sorted, with the best methods only if there are many."""
    order = np.argsort(panel.ranks, kind="stable")[:MOST_METHODS]
    names = [panel.names[i] for i in order]
    return Ranks(panel.title, names, panel.ranks[order], panel.n_sets, panel.distance, panel.words)


def _bars(panel: Ranks) -> list[tuple[int, int, int]]:
    """Return the bars (first and last method) with the level that each lies on, so that no two overlap."""
    ends: list[int] = []
    placed = []
    for group in cliques(panel.ranks, panel.distance) if panel.distance is not None else ():
        first, last = group[0], group[-1]
        level = next((i for i, end in enumerate(ends) if end < first), len(ends))
        ends[level : level + 1] = [last]
        placed.append((first, last, level))
    return placed


def _rows(panel: Ranks) -> float:
    """Return the height of a panel in rows: title, ruler, scale, bars and names."""
    levels = max((level for *_, level in _bars(panel)), default=-1) + 1
    return 4.6 + 0.6 * levels + math.ceil(len(panel.names) / 2)


def _draw_panel(axes: Axes, panel: Ranks) -> None:
    n = len(panel.names)
    low, high = 1.0, max(2.0, float(math.ceil(panel.ranks.max())))
    bars = _bars(panel)
    below = 0.7 + 0.6 * (max((level for *_, level in bars), default=-1) + 1)
    axes.set_xlim(low, high)
    axes.set_ylim(-(below + math.ceil(n / 2)), 2.6)
    axes.set_axis_off()
    axes.set_title(style.short(panel.title, 70), loc="left")
    _scale(axes, low, high)
    if panel.distance is not None:
        _ruler(axes, low, high, panel.distance)
    for first, last, level in bars:
        ends = panel.ranks[[first, last]] + np.array([-0.012, 0.012]) * (high - low)
        height = -0.5 - 0.6 * level
        axes.plot(ends, [height, height], color=style.INK, linewidth=3.2, solid_capstyle="butt", clip_on=False)
    for i, (name, rank) in enumerate(zip(panel.names, panel.ranks, strict=True)):
        left = i < (n + 1) // 2
        height = -(below + (i if left else n - 1 - i) + 0.3)
        _leader(axes, name, float(rank), height, left)


def _scale(axes: Axes, low: float, high: float) -> None:
    axes.plot([low, high], [0, 0], color=style.INK, linewidth=0.9, clip_on=False)
    step = max(1, math.ceil((high - low) / 10))
    for tick in range(int(low), int(high) + 1):
        major = (tick - int(low)) % step == 0
        axes.plot([tick, tick], [0, 0.3 if major else 0.15], color=style.INK, linewidth=0.9, clip_on=False)
        if major:
            axes.text(tick, 0.4, str(tick), ha="center", va="bottom", fontsize=8)


def _ruler(axes: Axes, low: float, high: float, distance: float) -> None:
    """Draw the critical difference to scale; longer than the scale, it is cut and says so."""
    end = min(low + distance, high)
    axes.plot([low, end], [1.9, 1.9], color=style.INK, linewidth=1.2, clip_on=False)
    for x in (low, end) if end == low + distance else (low,):
        axes.plot([x, x], [1.75, 2.05], color=style.INK, linewidth=1.2, clip_on=False)
    words = f"CD {distance:.2f}" if end == low + distance else f"CD {distance:.2f}, more than the scale"
    axes.text((low + end) / 2, 2.05, words, ha="center", va="bottom", fontsize=8)


def _leader(axes: Axes, name: str, rank: float, height: float, left: bool) -> None:
    low, high = axes.get_xlim()
    side = low if left else high
    axes.plot([rank, rank, side], [0, height, height], color=style.QUIET, linewidth=0.8, clip_on=False)
    label = style.short(name, 22)
    gap = "\N{NO-BREAK SPACE}"  # a browser would drop plain spaces at the ends
    words = f"{label}{2 * gap}{rank:.2f}{gap}" if left else f"{gap}{rank:.2f}{2 * gap}{label}"
    axes.text(side, height, words, ha="right" if left else "left", va="center", fontsize=8.5)


def _figure(results: Results, way: Way) -> Figure | None:
    made = {c: _ranks(results, c, way) for c in results.classifiers}
    panels = [ranks for ranks in made.values() if ranks is not None]
    if not panels:
        return None
    level = f"{100 * results.level:g} %"
    tested = any(p.distance is not None for p in panels)
    caption = (
        f"Average ranks by mean accuracy over the folds ({results.protocol}) with {results.words(way)}; 1 is best, "
        "equal means share their ranks"
    )
    caption += f". Methods under one bar do not differ by Nemenyi's test at {level} (CD: critical difference)"
    return Figure(
        f"critical-difference-{way.slug}",
        f"Average ranks over data sets: {results.words(way)}",
        f"{caption if tested else caption.partition('. Methods')[0]}.",
        lambda: draw(panels[:MOST_PANELS]),
        tuple(_notes(results, way, panels)),
    )


def _notes(results: Results, way: Way, panels: Sequence[Ranks]) -> list[str]:
    notes = []
    for panel in panels:
        notes.append(f"{panel.title}: {panel.words}.")
        if len(panel.names) > MOST_METHODS:
            notes.append(f"{panel.title}: the best {MOST_METHODS} of {len(panel.names)} methods.")
    if len(panels) > MOST_PANELS:
        notes.append(f"The first {MOST_PANELS} of {len(panels)} classifiers.")
    gaps = {d for c in results.classifiers for d in across(results, c, way).left_out}
    left_out = [d for d in results.datasets if d in gaps]
    if left_out:
        notes.append(f"Left out where a cell is not there: {', '.join(left_out)}.")
    return notes


def _ranks(results: Results, classifier: str, way: Way) -> Ranks | None:
    """Return the average ranks of the table of ranks; None if no data set has them all, or one ranker is alone."""
    found = across(results, classifier, way)
    if len([m for m in found.methods if m != ALL]) < 2 or not found.datasets:
        return None
    return ranked(results.title(classifier), [results.title(m) for m in found.methods], found.values, results.level)


def ranked(title: str, names: Sequence[str], values: FloatArray, level: float) -> Ranks:
    """Return the average ranks of methods, and Nemenyi's critical difference where Friedman's test can be made.

    Parameters
    ----------
    title : str
        What is ranked; the number of data sets is added.
    names : sequence of str
        The methods.
    values : ndarray of shape (n_sets, n_methods)
        Larger is better; no gaps.
    level : float

    Returns
    -------
    Ranks
    """
    n_sets, n_methods = values.shape
    test = friedman(values, level)
    distance = None if test.reason else critical_difference(n_methods, n_sets, level)
    words = f"Nemenyi's test is omitted: {test.reason}"
    if test.p_value is not None:
        differ = "differ" if test.p_value < level else "do not differ"
        words = (
            f"the ranks {differ} by Friedman's test in the form of Iman and Davenport (F = {test.statistic:.3g}, "
            f"p = {test.p_value:.2g})"
        )
    whole_title = f"{title}, {n_sets} data set{'s' * (n_sets != 1)}"
    return Ranks(whole_title, names, average_ranks(values), n_sets, distance, words)
