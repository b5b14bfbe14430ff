"""`fsbench compare`: every printed cell of a paper beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fsbench.report.reproduction import Reproduction
    from fsbench.report.results import Results

__all__ = ["command"]


@click.command("compare")
@click.argument("paper")
@click.option("--results", "folder", type=click.Path(path_type=Path), help="The run's folder [default: results/PAPER].")
@click.option("--format", "format_", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
@click.option("--table", "tables", multiple=True, help="One table of the paper, or 'prose'; repeatable.")
@click.option("--all", "whole", is_flag=True, help="List the cells that agree too.")
def command(paper: str, folder: Path | None, format_: str, tables: tuple[str, ...], whole: bool) -> None:
    """Set every printed cell of PAPER (such as nlc2003) beside ours: difference, tolerance, agreement.

    Cells are read from a run, which must be there, and nothing missing is computed; only small examples of the
    paper's text (among the 'prose', whose other numbers are the run's) are computed on the spot.
    """
    from fsbench.published import paper as published

    asked = _tables(published(paper).cells(), tables)
    results = _results(paper, folder)
    from fsbench.report.reproduction import reproduce

    found = reproduce(results, asked)
    if format_ == "table":
        _show(found, whole)
    elif format_ == "json":
        import json

        click.echo(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        _write_csv(found)


def _tables(cells: tuple, asked: tuple[str, ...]) -> list[str]:  # type: ignore[type-arg]
    """Return the keys of the tables asked for, all without any; ``3`` stands for ``table3``."""
    from fsbench.errors import UserError, nearest

    known = [*dict.fromkeys(cell.table for cell in cells), "prose"]
    names = [f"table{name}" if name.isdigit() else name.lower().replace(" ", "") for name in asked]
    for name, given in zip(names, asked, strict=True):
        if name not in known:
            raise UserError(f"the paper has no table {given!r}; {nearest(name, known)}")
    return [name for name in known if name in names] if names else known


def _results(paper: str, folder: Path | None) -> Results:
    """Return the run of a paper: the folder itself, or the one in it that reproduces the paper."""
    from fsbench.errors import UserError
    from fsbench.published import PAPERS
    from fsbench.report.results import find_runs, load

    place = folder or Path("results", paper)
    if folder is None and not place.is_dir():
        raise UserError(f"no results yet: run 'fsbench run {paper}' first, or give --results", str(place))
    runs = [load(run) for run in find_runs(place)]
    matching = [run for run in runs if run.paper is not None and run.paper.__name__ == PAPERS[paper]]
    if not matching:
        found = ", ".join(run.name for run in runs)
        raise UserError(f"no run of {paper} here, found {found}", str(place))
    # Of several the whole experiment goes before parts of it, such as quickstart.
    matching = [run for run in matching if run.name == paper] or matching
    if len(matching) > 1:
        names = ", ".join(run.name for run in matching)
        raise UserError(f"several runs of {paper} here: {names}; give the folder of one", str(place))
    return matching[0]


def _show(found: Reproduction, whole: bool) -> None:
    from fsbench.report.renderers.terminal import show

    for table in found.tables(whole):
        show(table)


def _write_csv(found: Reproduction) -> None:
    import csv
    import sys

    plain = found.as_json()
    rows = [*plain["cells"], *plain["prose"]]
    columns = dict.fromkeys(name for row in rows for name in row)  # some cells only have a setup, a stricter verdict
    writer = csv.DictWriter(sys.stdout, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
