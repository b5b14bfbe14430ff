"""A search as lines: usefulness, remainder and criterion after every step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fsbench.errors import UserError
from fsbench.searches.trace import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

FORMATS = (".svg", ".pdf", ".png")
MOST_NAMES = 40  # more names than that cannot be read below an axis


def plot(trace: Trace, names: Sequence[str], path: Path, title: str = "") -> None:
    """Draw a trace and write it.

    Up to 40 steps are named by what they did, such as ``+A0`` or ``-C``; more are numbered.

    Parameters
    ----------
    trace : Trace
    names : sequence of str
        The features' names, in file order.
    path : Path
        Where to write; svg, pdf or png by its ending.
    title : str, default ""

    Raises
    ------
    UserError
        The ending of the path is not svg, pdf or png, or the file cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise UserError(f"the plot's file must end in .svg, .pdf or .png, found {path.name!r}", "--plot")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    # Fixed identifiers and no date: the same search gives the same bytes.
    with mpl.rc_context({"svg.hashsalt": "fsbench", "svg.fonttype": "none", "text.usetex": False}):
        figure = Figure(figsize=(8.0, 4.5), layout="constrained")
        axes = figure.subplots()
        _lines(axes, trace)
        _steps(axes, trace, names)
        axes.set_title((title or trace.search).replace("$", r"\$"), fontsize=10)
        key = {".svg": "Date", ".pdf": "CreationDate"}.get(path.suffix.lower())
        try:
            figure.savefig(path, metadata={key: None} if key else None)
        except OSError as error:
            raise UserError(f"cannot write the plot: {error.strerror or error}", str(path)) from None


def _lines(axes: Axes, trace: Trace) -> None:
    met = range(len(trace.met))
    axes.plot(met, [s.usefulness for s in trace.met], color="tab:blue", marker=".", label="J(X)")
    if trace.start.remainder is not None:
        rests = [float("nan") if s.remainder is None else s.remainder for s in trace.met]
        axes.plot(met, rests, color="tab:orange", marker=".", label="J(Y - X)")
        axes.plot(met, [s.criterion for s in trace.met], color="0.4", linestyle="--", label="criterion")
    best = next(i for i, step in enumerate(trace.met) if step is trace.best)
    axes.plot(best, trace.best.usefulness, "o", color="tab:blue", markersize=11, fillstyle="none")
    axes.annotate(
        f"best, {trace.best.size} features", (best, trace.best.usefulness), (0, 9), textcoords="offset points"
    )
    axes.legend(frameon=False, fontsize=8)
    axes.margins(y=0.12)


def _steps(axes: Axes, trace: Trace, names: Sequence[str]) -> None:
    signs = {"add": "+", "remove": "-"}
    if len(trace.steps) <= MOST_NAMES:
        labels = ["start"] + [f"{signs[s.action]}{names[s.feature]}" for s in trace.steps if s.feature is not None]
        # A dollar sign in a name would otherwise start a formula.
        axes.set_xticks(range(len(labels)), [t.replace("$", r"\$") for t in labels], rotation=90, fontsize=8)
    else:
        axes.set_xlabel("step")
