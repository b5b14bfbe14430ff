"""How kernels are compiled."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar, cast

from fsbench.kernels.cache import cache_folder

__all__ = ["cache_folder", "jit"]

F = TypeVar("F", bound=Callable[..., object])


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
