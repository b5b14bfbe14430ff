"""`fsbench warm`: compile the kernels ahead of the first run."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("warm")
def command() -> None:
    """Compile all kernels once and keep them, so that no run has to wait."""
    import time

    from fsbench.kernels.cache import cache_root
    from fsbench.warming import steps

    begin = time.perf_counter()
    for name, compile_ in steps():
        start = time.perf_counter()
        compile_()
        click.echo(f"{time.perf_counter() - start:7.1f} s  {name}")
    click.echo(f"{time.perf_counter() - begin:7.1f} s  in all; kept in {cache_root()}")
