# ruff: noqa: ARG001 - numba prescribes the parameters of an intrinsic and of its generator
"""Whole-number operations at their own width: numba widens 16 and 32 bits to 64, which halves the vector lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

__all__ = ["Bytes", "Places", "Steps", "Totals", "add_difference", "smaller_count"]

Bytes = npt.NDArray[np.uint8]  # label indices
Steps = npt.NDArray[np.uint16]  # values as multiples of a small step
Totals = npt.NDArray[np.uint32]  # whole-number distances
Places = npt.NDArray[np.int32]  # rows grouped by class

if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the plain meaning, for running the kernels as Python

    def add_difference(total: Any, a: Any, b: Any) -> Any:
        """Return ``total + |a - b|`` of 16-bit numbers; neither the difference nor the sum may overflow."""
        return np.uint16(int(total) + abs(int(a) - int(b)))

    def smaller_count(a: Any, b: Any) -> Any:
        """Return the smaller of two unsigned 32-bit numbers."""
        return min(a, b)

else:

    @intrinsic
    def add_difference(typing, total, a, b):
        """Return ``total + |a - b|`` of 16-bit numbers below 2**15; the sum may not overflow 16 bits."""

        def generate(context, builder, signature, arguments):
            total, a, b = arguments
            difference = builder.sub(a, b)
            negative = builder.icmp_signed("<", difference, difference.type(0))
            return builder.add(total, builder.select(negative, builder.neg(difference), difference))

        return types.uint16(types.uint16, types.uint16, types.uint16), generate

    @intrinsic
    def smaller_count(typing, a, b):
        """Return the smaller of two unsigned 32-bit numbers."""

        def generate(context, builder, signature, arguments):
            a, b = arguments
            return builder.select(builder.icmp_unsigned("<", b, a), b, a)

        return types.uint32(types.uint32, types.uint32), generate
