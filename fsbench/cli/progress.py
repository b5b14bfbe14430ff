"""How a run shows that it is alive: a bar on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from fsbench.experiment.run import Progress
    from fsbench.searches import Step
    from fsbench.values import Split

__all__ = ["Meter", "SearchMeter", "announce_compiling", "fits_text", "format_seconds", "make_meter", "working"]

STEP = 0.1  # share of the work between two plain lines
PAUSE = 5.0  # seconds between them at the least
WARM = 4  # finished folds after which the first is left out of the pace


def announce_compiling() -> None:
    """Have it said once when a kernel must be compiled, by a command that does not plan what it will need."""
    from fsbench.kernels.cache import LISTENERS

    text = "compiling kernels for what is used for the first time: this takes up to half a minute"
    text += "; 'fsbench warm' compiles them all"
    LISTENERS[:] = [lambda: click.echo(text, err=True)]


@contextmanager
def working(text: str) -> Iterator[None]:
    """Say on a terminal what is being done, and for how long already; elsewhere nothing.

    Parameters
    ----------
    text : str
        Shown until the work is done, then removed.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(escape(text))
        yield


def make_meter(name: str, quiet: bool) -> Meter:
    """Return the meter for where the output goes.

    Parameters
    ----------
    name : str
        The experiment's.
    quiet : bool

    Returns
    -------
    Meter
        A context manager.
    """
    if quiet:
        return Meter(name)
    return BarMeter(name) if sys.stderr.isatty() else LineMeter(name)


class Meter:
    """Shows nothing; base of the others.

    Parameters
    ----------
    name : str
        The experiment's.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.started = self._working = time.monotonic()
        self._first: tuple[float, float] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal in order."""

    def show(self, progress: Progress) -> None:
        """Show how far the run has come.

        Parameters
        ----------
        progress : Progress
        """
        if progress.tasks_done:
            self._work(progress)
        elif progress.compiled:
            self._working = time.monotonic()  # the pace of the work does not count from before
            self._compiled(progress)
        else:
            self._begin(progress)

    def _begin(self, progress: Progress) -> None:
        """Say what is going to be done."""

    def _compiled(self, progress: Progress) -> None:
        """Show that a family of kernels has been compiled."""

    def _work(self, progress: Progress) -> None:
        """Show that a task is done."""

    def left(self, progress: Progress) -> float | None:
        """Return the seconds left, judged by the work done so far; None before there is any."""
        if not progress.cost_done:
            return None
        now, since, before = time.monotonic(), self._working, 0.0
        if self._first is None:
            self._first = now, progress.cost_done
        elif progress.tasks_done > WARM:  # the first result waited for kernels: the pace is that since then
            since, before = self._first
        return (now - since) * (progress.cost - progress.cost_done) / (progress.cost_done - before)


class LineMeter(Meter):
    """A line at the start and one each tenth of the work, for logs."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._next_share, self._next_time = STEP, self.started + PAUSE

    def _begin(self, progress: Progress) -> None:
        _announce(self.name, progress)

    def _compiled(self, progress: Progress) -> None:
        spent = format_seconds(time.monotonic() - self.started)
        click.echo(f"compiled {progress.compiled} of {progress.to_compile} families, {spent}", err=True)

    def _work(self, progress: Progress) -> None:
        """Print a line if the last one is old enough."""
        share, now, left = progress.cost_done / progress.cost, time.monotonic(), self.left(progress)
        if share < self._next_share or now < self._next_time or progress.tasks_done == progress.tasks:
            return
        self._next_share, self._next_time = share + STEP, now + PAUSE
        spent, rest = format_seconds(now - self.started), format_seconds(left or 0)
        click.echo(f"{share:4.0%}  {progress.tasks_done} of {_tasks(progress)}, {spent}, {rest} left", err=True)


class BarMeter(Meter):
    """A bar with the time left, redrawn in place."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._bar: Any = None
        self._task: Any = None

    def _begin(self, progress: Progress) -> None:
        _announce(self.name, progress)
        if progress.tasks:
            self._start(progress)

    def _compiled(self, progress: Progress) -> None:
        self._bar.update(self._task, folds=f"compiled {progress.compiled} of {progress.to_compile}")

    def _work(self, progress: Progress) -> None:
        """Draw the bar."""
        left = self.left(progress)
        text = f"{format_seconds(left)} left" if left is not None else ""
        failed = f", {progress.statuses['failed']} failed" if progress.statuses["failed"] else ""
        folds = f"{progress.tasks_done} of {_tasks(progress)}{failed}"
        self._bar.update(self._task, completed=progress.cost_done, left=text, folds=folds)

    def _start(self, progress: Progress) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (
            BarColumn(),
            TextColumn("{task.fields[folds]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
        )
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(
            self.name,
            total=progress.cost,
            folds="compiling kernels" if progress.to_compile else f"0 of {_tasks(progress)}",
            left="",
        )
        self._bar.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()


class SearchMeter:
    """On a terminal, a line that says where a search stands, redrawn in place; elsewhere nothing.

    Parameters
    ----------
    folds : int
        Outer folds that are searched one after the other.
    """

    def __init__(self, folds: int) -> None:
        self._folds = folds
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        """Begin to show, where there is someone to see it."""
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress as Bar
            from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("the first step")
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the line."""
        if self._bar is not None:
            self._bar.stop()

    def show(self, step: Step) -> None:
        """Show a step of the search on all rows."""
        self._show("", step)

    def show_fold(self, split: Split, step: Step) -> None:
        """Show a step of the search inside an outer fold."""
        self._show(f"outer fold {split.fold + 1} of {self._folds}: ", step)

    def _show(self, where: str, step: Step) -> None:
        if self._bar is not None:
            text = f"{where}{step.size} feature{'s' * (step.size != 1)}, error {100 * (1 - step.usefulness):.2f} %"
            self._bar.update(self._task, description=f"{text}, {step.evaluations} subsets scored")


def format_seconds(seconds: float) -> str:
    """Return a time for reading: ``8 s``, ``3 min 5 s``, ``2 h 4 min``.

    Examples
    --------
    >>> format_seconds(185)
    '3 min 5 s'
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def fits_text(fits: Mapping[str, int]) -> str:
    """Say beforehand which classifiers take long, and why.

    Parameters
    ----------
    fits : mapping of str to int
        The greatest number of fits, by classifier.

    Examples
    --------
    >>> fits_text({"SVC": 1330, "GaussianNB": 20})
    'fitted anew with each number of features: SVC up to 1330 times, GaussianNB up to 20 times'
    >>> fits_text({"SVC": 20, "GaussianNB": 20})
    'fitted anew with each number of features: SVC, GaussianNB up to 20 times each'
    """
    alike = len(fits) > 1 and len(set(fits.values())) == 1
    each = f"{', '.join(fits)} up to {max(fits.values())} times each" if alike else ""
    return "fitted anew with each number of features: " + (
        each or ", ".join(f"{who} up to {n} times" for who, n in fits.items())
    )


def _tasks(progress: Progress) -> str:
    """Return the number of tasks: each a fold, or less than one where classifiers are by themselves."""
    word = "part" if progress.fits else "fold"
    return f"{progress.tasks} {word}{'s' * (progress.tasks != 1)}"


def _announce(name: str, progress: Progress) -> None:
    """Say what is going to be done, and if it begins with a wait."""
    if not progress.tasks:
        return
    kept = f" ({progress.kept} {'is' if progress.kept == 1 else 'are'} there already)" if progress.kept else ""
    cells = f"{progress.cells} cell{'s' * (progress.cells != 1)}"
    click.echo(f"{name}: {cells} to compute{kept}, {_tasks(progress)}", err=True)
    if progress.fits:
        click.echo(fits_text(progress.fits), err=True)
    if progress.to_compile:
        families = f"{progress.to_compile} famil{'ies' if progress.to_compile > 1 else 'y'}"
        click.echo(
            f"compiling kernels for what is used for the first time ({families}): this takes a minute or two", err=True
        )
