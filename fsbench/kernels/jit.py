"""How kernels are compiled and where the compiled code is kept."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

__all__ = ["cache_folder", "jit"]

F = TypeVar("F", bound=Callable[..., object])


def cache_folder() -> Path:
    """Return the folder of compiled kernels; it depends on the kernels' source.

    numba notices a changed kernel but not a changed kernel that it calls in another file, so the folder's name
    carries a fingerprint of all of them. It lies in the user's cache, hence an installation may be read-only.

    Returns
    -------
    Path
        Writable; not created yet if it is new.
    """
    stamp = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        info = path.stat()
        stamp.update(f"{path.name} {info.st_size} {info.st_mtime_ns}\n".encode())
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(root) / "fsbench" / f"kernels-{sys.implementation.cache_tag}-{stamp.hexdigest()[:12]}"
    probe = folder
    while not probe.exists():
        probe = probe.parent
    if os.access(probe, os.W_OK):
        return folder
    return Path(tempfile.gettempdir()) / f"fsbench-{os.getuid() if hasattr(os, 'getuid') else 0}" / folder.name


if "NUMBA_CACHE_DIR" not in os.environ:
    os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())

import numba  # noqa: E402  (the cache folder must be known before numba is loaded)

numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]  # type: ignore[attr-defined]  # if numba was loaded earlier


def jit(function: F) -> F:
    """Compile a kernel: cached on disk, without the GIL, IEEE arithmetic, numpy's rules for division by zero.

    No ``fastmath``: reassociation changes last bits, and last bits decide ties. No ``parallel=True``: threads
    are started outside (see `fsbench.kernels.threads`), so that processes can be forked safely.
    """
    compile_ = numba.njit(cache=True, nogil=True, fastmath=False, error_model="numpy")
    return cast(F, compile_(function))
