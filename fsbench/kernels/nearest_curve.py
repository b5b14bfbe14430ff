"""The nearest neighbour (k = 1) at every prefix of a ranking, in one pass over the pairs of rows.

Squared distances add up feature by feature, so the distances at a prefix are those of the one before plus a column.
Rows stand in tiles of one class: where the smallest distance is attained in tiles of one class only, that class is
the answer, whatever number of rows attain it. Only where classes tie (a *conflict*) a second sweep looks at rows.

    for a block of test rows, for each tile, for four columns at a time, for each test row of the block:
        b = a + the four columns, and the smallest sum after each; swap a and b
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.nearest_layout import (
    ABSENT,
    CLASS,
    FAR,
    FILLED,
    GAPPED,
    HIGH,
    LOW,
    NEAR,
    NOMINAL,
    PLAIN,
    SHIFT,
    START,
    STOP,
    WIDTH,
    Space,
)
from fsbench.kernels.nearest_prepare import lowest, most, rescale, widen, widest
from fsbench.kernels.nearest_typed import smaller
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["curve_by_tiles", "next_block", "read_row", "skip_four", "step_any", "step_four"]

BLOCK = 8  # test rows that share the columns of a tile while these are in the first-level cache


@jit_bare
def read_row(
    XT: FloatArray,
    columns: IntArray,
    row: int,
    kinds: IntArray,
    bounds: FloatArray,
    values: FloatArray,
    how: IntArray,
) -> None:
    """Scale one test row.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    columns : ndarray of shape (M,)
    row : int
    kinds, bounds
        As in `nearest_layout.Space`.
    values : ndarray of shape (M,)
        Output: scaled values, codes of nominal columns.
    how : ndarray of shape (M,)
        Output: the loop of `step_any` that each column needs.
    """
    for f in range(len(columns)):
        x = XT[columns[f], row]
        how[f] = kinds[f]
        if kinds[f] == NOMINAL:
            values[f] = x if x == x else -2.0  # equal to no code, nor to the -1 of a missing training value
        elif x != x:
            how[f] = ABSENT
            values[f] = 0.0
        elif bounds[f, WIDTH] == 0.0:
            values[f] = 0.0
        else:
            values[f] = (x - bounds[f, SHIFT]) / bounds[f, WIDTH]


@jit_bare
def widens(space: Space, XT: FloatArray, row: int) -> bool:
    """Tell whether a test row lies outside the range of some column."""
    for f in range(len(space.columns)):
        x = XT[space.columns[f], row]
        if space.kinds[f] != NOMINAL and (x < space.bounds[f, LOW] or x > space.bounds[f, HIGH]):
            return True
    return False


@jit_bare
def next_block(
    space: Space, XT: FloatArray, rows: IntArray, i: int, widening: bool, values: FloatArray, how: IntArray
) -> int:
    """Scale the test rows from i on, up to `len(values)` of them, as long as the ranges stay; return how many.

    Parameters
    ----------
    space : Space
    XT : ndarray of shape (n_features, n_rows)
    rows : ndarray of shape (n_test,)
    i : int
    widening : bool
        Row i may widen the ranges first; the training columns are scaled anew where it does.
    values, how : ndarray of shape (n_block, M)
        Output, see `read_row`.

    Returns
    -------
    int
    """
    columns, kinds, bounds = space.columns, space.kinds, space.bounds
    if widening:
        for f in range(len(columns)):
            if kinds[f] != NOMINAL and widen(bounds[f], XT[columns[f], rows[i]], space.mode):
                rescale(space.raw[f], bounds[f], space.z[f])
    count = 0
    while count < len(values) and i + count < len(rows):
        if widening and count > 0 and widens(space, XT, rows[i + count]):
            break
        read_row(XT, columns, rows[i + count], kinds, bounds, values[count], how[count])
        count += 1
    return count


@jit_bare
def step_four(
    a: FloatArray,
    b: FloatArray,
    c0: FloatArray,
    c1: FloatArray,
    c2: FloatArray,
    c3: FloatArray,
    t0: float,
    t1: float,
    t2: float,
    t3: float,
) -> tuple[float, float, float, float]:
    """Set b to a plus four plain columns; return the four smallest sums on the way.

    Parameters
    ----------
    a, b : ndarray of shape (n_slots,)
        Sums of squared differences; they must not overlap.
    c0, c1, c2, c3 : ndarray of shape (n_slots,)
        Columns, added one after the other.
    t0, t1, t2, t3 : float
        The test row's values.

    Returns
    -------
    tuple of four floats
    """
    m0 = m1 = m2 = m3 = np.inf
    for j in range(len(a)):
        d = t0 - c0[j]
        s = a[j] + d * d
        m0 = smaller(m0, s)
        d = t1 - c1[j]
        s += d * d
        m1 = smaller(m1, s)
        d = t2 - c2[j]
        s += d * d
        m2 = smaller(m2, s)
        d = t3 - c3[j]
        s += d * d
        m3 = smaller(m3, s)
        b[j] = s
    return m0, m1, m2, m3


@jit_bare
def skip_four(
    a: FloatArray,
    b: FloatArray,
    c0: FloatArray,
    c1: FloatArray,
    c2: FloatArray,
    c3: FloatArray,
    t0: float,
    t1: float,
    t2: float,
    t3: float,
) -> None:
    """Set b to a plus four plain columns; the parameters and the order of additions are those of `step_four`."""
    for j in range(len(a)):
        d = t0 - c0[j]
        s = a[j] + d * d
        d = t1 - c1[j]
        s += d * d
        d = t2 - c2[j]
        s += d * d
        d = t3 - c3[j]
        b[j] = s + d * d


@jit_bare
def step_any(a: FloatArray, b: FloatArray, c: FloatArray, t: float, how: int, bound: FloatArray) -> float:
    """Set b to a plus one column of any kind; return the smallest sum. `a` and `b` should not overlap: it is slower.

    A missing number lies as far from a known one as the range allows, and the whole range from a missing one.

    Parameters
    ----------
    a, b : ndarray of shape (n_slots,)
        Sums of squared differences.
    c : ndarray of shape (n_slots,)
        The column: scaled values, NaN where missing, or codes.
    t : float
        The test row's value.
    how : int
        PLAIN, NOMINAL, GAPPED or ABSENT.
    bound : ndarray of shape (6,)

    Returns
    -------
    float
    """
    m = np.inf
    if how == PLAIN:
        for j in range(len(a)):
            d = t - c[j]
            s = a[j] + d * d
            m = smaller(m, s)
            b[j] = s
    elif how == NOMINAL:
        for j in range(len(a)):
            s = a[j] + (1.0 if c[j] != t else 0.0)
            m = smaller(m, s)
            b[j] = s
    elif how == GAPPED:
        w = max(t - bound[NEAR], bound[FAR] - t)
        for j in range(len(a)):
            d = t - c[j] if c[j] == c[j] else w
            s = a[j] + d * d
            m = smaller(m, s)
            b[j] = s
    else:
        near, far = bound[NEAR], bound[FAR]
        for j in range(len(a)):
            d = max(c[j] - near, far - c[j]) if c[j] == c[j] else far - near
            s = a[j] + d * d
            m = smaller(m, s)
            b[j] = s
    return m


@jit_bare
def sweep_tile(
    space: Space,
    tile: int,
    order: IntArray,
    count: int,
    values: FloatArray,
    how: IntArray,
    first: int,
    buffers: FloatArray,
    side: IntArray,
    least: FloatArray,
) -> None:
    """Enter one tile's smallest distance at the prefixes first..len(order)-1 for `count` test rows.

    `buffers` of shape (n_rows, 2, widest) holds the sums a and b of each row, `side` which of them is a.
    """
    start, stop, K, z = space.tiles[tile, START], space.tiles[tile, FILLED], len(order), space.z
    span = stop - start
    for r in range(count):
        side[r] = 0
        buffers[r, 0, :span] = 0.0
    for p in range(0, K, 4):
        f0, f1 = order[p], order[min(p + 1, K - 1)]
        f2, f3 = order[min(p + 2, K - 1)], order[min(p + 3, K - 1)]
        c0, c1, c2, c3 = z[f0, start:stop], z[f1, start:stop], z[f2, start:stop], z[f3, start:stop]
        for r in range(count):
            v, h, low = values[r], how[r], least[r, tile]
            a, b = buffers[r, side[r], :span], buffers[r, 1 - side[r], :span]
            if p + 4 > K or h[f0] + h[f1] + h[f2] + h[f3] > 4 * PLAIN:
                for q in range(p, min(p + 4, K)):
                    f = order[q]
                    low[q] = step_any(a, b, z[f, start:stop], v[f], h[f], space.bounds[f])
                    a, b = b, a
                    side[r] = 1 - side[r]
            else:
                if p + 3 < first:
                    skip_four(a, b, c0, c1, c2, c3, v[f0], v[f1], v[f2], v[f3])
                else:
                    low[p], low[p + 1], low[p + 2], low[p + 3] = step_four(
                        a, b, c0, c1, c2, c3, v[f0], v[f1], v[f2], v[f3]
                    )
                side[r] = 1 - side[r]


@jit_bare
def winners(
    tiles: IntArray, least: FloatArray, first: int, best: FloatArray, winner: IntArray, conflict: BoolArray
) -> bool:
    """Find the smallest distance at each prefix and the class that attains it; return whether classes tie anywhere."""
    any_conflict = False
    for p in range(first, len(best)):
        b, w, tied = least[0, p], tiles[0, CLASS], False
        for tile in range(1, len(tiles)):
            m = least[tile, p]
            if m < b:
                b, w, tied = m, tiles[tile, CLASS], False
            elif m == b and w != tiles[tile, CLASS]:
                tied = True
        best[p], winner[p], conflict[p] = b, w, tied
        any_conflict |= tied
    return any_conflict


@jit_bare
def count_equal(a: FloatArray, x: float) -> int:
    """Count the elements of a that equal x."""
    count = 0
    for j in range(len(a)):
        count += a[j] == x
    return count


@jit_bare
def resolve(
    space: Space,
    order: IntArray,
    first: int,
    values: FloatArray,
    how: IntArray,
    two: FloatArray,
    least: FloatArray,
    best: FloatArray,
    conflict: BoolArray,
    by_place: bool,
    votes: IntArray,
    nearest: IntArray,
) -> None:
    """Look at single rows for the prefixes in conflict: count votes a class, and find the earliest place if it decides.

    `votes` of shape (n_prefixes, n_classes) must be zero, `nearest` of shape (n_prefixes, n_classes) large.
    """
    for tile in range(len(space.tiles)):
        last = len(order) - 1
        while last >= first and not (conflict[last] and least[tile, last] == best[last]):
            last -= 1
        if last < first:
            continue
        start, stop = space.tiles[tile, START], space.tiles[tile, FILLED]
        rows, c = space.tiles[tile, STOP] - start, space.tiles[tile, CLASS]
        a, b = two[0, : stop - start], two[1, : stop - start]
        a[:] = 0.0
        for p in range(last + 1):
            f = order[p]
            step_any(a, b, space.z[f, start:stop], values[f], how[f], space.bounds[f])
            a, b = b, a
            if p >= first and conflict[p] and least[tile, p] == best[p]:
                votes[p, c] += count_equal(a[:rows], best[p])
                if by_place:
                    for j in range(rows):
                        if a[j] == best[p]:
                            nearest[p, c] = min(nearest[p, c], space.places[start + j])


@jit
def curve_by_tiles(
    space: Space,
    XT: FloatArray,
    rows: IntArray,
    orders: IntArray,
    lengths: IntArray,
    first: int,
    widening: bool,
    by_place: bool,
    predicted: IntArray,
    tally: IntArray,
) -> None:
    """Predict test rows at the prefixes first+1, first+2, ... of each ranking.

    Parameters
    ----------
    space : Space
        The training rows; `bounds` and `z` change if `widening`.
    XT : ndarray of shape (n_features, n_rows)
        Raw values of the data set that holds the test rows.
    rows : ndarray of shape (n_test,)
        The test rows, in the order in which they may widen the ranges.
    orders : ndarray of shape (n_rankings, K)
    lengths : ndarray of shape (n_rankings,)
        How much of each line of `orders` counts.
    first : int
        Prefixes of `first` features or fewer are not wanted.
    widening : bool
        Whether each test row widens the ranges before it is predicted.
    by_place : bool
        Whether the earliest of equally near rows decides; otherwise all of them vote.
    predicted : ndarray of shape (n_rankings, K - first, n_test)
        Output.
    tally : ndarray of shape (n_test, n_classes) or (0, n_classes)
        Output: votes of the rows at the smallest distance, at the last prefix of the last ranking; left out if empty.
    """
    n_classes, K, tiles, M = tally.shape[1], orders.shape[1], space.tiles, len(space.columns)
    values, how = np.empty((BLOCK, M)), np.empty((BLOCK, M), np.int64)
    buffers, side = np.empty((BLOCK, 2, widest(tiles))), np.empty(BLOCK, np.int64)
    least, best = np.empty((BLOCK, len(tiles), K)), np.empty(K)
    winner, conflict = np.empty(K, np.int64), np.empty(K, np.bool_)
    votes, nearest = np.empty((K, n_classes), np.int64), np.empty((K, n_classes), np.int64)
    i = int(np.int64(0))  # not the literal 0, for which numba would compile next_block once more
    while i < len(rows):
        count = next_block(space, XT, rows, i, widening, values, how)
        for r in range(len(orders)):
            n = lengths[r]
            order = orders[r, :n]
            for tile in range(len(tiles)):
                sweep_tile(space, tile, order, count, values, how, first, buffers, side, least)
            for t in range(count):
                tied = winners(tiles, least[t], first, best[:n], winner, conflict)
                if len(tally) > 0 and n > 0:
                    tied = conflict[n - 1] = True
                if tied:
                    votes[:] = 0
                    nearest[:] = len(space.places)
                    v, h = values[t], how[t]
                    resolve(space, order, first, v, h, buffers[t], least[t], best, conflict, by_place, votes, nearest)
                for p in range(first, n):
                    c = winner[p]
                    if conflict[p]:
                        c = lowest(nearest[p]) if by_place else most(votes[p])
                    predicted[r, p - first, i + t] = c
                if len(tally) > 0 and n > 0:
                    for c in range(n_classes):
                        tally[i + t, c] = votes[n - 1, c]
        i += count
