"""Loops over the training rows of one tile for the wrapper searches: sums of squared differences and their minima.

Every loop works on one array in place: two arguments that may overlap keep LLVM from using the vector units. The
plain column, by far the most frequent, has loops of its own: they are only fast while they stay small enough to be
built into their callers.
`how` tells how a column meets a test row, `bound` its range (see `nearest_layout`).
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit_bare
from fsbench.kernels.nearest_layout import FAR, GAPPED, NEAR, NOMINAL, PLAIN
from fsbench.kernels.nearest_typed import smaller
from fsbench.values import FloatArray, IntArray

__all__ = ["add_any", "add_four", "four_plain", "least_of_sums", "least_with", "least_with_any"]
__all__ += ["least_without_four"]


@jit_bare
def add_any(a: FloatArray, c: FloatArray, t: float, how: int, bound: FloatArray) -> None:
    """Add the squared differences of one column of any kind to `a`, as `nearest_curve.step_any` has them."""
    if how == PLAIN:
        for j in range(len(a)):
            d = t - c[j]
            a[j] += d * d
    elif how == NOMINAL:
        for j in range(len(a)):
            a[j] += 1.0 if c[j] != t else 0.0
    elif how == GAPPED:
        w = max(t - bound[NEAR], bound[FAR] - t)
        for j in range(len(a)):
            d = t - c[j] if c[j] == c[j] else w
            a[j] += d * d
    else:
        near, far = bound[NEAR], bound[FAR]
        for j in range(len(a)):
            d = max(c[j] - near, far - c[j]) if c[j] == c[j] else far - near
            a[j] += d * d


@jit_bare
def add_four(
    a: FloatArray,
    c0: FloatArray,
    c1: FloatArray,
    c2: FloatArray,
    c3: FloatArray,
    t0: float,
    t1: float,
    t2: float,
    t3: float,
) -> None:
    """Add the squared differences of four plain columns to `a`, one after the other."""
    for j in range(len(a)):
        d = t0 - c0[j]
        s = a[j] + d * d
        d = t1 - c1[j]
        s += d * d
        d = t2 - c2[j]
        s += d * d
        d = t3 - c3[j]
        a[j] = s + d * d


@jit_bare
def least_with(a: FloatArray, c: FloatArray, t: float) -> float:
    """Return the smallest sum of `a` and one plain column."""
    m = np.inf
    for j in range(len(a)):
        d = t - c[j]
        m = smaller(m, a[j] + d * d)
    return m


@jit_bare
def least_with_any(a: FloatArray, c: FloatArray, t: float, how: int, bound: FloatArray, spare: FloatArray) -> float:
    """Return the smallest sum of `a` and one column of any kind; `spare`, as long as `a`, is overwritten."""
    for j in range(len(a)):  # copying by slices would ask for memory of its own
        spare[j] = a[j]
    add_any(spare, c, t, how, bound)
    m = np.inf
    for j in range(len(a)):
        m = smaller(m, spare[j])
    return m


@jit_bare
def least_of_sums(a: FloatArray, b: FloatArray) -> float:
    """Return the smallest a + b."""
    m = np.inf
    for j in range(len(a)):
        m = smaller(m, a[j] + b[j])
    return m


@jit_bare
def least_without_four(
    a: FloatArray,
    after: FloatArray,
    c0: FloatArray,
    c1: FloatArray,
    c2: FloatArray,
    c3: FloatArray,
    t0: float,
    t1: float,
    t2: float,
    t3: float,
) -> tuple[float, float, float, float]:
    """Return the smallest sums of `a`, `after` and three of four plain columns: without the first, the second, ...

    Meanwhile a += the four columns.
    """
    m0 = m1 = m2 = m3 = np.inf
    for j in range(len(a)):
        s, r3 = a[j], after[j]
        d = t3 - c3[j]
        d3 = d * d
        d = t2 - c2[j]
        d2 = d * d
        d = t1 - c1[j]
        d1 = d * d
        d = t0 - c0[j]
        d0 = d * d
        r2 = r3 + d3
        r1 = r2 + d2
        m0 = smaller(m0, s + (r1 + d1))
        s += d0
        m1 = smaller(m1, s + r1)
        s += d1
        m2 = smaller(m2, s + r2)
        s += d2
        m3 = smaller(m3, s + r3)
        a[j] = s + d3
    return m0, m1, m2, m3


@jit_bare
def four_plain(columns: IntArray, p: int, how: IntArray) -> bool:
    """Whether the columns p to p + 3 are there and plain."""
    return bool(
        p + 4 <= len(columns)
        and how[columns[p]] == PLAIN
        and how[columns[p + 1]] == PLAIN
        and how[columns[p + 2]] == PLAIN
        and how[columns[p + 3]] == PLAIN
    )
