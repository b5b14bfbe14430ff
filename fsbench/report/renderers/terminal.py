"""Tables on a terminal: the text form, cut to the terminal's width and coloured by rich."""

from __future__ import annotations

import re
import shutil
import sys

from fsbench.report.renderers import text
from fsbench.report.renderers.plain import MARKS
from fsbench.report.table import Table

__all__ = ["show"]


def show(table: Table) -> None:
    """Print a table: with colours and fitted on a terminal, as plain text of full width elsewhere."""
    if not sys.stdout.isatty():
        sys.stdout.write(text.render(table) + "\n")
        return
    from rich.console import Console
    from rich.text import Text

    columns = shutil.get_terminal_size().columns
    body = Text(text.render(table, columns))
    body.stylize("bold", 0, body.plain.index("\n"))
    body.highlight_regex(rf"-?\d+(\.\d+)?{re.escape(text.BEST)}", "bold")
    body.highlight_words([MARKS["better"]], "bold green")
    body.highlight_words([MARKS["worse"]], "bold red")
    body.highlight_words(["failed", "missing", "pending", "n/a"], "yellow")
    Console(highlight=False, markup=False, soft_wrap=True).print(body)
