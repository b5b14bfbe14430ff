"""The node table of a growing tree, and the pessimistic error estimate of C4.5.

Nodes are immutable and shared by their numbers between the trees of different feature prefixes. Node 0 is the empty
leaf. A node is one row of int32: the fields below, then its rows of each class; `slots` holds the numbers of its
children.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit_bare, jit_inline
from fsbench.values import FloatArray

__all__ = [
    "COUNT",
    "ERRORS",
    "FIRST",
    "KIDS",
    "LEAVES",
    "ROWS",
    "SIZE",
    "SPLIT",
    "TEST",
    "VOTE",
]
__all__ += [
    "Int32Array",
    "Number",
    "UIntArray",
    "added_errors",
    "f64",
    "i32",
    "i64",
    "make_leaf",
    "make_split",
    "u64",
]

Int32Array = npt.NDArray[np.int32]
UIntArray = npt.NDArray[np.uint64]

# Compiled code knows one kind of number of each size; the type checker would tell numpy's from Python's everywhere.
Number: TypeAlias = Any
i32: Any = np.int32
i64: Any = np.int64
u64: Any = np.uint64
f64: Any = np.float64

# SPLIT: the feature, -1 in a leaf. TEST: the code up to which rows go to the first child, -1 if the feature is nominal.
# FIRST, KIDS: where the children stand in `slots`, and how many. ERRORS: rows not of the class VOTE.
SPLIT, TEST, ROWS, FIRST, KIDS, SIZE, LEAVES, ERRORS, VOTE, COUNT = range(10)


@jit_bare
def added_errors(n: float, e: float, z: float, base: FloatArray) -> Number:
    """Errors to add to e of n rows: the upper limit of a binomial, as C4.5 estimates it.

    Parameters
    ----------
    n, e : float
        Whole numbers, 0 <= e <= n, n > 0.
    z : float
        Normal quantile of 1 - CF.
    base : ndarray
        ``n * (1 - CF ** (1 / n))``, the exact limit without errors.

    Notes
    -----
    With errors the limit of the proportion f = (e + 0.5) / n is
    ``(f + z^2/2n + z sqrt(f/n - f^2/n + z^2/4n^2)) / (1 + z^2/n)``.
    """
    if e == 0.0:
        return base[int(n)]
    if e + 0.5 >= n:
        return n - e
    f = (e + 0.5) / n
    r = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return r * n - e


@jit_bare
def make_leaf(nodes: Int32Array, estimate: FloatArray, node: int, z: float, base: FloatArray) -> None:
    """Finish the leaf whose class counts stand in the table already."""
    row = nodes[node]
    n, most, vote = 0, 0, 0
    for c in range(row.size - COUNT):
        k = row[COUNT + c]
        n += k
        if k > most:
            most, vote = k, c
    row[SPLIT] = -1
    row[TEST] = -1
    row[ROWS] = n
    row[FIRST] = 0
    row[KIDS] = 0
    row[SIZE] = 1
    row[LEAVES] = 1
    row[ERRORS] = n - most
    row[VOTE] = vote
    e = float(n - most)
    estimate[node] = e + added_errors(float(n), e, z, base) if n > 0 else 0.0


@jit_inline
def make_split(
    nodes: Int32Array,
    estimate: FloatArray,
    slots: Int32Array,
    node: int,
    feature: int,
    test: int,
    first: int,
    kids: int,
) -> None:
    """Finish the inner node whose children stand in `slots` already; its class counts are theirs."""
    row = nodes[node]
    for c in range(row.size - COUNT):
        row[COUNT + c] = 0
    size, leaves, total = 1, 0, 0.0
    for s in range(first, first + kids):
        kid = nodes[slots[s]]
        size += kid[SIZE]
        leaves += kid[LEAVES]
        total += estimate[slots[s]]
        for c in range(row.size - COUNT):
            row[COUNT + c] += kid[COUNT + c]
    n, most, vote = 0, 0, 0
    for c in range(row.size - COUNT):
        k = row[COUNT + c]
        n += k
        if k > most:
            most, vote = k, c
    row[SPLIT] = feature
    row[TEST] = test
    row[ROWS] = n
    row[FIRST] = first
    row[KIDS] = kids
    row[SIZE] = size
    row[LEAVES] = leaves
    row[ERRORS] = n - most
    row[VOTE] = vote
    estimate[node] = total
