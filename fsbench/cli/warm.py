"""`fsbench warm`: compile the kernels ahead of the first run."""

from __future__ import annotations

import click

__all__ = ["command"]

SHOWN = 0.5  # seconds from which on a part is named


@click.command("warm")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes. [default: one a core]")
def command(jobs: int | None) -> None:
    """Compile all kernels once and keep them, so that no run has to wait."""
    import time

    from fsbench.errors import UserError
    from fsbench.experiment.executor import execute
    from fsbench.kernels.cache import cache_root
    from fsbench.kernels.threads import threads
    from fsbench.warming import chains, compile_steps, steps

    root = cache_root()
    if root is None:
        raise UserError("there is no folder in which compiled kernels could be kept")
    begin = time.perf_counter()
    for _, done in execute(compile_steps, chains(steps()), jobs or threads()):
        for name, seconds in done:
            if seconds >= SHOWN:
                click.echo(f"{seconds:7.1f} s  {name}")
    click.echo(f"{time.perf_counter() - begin:7.1f} s  in all; kept in {root}")
