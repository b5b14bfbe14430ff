"""Where compiled kernels are kept. Imports no compiler, so that asking costs nothing."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

__all__ = ["cache_folder", "is_cold"]


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


def is_cold() -> bool:
    """Whether no kernel has been compiled yet: the first use of each then takes seconds instead of none."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder())
    return next(folder.rglob("*.nbi"), None) is None
