"""One search as lines: usefulness, remainder and criterion after every step, as `fsbench search --plot` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.searches.trace import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["draw", "figure"]

MOST_NAMES = 40  # more names than that cannot be read below an axis


def figure(trace: Trace, names: Sequence[str], title: str = "") -> Figure:
    """Return the figure of a trace.

    Up to 40 steps are named by what they did, such as ``+A0`` or ``-C``; more are numbered.

    Parameters
    ----------
    trace : Trace
    names : sequence of str
        The features' names, in file order.
    title : str, default ""
        The search, if empty.

    Returns
    -------
    Figure
    """
    words = title or trace.search
    caption = "Usefulness J of the subset after each step; ring: the best subset met."
    return Figure("search", words, caption, lambda: draw(trace, names, words))


def draw(trace: Trace, names: Sequence[str], title: str) -> Drawing:
    """Draw a trace; see `figure`."""
    drawing = style.new(4.0, 8.0)
    axes = drawing.subplots()
    _lines(axes, trace)
    _steps(axes, trace, names)
    axes.set_title(style.short(title, 90), fontsize=10)
    handles, labels = axes.get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside upper center", ncols=len(labels), handlelength=3.2)
    return drawing


def _lines(axes: Axes, trace: Trace) -> None:
    met, first = range(len(trace.met)), style.look(0)
    every = {"markevery": max(1, len(trace.met) // 40)}
    axes.plot(met, [s.usefulness for s in trace.met], label="J(X)", **first.line(**every))
    if trace.start.remainder is not None:
        rests = [float("nan") if s.remainder is None else s.remainder for s in trace.met]
        axes.plot(met, rests, label="J(Y - X)", **style.look(1).line(**every))
        axes.plot(met, [s.criterion for s in trace.met], label="criterion", **style.look(2).line(**every))
    best = next(i for i, step in enumerate(trace.met) if step is trace.best)
    axes.plot([best], [trace.best.usefulness], **first.ring(11.0))
    # On the side where there is room for the words.
    side = "right" if best > len(trace.met) / 2 else "left"
    place = (best, trace.best.usefulness)
    axes.annotate(f"best, {trace.best.size} features", place, (0, 9), textcoords="offset points", ha=side, va="bottom")
    axes.margins(y=0.16)


def _steps(axes: Axes, trace: Trace, names: Sequence[str]) -> None:
    signs = {"add": "+", "remove": "-"}
    if len(trace.steps) <= MOST_NAMES:
        labels = ["start"] + [f"{signs[s.action]}{names[s.feature]}" for s in trace.steps if s.feature is not None]
        axes.set_xticks(range(len(labels)), [style.short(t) for t in labels], rotation=90, fontsize=8)
    else:
        axes.set_xlabel("step")
