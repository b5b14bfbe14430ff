"""Files that a command is to write: looked at before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

__all__ = ["check_outputs"]

REDUCED = (".arff", ".arff.gz")  # endings of what --write-reduced names


def check_outputs(outputs: Mapping[str, Path | None], *inputs: str | None) -> None:
    """Refuse what could not be written when the work is done.

    Parameters
    ----------
    outputs : mapping of str to Path or None
        By option; what ``--plot`` names must be a figure, what ``--write-reduced`` names an ARFF file. All folders
        must be there.
    inputs : str or None
        What is read.

    Raises
    ------
    UserError
        A file that is read too, two options with one file, a folder that is not there or cannot be written
        to, or another ending.
    """
    from fsbench.errors import UserError
    from fsbench.files import check_writable, spare

    given = {option: path for option, path in outputs.items() if path is not None}
    for option, path in given.items():
        spare(path, *inputs)
        _check(option, path)
        check_writable(path)
    for (first, path), (second, other) in combinations(given.items(), 2):
        if path.resolve() == other.resolve() and not path.is_char_device():
            raise UserError(f"{first} and {second} both name {str(other)!r}; name two files", second)


def _check(option: str, path: Path) -> None:
    """Refuse an ending that says something else, and a folder that is not there: most likely a slip of the pen."""
    from fsbench.errors import UserError

    what = ""
    if option == "--plot":
        from fsbench.report.figures.figure import check_ending

        check_ending(path)
        what = "the plot"
    if option == "--write-reduced" and not path.name.lower().endswith(REDUCED) and not path.is_char_device():
        raise UserError(f"ARFF is written: the name must end in {' or '.join(REDUCED)}, found {str(path)!r}", option)
    folder = path.resolve().parent
    if not folder.exists() and not any(place.is_file() for place in folder.parents):
        raise UserError(f"cannot write {what or path.name}: no such folder: {path.parent}", option)
