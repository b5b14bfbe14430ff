"""The `fsbench` command: finds the sub-commands, and turns the user's mistakes into one line and exit code 2."""

from __future__ import annotations

import importlib
import importlib.util
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

import fsbench
from fsbench.errors import UserError, one_line

__all__ = ["cli", "main"]

# Command modules import click alone at module level, so that `--help` and completion stay fast.
COMMANDS = ("run", "report", "compare", "rank", "search", "export", "datasets", "methods", "warm")


class _ReaderGone(Exception):
    """Whoever read our output has closed it, as `head` does when it has seen enough."""


@contextmanager
def _past_click() -> Iterator[None]:
    """Take a closed pipe past click, which would end with 1, to `main`."""
    try:
        yield
    except BrokenPipeError as error:
        raise _ReaderGone from error


class Commands(click.Group):
    """A group whose commands live in modules of the same name."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the command line; this is also where help is printed."""
        with _past_click():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Invoke the command."""
        with _past_click():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order in which a newcomer meets them."""
        return [name for name in COMMANDS if importlib.util.find_spec(f"fsbench.cli.{name}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module and return its command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"fsbench.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of this name."""
        from fsbench.errors import nearest

        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            ctx.fail(f"no such command {args[0]!r}; {nearest(args[0], self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(fsbench.__version__, prog_name="fsbench")
def cli() -> None:
    """Benchmark feature selection: exact to Weka, free of leaks, beside the printed papers.

    \b
    fsbench run quickstart            compute a small experiment
    fsbench report results/           print its tables
    fsbench rank data.arff            rank the features of one file
    """  # noqa: D301


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments; those of the process by default.
    """
    warnings.showwarning = _show_warning
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell (`>&-`): what is written there is not wanted
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  # until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a locale without these letters gets a question mark, no traceback
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(args=args, prog_name="fsbench", standalone_mode=False)
    except click.exceptions.Abort:
        _fail("stopped", 130)
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except click.ClickException as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # since click 8.2
            error.show()
            sys.exit(error.exit_code)
        _fail(_usage(error), error.exit_code if error.exit_code != 1 else 2)
    except UserError as error:
        _fail(str(error), 2)
    except _ReaderGone:
        _leave()
    except OSError as error:
        _silence(1)
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}{error.strerror or error}", 2)
    except Exception as error:
        if type(error).__module__ != "sqlite3":
            raise
        _fail(f"the stored results cannot be used ({error}): they are damaged, or the disk is full; see --fresh", 2)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _leave()
    except OSError as error:
        _silence(1)
        _fail(f"the output cannot be written: {error.strerror}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _leave() -> None:
    """End as a program does that is killed for writing into a closed pipe (`| head`): no word, and 128 + SIGPIPE."""
    _silence(1, 2)
    sys.exit(141)


def _silence(*streams: int) -> None:
    """Send what is left in the buffers nowhere, so that the interpreter does not complain at its end."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    text = " ".join(error.format_message().split())
    return f"{text} (see '{context.command_path} --help')" if context is not None else text


def _fail(text: str, code: int) -> None:
    try:
        click.echo(f"fsbench: {text}", err=True)
    except BrokenPipeError:
        _leave()
    sys.exit(code)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"fsbench: warning: {one_line(str(message))}", err=True)
