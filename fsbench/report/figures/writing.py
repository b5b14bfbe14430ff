"""All figures of a report into one folder, by as many processes as there are cores where that is cheap."""

from __future__ import annotations

import multiprocessing
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from fsbench.kernels.threads import threads
from fsbench.report.figures.figure import FORMATS, Figure

__all__ = ["save_all"]

# A process has to earn its start.
FIGURES_A_PROCESS = 4
MOST_PROCESSES = 4

# What the processes draw: they are copies of this one, so that nothing has to be sent to them.
_work: tuple[Sequence[Figure], Path, Sequence[str]] | None = None


def save_all(
    figures: Sequence[Figure], folder: str | Path, formats: Sequence[str] = FORMATS, jobs: int | None = None
) -> list[Path]:
    """Write figures as `Figure.save` does; the files do not depend on the number of processes.

    Parameters
    ----------
    figures : sequence of Figure
        Of different keys.
    folder : path
    formats : sequence of str, default ("svg", "pdf", "png")
    jobs : int, optional
        Processes; by default one a core, up to four, if there are figures enough. One on systems other than Linux,
        where a process cannot be copied safely.

    Returns
    -------
    list of Path

    Raises
    ------
    UserError
        As `Figure.save`.
    """
    count = min(jobs or min(threads(), MOST_PROCESSES), len(figures) // FIGURES_A_PROCESS)
    if count < 2 or sys.platform != "linux":
        return [path for figure in figures for path in figure.save(folder, formats)]
    return _copies(figures, Path(folder), formats, count)


def _copies(figures: Sequence[Figure], folder: Path, formats: Sequence[str], count: int) -> list[Path]:
    global _work
    _load()
    _work = figures, folder, formats
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of other threads; those of numerical libraries sleep, and no figure wakes them.
            warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
            with multiprocessing.get_context("fork").Pool(count) as pool:
                made = pool.map(_save, range(len(figures)), chunksize=1)
    finally:
        _work = None
    for figure, (_, svg) in zip(figures, made, strict=True):
        figure.remember(svg)
    return [path for paths, _ in made for path in paths]


def _load() -> None:
    """Import what is needed to draw and write, once for all copies."""
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_pdf
    import matplotlib.backends.backend_svg
    import matplotlib.font_manager
    import matplotlib.legend  # noqa: F401


def _save(place: int) -> tuple[list[Path], str | None]:
    assert _work is not None
    figures, folder, formats = _work
    return figures[place].save(folder, formats), figures[place].remembered
