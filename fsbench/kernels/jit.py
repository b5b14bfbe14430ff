"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from fsbench.kernels.cache import KERNELS, cache_folder, compiling

__all__ = ["jit", "jit_bare", "jit_inline"]

F = TypeVar("F", bound=Callable[..., object])


class _Listener(event.Listener):
    """Hands on that a kernel is being compiled, not loaded."""

    def on_start(self, event: object) -> None:  # noqa: ARG002
        compiling()

    def on_end(self, event: object) -> None:
        """Nothing to hand on."""


event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]


def jit(function: F) -> F:
    """Compile a kernel: cached on disk, without the GIL, IEEE arithmetic, numpy's rules for division by zero.

    No ``fastmath``: reassociation changes last bits, and last bits decide ties. No ``parallel=True``: threads
    are started outside (see `fsbench.kernels.threads`), so that processes can be forked safely.
    """
    return _compile(function)


def jit_bare(function: F) -> F:
    """Compile a part of a kernel that makes no array of its own: as `jit`, without counting references to arrays.

    Counting them is atomic, some 20 cycles an array at each call and slice, which is more than a short function
    that is called for every node of a tree may cost. Only for functions that a kernel calls.
    """
    return _compile(function, _nrt=False)


def jit_inline(function: F) -> F:
    """Compile a part of a kernel as if it stood in the caller's text: as `jit_bare`, for functions called in one place.

    Machine code for the function by itself is then made only where a test asks for it, which spares a fifth of the
    time that the tree kernels take to compile.
    """
    return _compile(function, _nrt=False, inline="always")


def _compile(function: F, **flags: Any) -> F:
    # numba reads the folder when a function is decorated, so each module can have its own.
    module = function.__module__.rpartition(".")[2]
    folder = cache_folder(module)
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    compile_ = numba.njit(cache=folder is not None, nogil=True, fastmath=False, error_model="numpy", **flags)
    kernel = compile_(function)
    KERNELS.append(kernel)
    return cast(F, kernel)
