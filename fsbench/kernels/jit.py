"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

from fsbench.kernels.cache import KERNELS, cache_folder

__all__ = ["jit"]

F = TypeVar("F", bound=Callable[..., object])


def jit(function: F) -> F:
    """Compile a kernel: cached on disk, without the GIL, IEEE arithmetic, numpy's rules for division by zero.

    No ``fastmath``: reassociation changes last bits, and last bits decide ties. No ``parallel=True``: threads
    are started outside (see `fsbench.kernels.threads`), so that processes can be forked safely.
    """
    # numba reads the folder when a function is decorated, so each module can have its own.
    module = function.__module__.rpartition(".")[2]
    numba.config.CACHE_DIR = str(cache_folder(module))  # type: ignore[attr-defined]
    compile_ = numba.njit(cache=True, nogil=True, fastmath=False, error_model="numpy")
    kernel = compile_(function)
    KERNELS.append(kernel)
    return cast(F, kernel)
