"""What a file of the user's imports from beside it: found, told apart from equal names elsewhere, and digested.

Only import statements are looked at, those within functions included. What is found does not depend on what else has
been loaded, so that the same file has the same digest in each process.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from fsbench.errors import MethodError

__all__ = ["add_folder", "source_digest"]


def add_folder(path: Path, where: str = "") -> None:
    """Let a file import what lies beside it: its folder becomes the last place that Python looks in.

    Parameters
    ----------
    path : Path
        Absolute.
    where : str, default ""
        Place for the error message.

    Raises
    ------
    MethodError
        What it would import has the name of a module that lies beside another file of the user's, or in the current
        folder, and would be that one.
    """
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.append(folder)
        importlib.invalidate_caches()
    for name, found in _imported(path).items():
        other = _place(name)
        if other is not None and not _same(found, other) and not _installed(other):
            text = f"{path} imports {name!r}, which Python finds at {other} and not beside it: rename one of the two"
            raise MethodError(text, where)


def source_digest(path: Path) -> str:
    """Return the SHA-256 of a file of the user's, together with that of what it imports from beside it.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
        That of the file's content alone if it imports nothing from its folder.
    """
    own = hashlib.sha256(path.read_bytes())
    files = [file for found in _imported(path.resolve()).values() for file in _sources(found)]
    for file in sorted(set(files)):
        own.update(file.relative_to(path.resolve().parent).as_posix().encode())
        own.update(hashlib.sha256(file.read_bytes()).digest())
    return own.hexdigest()


def _imported(path: Path) -> dict[str, Path]:
    """Return the modules and packages that a file, and they in turn, import from the file's folder, by name."""
    found: dict[str, Path] = {}
    todo = [] if _installed(path) else [path]  # a distribution has a version
    while todo:
        for name in _names(todo.pop()):
            there = _candidate(path.parent, name) if name not in found else None
            if there is not None and there != path and _is_meant(name, there):
                found[name] = there
                todo += _sources(there)
    return dict(sorted(found.items()))


def _names(path: Path) -> Iterator[str]:
    """Yield the first parts of the names of what a file imports; relative imports stay within a package."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, OSError):  # said when it is loaded
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


def _candidate(folder: Path, name: str) -> Path | None:
    """Return the module or package of a name that lies in a folder; a package as its folder."""
    package, module = folder / name, folder / f"{name}.py"
    if (package / "__init__.py").is_file():
        return package
    if module.is_file():
        return module
    return package if package.is_dir() and any(package.rglob("*.py")) else None


def _is_meant(name: str, there: Path) -> bool:
    """Whether an import of a name may mean what lies beside the file, and not a library."""
    if name == "fsbench" or name in sys.stdlib_module_names:
        return False
    other = _place(name)
    return other is None or _same(there, other) or not (_installed(other) or _is_bare(there))


def _is_bare(package: Path) -> bool:
    """Whether it is a folder without ``__init__.py``, which comes after all modules of that name."""
    return package.is_dir() and not (package / "__init__.py").is_file()


def _place(name: str) -> Path | None:
    """Return where Python finds, or has found, a module or package: a file, or the folder of a package."""
    module = sys.modules.get(name)
    try:
        spec = getattr(module, "__spec__", None) if module is not None else importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    if folders:
        return Path(folders[0])
    return Path(spec.origin) if spec.has_location and spec.origin else None


def _same(a: Path, b: Path) -> bool:
    return a.resolve() == b.resolve()


def _installed(path: Path) -> bool:
    """Whether a module belongs to Python or to what is installed."""
    places = {Path(place).resolve() for key, place in sysconfig.get_paths().items() if "lib" in key}
    parts = path.resolve()
    return "site-packages" in parts.parts or "dist-packages" in parts.parts or any(map(parts.is_relative_to, places))


def _sources(found: Path) -> list[Path]:
    """Return the source files of a module or package, without what editors and systems hide beside them."""
    if not found.is_dir():
        return [found]
    files = (file for file in found.rglob("*.py") if file.is_file())
    return sorted(f for f in files if not any(part.startswith(".") for part in f.relative_to(found).parts))
