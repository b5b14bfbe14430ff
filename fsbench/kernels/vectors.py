"""Short vectors in the intermediate language of the compiler, for the few loops it does not vectorise by itself."""

from __future__ import annotations

import platform
from typing import Any

import llvmlite.binding  # type: ignore[import-untyped]
from llvmlite import ir
from numba.core import cgutils

__all__ = ["DOUBLES", "FUSED", "LANES", "WHOLES"]
__all__ += ["absolute", "array", "fused", "larger", "load", "smaller", "spread", "store"]

LANES = 8
DOUBLES, WHOLES = ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(ir.IntType(64), LANES)
INDEX = ir.IntType(32)
# Where the processor has no fused multiplication and addition, a library call takes longer than a division.
FUSED = bool(llvmlite.binding.get_host_cpu_features().get("fma", False)) or platform.machine() in ("arm64", "aarch64")


def array(context: Any, builder: Any, signature: Any, arguments: Any, i: int) -> Any:
    """Return the structure of an argument that is an array."""
    return context.make_array(signature.args[i])(context, builder, arguments[i])


def load(builder: Any, data: Any, at: Any) -> Any:
    """Load the doubles from place `at` on."""
    return builder.load(builder.bitcast(builder.gep(data, [at]), DOUBLES.as_pointer()), align=8)


def store(builder: Any, vector: Any, data: Any, at: Any) -> None:
    """Store doubles from place `at` on."""
    builder.store(vector, builder.bitcast(builder.gep(data, [at]), DOUBLES.as_pointer()), align=8)


def spread(builder: Any, number: Any) -> Any:
    """Return a vector of one number."""
    vector = ir.VectorType(number.type, LANES)
    nothing = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(INDEX, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(INDEX, LANES), [0] * LANES))


def absolute(builder: Any, x: Any) -> Any:
    """Return the absolute values of doubles."""
    return _call(builder, "llvm.fabs", [x])


def fused(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """Return ``a * b + c``, rounded once."""
    return _call(builder, "llvm.fma", [a, b, c])


def smaller(builder: Any, a: Any, b: Any) -> Any:
    """Return the smaller double of each lane; none is NaN."""
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def larger(builder: Any, a: Any, b: Any) -> Any:
    """Return the larger double of each lane; none is NaN."""
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _call(builder: Any, name: str, arguments: list[Any]) -> Any:
    kind = ir.FunctionType(DOUBLES, [DOUBLES] * len(arguments))
    function = cgutils.get_or_insert_function(builder.module, kind, f"{name}.v{LANES}f64")  # type: ignore[no-untyped-call]
    return builder.call(function, arguments)
