# ruff: noqa: ARG001 - numba prescribes the parameters of an intrinsic and of its generator
"""ReliefF: the nearest rows of a class for eight probes side by side, one in each lane of the vector units.

The keys are those of `fsbench.kernels.relieff_select.scan_few`, and so is the order they leave the slots in. An empty
slot has a key beyond all distances, so filling the slots is no case of its own. Nothing depends on a comparison that
the processor would have to foresee: that makes this the faster way for classes of up to some hundred rows, of which
many enter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from fsbench.kernels import vectors as v
from fsbench.kernels.relieff_select import FEW_SLOTS, MOST, OF_DOUBLES, SLOT_BITS, SLOTS

__all__ = ["PROBES", "scan_probes"]

PROBES = v.LANES

if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the plain meaning, for running the kernels as Python

    def scan_probes(
        rows: Any, kinds: Any, own: Any, probes: Any, start: Any, stop: Any, size: Any, slots: Any, numeric: Any
    ) -> bool:
        """Fill slots with the nearest rows of start .. stop - 1; return whether a distance is strange."""
        strange = False
        for lane in range(PROBES):
            kept = [MOST] * size
            for j in range(start, stop):
                if j == probes[lane]:
                    continue
                total = 0.0
                for f in range(len(kinds)):
                    a, b = own[f, lane], rows[j, f]
                    total += abs(a - b) if kinds[f] == 0 else float(a != b)
                above = int(np.float64(total).view(np.int64)) + OF_DOUBLES
                strange |= above >= MOST or (above <= 0 and total != 0.0)
                worst = kept.index(max(kept))
                if max(above, 0) < kept[worst]:
                    kept[worst], slots[lane, worst] = max(above, 0), j
        return strange

else:
    from llvmlite import ir
    from numba.core import cgutils

    @intrinsic
    def scan_probes(typing, rows, kinds, own, probes, start, stop, size, slots, numeric):
        """Fill slots with the nearest rows of start .. stop - 1; return whether a distance is strange.

        Rows is an array of rows by features, kinds tells 0 numeric from 2 nominal, own holds the values of the probes
        by feature and lane, probes their rows. Slots, of 16 a lane, gets the rows; in the last one of each lane stands
        what is not near. Size is the number of slots, at most `FEW_SLOTS`. Numeric tells whether all kinds are 0.
        """

        def generate(context, builder, signature, arguments):
            rows, kinds, own, probes, slots = (
                v.array(context, builder, signature, arguments, i) for i in (0, 1, 2, 3, 7)
            )
            start, stop, size = arguments[4:7]
            scan = _Scan(builder, size)
            lanes = builder.bitcast(probes.data, v.WHOLES.as_pointer())
            itself = builder.load(lanes, align=8)
            width = cgutils.unpack_tuple(builder, rows.shape)[1]
            with cgutils.for_range_slice(builder, start, stop, start.type(1)) as (j, _):
                total = _distances(builder, rows, kinds, own, arguments[8], j, width)
                same = builder.icmp_signed("==", v.spread(builder, j), itself)
                scan.take(builder.bitcast(total, v.WHOLES), same, j, slots.data)
            return scan.strange_lane()

        whole = types.int64
        return types.boolean(rows, kinds, own, probes, whole, whole, whole, slots, types.boolean), generate

    def _distances(builder, rows, kinds, own, numeric, j, width):
        """Return the distances of a row: sums of differences, added feature by feature."""
        total = cgutils.alloca_once_value(builder, ir.Constant(v.DOUBLES, [0.0] * v.LANES))
        line = builder.mul(j, width)

        def add(f, difference):
            x = v.spread(builder, builder.load(builder.gep(rows.data, [builder.add(line, f)])))
            mine = v.load(builder, own.data, builder.mul(f, width.type(v.LANES)))
            builder.store(builder.fadd(builder.load(total), difference(mine, x)), total)

        def apart(mine, x):
            return v.absolute(builder, builder.fsub(mine, x))

        def unequal(mine, x):
            one, none = (ir.Constant(v.DOUBLES, [value] * v.LANES) for value in (1.0, 0.0))
            return builder.select(builder.fcmp_unordered("!=", mine, x), one, none)

        with builder.if_else(numeric) as (all_numbers, mixed):
            with all_numbers, cgutils.for_range(builder, width) as loop:
                add(loop.index, apart)
            with mixed, cgutils.for_range(builder, width) as loop:
                kind = builder.load(builder.gep(kinds.data, [loop.index]))
                with builder.if_else(builder.icmp_signed("==", kind, kind.type(0))) as (number, label):
                    with number:
                        add(loop.index, apart)
                    with label:
                        add(loop.index, unequal)
        return builder.load(total)

    class _Scan:
        """The keys of the rows kept so far, in descending order, and the steps on them."""

        def __init__(self, builder, size):
            self.builder = builder
            self.strange = cgutils.alloca_once_value(builder, ir.Constant(v.WHOLES, [0] * v.LANES))
            self.kept = []
            for slot in range(FEW_SLOTS):
                empty = ir.Constant(ir.IntType(64), (MOST << SLOT_BITS) | (SLOTS - slot))
                nothing = ir.Constant(ir.IntType(64), int(np.float64(-1.0).view(np.int64)))
                there = builder.icmp_signed(">", size, size.type(slot))
                key = v.spread(builder, builder.select(there, empty, nothing))
                self.kept.append(cgutils.alloca_once_value(builder, builder.bitcast(key, v.DOUBLES)))

        def constant(self, number):
            return ir.Constant(v.WHOLES, [number] * v.LANES)

        def take(self, bits, itself, j, slots):
            """Let the row j enter where it is nearer than the worst row kept."""
            builder, constant = self.builder, self.constant
            above = builder.add(bits, constant(OF_DOUBLES))
            positive = builder.icmp_signed(">", above, constant(0))
            far = builder.icmp_signed(">=", above, constant(MOST))
            tiny = builder.and_(builder.not_(positive), builder.icmp_signed("!=", bits, constant(0)))
            strange = builder.and_(builder.or_(far, tiny), builder.not_(itself))
            builder.store(builder.or_(builder.load(self.strange), builder.sext(strange, v.WHOLES)), self.strange)
            above = builder.select(positive, above, constant(0))
            above = builder.select(builder.or_(itself, far), constant(MOST), above)

            kept = [builder.load(place) for place in self.kept]
            worst = builder.bitcast(kept[0], v.WHOLES)
            slot = builder.and_(worst, constant(SLOTS))
            key = builder.or_(builder.shl(above, constant(SLOT_BITS)), slot)
            enters = builder.icmp_signed("<", key, worst)
            place = builder.select(enters, builder.sub(constant(SLOTS), slot), constant(SLOTS))
            row = builder.trunc(j, ir.IntType(32))
            for lane in range(v.LANES):
                at = builder.extract_element(place, ir.Constant(ir.IntType(32), lane))
                builder.store(row, builder.gep(slots, [builder.add(at, at.type((SLOTS + 1) * lane))]))
            x = builder.bitcast(key, v.DOUBLES)
            for a, b, to in zip(kept, [*kept[1:], None], self.kept, strict=True):
                less = v.smaller(builder, a, x)
                builder.store(less if b is None else v.larger(builder, b, less), to)

        def strange_lane(self):
            """Return whether a distance of any lane was strange."""
            found = self.builder.icmp_signed("!=", self.builder.load(self.strange), self.constant(0))
            bits = self.builder.bitcast(found, ir.IntType(v.LANES))
            return self.builder.icmp_unsigned("!=", bits, bits.type(0))
