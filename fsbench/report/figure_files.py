"""The files of all figures, drawn by several processes: drawing takes most of the time of a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsbench.report.figures import Figure

__all__ = ["processors", "save_figures"]

# Fewer figures are drawn here: a process takes about two seconds to start.
_WORTH = 12

_MOST = 4


def save_figures(figures: Sequence[Figure], folder: Path, jobs: int | None = None) -> dict[str, str]:
    """Write every figure in every format.

    Parameters
    ----------
    figures : sequence of Figure
    folder : Path
        Where to.
    jobs : int, optional
        Processes; by default one for each core, four at most.

    Returns
    -------
    dict of str to str
        The ``<svg>`` element of each figure by its key. Bytes do not depend on the number of processes.
    """
    jobs = jobs or min(processors(), _MOST)
    if len(figures) < _WORTH or jobs < 2:
        return dict(_save(figure, folder) for figure in figures)
    from joblib import Parallel, delayed

    # Large and small ones stand side by side in a report; one at a time keeps all processes busy.
    return dict(Parallel(n_jobs=jobs, batch_size=1)(delayed(_save)(figure, folder) for figure in figures))


def _save(figure: Figure, folder: Path) -> tuple[str, str]:
    figure.save(folder)
    # After the files, because the drawing is then remembered.
    return figure.key, figure.svg()


def processors() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
