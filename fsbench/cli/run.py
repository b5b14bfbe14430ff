"""`fsbench run`: compute the cells of an experiment that are not computed yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections import Counter

    from fsbench.experiment.run import Plan, Progress

__all__ = ["command"]

# A run of fewer cost units takes some five seconds: not worth starting processes for.
SMALL = 5e7
KINDS = 10  # of warnings that are shown
REASONS = 5  # for which cells failed, or were skipped


class _Stopped(Exception):
    """A run was stopped; the text says what is kept."""


class _RunCommand(click.Command):
    """Names the shipped experiments under the options; they are looked up only when help is asked for."""

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from fsbench.experiment.config import shipped_configs

        with formatter.section("Shipped experiments"):
            formatter.write_dl([(name, _first_comment(path)) for name, path in shipped_configs().items()])


def _first_comment(path: Path) -> str:
    """Return the sentence that a file begins with."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return first.lstrip("# ") if first.startswith("#") else ""


@click.command("run", cls=_RunCommand)
@click.argument("config")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes. [default: one a core, 1 for a small run]")
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), help="[default: results/NAME]")
@click.option("--dry-run", is_flag=True, help="Count the cells, name the missing data sets, compute nothing.")
@click.option("--fresh", is_flag=True, help="Forget what was computed before.")
@click.option("--quiet", "-q", is_flag=True, help="Say only what went wrong.")
def command(config: str, jobs: int | None, output: Path | None, dry_run: bool, fresh: bool, quiet: bool) -> int:
    """Run the experiment CONFIG: a file, or the name of a shipped one.

    What is computed stays: a second run computes only what is new, and what failed; a run that was stopped goes
    on where it was.
    """
    from fsbench.cli.stopping import terminable

    with terminable() as stop:
        try:
            return _command(config, jobs, output, dry_run, fresh, quiet)
        except _Stopped as stopped:
            click.echo(str(stopped), err=True)
        except KeyboardInterrupt:
            click.echo("fsbench: stopped", err=True)
        return stop.code


def _command(config: str, jobs: int | None, output: Path | None, dry_run: bool, fresh: bool, quiet: bool) -> int:
    from fsbench.errors import UserError
    from fsbench.experiment.config import find_config, load_experiment
    from fsbench.experiment.run import make_plan

    path = find_config(config)
    experiment = load_experiment(path)
    folder = output or Path("results", experiment.name)
    plan = make_plan(experiment, fetch=not dry_run)
    for missing in plan.missing:
        click.echo(f"missing data set {missing.label}: {missing.reason}", err=True)
    if dry_run:
        click.echo(_forecast(plan, folder, fresh))
        return 0
    if not plan.folds:
        raise UserError("none of its data sets is here", str(path))
    return _run(plan, path, folder, jobs, fresh, quiet)


def _run(plan: Plan, path: Path, folder: Path, jobs: int | None, fresh: bool, quiet: bool) -> int:
    from fsbench.cli.progress import make_meter
    from fsbench.experiment.run import run_plan
    from fsbench.experiment.writer import StoreWriter
    from fsbench.files import write_text
    from fsbench.kernels.threads import threads

    progress = None
    try:
        with StoreWriter(folder, fresh) as store, make_meter(plan.experiment.name, quiet) as meter:
            write_text(folder / "experiment.yaml", path.read_text(encoding="utf-8-sig"))
            for progress in run_plan(
                plan, store, lambda tasks: jobs or _jobs(sum(task.cost for task in tasks)), jobs or threads()
            ):
                meter.show(progress)
    except KeyboardInterrupt:
        done = sum(progress.statuses.values()) if progress else 0
        text = f"stopped; {done} cells of this run are kept in {folder}: the same command goes on from there"
        raise _Stopped(text) from None
    finally:
        if progress is not None:
            _tell_warnings(progress)
    assert progress is not None
    return _conclude(plan, progress, folder, quiet)


def _jobs(cost: float) -> int:
    """Return the number of processes for a run of some cost, where the user left it open."""
    from fsbench.kernels.threads import threads

    return 1 if cost < SMALL else threads()


def _tell_warnings(progress: Progress) -> None:
    """Say which warnings the methods gave and how often, each kind in one line."""
    found = progress.warned.kinds()
    if not found:
        return
    click.echo("warnings of the methods, with how often each occurred:", err=True)
    for text, count in found[:KINDS]:
        click.echo(f"  {count} x {text}", err=True)
    rest = progress.warned.left_out + sum(count for _, count in found[KINDS:])
    if rest:
        further = "more than " if progress.warned.left_out else ""
        click.echo(f"  {rest} x others, of {further}{_counted(len(found) - KINDS, 'kind')}", err=True)


def _conclude(plan: Plan, progress: Progress, folder: Path, quiet: bool) -> int:
    """Say what came of the run; return the exit code."""
    failed, skipped = progress.statuses["failed"], progress.statuses["skipped"]
    if not quiet:
        kept = f", {progress.kept} {'was' if progress.kept == 1 else 'were'} there already" if progress.kept else ""
        skips = f", {skipped} skipped as not applicable" if skipped else ""
        absent = len(plan.missing)
        gone = f", {_counted(absent, 'data set')} {'is' if absent == 1 else 'are'} missing" if absent else ""
        done = _counted(progress.statuses["ok"], "cell")
        click.echo(f"{plan.experiment.name}: {done} computed{kept}{skips}{gone}")
    if skipped and not quiet:
        click.echo("not applicable, with how many cells each:", err=True)
        _list_reasons(progress.skips)
    if failed:
        click.echo(
            f"{_counted(failed, 'cell')} failed; the next run tries {'it' if failed == 1 else 'them'} again:", err=True
        )
        _list_reasons(progress.reasons)
    if not quiet:
        click.echo(f"next: fsbench report {folder}")
    return 1 if failed else 0


def _list_reasons(reasons: Counter[str]) -> None:
    """Say the most frequent reasons, each in one line, and how many others there are."""
    for reason, count in reasons.most_common(REASONS):
        click.echo(f"  {count} x {reason}", err=True)
    if len(reasons) > REASONS:
        click.echo(f"  and {_counted(len(reasons) - REASONS, 'more kind')}", err=True)


def _forecast(plan: Plan, folder: Path, fresh: bool) -> str:
    """Say what a run would compute."""
    from collections import Counter

    from fsbench.cli.progress import fits_text
    from fsbench.experiment.database import FILE_NAME
    from fsbench.experiment.run import pending, pending_fits
    from fsbench.experiment.sources import Missing
    from fsbench.experiment.store import Store

    statuses = {} if fresh or not (folder / FILE_NAME).is_file() else Store(folder).statuses()
    kinds = Counter(cell.kind for fold in plan.folds for cell in fold.cells)
    todo, fits = pending(plan, statuses), pending_fits(plan, statuses)
    methods = ", ".join(_counted(len(made), kind) for kind, made in plan.methods.items())
    searches = f", {_counted(kinds['search'], 'search')}" if kinds["search"] else ""
    there = len(plan.datasets) - len(plan.missing)
    notes = [(facts.label, facts.note) for facts in plan.datasets if not isinstance(facts, Missing) and facts.note]
    folds = sum(fold.split.fold >= 0 for fold in plan.folds)  # below: all folds of a repeat at once, for searches
    rankings = kinds["ranking"] + kinds["label_scores"]
    counts = (rankings, "ranking"), (kinds["curve"], "curve"), (kinds["result"], "test")
    tests = ", ".join(_counted(*each) for each in counts) + searches
    return (
        f"{plan.experiment.name}: {there} of {len(plan.datasets)} data sets, {methods}, {_counted(folds, 'fold')}\n"
        f"{_counted(plan.n_cells, 'cell')}: {tests}\n"
        f"to compute: {todo}; in {folder}: {plan.n_cells - todo}"
        + (f"\n{fits_text(fits)}" if fits else "")
        + "".join(f"\n{label}: {note}" for label, note in notes)
    )


def _counted(count: int, word: str) -> str:
    """Return a number with its word: ``1 search``, ``2 searches``."""
    return f"{count} {word}{'' if count == 1 else 'es' if word.endswith('h') else 's'}"
