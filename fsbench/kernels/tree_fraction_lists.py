"""Sorted lists of the rows whose value is known, where values are missing."""

from __future__ import annotations

from fsbench.kernels.jit import jit_inline
from fsbench.kernels.tree_evaluate import LANE, PACKED, VALUES, VALUES_END
from fsbench.kernels.tree_table import Int32Array, UIntArray, i64, u64
from fsbench.values import IntArray

__all__ = ["copy_lists", "fill_lists"]


@jit_inline
def fill_lists(
    pool: UIntArray,
    packed: UIntArray,
    plan: IntArray,
    inside: Int32Array,
    layout: tuple[int, int, int, int],
    n: int,
    ends: Int32Array,
    lengths: IntArray,
) -> None:
    """Fill the first block of the pool: the known training rows of each numeric feature."""
    low, rows = u64(layout[0]), u64(layout[3])
    for u in range(plan.shape[0]):
        lane = plan[u, LANE]
        if lane == 0:
            continue
        source, at = packed[plan[u, PACKED]], (lane - 1) * n
        known = i64(ends[plan[u, VALUES_END] - 1]) if plan[u, VALUES_END] > plan[u, VALUES] else i64(0)
        for i in range(known):
            if inside[(source[i] >> low) & rows] != 0:
                pool[at] = source[i]
                at += 1
        lengths[lane] = at - (lane - 1) * n


@jit_inline
def copy_lists(
    pool: UIntArray,
    source: tuple[int, int],
    target: tuple[int, int],
    plan: IntArray,
    asked: IntArray,
    before: IntArray,
    after: IntArray,
    child: Int32Array,
    keep: Int32Array,
    layout: tuple[int, int, int, int],
) -> None:
    """Copy the lists of a child's rows, in order, for the features asked for; both may be the same block.

    Parameters
    ----------
    pool, plan, layout
        As in `fill_lists`.
    source, target : tuple
        Block and stride of the node's lists and of the child's.
    asked : ndarray of int64
        Lines of the plan.
    before, after : ndarray of int64
        Lengths of the lists; those of the child are filled in.
    child : ndarray of int32
        Its rows.
    keep : ndarray of int32
        0 for every row of the data, on entry and on return.
    """
    low, rows = u64(layout[0]), u64(layout[3])
    for i in range(child.size):
        keep[child[i]] = 1
    for j in range(asked.size):
        lane = plan[asked[j], LANE]
        if lane == 0:
            continue
        s, t = (
            source[0] + (lane - 1) * source[1],
            u64(target[0] + (lane - 1) * target[1]),
        )
        begin = t
        for i in range(before[lane]):
            x = pool[s + i]
            pool[t] = x
            t += u64(keep[(x >> low) & rows])
        after[lane] = i64(t - begin)
    for i in range(child.size):
        keep[child[i]] = 0
