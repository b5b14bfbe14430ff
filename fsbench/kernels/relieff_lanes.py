# ruff: noqa: ARG001 - numba prescribes the parameters of an intrinsic and of its generator
"""The step that takes most of the time of summing ReliefF's weights, written for the vector units.

A compiler that is given the loops checks at each call whether the arrays overlap, which takes longer than the work
itself: a probe has a few neighbours in each class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
from numba import types
from numba.extending import intrinsic

from fsbench.kernels import vectors as v

__all__ = ["DIVISORS", "LANES", "SMALLEST", "add_shares"]

LANES = v.LANES  # features that are summed side by side
SMALLEST = 2.0**-900  # numbers whose differences may be divided by multiplying; or 0
DIVISORS = 2**20  # the whole numbers that may divide

if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the plain meaning, for running the kernels as Python

    def add_shares(block: Any, probe: Any, rows: Any, count: Any, factor: Any, number: Any, sums: Any) -> None:
        """Add ``factor * (difference / number)`` for each of some rows."""
        for row in rows[:count]:
            for f in range(len(sums)):
                sums[f] += factor * (abs(block[probe, f] - block[row, f]) / number)

else:
    from llvmlite import ir
    from numba.core import cgutils

    @intrinsic
    def add_shares(typing, block, probe, rows, count, factor, number, sums):
        """Add ``factor * (difference / number)`` for each of some rows, one after the other.

        Differences are those of row `probe` of `block`, whose width and that of `sums` is a multiple of `LANES`; see
        `_quotient` for the numbers they may hold.
        """

        def generate(context, builder, signature, arguments):
            block, rows, sums = (v.array(context, builder, signature, arguments, i) for i in (0, 2, 6))
            probe, count = arguments[1], arguments[3]
            factor, number = v.spread(builder, arguments[4]), v.spread(builder, arguments[5])
            reciprocal = builder.fdiv(ir.Constant(v.DOUBLES, [1.0] * LANES), number)
            width = cgutils.unpack_tuple(builder, block.shape)[1]
            total = cgutils.alloca_once(builder, v.DOUBLES)
            with cgutils.for_range_slice(builder, width.type(0), width, width.type(LANES)) as (f, _):
                own = v.load(builder, block.data, builder.add(builder.mul(probe, width), f))
                builder.store(v.load(builder, sums.data, f), total)
                with cgutils.for_range(builder, count) as loop:
                    row = builder.sext(builder.load(builder.gep(rows.data, [loop.index])), width.type)
                    other = v.load(builder, block.data, builder.add(builder.mul(row, width), f))
                    share = _quotient(builder, v.absolute(builder, builder.fsub(own, other)), number, reciprocal)
                    builder.store(builder.fadd(builder.load(total), builder.fmul(factor, share)), total)
                v.store(builder, builder.load(total), sums.data, f)
            return context.get_dummy_value()

        whole = types.int64
        return types.none(block, whole, rows, whole, types.float64, types.float64, sums), generate

    def _quotient(builder, x, divisor, reciprocal):
        """Return ``x / divisor`` to the last bit without dividing, which takes five times as long.

        The divisor is a whole number up to `DIVISORS`, the reciprocal the double nearest to ``1 / divisor``; x is not
        beyond 1 and a difference of numbers that are 0 or at least `SMALLEST`. The product q of x and the reciprocal
        is off by two units in the last place at most, so the remainder ``x - divisor * q`` is a double. What q and the
        remainder times the reciprocal add up to lies within 2**-105 of the true quotient before it is rounded. No true
        quotient by so small a number is that near to halfway between two doubles: it is rounded as the true one is.
        """
        if not v.FUSED:
            return builder.fdiv(x, divisor)
        q = builder.fmul(x, reciprocal)
        return v.fused(builder, v.fused(builder, builder.fneg(divisor), q, x), reciprocal, q)
