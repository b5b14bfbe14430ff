"""The folder of a report: written whole or not at all, never over something that is not a report."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsbench
from fsbench.errors import UserError

__all__ = ["MANIFEST", "check", "staged"]

# Says that a folder is a report, and which of its files are.
MANIFEST = "report.json"

# What the user may have put there without making it his own folder.
_IGNORED = {".DS_Store", "Thumbs.db", "desktop.ini"}


def check(folder: Path, *, ours: bool = False) -> None:
    """Refuse a folder that holds something else than a report.

    Parameters
    ----------
    folder : Path
        Need not be there.
    ours : bool, default False
        Whether it is ours whatever stands in it, as ``report`` in a results folder.

    Raises
    ------
    UserError
        It is a file, cannot be read, or has content but no mark of a report.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise UserError("is a file; a report needs a folder", str(folder))
        if ours or not folder.is_dir() or _content(folder).get("report") == "fsbench":
            return
        names = [entry.name for entry in folder.iterdir() if entry.name not in _IGNORED]
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", str(folder)) from None
    if names:
        first = min(names, key=lambda n: (n.startswith("."), n))
        right = "give an empty folder, a new one, or that of a report"
        text = f"holds {first!r} and is not the folder of a report; {right}"
        raise UserError(text, str(folder))


@contextlib.contextmanager
def staged(folder: Path, *, whole: bool, ours: bool = False) -> Iterator[Path]:
    """Give an empty folder beside the report's; what is written there takes its place when the block ends well.

    Every file replaces its forerunner at once, the page last; files of an older report that the new one no longer has
    are removed. Files that are not the report's stay.

    Parameters
    ----------
    folder : Path
        The report's folder; is made.
    whole : bool
        Whether all of the report is written; else other files of the report stay too.
    ours : bool, default False
        As for `check`.

    Yields
    ------
    Path
        Where to write.

    Raises
    ------
    UserError
        As `check`; or something cannot be written.
    """
    try:
        folder = folder.resolve()
    except (OSError, RuntimeError):  # a link that leads to itself
        raise UserError("cannot be written: a symbolic link that leads nowhere", str(folder)) from None
    check(folder, ours=ours)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:40]}.", suffix=".part"))
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", str(folder)) from None
    try:
        yield stage
        _move(stage, folder, whole=whole)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", str(folder)) from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _move(stage: Path, folder: Path, *, whole: bool) -> None:
    new = [str(path.relative_to(stage).as_posix()) for path in sorted(stage.rglob("*")) if path.is_file()]
    old = _listed(folder)
    folder.mkdir(exist_ok=True)
    # Known before anything is moved: a report that is cut off here is still one.
    _write_list(folder, stage, [*old, *new])
    for name in sorted(new, key=lambda n: (n == "index.html", n)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(stage / name, folder / name)  # noqa: PTH105 (Path.replace would do the same)
    if whole:
        for name in set(old) - set(new):
            (folder / name).unlink(missing_ok=True)
        for place in {(folder / name).parent for name in old} - {folder}:
            with contextlib.suppress(OSError):  # what is not empty holds files of the user
                place.rmdir()
        _write_list(folder, stage, new)


def _content(folder: Path) -> dict[str, Any]:
    """Return what the list of files says; nothing if it is not one of ours."""
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _listed(folder: Path) -> list[str]:
    files = _content(folder).get("files")
    names = [str(name) for name in files] if isinstance(files, list) else []
    # A list that somebody changed must not lead out of the folder.
    return [name for name in names if not Path(name).is_absolute() and ".." not in Path(name).parts]


def _write_list(folder: Path, stage: Path, names: list[str]) -> None:
    content = {"report": "fsbench", "version": fsbench.__version__, "files": sorted(set(names))}
    part = stage / MANIFEST
    part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    part.replace(folder / MANIFEST)
