"""Files that a command is to write: looked at before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

__all__ = ["check_outputs"]


def check_outputs(outputs: Mapping[str, Path | None], *inputs: str | None) -> None:
    """Refuse what could not be written when the work is done.

    Parameters
    ----------
    outputs : mapping of str to Path or None
        By option; what ``--plot`` names must be a figure, in a folder that is there.
    inputs : str or None
        What is read.

    Raises
    ------
    UserError
        A file that is read too, two options with one file, a folder that cannot be written to, or no plot's ending.
    """
    from fsbench.errors import UserError
    from fsbench.files import check_writable, spare

    given = {option: path for option, path in outputs.items() if path is not None}
    for option, path in given.items():
        spare(path, *inputs)
        if option == "--plot":
            _check_plot(path)
        check_writable(path)
    for (first, path), (second, other) in combinations(given.items(), 2):
        if path.resolve() == other.resolve() and not path.is_char_device():
            raise UserError(f"{first} and {second} both name {str(other)!r}; name two files", second)


def _check_plot(path: Path) -> None:
    from fsbench.errors import UserError
    from fsbench.report.figures.figure import check_ending

    check_ending(path)
    if not path.resolve().parent.is_dir():
        raise UserError(f"cannot write the plot: no such folder: {path.parent}", "--plot")
