# ruff: noqa: ARG001 - numba prescribes the parameters of an intrinsic and of its generator
"""Operations that numba does not offer, or offers only at 64 bits, which halves the vector lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

__all__ = [
    "ROWS",
    "Bytes",
    "Places",
    "Steps",
    "Totals",
    "add_difference",
    "as_double",
    "as_whole",
    "lower_rows",
    "lowest_bit",
    "smaller_rows",
]

Bytes = npt.NDArray[np.uint8]  # label indices
Steps = npt.NDArray[np.uint16]  # values as multiples of a small step
Totals = npt.NDArray[np.uint32]  # whole-number distances
Places = npt.NDArray[np.int32]  # rows grouped by class

ROWS = 32  # numbers that `smaller_rows` compares

if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the plain meaning, for running the kernels as Python

    def add_difference(total: Any, a: Any, b: Any) -> Any:
        """Return ``total + |a - b|`` of 16-bit numbers; neither the difference nor the sum may overflow."""
        return np.uint16(int(total) + abs(int(a) - int(b)))

    def lower_rows(minima: Any, values: Any, start: Any) -> None:
        """Lower `ROWS` unsigned 32-bit numbers to those of ``values[start:]``, where these are smaller."""
        minima[:ROWS] = np.minimum(minima[:ROWS], values[start : start + ROWS])

    def as_double(bits: Any) -> Any:
        """Return the double of some bits."""
        return np.int64(bits).view(np.float64)

    def as_whole(x: Any) -> Any:
        """Return the bits of a double."""
        return np.float64(x).view(np.int64)

    def smaller_rows(values: Any, start: Any, limit: Any) -> Any:
        """Return a number whose bit b, up to `ROWS`, says whether ``values[start + b] < limit``."""
        return sum(int(value < limit) << b for b, value in enumerate(values[start : start + ROWS].tolist()))

    def lowest_bit(bits: Any) -> Any:
        """Return the place of the lowest bit that is set; one is."""
        return (int(bits) & -int(bits)).bit_length() - 1

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
    def lower_rows(typing, minima, values, start):
        """Lower `ROWS` unsigned 32-bit numbers to those of ``values[start:]``, where these are smaller."""

        def generate(context, builder, signature, arguments):
            vector = ir.VectorType(ir.IntType(32), ROWS)
            data = [context.make_array(signature.args[i])(context, builder, arguments[i]).data for i in (0, 1)]
            places = [builder.bitcast(data[0], vector.as_pointer())]
            places.append(builder.bitcast(builder.gep(data[1], [arguments[2]]), vector.as_pointer()))
            kept, found = (builder.load(place, align=4) for place in places)
            smaller = builder.select(builder.icmp_unsigned("<", found, kept), found, kept)
            builder.store(smaller, places[0], align=4)
            return context.get_dummy_value()

        return types.none(minima, values, types.int64), generate

    @intrinsic
    def as_double(typing, bits):
        """Return the double of some bits."""

        def generate(context, builder, signature, arguments):
            return builder.bitcast(arguments[0], ir.DoubleType())

        return types.float64(types.int64), generate

    @intrinsic
    def as_whole(typing, x):
        """Return the bits of a double."""

        def generate(context, builder, signature, arguments):
            return builder.bitcast(arguments[0], ir.IntType(64))

        return types.int64(types.float64), generate

    @intrinsic
    def smaller_rows(typing, values, start, limit):
        """Return a number whose bit b, up to `ROWS`, says whether ``values[start + b] < limit``; all are read.

        Of whole numbers of 32 bits without a sign, or of 64 with one.
        """

        def generate(context, builder, signature, arguments):
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            width, index = signature.args[0].dtype.bitwidth, ir.IntType(32)
            vector = ir.VectorType(ir.IntType(width), ROWS)
            first = builder.bitcast(builder.gep(array.data, [arguments[1]]), vector.as_pointer())
            nothing, limit = ir.Constant(vector, ir.Undefined), arguments[2]
            limit = limit if width == 64 else builder.trunc(limit, vector.element)
            limits = builder.insert_element(nothing, limit, ir.Constant(index, 0))
            limits = builder.shuffle_vector(limits, nothing, ir.Constant(ir.VectorType(index, ROWS), [0] * ROWS))
            compare = builder.icmp_signed if width == 64 else builder.icmp_unsigned
            smaller = compare("<", builder.load(first, align=width // 8), limits)
            return builder.zext(builder.bitcast(smaller, ir.IntType(ROWS)), ir.IntType(64))

        return types.int64(values, types.int64, types.int64), generate

    @intrinsic
    def lowest_bit(typing, bits):
        """Return the place of the lowest bit that is set; one is."""

        def generate(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate
