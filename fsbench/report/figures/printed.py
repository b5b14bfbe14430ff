"""Our numbers against the printed ones of the paper: a diagonal, the tolerance of each cell, and who is off it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fsbench.report.compare import Compared
from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.reproduction import reproduce
from fsbench.report.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing
    from matplotlib.lines import Line2D

__all__ = ["draw", "figures"]

MOST_NAMED = 14
MOST_PANELS = 9

_AGREES, _DIFFERS = style.look(0), style.look(1)


def figures(results: Results) -> list[Figure]:
    """Return pages with a panel for each table of the paper (and unit); none without a paper or without common cells.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
    """
    if results.paper is None:
        return []
    # All that the page of the paper asks for too: it is made once.
    tables = [*dict.fromkeys(cell.table for cell in results.paper.cells()), "prose"]
    cells = reproduce(results, tables).cells
    # A dash against a number is judged too, and has no place.
    judged = [c for c in cells if c.agrees is not None and c.ours is not None and c.printed is not None]
    panels: dict[str, list[Compared]] = {}
    for cell in judged:
        panels.setdefault(_title(cell, judged), []).append(cell)
    if not panels:
        return []
    agree = sum(c.agrees is True for c in judged)
    caption = (
        f"Our mean over the folds against the number printed in {results.paper.TITLE}, one mark a cell: {agree} of "
        f"{len(judged)} agree. Line: equal; vertical strokes: tolerance of each cell (two standard errors of the "
        "difference of two such means, and half the last printed place); triangles: outside, the farthest numbered"
    )
    made = []
    for part, title, page in style.pages(panels, MOST_PANELS):
        named = _farthest(page)
        notes = _notes(results, cells, judged, named, page)
        words = (f"printed{part}", f"Ours against the printed numbers{title}", f"{caption}.")
        made.append(Figure(*words, _page(page, named), notes))
    return made


def draw(panels: Mapping[str, Sequence[Compared]], named: Sequence[Sequence[Compared]]) -> Drawing:
    """Draw a panel for each group of cells, and under them the names of the numbered marks.

    Parameters
    ----------
    panels : mapping of str to sequence of Compared
        Title to cells that were judged.
    named : sequence of sequence of Compared
        Cells to number, from 1; those at one place have one number.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(len(panels), height=2.0)
    for panel, (title, cells) in zip(axes, panels.items(), strict=True):
        _draw_panel(panel, cells, named)
        panel.set_title(style.fit(title, 1.95))
    style.y_title(drawing, "ours")
    style.x_title(drawing, "printed")
    handles = [_mark(axes[0], [], [], agrees) for agrees in (True, False)]
    style.legend(drawing, handles, ["within the tolerance", "outside"])
    style.key(drawing, [f"{i}  {_name(spot)}" for i, spot in enumerate(named, 1)])
    return drawing


def _draw_panel(axes: Axes, cells: Sequence[Compared], named: Sequence[Sequence[Compared]]) -> None:
    points = [(c.printed, c.ours, c.tolerance) for c in cells]
    xs, ys, tolerances = ([float(p[i] or 0.0) for p in points] for i in range(3))
    low, high = min(*xs, *ys), max(*xs, *ys)
    axes.plot([low, high], [low, high], color=style.INK, linewidth=0.7)
    spans = zip(xs, tolerances, strict=True)
    bounds = [(x - t, x + t) for x, t in spans]
    axes.vlines(xs, [b[0] for b in bounds], [b[1] for b in bounds], color=style.QUIET, alpha=0.5, linewidth=1.0)
    for agrees in (True, False):
        group = [i for i, c in enumerate(cells) if c.agrees is agrees]
        _mark(axes, [xs[i] for i in group], [ys[i] for i in group], agrees)
    if low > 0 and high / low > 50:
        style.log_axis(axes.xaxis)
        style.log_axis(axes.yaxis)
    for number, spot in enumerate(named, 1):
        if any(spot[0] is c for c in cells):
            _number(axes, number, spot[0])


def _number(axes: Axes, number: int, cell: Compared) -> None:
    above = (cell.difference or 0.0) > 0
    place = (cell.printed or 0.0, cell.ours or 0.0)
    align: dict[str, Any] = {"ha": "center", "va": "bottom" if above else "top"}
    axes.annotate(str(number), place, (0, 4 if above else -4), textcoords="offset points", fontsize=7, **align)


def _mark(axes: Axes, xs: Sequence[float], ys: Sequence[float], agrees: bool) -> Line2D:
    look = _AGREES if agrees else _DIFFERS
    shape: dict[str, Any] = {"marker": "o", "markersize": 3.2} if agrees else {"marker": "^", "markersize": 5.0}
    face = {"markerfacecolor": "none", "markeredgecolor": look.colour, "markeredgewidth": 0.8} if agrees else {}
    return axes.plot(xs, ys, **look.line(linestyle="none", **shape, **face, zorder=3))[0]


def _title(cell: Compared, cells: Sequence[Compared]) -> str:
    """Return the table in words, with the unit where the table has several."""
    word = cell.table.replace("table", "Table ")
    units = {c.unit for c in cells if c.table == cell.table}
    return f"{word} ({cell.unit.replace('_', ' ')})" if len(units) > 1 or cell.unit == "%" else word


def _farthest(panels: Mapping[str, Sequence[Compared]]) -> list[list[Compared]]:
    """Return the cells farthest outside of their tolerance, in multiples of it; those at one place together.

    Every panel has its share of the names, and what others leave.
    """
    groups = [_spots(cells) for cells in panels.values()]
    groups = [group for group in groups if group]
    share = MOST_NAMED // max(1, len(groups))
    first = [spot for group in groups for spot in group[:share]]
    rest = sorted((spot for group in groups for spot in group[share:]), key=_excess)
    kept = {id(spot) for spot in [*first, *rest[: max(0, MOST_NAMED - len(first))]]}
    return [spot for group in groups for spot in group if id(spot) in kept][:MOST_NAMED]


def _spots(cells: Sequence[Compared]) -> list[list[Compared]]:
    spots: dict[tuple[float | None, float | None, str], list[Compared]] = {}
    for cell in cells:
        if cell.agrees is False:
            spots.setdefault((cell.printed, cell.ours, cell.dataset), []).append(cell)
    return sorted(spots.values(), key=_excess)


def _excess(spot: Sequence[Compared]) -> float:
    return -abs(spot[0].difference or 0.0) / max(spot[0].tolerance or 0.0, 1e-12)


def _page(panels: Mapping[str, Sequence[Compared]], named: Sequence[Sequence[Compared]]) -> Callable[[], Drawing]:
    return lambda: draw(panels, named)


def _name(spot: Sequence[Compared]) -> str:
    more = f" and {len(spot) - 1} more" if len(spot) > 1 else ""
    return f"{spot[0].dataset} {spot[0].column}{more}: {spot[0].ours:.4g}, printed {spot[0].printed:.4g}"


def _notes(
    results: Results,
    cells: Sequence[Compared],
    judged: Sequence[Compared],
    named: Sequence[Sequence[Compared]],
    panels: Mapping[str, Sequence[Compared]],
) -> tuple[str, ...]:
    notes = []
    ways = [w for w in results.best if w.estimate]
    if len(ways) > 1 and any("/" in c.column for c in judged):
        notes.append(f"Ours by {ways[0].words}; the tables of the report have the other estimates.")
    off = sum(c.agrees is False for group in panels.values() for c in group)
    numbered = sum(map(len, named))
    if off > numbered:
        notes.append(f"{numbered} of {off} cells outside are numbered; 'fsbench compare' lists all of them.")
    rest = len(cells) - len(judged)
    if rest:
        notes.append(f"{rest} printed cells are not shown: not computed here, not comparable, or a dash on one side.")
    return tuple(notes)
