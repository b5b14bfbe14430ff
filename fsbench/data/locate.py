"""Where a data set lies on this machine; nothing here touches the network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fsbench.data.registry import info, is_known

__all__ = [
    "SUFFIXES",
    "Location",
    "available",
    "cache_folder",
    "data_folders",
    "find_file",
    "named_instead",
    "shipped_folder",
    "stem",
]

SUFFIXES = (".arff", ".arff.gz", ".csv", ".csv.gz")


@dataclass(frozen=True)
class Location:
    """Where a data set was found.

    Parameters
    ----------
    kind : {"FSBENCH_DATA", "shipped", "cache", "recipe"}
        Which of the places.
    path : Path or None
        The file; None if a recipe makes the data.
    """

    kind: Literal["FSBENCH_DATA", "shipped", "cache", "recipe"]
    path: Path | None = None


def available(name: str) -> Location | None:
    """Return where `load` would take a data set from without the network; None if it is nowhere.

    Looked for in the folders of FSBENCH_DATA (subfolders included), among the shipped files, in the cache, and
    among the recipes, in this order.

    Parameters
    ----------
    name : str
        A registry name, or the name of a file of one's own without its ending.

    Returns
    -------
    Location or None
    """
    for folder in data_folders():
        if found := _find(folder, name):
            return Location("FSBENCH_DATA", found)
    shipped = shipped_folder()
    if is_known(name) and info(name).file and shipped and (shipped / info(name).file).is_file():
        return Location("shipped", shipped / info(name).file)
    for suffix in SUFFIXES:
        if (cached := cache_folder() / f"{name}{suffix}").is_file():
            return Location("cache", cached)
    from fsbench.data.generate import GENERATED, MULTILABEL  # here: few data sets are made

    return Location("recipe") if name in GENERATED or name in MULTILABEL else None


def named_instead(path: str | Path) -> str:
    """Say, of a file that is not there, that a data set is known by its name.

    Examples
    --------
    >>> named_instead("data/iris.arff"), named_instead("mine.arff")
    ("; the data set 'iris' is known by this name alone, without an ending", '')
    """
    name = stem(Path(path))
    known = is_known(name) or available(name)
    return f"; the data set {name!r} is known by this name alone, without an ending" if known else ""


def stem(path: Path) -> str:
    """Return the name of a file without the ending of a data file.

    Examples
    --------
    >>> stem(Path("data/iris.arff.gz")), stem(Path("iris.txt"))
    ('iris', 'iris.txt')
    """
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)]
    return path.name


def find_file(name: str) -> Path | None:
    """Return the first file of that name, ending included, in the folders of FSBENCH_DATA, subfolders included."""
    places = (place for folder in data_folders() for place, files in _folders(folder) if name in files)
    found = next(places, None)
    return None if found is None else found / name


def data_folders() -> list[Path]:
    """Return the folders named in FSBENCH_DATA, in order."""
    named = os.environ.get("FSBENCH_DATA", "").split(os.pathsep)
    return [Path(folder).expanduser() for folder in named if folder.strip()]


def cache_folder() -> Path:
    """Return the folder of fetched data: FSBENCH_CACHE, or ``fsbench/data`` in the user's cache."""
    if own := os.environ.get("FSBENCH_CACHE"):
        return Path(own).expanduser()
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home())
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "fsbench" / "data"


def shipped_folder() -> Path | None:
    """Return the folder of shipped data sets: inside an installed package, or at the top of a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "shipped" / "datasets", package.parent / "datasets"):
        if (folder / "iris.arff").is_file():
            return folder
    return None


def _find(folder: Path, name: str) -> Path | None:
    """Return the first file of that name, the folder itself before its subfolders, those in order of name."""
    wanted = [name + suffix for suffix in SUFFIXES]
    for place, files in _folders(folder):
        for file in wanted:
            if file in files:
                return place / file
    return None


def _folders(folder: Path) -> Iterator[tuple[Path, set[str]]]:
    pending = [folder]
    while pending:
        place = pending.pop(0)
        try:
            entries = sorted(os.scandir(place), key=lambda e: e.name)
        except OSError:
            continue  # a folder that is not there or may not be read holds nothing for us
        yield place, {e.name for e in entries if e.is_file()}
        # A link to a folder could lead in a circle.
        pending += [Path(e.path) for e in entries if e.is_dir(follow_symlinks=False) and not e.name.startswith(".")]
