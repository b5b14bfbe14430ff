"""What must be known later to trust a result: versions, machine, command, times."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import fsbench

__all__ = ["environment", "now"]

# The libraries that results or times could depend on.
LIBRARIES = ("numpy", "numba", "scipy", "scikit-learn", "pandas", "joblib")


def environment(seed: int, jobs: int) -> dict[str, Any]:
    """Describe this run before it begins.

    Parameters
    ----------
    seed : int
        Of the experiment.
    jobs : int
        Number of processes.

    Returns
    -------
    dict
        ``command, started, seed, versions, machine``.
    """
    return {
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "started": now(),
        "seed": seed,
        "versions": {"fsbench": fsbench.__version__, "python": platform.python_version(), **_libraries()},
        "machine": {
            "system": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
            "jobs": jobs,
        },
    }


def now() -> str:
    """Return the time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _libraries() -> dict[str, str]:
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    """Return the processor's name; Python's own answer is often no more than the architecture."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
