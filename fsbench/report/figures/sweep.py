"""The sweep over the number of intervals of the exclusiveness paper: errors by data set, the printed ones beside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fsbench.report.exclusiveness import COLUMNS, error, printed_error, settings
from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

__all__ = ["Sweep", "draw", "figures"]

MOST_PANELS = 9

_TITLES = {"original_a": "A: order of the file", "ordered_b": "B: by relevance", "reduced_c": "C: reduced"}


@dataclass(frozen=True)
class Sweep:
    """One line: an error by the number of intervals.

    Parameters
    ----------
    points : list of (int, float)
        Number of intervals and mean error in percent.
    printed : float or None
        The paper's number, whatever its intervals were.
    """

    points: list[tuple[int, float]] = field(default_factory=list)
    printed: float | None = None


def figures(results: Results) -> list[Figure]:
    """Return pages of panels, one a data set; none with fewer than two numbers of intervals.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
    """
    known = [s for s in settings(results) if s.intervals.isdigit()]
    if len(known) < 2:
        return []
    known.sort(key=lambda s: int(s.intervals))
    panels: dict[str, dict[str, Sweep]] = {}
    for dataset in results.datasets:
        lines = {c: Sweep([], printed_error(results.printed_names.get(dataset, ""), c)) for c in COLUMNS}
        for column, line in lines.items():
            means = [(int(s.intervals), error(results, dataset, s, column).mean) for s in known]
            line.points.extend((n, mean) for n, mean in means if mean is not None)
        if any(line.points for line in lines.values()):
            panels[dataset] = lines
    caption = (
        f"Error of the trie against the number of intervals of an attribute, mean over the folds ({results.protocol}); "
        "fine lines without marks: the printed error, whose number of intervals the paper does not give."
    )
    notes = [f"{d}: {results.missing.get(d, 'nothing was computed')}." for d in results.datasets if d not in panels]
    return [
        Figure(f"sweep{part}", f"Number of intervals{words}", caption, draw_page(page), tuple(notes))
        for part, words, page in style.pages(panels, MOST_PANELS)
    ]


def draw_page(page: Mapping[str, Mapping[str, Sweep]]) -> Callable[[], Drawing]:
    """Return what draws a page."""
    return lambda: draw(page)


def draw(panels: Mapping[str, Mapping[str, Sweep]]) -> Drawing:
    """Draw a panel for each data set.

    Parameters
    ----------
    panels : mapping of str to mapping of str to Sweep
        Data set to column of Table 2 to its line.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(len(panels))
    handles: Sequence[object] = []
    for panel, (dataset, lines) in zip(axes, panels.items(), strict=True):
        panel.set_title(style.short(dataset))
        handles = []
        for i, line in enumerate(lines.values()):
            xs, ys = [p[0] for p in line.points], [p[1] for p in line.points]
            handles += panel.plot(xs, ys, **style.look(i).line())
            if line.printed is not None:
                look = style.look(i)
                panel.axhline(line.printed, color=look.colour, linestyle=look.dash, linewidth=0.8)
        panel.margins(y=0.15)
    style.y_title(drawing, "error (%)")
    style.x_title(drawing, "number of intervals")
    style.legend(drawing, handles, [_TITLES[c] for c in _TITLES])
    return drawing
