"""How many test rows their nearest neighbour gets right when one column is added to a subset, or taken out of it.

The distances of a subset are summed once a test row; a column more costs one pass over them. A column less is never
subtracted: the sum of the columns before it is joined with the sum of those after it, three passes whatever the
number of columns. Both sums are not in the order that defines a distance (columns ascending, one after the other), so
they may be off by a few last bits; `slack` bounds by how much. Where two classes come nearer to each other than that,
the rows in question are summed again in the defining order, and the exact minimum and the tie rule decide. The
predictions are those of a plain scan, bit for bit.

Throughout, `values` and `how` of shape (M,) tell how one test row meets the M columns (see `read_rows`).
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.nearest_curve import read_row, skip_four, step_any
from fsbench.kernels.nearest_layout import CLASS, FILLED, PLAIN, START, STOP, Space
from fsbench.kernels.nearest_prepare import widest
from fsbench.kernels.wrapper_sums import (
    add_any,
    add_four,
    four_plain,
    least_of_sums,
    least_with,
    least_with_any,
    least_without_four,
)
from fsbench.values import FloatArray, IntArray

__all__ = ["count_added", "count_removed", "extend_sums", "read_rows"]


@jit_bare
def add_columns(
    space: Space, start: int, stop: int, subset: IntArray, values: FloatArray, how: IntArray, a: FloatArray
) -> None:
    """Add the columns of `subset`, one after the other, to `a`, over the slots from `start` to `stop`."""
    z, p = space.z, 0
    while p < len(subset):
        f = subset[p]
        if four_plain(subset, p, how):
            g, h, i = subset[p + 1], subset[p + 2], subset[p + 3]
            c0, c1, c2, c3 = z[f, start:stop], z[g, start:stop], z[h, start:stop], z[i, start:stop]
            add_four(a, c0, c1, c2, c3, values[f], values[g], values[h], values[i])
            p += 4
        else:
            add_any(a, z[f, start:stop], values[f], how[f], space.bounds[f])
            p += 1


@jit_bare
def resolve(
    space: Space,
    subset: IntArray,
    values: FloatArray,
    how: IntArray,
    least: FloatArray,
    limit: float,
    by_place: bool,
    buffer: FloatArray,
    votes: IntArray,
) -> int:
    """Sum the rows of the tiles within `limit` in the defining order; return the class of the nearest."""
    best, winner, place = np.inf, 0, 0
    for tile in range(len(space.tiles)):
        if least[tile] > limit:
            continue
        start, stop, c = space.tiles[tile, START], space.tiles[tile, STOP], space.tiles[tile, CLASS]
        a = buffer[: stop - start]
        a[:] = 0.0
        add_columns(space, start, stop, subset, values, how, a)
        for j in range(stop - start):
            if a[j] > best:
                continue
            if a[j] < best:
                best, winner, place = a[j], c, space.places[start + j]
                votes[:] = 0
            elif space.places[start + j] < place:
                winner, place = c, space.places[start + j]
            votes[c] += 1
    return winner if by_place else int(np.argmax(votes))


@jit_bare
def nearest_class(tiles: IntArray, least: FloatArray, slack: float) -> tuple[int, float]:
    """Return the class of the tile with the smallest distance, and up to where another class is in doubt.

    The second is -1 if no tile of another class comes that near.
    """
    near = 0
    for tile in range(1, len(tiles)):
        if least[tile] < least[near]:
            near = tile
    c, limit = tiles[near, CLASS], least[near] + least[near] * slack
    for tile in range(len(tiles)):
        if least[tile] <= limit and tiles[tile, CLASS] != c:
            return c, limit
    return c, -1.0


@jit_bare
def toggled(subset: IntArray, candidate: int, out: IntArray) -> int:
    """Write `subset` (ascending) with `candidate` added or removed to `out`; return how many columns that is."""
    n, waiting = 0, True
    for f in subset:
        if waiting and candidate <= f:
            waiting = False
            if candidate == f:
                continue
            out[n] = candidate
            n += 1
        out[n] = f
        n += 1
    if waiting:
        out[n] = candidate
        n += 1
    return n


@jit_bare
def read_rows(space: Space, XT: FloatArray, rows: IntArray, values: FloatArray, how: IntArray) -> None:
    """Fill `values` and `how` of shape (n_rows, M) for test rows, see `nearest_curve.read_row`."""
    for i in range(len(rows)):
        read_row(XT, space.columns, rows[i], space.kinds, space.bounds, values[i], how[i])


@jit_bare
def extend_sums(space: Space, values: FloatArray, how: IntArray, subset: IntArray, sums: FloatArray) -> None:
    """Add the columns of `subset`, in this order, to the sums of squared differences of each test row.

    Parameters
    ----------
    space : Space
        The training rows.
    values, how : ndarray of shape (n_rows, M)
        The test rows.
    subset : ndarray of int64
        Columns.
    sums : ndarray of shape (n_rows, n_slots)
        Changed.
    """
    for i in range(len(sums)):
        add_columns(space, 0, space.z.shape[1], subset, values[i], how[i], sums[i])


@jit
def count_added(
    space: Space,
    values: FloatArray,
    how: IntArray,
    truth: IntArray,
    sums: FloatArray,
    subset: IntArray,
    candidates: IntArray,
    slack: float,
    by_place: bool,
    n_classes: int,
    right: IntArray,
) -> None:
    """Count the test rows predicted right by `subset` and one candidate more.

    Parameters
    ----------
    space : Space
        The training rows.
    values, how : ndarray of shape (n_rows, M)
        The test rows.
    truth : ndarray of shape (n_rows,)
        Their classes.
    sums : ndarray of shape (n_rows, n_slots)
        Squared distances over `subset`, see `extend_sums`. They begin with zeros, or with fractions of one in the
        order of the places. The latter serve data whose distances are whole numbers: no two rows tie any more.
    subset : ndarray of int64
        Columns, ascending.
    candidates : ndarray of int64
        Columns outside `subset`, ascending.
    slack : float
        Bound of the relative error of two sums in other orders than the ascending one; 0 if sums are exact.
    by_place : bool
        Ties: the earliest place decides, or the rows vote.
    n_classes : int
    right : ndarray of shape (n_candidates,)
        Output, added to.
    """
    least = np.empty((len(truth), len(candidates), len(space.tiles)))
    buffer = np.empty(widest(space.tiles))
    for tile in range(len(space.tiles)):
        start, stop = space.tiles[tile, START], space.tiles[tile, FILLED]
        spare = buffer[: stop - start]
        for i in range(len(truth)):
            a = sums[i, start:stop]
            for k in range(len(candidates)):
                f = candidates[k]
                c, t = space.z[f, start:stop], values[i, f]
                if how[i, f] == PLAIN:
                    least[i, k, tile] = least_with(a, c, t)
                else:
                    least[i, k, tile] = least_with_any(a, c, t, how[i, f], space.bounds[f], spare)
    count_right(space, values, how, truth, subset, candidates, least, slack, by_place, n_classes, right)


@jit
def count_removed(
    space: Space,
    values: FloatArray,
    how: IntArray,
    truth: IntArray,
    lead: FloatArray,
    subset: IntArray,
    candidates: IntArray,
    slack: float,
    by_place: bool,
    n_classes: int,
    right: IntArray,
) -> None:
    """Count the test rows predicted right by `subset` without one candidate; parameters as in `count_added`.

    `candidates` are members of `subset`, ascending; `lead` of shape (n_slots,) is what each sum begins with.
    """
    m, width = len(subset), widest(space.tiles)
    least = np.empty((len(truth), len(candidates), len(space.tiles)))
    buffer, after, without = np.empty(width), np.empty((m + 1, width)), np.empty(m)
    cuts = np.empty(m + 1, np.int64)
    for i in range(len(truth)):
        begin = cuts[: cut_blocks(subset, how[i], cuts) + 1]
        for tile in range(len(space.tiles)):
            start, stop = space.tiles[tile, START], space.tiles[tile, FILLED]
            sum_after(space, start, stop, subset, begin, values[i], how[i], after)
            a = buffer[: stop - start]
            for j in range(len(a)):
                a[j] = lead[start + j]
            least_without(space, start, stop, subset, begin, values[i], how[i], a, after, without)
            k = 0
            for p in range(m):
                if k < len(candidates) and candidates[k] == subset[p]:
                    least[i, k, tile] = without[p]
                    k += 1
    count_right(space, values, how, truth, subset, candidates, least, slack, by_place, n_classes, right)


@jit_bare
def cut_blocks(subset: IntArray, how: IntArray, begin: IntArray) -> int:
    """Cut `subset` into blocks of four plain columns and single ones; write where each begins, return their number."""
    blocks, p = 0, 0
    while p < len(subset):
        begin[blocks] = p
        blocks += 1
        p += 4 if four_plain(subset, p, how) else 1
    begin[blocks] = p
    return blocks


@jit_bare
def sum_after(
    space: Space,
    start: int,
    stop: int,
    subset: IntArray,
    begin: IntArray,
    values: FloatArray,
    how: IntArray,
    after: FloatArray,
) -> None:
    """Fill after[k] with the sum of all columns from block k on."""
    z, span, last = space.z, stop - start, len(begin) - 1
    after[last, :span] = 0.0
    for k in range(last - 1, 0, -1):
        p, rest, a = begin[k], after[k + 1, :span], after[k, :span]
        f = subset[p]
        if begin[k + 1] == p + 4:
            g, h, i = subset[p + 1], subset[p + 2], subset[p + 3]
            c0, c1, c2, c3 = z[f, start:stop], z[g, start:stop], z[h, start:stop], z[i, start:stop]
            skip_four(rest, a, c0, c1, c2, c3, values[f], values[g], values[h], values[i])
        else:
            step_any(rest, a, z[f, start:stop], values[f], how[f], space.bounds[f])


@jit_bare
def least_without(
    space: Space,
    start: int,
    stop: int,
    subset: IntArray,
    begin: IntArray,
    values: FloatArray,
    how: IntArray,
    a: FloatArray,
    after: FloatArray,
    without: FloatArray,
) -> None:
    """Fill without[p] with the smallest sum of all columns but the p-th; `a` holds what the sums begin with."""
    z = space.z
    for k in range(len(begin) - 1):
        p = begin[k]
        f, rest = subset[p], after[k + 1, : stop - start]
        if begin[k + 1] == p + 4:
            g, h, i = subset[p + 1], subset[p + 2], subset[p + 3]
            c0, c1, c2, c3 = z[f, start:stop], z[g, start:stop], z[h, start:stop], z[i, start:stop]
            without[p], without[p + 1], without[p + 2], without[p + 3] = least_without_four(
                a, rest, c0, c1, c2, c3, values[f], values[g], values[h], values[i]
            )  # fmt: skip
        else:
            without[p] = least_of_sums(a, rest)
            add_any(a, z[f, start:stop], values[f], how[f], space.bounds[f])


@jit
def count_right(
    space: Space,
    values: FloatArray,
    how: IntArray,
    truth: IntArray,
    subset: IntArray,
    candidates: IntArray,
    least: FloatArray,
    slack: float,
    by_place: bool,
    n_classes: int,
    right: IntArray,
) -> None:
    """Turn the tiles' smallest distances into predictions, and count those that are right."""
    buffer, whole = np.empty(widest(space.tiles)), np.empty(len(subset) + 1, np.int64)
    votes = np.zeros(n_classes, np.int64)
    for k in range(len(candidates)):
        n = toggled(subset, candidates[k], whole)
        for i in range(len(truth)):
            c, limit = nearest_class(space.tiles, least[i, k], slack)
            if limit >= 0.0:
                c = resolve(space, whole[:n], values[i], how[i], least[i, k], limit, by_place, buffer, votes)
            right[k] += c == truth[i]
