"""One renderer a file: a `Table` in, text out."""

from __future__ import annotations

import importlib

from fsbench.report.table import Table

__all__ = ["FORMATS", "SUFFIXES", "render"]

# Format on the command line to the module whose `render` makes it.
FORMATS = {
    "text": "fsbench.report.renderers.text",
    "markdown": "fsbench.report.renderers.markdown",
    "csv": "fsbench.report.renderers.csvfile",
    "latex": "fsbench.report.renderers.latex",
}
SUFFIXES = {"text": "txt", "markdown": "md", "csv": "csv", "latex": "tex"}


def render(table: Table, form: str) -> str:
    """Return a table in one of the `FORMATS`."""
    made: str = importlib.import_module(FORMATS[form]).render(table)
    return made
