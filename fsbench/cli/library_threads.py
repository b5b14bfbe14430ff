"""Libraries that start threads of their own, told to use one: before numpy is loaded."""

from __future__ import annotations

import os

__all__ = ["spare_threads"]

_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def spare_threads() -> None:
    """Have linear algebra and OpenMP start no threads, unless the user's environment says how many.

    Our own methods use neither, and without the threads numpy loads faster. Those of scikit-learn are handed small
    data again and again, for which threads mostly wait for each other: up to ten times the time on a busy machine.
    """
    for name in _VARIABLES:
        os.environ.setdefault(name, "1")
