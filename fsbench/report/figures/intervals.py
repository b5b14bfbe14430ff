"""The intervals of each feature as a strip: one box an interval, in the colour of the class that dominates it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fsbench.rankers.exclusiveness import Exclusiveness, IntervalTable
from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.values import Dataset, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["draw", "figure"]

MIXED = "#c9c9c9"
MOST_STRIPS = 100  # more do not fit on a page that anyone reads


def figure(ranker: Exclusiveness, train: Dataset) -> Figure:
    """Return one strip a feature, best on top; with more than 100, the best 100, as the title says.

    The width of a box is its share of the feature's range, its height the share of rows that lie in it (the
    fullest interval of the feature fills the strip), its colour and hatch the class that holds at least phi of it;
    grey if none does.

    Parameters
    ----------
    ranker : Exclusiveness
    train : Dataset
        The rows that are counted.

    Returns
    -------
    Figure
    """
    tables, order = ranker.tables(train), ranker.rank(train).order
    title = f"{train.name}: intervals with one class at {ranker.phi:g} or more"
    if len(order) > MOST_STRIPS:
        title += f" (the best {MOST_STRIPS} of {len(order)} features)"
    caption = "Boxes: intervals, as high as they hold rows; colour and hatch: the dominant class; grey: none."
    return Figure("intervals", title, caption, lambda: draw(tables, order[:MOST_STRIPS], train, title))


def draw(tables: Sequence[IntervalTable], order: IntArray, train: Dataset, title: str) -> Drawing:
    """Draw the strips.

    Parameters
    ----------
    tables : sequence of IntervalTable
        One a feature, in file order.
    order : ndarray of shape (n_shown,)
        Features, best first.
    train : Dataset
    title : str

    Returns
    -------
    Drawing
    """
    drawing = style.new(1.2 + 0.34 * len(order), 8.0)
    axes = drawing.subplots()
    axes.grid(visible=False)
    for place, j in enumerate(order):
        _strip(axes, tables[int(j)], len(order) - 1 - place)
    names = [f"{style.short(train.features[int(j)].name, 40)}  {float(tables[int(j)].delta):.3f}" for j in order]
    axes.set_yticks(range(len(order)), list(reversed(names)))
    axes.set_xticks([])
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(-0.6, len(order) - 0.4)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(style.short(title, 90), fontsize=10)
    _legend(drawing, [tables[int(j)] for j in order], train)
    return drawing


def _strip(axes: Axes, table: IntervalTable, base: float) -> None:
    """Draw the boxes of one feature; missing values stand apart at the right end."""
    known = table.rows[:-1]
    has_missing = bool(table.rows[-1])
    room = 0.95 if has_missing else 1.0
    width = room / max(1, len(known))
    tallest = max(1, int(table.rows.max()))
    for k, rows in enumerate(table.rows):
        is_missing = k == len(known)
        if is_missing and not has_missing:
            continue
        left, wide = (0.96, 0.04) if is_missing else (k * width, width)
        fill = _fill(table.majority(k)) if table.exclusive[k] else {"facecolor": MIXED}
        axes.bar(left, 0.84 * int(rows) / tallest, wide, base - 0.42, align="edge", linewidth=0, **fill)
        axes.plot([left, left + wide], [base - 0.42] * 2, color=style.INK, linewidth=0.6)
        axes.plot([left, left], [base - 0.42, base - 0.36], color=style.INK, linewidth=0.6)


def _fill(label: int) -> dict[str, Any]:
    look = style.look(label)
    # Beyond seven classes colours come again with another hatch.
    hatch = style.look(label + label // len(style.COLOURS)).hatch
    return {"facecolor": look.colour, "hatch": hatch, "edgecolor": style.PAPER}


def _legend(drawing: Drawing, tables: Sequence[IntervalTable], train: Dataset) -> None:
    from matplotlib.patches import Patch

    marked = {t.majority(k) for t in tables for k in range(len(t.counts)) if t.exclusive[k]}
    labels = train.target.labels or ()
    handles = [Patch(linewidth=0, label=style.short(labels[c]), **_fill(c)) for c in sorted(marked)]
    handles.append(Patch(facecolor=MIXED, label="none dominates"))
    drawing.legend(handles=handles, loc="outside right upper")
