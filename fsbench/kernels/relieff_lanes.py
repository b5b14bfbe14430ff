# ruff: noqa: ARG001 - numba prescribes the parameters of an intrinsic and of its generator
"""The step that takes most of the time of summing ReliefF's weights, written for the vector units.

A compiler that is given the loops checks at each call whether the arrays overlap, which takes longer than the work
itself: a probe has a few neighbours in each class.
"""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import llvmlite.binding  # type: ignore[import-untyped]
import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["DIVISORS", "LANES", "SMALLEST", "add_shares"]

LANES = 8  # features that are summed side by side
SMALLEST = 2.0**-900  # numbers whose differences may be divided by multiplying; or 0
DIVISORS = 2**20  # the whole numbers that may divide

if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the plain meaning, for running the kernels as Python

    def add_shares(block: Any, probe: Any, rows: Any, count: Any, factor: Any, number: Any, sums: Any) -> None:
        """Add ``factor * (difference / number)`` for each of some rows."""
        for row in rows[:count]:
            for f in range(len(sums)):
                sums[f] += factor * (abs(block[probe, f] - block[row, f]) / number)

else:
    # Without this instruction its result comes from a library call, which takes longer than a division.
    FUSED = llvmlite.binding.get_host_cpu_features().get("fma", False) or platform.machine() in ("arm64", "aarch64")
    VECTOR = ir.VectorType(ir.DoubleType(), LANES)

    @intrinsic
    def add_shares(typing, block, probe, rows, count, factor, number, sums):
        """Add ``factor * (difference / number)`` for each of some rows, one after the other.

        Differences are those of row `probe` of `block`, whose width and that of `sums` is a multiple of `LANES`; see
        `_quotient` for the numbers they may hold.
        """

        def generate(context, builder, signature, arguments):
            arrays = {i: context.make_array(signature.args[i])(context, builder, arguments[i]) for i in (0, 2, 6)}
            probe, count = arguments[1], arguments[3]
            factor, number = _spread(builder, arguments[4]), _spread(builder, arguments[5])
            reciprocal = builder.fdiv(ir.Constant(VECTOR, [1.0] * LANES), number)
            width = cgutils.unpack_tuple(builder, arrays[0].shape)[1]
            total = cgutils.alloca_once(builder, VECTOR)
            with cgutils.for_range_slice(builder, width.type(0), width, width.type(LANES)) as (f, _):
                own = _load(builder, arrays[0].data, builder.add(builder.mul(probe, width), f))
                builder.store(_load(builder, arrays[6].data, f), total)
                with cgutils.for_range(builder, count) as loop:
                    row = builder.sext(builder.load(builder.gep(arrays[2].data, [loop.index])), width.type)
                    other = _load(builder, arrays[0].data, builder.add(builder.mul(row, width), f))
                    share = _quotient(builder, _absolute(builder, builder.fsub(own, other)), number, reciprocal)
                    builder.store(builder.fadd(builder.load(total), builder.fmul(factor, share)), total)
                place = builder.bitcast(builder.gep(arrays[6].data, [f]), VECTOR.as_pointer())
                builder.store(builder.load(total), place, align=8)
            return context.get_dummy_value()

        whole = types.int64
        return types.none(block, whole, rows, whole, types.float64, types.float64, sums), generate

    def _load(builder, data, at):
        return builder.load(builder.bitcast(builder.gep(data, [at]), VECTOR.as_pointer()), align=8)

    def _spread(builder, number):
        """Return a vector of one number."""
        nothing, first = ir.Constant(VECTOR, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(builder.insert_element(nothing, number, first), nothing, places)

    def _absolute(builder, x):
        function = ir.FunctionType(VECTOR, [VECTOR])
        return builder.call(cgutils.get_or_insert_function(builder.module, function, f"llvm.fabs.v{LANES}f64"), [x])

    def _quotient(builder, x, divisor, reciprocal):
        """Return ``x / divisor`` to the last bit without dividing, which takes five times as long.

        The divisor is a whole number up to `DIVISORS`, the reciprocal the double nearest to ``1 / divisor``; x is not
        beyond 1 and a difference of numbers that are 0 or at least `SMALLEST`. The product q of x and the reciprocal
        is off by two units in the last place at most, so the remainder ``x - divisor * q`` is a double. What q and the
        remainder times the reciprocal add up to lies within 2**-105 of the true quotient before it is rounded. No true
        quotient by so small a number is that near to halfway between two doubles: it is rounded as the true one is.
        """
        if not FUSED:
            return builder.fdiv(x, divisor)
        function = ir.FunctionType(VECTOR, [VECTOR] * 3)
        fma = cgutils.get_or_insert_function(builder.module, function, f"llvm.fma.v{LANES}f64")
        q = builder.fmul(x, reciprocal)
        return builder.call(fma, [builder.call(fma, [builder.fneg(divisor), q, x]), reciprocal, q])
