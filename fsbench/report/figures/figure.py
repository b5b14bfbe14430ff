"""A figure before it has a form: what it shows in words, how it is drawn, and its files."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsbench.errors import UserError
from fsbench.report.figures import style
from fsbench.report.figures.svg import as_file, as_inline

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

__all__ = ["FORMATS", "Figure", "check_ending"]

FORMATS = ("svg", "pdf", "png")

_DPI = 200

# Dates and versions of programs are left out: equal results give equal bytes.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": "fsbench", "Producer": None},
    "png": {"Software": "fsbench"},
}


@dataclass(frozen=True)
class Figure:
    """A figure of a report.

    Parameters
    ----------
    key : str
        Its name in file names and on the command line: letters, digits, ``-`` and ``_``.
    title : str
        One line.
    caption : str
        What is shown: on which folds, what bands and marks are, which test at which level.
    draw : callable
        Makes the drawing from data already at hand. To be called within `style.context`, as `svg` and `save` do.
    notes : tuple of str, default ()
        What is left out and why, and where it can be had.
    timed : bool, default False
        Whether it shows wall times, so that two equal runs differ in it.
    """

    key: str
    title: str
    caption: str
    draw: Callable[[], Drawing] = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()
    timed: bool = False

    def svg(self, prefix: str = "") -> str:
        """Return an ``<svg>`` element for a page: the same text for the same data.

        It has the page's ink (``currentColor``) and paper (the CSS variable ``--figure-paper``, white without),
        ``role="img"`` with title and description, letters as text, and identifiers that begin with the figure's key.

        Parameters
        ----------
        prefix : str, default ""
            Put before the key, where one page holds figures of several runs.

        Returns
        -------
        str
        """
        made = self.__dict__.get("_svg")
        if made is None:
            made = self._render(("svg",))["svg"].decode("utf-8")
        return as_inline(made, prefix + self.key, self.title, self._words())

    def save(self, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
        """Write files named by the key; drawn once for all formats.

        Parameters
        ----------
        folder : path
            Is made if it is not there.
        formats : sequence of str, default ("svg", "pdf", "png")

        Returns
        -------
        list of Path
            One a format, in their order.

        Raises
        ------
        UserError
            A format is unknown, or a file cannot be written.
        """
        unknown = [form for form in formats if form not in FORMATS]
        if unknown:
            raise UserError(f"no format {unknown[0]!r} for figures; there are {', '.join(FORMATS)}")
        paths = [Path(folder) / f"{self.key}.{form}" for form in formats]
        for path, content in zip(paths, self.files(formats).values(), strict=True):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except OSError as error:
                raise UserError(f"cannot write the figure: {error.strerror or error}", str(path)) from None
        return paths

    def write(self, path: Path) -> None:
        """Write one file in the format that its ending names, as ``--plot`` asks for.

        Parameters
        ----------
        path : Path
            In a folder that is there.

        Raises
        ------
        UserError
            The ending is not that of a format, or the file cannot be written.
        """
        form = check_ending(path)
        content = self.files([form])[form]
        try:
            path.write_bytes(content)
        except OSError as error:
            raise UserError(f"cannot write the plot: {error.strerror or error}", str(path)) from None

    def files(self, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
        """Return the content of the files by format; SVG files are those of `svg` on white paper."""
        rendered = self._render(formats)
        if "svg" in rendered:
            text = as_file(rendered["svg"].decode("utf-8"), self.key, self.title, self._words())
            rendered["svg"] = text.encode("utf-8")
        return rendered

    def _words(self) -> str:
        return " ".join([self.caption, *self.notes])

    def _render(self, formats: Sequence[str]) -> dict[str, bytes]:
        with style.context(self.key):
            drawing = self.draw()
            if drawing.get_layout_engine() is not None:
                # Places are settled once; each format would otherwise settle them anew.
                drawing.draw_without_rendering()
                drawing.set_layout_engine("none")
            found = {form: _write(drawing, form) for form in formats}
        if "svg" in found:
            # A frozen value may still remember its own text: page and files then come from one drawing.
            self.__dict__["_svg"] = found["svg"].decode("utf-8")
        return found


def _write(drawing: Drawing, form: str) -> bytes:
    stream = io.BytesIO()
    paper = "none" if form == "svg" else "white"
    drawing.savefig(stream, format=form, dpi=_DPI, facecolor=paper, metadata=_METADATA[form])
    return stream.getvalue()


def check_ending(path: Path) -> str:
    """Return the format that a plot's file names by its ending.

    Parameters
    ----------
    path : Path

    Returns
    -------
    {"svg", "pdf", "png"}

    Raises
    ------
    UserError
        The ending is that of none.
    """
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise UserError(f"the plot's file must end in .svg, .pdf or .png, found {path.name!r}", "--plot")
    return form
