"""Dividing sorted lists of rows among the branches of a split, keeping their order."""

from __future__ import annotations

from fsbench.kernels.jit import jit
from fsbench.kernels.tree_table import Int32Array, UIntArray, u64
from fsbench.values import IntArray

__all__ = ["divide_many", "divide_two", "keep_first", "keep_second"]


@jit
def divide_two(source: UIntArray, target: UIntArray, spare: UIntArray, side: Int32Array, low: int, mask: int) -> None:
    """Put the rows of the first branch before those of the second.

    Parameters
    ----------
    source : ndarray of uint64
        Rows, each held in the bits from `low` on under `mask`.
    target : ndarray of the same size, filled
        May be `source`.
    spare : ndarray of at least that size
        Work space.
    side : ndarray of int32
        0 or 1 for every row of the data.
    low, mask : int
        Where an element holds its row.
    """
    shift, rows, one = u64(low), u64(mask), u64(1)
    n = u64(source.size)
    i, a, b = u64(0), u64(0), u64(0)
    while i < n:
        x = source[i]
        right = u64(side[(x >> shift) & rows])
        # Both are written, one cursor moves on: no branch that the processor could guess wrong.
        target[a] = x
        spare[b] = x
        a += one - right
        b += right
        i += one
    i = u64(0)
    while i < b:
        target[a + i] = spare[i]
        i += one


@jit
def keep_first(source: UIntArray, target: UIntArray, side: Int32Array, low: int, mask: int) -> None:
    """Put the rows of the first branch at the beginning of `target`; what comes after them is undefined."""
    shift, rows, one = u64(low), u64(mask), u64(1)
    n = u64(source.size)
    i, a = u64(0), u64(0)
    while i < n:
        x = source[i]
        target[a] = x
        a += one - u64(side[(x >> shift) & rows])
        i += one


@jit
def keep_second(source: UIntArray, target: UIntArray, side: Int32Array, low: int, mask: int) -> None:
    """Put the rows of the second branch at the end of `target`; what comes before them is undefined."""
    shift, rows, one = u64(low), u64(mask), u64(1)
    i = u64(source.size)
    b = i
    while i > 0:
        i -= one
        x = source[i]
        target[b - one] = x
        b -= u64(side[(x >> shift) & rows])
        if b == 0:
            break


@jit
def divide_many(
    source: UIntArray,
    target: UIntArray,
    spare: UIntArray,
    branch: Int32Array,
    low: int,
    mask: int,
    starts: IntArray,
    n_branches: int,
    cursor: UIntArray,
) -> None:
    """Put the rows branch by branch.

    Parameters
    ----------
    source, target, spare, low, mask
        As in `divide_two`.
    branch : ndarray of int32
        The branch of every row of the data.
    starts : ndarray of int64
        Where each branch begins in `target`.
    n_branches : int
        Number of branches.
    cursor : ndarray of uint64 of shape (>= n_branches,)
        Work space.
    """
    shift, rows, one = u64(low), u64(mask), u64(1)
    n = u64(source.size)
    for b in range(n_branches):
        cursor[b] = u64(starts[b])
    i = u64(0)
    while i < n:
        x = source[i]
        b = u64(branch[(x >> shift) & rows])
        spare[cursor[b]] = x
        cursor[b] += one
        i += one
    i = u64(0)
    while i < n:
        target[i] = spare[i]
        i += one
