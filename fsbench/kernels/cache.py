"""Where compiled kernels are kept. Imports no compiler, so that asking costs nothing."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["KERNELS", "cache_folder", "cache_root", "fingerprint", "loaded"]

# Every kernel that this process has imported; filled by `fsbench.kernels.jit.jit`.
KERNELS: list[Any] = []

_IMPORT = re.compile(r"^\s*(?:from|import) fsbench\.kernels\.(\w+)", re.MULTILINE)


@cache
def cache_root() -> Path:
    """Return the folder that holds all compiled kernels.

    It lies in the user's cache, hence an installation may be read-only; where that cannot be written either, it
    lies among the temporary files. ``NUMBA_CACHE_DIR`` overrides both.

    Returns
    -------
    Path
        Writable; not created yet if it is new.
    """
    if own := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(own)
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fsbench"
    probe = folder
    while not probe.exists():
        probe = probe.parent
    if os.access(probe, os.W_OK):
        return folder
    return Path(tempfile.gettempdir()) / f"fsbench-{os.getuid() if hasattr(os, 'getuid') else 0}"


@cache
def cache_folder(module: str) -> Path:
    """Return the folder of one module's compiled kernels.

    numba notices that a kernel's own file has changed, but not the file of a kernel that it calls. So the
    folder's name carries a fingerprint of the module and of all kernel modules that it imports, directly or not.

    Parameters
    ----------
    module : str
        Name of a module of this package, such as ``"tree_grow"``.

    Returns
    -------
    Path
    """
    stamp = hashlib.sha256()
    for name in sorted(_reach(module)):
        stamp.update(name.encode() + _source(name).encode())
    return cache_root() / f"kernels-{sys.implementation.cache_tag}" / f"{module}-{stamp.hexdigest()[:12]}"


@cache
def fingerprint() -> str:
    """Return a hash of the sources of all kernels, and of the compiler's version."""
    from importlib.metadata import version  # here: costs some milliseconds

    stamp = hashlib.sha256(version("numba").encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        stamp.update(path.stem.encode() + _source(path.stem).encode())
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


def loaded() -> tuple[int, int]:
    """Return how many kernels this process has imported, and in how many forms they are ready.

    A call during which this changes spent time on importing, loading or compiling, not on its own work.
    """
    return len(KERNELS), sum(len(getattr(kernel, "signatures", ())) for kernel in KERNELS)
