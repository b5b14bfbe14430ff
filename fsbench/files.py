"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from fsbench.errors import UserError

__all__ = ["atomic_path", "check_writable", "spare", "write_text"]


@contextlib.contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a temporary file beside `path`; it takes the name `path` when the block ends well, else it is removed.

    Parameters
    ----------
    path : Path
        The file to be written. Its folder is made.

    Yields
    ------
    Path
        An empty file in the same folder.

    Raises
    ------
    UserError
        The folder or file cannot be written.
    """
    path = path.resolve()  # a link is followed, not replaced
    if path.exists() and not path.is_file() and not path.is_dir():
        yield from _written_through(path)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        import tempfile  # here: most commands write nothing

        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part")
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", str(path)) from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())  # mkstemp makes private files; ours are ordinary ones
        part.replace(path)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", str(path)) from None
    finally:
        part.unlink(missing_ok=True)


def _written_through(path: Path) -> Iterator[Path]:
    """Give a device or pipe itself: it cannot be replaced, and nothing of it can be left half-written."""
    try:
        yield path
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", str(path)) from None


def write_text(path: Path, text: str) -> None:
    r"""Write `text` as UTF-8 with ``\n`` line ends, whole or not at all.

    Parameters
    ----------
    path : Path
    text : str
    """
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def check_writable(path: Path) -> None:
    """Refuse a file that `write_text` could not write, without leaving anything behind.

    Parameters
    ----------
    path : Path
        Its folder may still have to be made.

    Raises
    ------
    UserError
        The folder cannot be made or written to, or there is a folder of that name.
    """
    path = Path(os.path.realpath(path))
    there = next(place for place in (path, *path.parents) if os.path.exists(place))  # noqa: PTH110 (no permission: False)
    if there == path and path.is_dir():
        raise UserError("cannot be written: it is a folder", str(path))
    if there != path and not there.is_dir():
        raise UserError(f"cannot be written: {there} is no folder", str(path))
    # A file is replaced by another one: its folder decides. A device is written to.
    asked = there.parent if there.is_file() else there
    if not os.access(asked, os.W_OK):
        raise UserError(f"cannot be written: no permission to write to {asked}", str(path))


def spare(output: Path | None, *inputs: str | Path | None) -> None:
    """Refuse to write over what is read.

    Parameters
    ----------
    output : Path or None
        What is to be written; None where nothing is.
    inputs : str, Path or None
        Files that are read; names of known data sets and the like are no files and pass.

    Raises
    ------
    UserError
        Both are one file, by whatever path.
    """
    if output is None or not output.exists():
        return
    for given in inputs:
        source = Path(given or "")
        # Not Path.exists: a list of labels may be too long for a name.
        if given and os.path.isfile(source) and os.path.samefile(source, output):  # noqa: PTH113, PTH121
            raise UserError("is read, and would be written over; name another file", str(output))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
