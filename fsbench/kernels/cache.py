"""Where compiled kernels are kept. Imports no compiler, so that asking costs nothing."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["KERNELS", "LISTENERS", "CacheWarning", "cache_folder", "cache_root", "compiling", "fingerprint", "loaded"]

# Every kernel that this process has imported; filled by `fsbench.kernels.jit.jit`.
KERNELS: list[Any] = []

# What is called when this process compiles its first kernel.
LISTENERS: list[Callable[[], object]] = []

TOLD = "FSBENCH_CACHE_TOLD"  # set in the environment once it has been said that kernels cannot be kept

_IMPORT = re.compile(r"^\s*(?:from|import) fsbench\.kernels\.(\w+)", re.MULTILINE)


class CacheWarning(UserWarning):
    """Compiled kernels cannot be kept."""


@cache
def cache_root() -> Path | None:
    """Return the folder that holds all compiled kernels.

    It lies in the user's cache, hence an installation may be read-only; where that cannot be written either, it
    lies among the temporary files. ``NUMBA_CACHE_DIR`` overrides both.

    Returns
    -------
    Path or None
        Writable. None if there is none: kernels are then compiled anew by each process, which is said once.
    """
    places = [Path(own)] if (own := os.environ.get("NUMBA_CACHE_DIR")) else _places()
    found = next((folder for folder in places if _is_usable(folder)), None)
    if found is None and not os.environ.get(TOLD):
        os.environ[TOLD] = "yes"  # worker processes inherit it
        tried = " nor ".join(map(str, places))
        text = f"compiled kernels cannot be kept, so each process compiles its own: cannot write to {tried}"
        warnings.warn(f"{text}; set NUMBA_CACHE_DIR to a folder that can be written", CacheWarning, stacklevel=2)
    return found


def _places() -> list[Path]:
    places = [Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fsbench"]
    import tempfile  # here: to rank a small file takes none

    with contextlib.suppress(OSError):  # there may be no folder for temporary files
        places.append(Path(tempfile.gettempdir()) / f"fsbench-{os.getuid() if hasattr(os, 'getuid') else 0}")
    return places


def _is_usable(folder: Path) -> bool:
    """Whether files can be written to a folder, made if it is new, and nobody else can have put some there."""
    import tempfile

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def cache_folder(module: str) -> Path | None:
    """Return the folder of one module's compiled kernels.

    numba notices that a kernel's own file has changed, but not the file of a kernel that it calls. So the
    folder's name carries a fingerprint of the module and of all kernel modules that it imports, directly or not.

    Parameters
    ----------
    module : str
        Name of a module of this package, such as ``"tree_grow"``.

    Returns
    -------
    Path or None
        None if nothing can be kept.
    """
    root, stamp = cache_root(), hashlib.sha256()
    if root is None:
        return None
    for name in sorted(_reach(module)):
        stamp.update(name.encode() + _source(name).encode())
    return root / f"kernels-{sys.implementation.cache_tag}" / f"{module}-{stamp.hexdigest()[:12]}"


@cache
def fingerprint() -> str:
    """Return a hash of the sources of all kernels, where and of what time they are, and of the compiler's version.

    numba finds its own by place and time of the source: another installation of the same text has none yet.
    """
    from importlib.metadata import version  # here: costs some milliseconds

    stamp = hashlib.sha256(version("numba").encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        stamp.update(f"{path.resolve()} {path.stat().st_mtime_ns} {_source(path.stem)}".encode())
    return stamp.hexdigest()


def _reach(module: str) -> set[str]:
    """Return the module and every kernel module that it reaches by imports."""
    reached, pending = {module}, [module]
    while pending:
        new = set(_IMPORT.findall(_source(pending.pop()))) - reached
        reached |= new
        pending += new
    return reached


@cache
def _source(module: str) -> str:
    path = Path(__file__).parent / f"{module}.py"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def compiling() -> None:
    """Tell those who want to know that a kernel is being compiled; once."""
    while LISTENERS:
        LISTENERS.pop()()


def loaded() -> tuple[int, int]:
    """Return how many kernels this process has imported, and in how many forms they are ready.

    A call during which this changes spent time on importing, loading or compiling, not on its own work.
    """
    return len(KERNELS), sum(len(getattr(kernel, "signatures", ())) for kernel in KERNELS)
