"""The intervals of each feature as a strip: one box an interval, in the colour of the class that dominates it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fsbench.errors import UserError
from fsbench.rankers.exclusiveness import IntervalTable
from fsbench.values import Dataset, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

MIXED = "0.8"
FORMATS = (".svg", ".pdf", ".png")
MOST_STRIPS = 100  # more do not fit on a page that anyone reads


def plot(tables: Sequence[IntervalTable], order: IntArray, train: Dataset, phi: float, path: Path) -> None:
    """Draw one strip a feature, best on top, and write it; with more than 100, the best 100, as the title says.

    The width of a box is its share of the feature's range, its height the share of rows that lie in it (the
    fullest interval of the feature fills the strip), its colour the class that holds at least `phi` of it; grey
    if none does.

    Parameters
    ----------
    tables : sequence of IntervalTable
        One a feature, in file order.
    order : ndarray of shape (n_features,)
        Features, best first.
    train : Dataset
        The rows that were counted.
    phi : float
        Share of one class that makes an interval semi-exclusive.
    path : Path
        Where to write.

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

    title = f"{train.name}: intervals with one class at {phi:g} or more"
    if len(order) > MOST_STRIPS:
        title += f" (the best {MOST_STRIPS} of {len(order)} features)"
        order = order[:MOST_STRIPS]
    # Fixed identifiers and no date: the same data give the same bytes.
    with mpl.rc_context({"svg.hashsalt": "fsbench", "svg.fonttype": "none", "text.usetex": False}):
        figure = Figure(figsize=(8.0, 1.2 + 0.34 * len(order)), layout="constrained")
        axes = figure.subplots()
        for place, j in enumerate(order):
            _strip(axes, tables[int(j)], len(order) - 1 - place)
        names = [f"{train.features[int(j)].name}  {float(tables[int(j)].delta):.3f}" for j in order]
        # A dollar sign in a name would otherwise start a formula.
        axes.set_yticks(range(len(order)), [n.replace("$", r"\$") for n in reversed(names)])
        axes.set_xticks([])
        axes.set_xlim(0.0, 1.0)
        axes.set_ylim(-0.6, len(order) - 0.4)
        axes.spines[:].set_visible(False)
        axes.set_title(title.replace("$", r"\$"), fontsize=10)
        _legend(axes, [tables[int(j)] for j in order], train)
        try:
            figure.savefig(path, metadata=_undated(path))
        except OSError as error:
            raise UserError(f"cannot write the plot: {error.strerror or error}", str(path)) from None


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
        colour = _colour(table.majority(k)) if table.exclusive[k] else MIXED
        axes.bar(left, 0.84 * int(rows) / tallest, wide, base - 0.42, align="edge", color=colour, linewidth=0)
        axes.plot([left, left + wide], [base - 0.42] * 2, color="0.3", linewidth=0.6)
        axes.plot([left, left], [base - 0.42, base - 0.36], color="0.3", linewidth=0.6)


def _colour(label: int) -> tuple[float, float, float, float]:
    import matplotlib as mpl

    palette = mpl.colormaps["tab20"]
    # The strong half of the palette first, then the pale half: tab20 stores them alternately.
    place = 2 * (label % 10) + (label // 10) % 2
    red, green, blue, alpha = palette(place)
    return red, green, blue, alpha


def _legend(axes: Axes, tables: Sequence[IntervalTable], train: Dataset) -> None:
    from matplotlib.patches import Patch

    marked = {t.majority(k) for t in tables for k in range(len(t.counts)) if t.exclusive[k]}
    labels = train.target.labels or ()
    handles = [Patch(color=_colour(c), label=labels[c].replace("$", r"\$")) for c in sorted(marked)]
    handles.append(Patch(color=MIXED, label="none dominates"))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8)


def _undated(path: Path) -> dict[str, None] | None:
    key = {".svg": "Date", ".pdf": "CreationDate"}.get(path.suffix.lower())
    return {key: None} if key else None
