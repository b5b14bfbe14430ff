# ruff: noqa: ARG001 - numba prescribes the parameters of an intrinsic and of its generator
"""Operations that keep numba's loops narrow enough for the vector units; none of them changes a value.

numba widens small integers to 64 bits, and its ``min`` of floats honours NaN, which keeps LLVM from using the
vector minimum. Distances are never NaN and never -0.0, so leaving that out changes no result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

__all__ = ["add_equal", "add_unequal", "smaller", "smaller_code"]

if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the plain meaning, for running the kernels as Python

    def smaller(a: float, b: float) -> float:
        """Return the smaller of two doubles that are not NaN."""
        return b if b < a else a

    def smaller_code(a: Any, b: Any) -> Any:
        """Return the smaller of two bytes."""
        return min(a, b)

    def add_unequal(total: Any, a: Any, b: Any) -> Any:
        """Return a byte, one more than `total` if the bytes differ."""
        return np.uint8(total + (a != b))

    def add_equal(total: Any, a: Any, b: Any) -> Any:
        """Return a 16-bit count, one more than `total` if the bytes are equal."""
        return np.uint16(total + (a == b))

else:

    @intrinsic
    def smaller(typing, a, b):
        """Return the smaller of two doubles that are not NaN."""

        def generate(context, builder, signature, arguments):
            a, b = arguments
            less = builder.fcmp_ordered("<", b, a, flags=("nnan", "nsz"))
            return builder.select(less, b, a, flags=("nnan", "nsz"))

        return types.float64(types.float64, types.float64), generate

    @intrinsic
    def smaller_code(typing, a, b):
        """Return the smaller of two bytes."""

        def generate(context, builder, signature, arguments):
            a, b = arguments
            return builder.select(builder.icmp_unsigned("<", b, a), b, a)

        return types.uint8(types.uint8, types.uint8), generate

    @intrinsic
    def add_unequal(typing, total, a, b):
        """Return a byte, one more than `total` if the bytes differ."""

        def generate(context, builder, signature, arguments):
            total, a, b = arguments
            return builder.add(total, builder.zext(builder.icmp_unsigned("!=", a, b), ir.IntType(8)))

        return types.uint8(types.uint8, types.uint8, types.uint8), generate

    @intrinsic
    def add_equal(typing, total, a, b):
        """Return a 16-bit count, one more than `total` if the bytes are equal."""

        def generate(context, builder, signature, arguments):
            total, a, b = arguments
            return builder.add(total, builder.zext(builder.icmp_unsigned("==", a, b), ir.IntType(16)))

        return types.uint16(types.uint16, types.uint8, types.uint8), generate
