"""What all figures share: colours, dashes, markers and hatches, the size of a page, and how names are written.

Colours are those of Okabe and Ito (2008), which readers with any kind of colour blindness tell apart; orange and sky
blue are darkened until they show on white. No figure rests on colour alone: whatever has a colour also has a dash
and a marker, or a hatch, of its own.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

T = TypeVar("T")

__all__ = [
    "BASELINE",
    "COLOURS",
    "INK",
    "MOST_LOOKS",
    "PAPER",
    "QUIET",
    "WIDTH",
    "Look",
    "clean",
    "context",
    "fit",
    "key",
    "legend",
    "log_axis",
    "look",
    "new",
    "pages",
    "panels",
    "plain",
    "short",
    "text_width",
    "whole_axis",
    "x_title",
    "y_title",
]

# Lines and letters, paper, and grids. `svg` turns the first two into the page's own colours.
INK, PAPER, QUIET = "#1b1b1c", "#fefefd", "#7f7f80"

# Blue, vermilion, bluish green, reddish purple, orange and sky blue (both darkened), and a brown for a seventh.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b27b00", "#2f93c8", "#8a6d5a")
_DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.4)), (0, (7, 2, 1.5, 2)), (0, (3, 1.2, 1, 1.2, 1, 1.2)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_HATCHES = ("", "////", "....", "xxxx", "----", "\\\\\\\\", "++++")

# Pairs of a dash and a marker that differ: five dashes and seven markers.
MOST_LOOKS = len(_DASHES) * len(_MARKERS)

WIDTH = 6.4  # inches, the text of a page; wider ones could not be read on a phone

# Letters that no XML file may hold, and those that would break a line.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Look:
    """How one of several things is told from the others, in colour and without.

    Parameters
    ----------
    colour : str
        Hexadecimal.
    dash : str or tuple
        Matplotlib's line style.
    marker, hatch : str
        Matplotlib's.
    """

    colour: str
    dash: Any
    marker: str
    hatch: str

    def line(self, **more: Any) -> dict[str, Any]:
        """Return the keywords of `Axes.plot`; markers are hollow enough to show lines that cross them."""
        base = {"color": self.colour, "linestyle": self.dash, "marker": self.marker, "markersize": 4.0}
        return {**base, "linewidth": 1.4, "markeredgecolor": PAPER, "markeredgewidth": 0.5, **more}

    def ring(self, size: float, **more: Any) -> dict[str, Any]:
        """Return the keywords of `Axes.plot` for hollow marks without a line: those beneath them still show."""
        edge = {"markerfacecolor": "none", "markeredgecolor": self.colour, "markeredgewidth": 1.2}
        return self.line(linestyle="none", markersize=size, **{**edge, **more})


BASELINE = Look(INK, (0, (4, 2)), "", "")


def look(place: int) -> Look:
    """Return the look of the thing at a place, from 0; dash and marker differ for the first 35.

    Examples
    --------
    >>> look(0).colour, look(1).marker
    ('#0072b2', 's')
    """
    n = len(_MARKERS)
    return Look(COLOURS[place % n], _DASHES[place % len(_DASHES)], _MARKERS[place % n], _HATCHES[place % n])


@contextmanager
def context(salt: str = "fsbench") -> Iterator[None]:
    """Set what figures are drawn and written with, for a while; the reader's own settings come back.

    Names may hold dollar signs, so nothing is read as a formula; `salt` makes the identifiers within an SVG.
    """
    import matplotlib as mpl

    size = 9.0
    settings: Any = {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",
        "pdf.fonttype": 42,  # publishers refuse type 3
        "text.usetex": False,
        "text.parse_math": False,
        "axes.formatter.use_mathtext": False,
        "axes.unicode_minus": True,
        "font.family": ["DejaVu Sans"],
        "font.size": size,
        "axes.titlesize": size,
        "axes.titley": 1.0,
        "axes.labelsize": size,
        "xtick.labelsize": size - 1,
        "ytick.labelsize": size - 1,
        "legend.fontsize": size - 0.5,
        "legend.frameon": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": QUIET,
        "grid.alpha": 0.3,
        "grid.linewidth": 0.5,
        "axes.linewidth": 0.7,
        "hatch.linewidth": 0.6,
        "savefig.facecolor": "auto",
        "figure.dpi": 100.0,
        **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor", "legend.facecolor"), "none"),
    }
    with mpl.rc_context(), warnings.catch_warnings():
        # Letters that the font lacks are boxes in PNG and PDF; SVG keeps the text, and the reader's fonts have them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        mpl.rcdefaults()
        mpl.rcParams.update(settings)
        yield


def new(height: float, width: float = WIDTH) -> Drawing:
    """Return an empty drawing, in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def plain(width: float, height: float) -> Drawing:
    """Return an empty drawing whose places are stated by whoever draws, in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def panels(
    count: int, columns: int = 3, height: float = 1.75, right: float = 0.12, gap: float = 0.45, **more: Any
) -> tuple[Drawing, list[Axes]]:
    """Return a drawing of equal panels, row by row, and its axes; places that no panel needs are empty.

    Margins are set in inches, which is many times faster than a layout that measures every number at the axes.

    Parameters
    ----------
    count : int
        How many.
    columns : int, default 3
        At most so many side by side.
    height : float, default 1.75
        Inches of one, without its title and numbers.
    right, gap : float
        Inches at the right of all of them, and between two side by side.
    **more
        Passed to `Figure.subplots`.
    """
    from matplotlib.figure import Figure

    columns = min(columns, count)
    rows = math.ceil(count / columns)
    # A lone panel need not be wide; a row of numbers and a title part two rows.
    wide = WIDTH if columns > 1 else 0.75 * WIDTH
    top, bottom, between, left = 0.54, 0.5, 0.5, 0.62
    tall = rows * height + (rows - 1) * between + top + bottom
    drawing = Figure(figsize=(wide, tall))
    panel = (wide - left - right - (columns - 1) * gap) / columns
    drawing.subplots_adjust(
        left=left / wide,
        right=1 - right / wide,
        top=1 - top / tall,
        bottom=bottom / tall,
        wspace=gap / panel,
        hspace=between / height,
    )
    axes = drawing.subplots(rows, columns, squeeze=False, **more).ravel().tolist()
    for unused in axes[count:]:
        unused.set_axis_off()
    for axis in axes[max(0, count - columns) : count]:
        axis.tick_params(labelbottom=True)  # shared axes have numbers in the last row only, which may be short
    for axis in axes[:count]:
        # Stated places; to find them Matplotlib would measure all numbers at the axes once more.
        axis.xaxis.set_label_coords(0.5, -0.27 / height)
        axis.yaxis.set_label_coords(-0.42 / panel, 0.5)
    return drawing, axes[:count]


def x_title(drawing: Drawing, text: str) -> None:
    """Write what all panels have on their lower axes, once."""
    drawing.text(0.5, 0.06 / drawing.get_figheight(), clean(text), ha="center", va="bottom")


def y_title(drawing: Drawing, text: str) -> None:
    """Write what all panels have on their left axes, once."""
    place = 0.06 / drawing.get_figwidth()
    middle = (drawing.subplotpars.top + drawing.subplotpars.bottom) / 2
    drawing.text(place, middle, clean(text), ha="left", va="center", rotation=90, rotation_mode="default")


def legend(drawing: Drawing, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Put one legend above all panels, in as many columns as the names leave room for: never over a line."""
    names = [short(name, 40) for name in labels]
    if not names:
        return
    columns = _columns([0.66 + text_width(name, 8.5) for name in names], drawing.get_figwidth())
    _grow(drawing, 0.17 * (math.ceil(len(names) / columns) - 1))
    kinds = {"handlelength": 3.2, "ncols": columns, "borderaxespad": 0.2, "columnspacing": 1.4}
    drawing.legend(handles, names, loc="upper center", bbox_to_anchor=(0.5, 1.0), **kinds)


def _columns(widths: Sequence[float], room: float) -> int:
    """Return the most columns that fit, each as wide as its widest entry; rows are full but for the last places."""
    for rows in range(1, len(widths)):
        columns = math.ceil(len(widths) / rows)
        # As Matplotlib parts them: the first columns may have one entry more.
        short, more = divmod(len(widths), columns)
        starts = [i * short + min(i, more) for i in range(columns + 1)]
        if sum(max(widths[i:j]) for i, j in pairwise(starts)) <= room:
            return columns
    return 1


def key(drawing: Drawing, lines: Sequence[str], columns: int = 2) -> None:
    """Write the names of numbered marks under all panels, in columns; the drawing grows, its panels do not."""
    if not lines:
        return
    rows = math.ceil(len(lines) / columns)
    _grow(drawing, 0.08 + 0.14 * rows, below=True)
    width, height = drawing.get_size_inches()
    for i, line in enumerate(lines):
        x = 0.12 / width + (i // rows) * (1.0 - 0.12 / width) / columns
        y = (0.06 + 0.14 * (rows - i % rows)) / height
        drawing.text(x, y, short(line, 60), ha="left", va="top", fontsize=7)


def pages(items: Mapping[str, T], most: int) -> list[tuple[str, str, dict[str, T]]]:
    """Return items in pages of equal size, each with the ends of its file name and title (empty for a lone page).

    Examples
    --------
    >>> [(name, words, list(page)) for name, words, page in pages({"a": 1, "b": 2, "c": 3}, 2)]
    [('-1', ' (1 of 2)', ['a', 'b']), ('-2', ' (2 of 2)', ['c'])]
    """
    names = list(items)
    count = math.ceil(len(names) / most)
    size = math.ceil(len(names) / max(1, count))
    # Full rows of three, so that no page ends in the middle of one.
    size = min(most, 3 * math.ceil(size / 3)) if count > 1 and most % 3 == 0 else size
    parts = [names[i : i + size] for i in range(0, len(names), max(1, size))]
    if len(parts) == 1:
        return [("", "", dict(items))]
    return [
        (f"-{i}", f" ({i} of {len(parts)})", {name: items[name] for name in part}) for i, part in enumerate(parts, 1)
    ]


def _grow(drawing: Drawing, inches: float, below: bool = False) -> None:
    """Make room above or below the panels, whose sizes stay."""
    old = drawing.get_figheight()
    if inches <= 0 or drawing.get_layout_engine() is not None:
        return
    new_height = old + inches
    shift = inches if below else 0.0
    pars = drawing.subplotpars
    bottom, top = ((part * old + shift) / new_height for part in (pars.bottom, pars.top))
    drawing.set_figheight(new_height)
    drawing.subplots_adjust(bottom=bottom, top=top)
    for text in drawing.texts:  # titles of all panels
        x, y = text.get_position()
        text.set_position((x, (y * old + shift) / new_height))


def clean(name: str) -> str:
    r"""Return a name on one line, without the letters that an XML file must not hold.

    Examples
    --------
    >>> clean("a\tb\x00c $x^2$ <b>")
    'a b c $x^2$ <b>'
    """
    return _CONTROLS.sub(" ", str(name))


def short(name: str, most: int = 24) -> str:
    """Return a name that has room: its middle gives way, since names often differ in their ends.

    Examples
    --------
    >>> short("relieff(k=10,ties=weka,normalised=True)", 16)
    'relieff(…d=True)'
    """
    name = clean(name)
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[len(name) - tail :]}"


def fit(text: str, inches: float, size: float = 9.0) -> str:
    """Return a text shortened until it is no wider than there is room.

    Examples
    --------
    >>> fit("Table 4 (%)", 2.0), fit("Table 2 (distinct combinations)", 1.5)
    ('Table 4 (%)', 'Table 2 (di…binations)')
    """
    most = len(clean(text))
    while most > 4 and text_width(short(text, most), size) > inches:
        most -= 1
    return short(text, most)


def text_width(text: str, size: float) -> float:
    """Return how wide a text is, in inches; `size` in points."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties(family=["DejaVu Sans"])))
    font.set_size(size, 72)
    font.set_text(text)
    return float(font.get_width_height()[0]) / 64.0 / 72.0


def log_axis(axis: Any, plain: bool = True) -> None:
    """Make an axis logarithmic, its numbers written out: 0.01, 1, 1000.

    Parameters
    ----------
    axis : matplotlib Axis
    plain : bool, default True
        Whether 2 and 5 have a number too where the axis spans fewer than two decades.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis._set_axes_scale("log")
    low, high = axis.get_view_interval()
    narrow = plain and low > 0 and math.log10(high / low) < 2.2
    axis.set_major_locator(LogLocator(10.0, subs=(1.0, 2.0, 5.0) if narrow else (1.0,), numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10g}" if value < 1e5 else f"{value:.0e}"))
    axis.set_minor_formatter(NullFormatter())


def whole_axis(axis: Any, largest: int) -> None:
    """Give an axis of counts whole numbers; a logarithmic one where they go beyond 200."""
    from matplotlib.ticker import MaxNLocator

    if largest > 200:
        log_axis(axis)
    else:
        axis.set_major_locator(MaxNLocator(6, integer=True))
