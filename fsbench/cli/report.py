"""`fsbench report`: the tables of one or more runs, to the terminal and to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsbench.report.table import Table

__all__ = ["command"]


@click.command("report")
@click.argument("folder", type=click.Path(path_type=Path), default="results")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "markdown", "csv", "latex", "all"]),
    default="all",
    help="Which form is printed and written; all: every form to files, text to the terminal.  [default: all]",
)
@click.option("--table", "names", multiple=True, help="Only this table; repeatable.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the files  [default: report/tables in the run's folder].",
)
def command(folder: Path, format_: str, names: tuple[str, ...], output: Path | None) -> None:
    """Print the tables of a run, or of every run in FOLDER, and write them as text, Markdown, CSV and LaTeX."""
    from fsbench.report.results import find_runs, load
    from fsbench.report.tables import build

    runs = find_runs(folder)
    for run in runs:
        results = load(run)
        tables = _chosen(build(results), names)
        if len(runs) > 1:
            click.echo(f"{'' if run is runs[0] else chr(10)}== {results.name} ==\n")
        _print(tables, format_)
        place = run / "report" / "tables" if output is None else output / run.name if len(runs) > 1 else output
        _write(tables, format_, place)


def _chosen(tables: list[Table], names: Sequence[str]) -> list[Table]:
    from fsbench.errors import UserError, nearest

    known = [table.key for table in tables]
    for name in names:
        if name not in known:
            raise UserError(f"no table {name!r} in this report; {nearest(name, known)}")
    return [table for table in tables if not names or table.key in names]


def _print(tables: list[Table], format_: str) -> None:
    if format_ in ("text", "all"):
        from fsbench.report.renderers.terminal import show

        for table in tables:
            show(table)
    else:
        from fsbench.report.renderers import render

        click.echo("\n".join(render(table, format_) for table in tables), nl=False)


def _write(tables: list[Table], format_: str, place: Path) -> None:
    from fsbench.errors import UserError
    from fsbench.report.renderers import FORMATS, SUFFIXES, render

    try:
        place.mkdir(parents=True, exist_ok=True)
        for form in FORMATS if format_ == "all" else [format_]:
            for table in tables:
                (place / f"{table.key}.{SUFFIXES[form]}").write_text(render(table, form), encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"cannot write the tables: {error.strerror}", str(place)) from None
    click.echo(f"Tables written to {place}", err=True)
