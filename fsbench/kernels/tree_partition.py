"""Dividing sorted lists of rows among the branches of a split, keeping their order."""

from __future__ import annotations

from fsbench.kernels.jit import jit_inline
from fsbench.kernels.tree_table import Int32Array, UIntArray, u64
from fsbench.values import IntArray

__all__ = ["divide_many", "divide_two", "keep_first", "keep_second"]


@jit_inline
def divide_two(
    pool: UIntArray,
    source: int,
    target: int,
    rows: int,
    spare: UIntArray,
    codes: Int32Array,
    test: int,
    low: int,
    mask: int,
) -> None:
    """Put the rows of the first branch before those of the second.

    Parameters
    ----------
    pool : ndarray of uint64, changed
        Rows, each held in the bits from `low` on under `mask`.
    source, target, rows : int
        Where they stand, where they go (may be the same place), and how many they are.
    spare : ndarray of at least that size
        Work space.
    codes : ndarray of int32
        The code of every row of the data.
    test : int
        The code up to which rows go to the first branch.
    low, mask : int
        Where an element holds its row.
    """
    shift, wide, one = u64(low), u64(mask), u64(1)
    here, there = u64(source), u64(target)
    n = u64(rows)
    i, a, b = u64(0), u64(0), u64(0)
    while i < n:
        x = pool[here + i]
        right = u64(codes[(x >> shift) & wide] > test)
        # Both are written, one cursor moves on: no branch that the processor could guess wrong.
        pool[there + a] = x
        spare[b] = x
        a += one - right
        b += right
        i += one
    i = u64(0)
    while i < b:
        pool[there + a + i] = spare[i]
        i += one


@jit_inline
def keep_first(
    pool: UIntArray,
    source: int,
    target: int,
    rows: int,
    codes: Int32Array,
    test: int,
    low: int,
    mask: int,
) -> None:
    """Put the rows of the first branch at the beginning of the target; what comes after them is undefined."""
    shift, wide, one = u64(low), u64(mask), u64(1)
    here, there = u64(source), u64(target)
    n = u64(rows)
    i, a = u64(0), u64(0)
    while i < n:
        x = pool[here + i]
        pool[there + a] = x
        a += one - u64(codes[(x >> shift) & wide] > test)
        i += one


@jit_inline
def keep_second(
    pool: UIntArray,
    source: int,
    target: int,
    rows: int,
    codes: Int32Array,
    test: int,
    low: int,
    mask: int,
) -> None:
    """Put the rows of the second branch at the end of the target; what comes before them is undefined."""
    shift, wide, one = u64(low), u64(mask), u64(1)
    here, there = u64(source), u64(target)
    i = u64(rows)
    b = i
    while i > 0:
        i -= one
        x = pool[here + i]
        pool[there + b - one] = x
        b -= u64(codes[(x >> shift) & wide] > test)
        if b == 0:
            break


@jit_inline
def divide_many(
    pool: UIntArray,
    source: int,
    target: int,
    rows: int,
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
    pool, source, target, rows, spare, low, mask
        As in `divide_two`.
    branch : ndarray of int32
        The branch of every row of the data.
    starts : ndarray of int64
        Where each branch begins, counted from `target`.
    n_branches : int
        Number of branches.
    cursor : ndarray of uint64 of shape (>= n_branches,)
        Work space.
    """
    shift, wide, one = u64(low), u64(mask), u64(1)
    here, there = u64(source), u64(target)
    n = u64(rows)
    for b in range(n_branches):
        cursor[b] = u64(starts[b])
    i = u64(0)
    while i < n:
        x = pool[here + i]
        b = u64(branch[(x >> shift) & wide])
        spare[cursor[b]] = x
        cursor[b] += one
        i += one
    i = u64(0)
    while i < n:
        pool[there + i] = spare[i]
        i += one
