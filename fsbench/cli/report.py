"""`fsbench report`: the tables of one or more runs on the terminal, and a whole report as a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsbench.report.results import Results
    from fsbench.report.table import Table

__all__ = ["command"]


@click.command("report")
@click.argument("folders", metavar="[FOLDER]...", type=click.Path(path_type=Path), nargs=-1)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "markdown", "csv", "latex", "all"]),
    default="all",
    help="Only the tables, printed and written in this form; all: the whole report.  [default: all]",
)
@click.option("--table", "names", multiple=True, help="Only this table; repeatable.")
@click.option("--all", "everything", is_flag=True, help="Print every table, those for looking things up as well.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the report; nothing is printed then but where it is  [default: report in the run's folder].",
)
def command(
    folders: tuple[Path, ...], format_: str, names: tuple[str, ...], everything: bool, output: Path | None
) -> None:
    """Print the tables of a run and write its report: a page for the browser, tables, figures, methods.

    FOLDER is a results folder, or one that holds several, which are reported one by one; `results` by default.
    Several FOLDERs are joined into one report.
    """
    from fsbench.report.folder import check
    from fsbench.report.join import JoinError
    from fsbench.report.results import find_runs, load
    from fsbench.report.tables import build

    runs = [find_runs(folder) for folder in folders or (Path("results"),)]
    # Each report stands on the folders of its group.
    groups = [[run] for run in runs[0]] if len(runs) == 1 else [[run for found in runs for run in found]]
    if output is not None and len(groups) > 1:
        check(output)
        if not names and format_ == "all":
            _write_all([group[0] for group in groups], output)
            return
    for group in groups:
        try:
            results = load(*group)
        except JoinError as error:
            for reason in error.reasons:
                click.echo(f"fsbench: cannot join: {reason}", err=True)
            raise SystemExit(2) from None
        tables = _chosen(build(results), names)
        if output is None and len(groups) > 1:
            click.echo(f"{'' if group is groups[0] else chr(10)}== {results.name} ==\n")
        only_tables = bool(names) or format_ != "all"
        if output is None and len(group) > 1:
            # The report of one of them is not the place for all.
            _print(tables, format_, everything)
            click.echo("Nothing written: --output DIR says where the report of several runs is to be.", err=True)
            continue
        if output is None or only_tables:
            _print(tables, format_, everything)
        place = group[0] / "report" if output is None else output / group[0].name if len(groups) > 1 else output
        _write(results, group, tables, place, "tables" if only_tables else "", format_, ours=output is None)


def _write_all(runs: Sequence[Path], output: Path) -> None:
    """Write the reports of several runs, as many at a time as there are cores, and a page that leads to them."""
    from joblib import Parallel, delayed

    from fsbench.cli.progress import working
    from fsbench.report.figure_files import processors
    from fsbench.report.whole import write_list

    # The longest first: what is written of a run grows with what was stored.
    longest = sorted(runs, key=lambda run: -sum(f.stat().st_size for f in run.iterdir() if f.is_file()))
    jobs = min(processors(), len(runs))
    with working(f"writing {len(runs)} reports into {output}"):
        made = Parallel(n_jobs=jobs, batch_size=1)(
            delayed(_write_one)(run, output / run.name, Path.cwd()) for run in longest
        )
    titles = dict(zip(longest, made, strict=True))
    write_list([(run.name, *titles[run]) for run in runs], output)
    for run in runs:
        click.echo(f"Report written to {output / run.name / 'index.html'}", err=True)
    click.echo(f"All of them: {output / 'index.html'}", err=True)


def _write_one(run: Path, place: Path, here: Path) -> tuple[str, str]:
    import contextlib

    from fsbench.report.results import load
    from fsbench.report.tables import build
    from fsbench.report.whole import write_report

    # A process that is used again may have been started elsewhere, and paths are shown as they were given.
    with contextlib.chdir(here):
        results = load(run)
        write_report(results, [run], build(results), place, jobs=1)
    return results.name, str(getattr(results.paper, "TITLE", ""))


def _chosen(tables: list[Table], names: Sequence[str]) -> list[Table]:
    from dataclasses import replace

    from fsbench.errors import UserError, nearest

    known = [table.key for table in tables]
    for name in names:
        if name not in known:
            raise UserError(f"no table {name!r} in this report; {nearest(name, known)}")
    # What is asked for by name is shown even if it is long.
    return [replace(table, detail=False, untested="") for table in tables if table.key in names] if names else tables


def _print(tables: list[Table], format_: str, everything: bool) -> None:
    if format_ in ("text", "all"):
        from fsbench.report.renderers.terminal import show

        for table in tables:
            if everything or not (table.detail or table.untested):
                show(table)
        if not everything:
            _name_the_rest(tables)
    else:
        from fsbench.report.renderers import render

        click.echo("\n".join(render(table, format_) for table in tables), nl=False)


def _name_the_rest(tables: list[Table]) -> None:
    """Say which tables there are beside those shown, and why no test could be made where that is the reason."""
    for table in tables:
        if table.untested and not table.detail:
            what, _, _ = table.title.partition(";")
            click.echo(f"{what}: no test ({table.untested}); --table {table.key} shows the rest.\n")
    details = [table.key for table in tables if table.detail]
    if details:
        click.echo(f"Not shown: {', '.join(details)}; --table NAME shows one, --all shows all.\n")


def _write(
    results: Results, group: list[Path], tables: list[Table], place: Path, part: str, format_: str, *, ours: bool
) -> None:
    from fsbench.cli.progress import working
    from fsbench.report.whole import write_report, write_tables

    if part:
        write_tables(tables, place, None if format_ == "all" else format_, ours=ours)
        click.echo(f"Tables written to {place / 'tables'}", err=True)
    else:
        with working(f"writing {place}: figures and pages"):
            write_report(results, group, tables, place, ours=ours)
        click.echo(f"Report written to {place / 'index.html'}", err=True)
