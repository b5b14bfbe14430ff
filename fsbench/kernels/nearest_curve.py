"""The nearest neighbour (k = 1) at every prefix of a ranking, in one pass over the pairs of rows.

Squared distances add up feature by feature, so the distances at a prefix are those of the one before plus a column.
Rows stand in tiles of one class: where the smallest distance is attained in tiles of one class only, that class is
the answer, whatever number of rows attain it. Only where classes tie (a *conflict*) a second sweep looks at rows.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.nearest_prepare import FAR, NEAR, SHIFT, WIDTH, rescale, widen
from fsbench.kernels.nearest_typed import smaller
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["ABSENT", "CLASS", "FILLED", "GAPPED", "NOMINAL", "PLAIN", "START", "STOP"]
__all__ += ["curve_by_tiles", "read_row", "skip_four", "step_any", "step_four", "widen_all"]

PLAIN, NOMINAL, GAPPED, ABSENT = range(4)  # how a column meets a test row
START, STOP, FILLED, CLASS = range(4)  # columns of `tiles`: slots start:stop without, start:filled with the filling


@jit
def read_row(
    XT: FloatArray,
    columns: IntArray,
    row: int,
    kinds: IntArray,
    bounds: FloatArray,
    values: FloatArray,
    how: IntArray,
) -> None:
    """Scale one test row: `values` by column, and in `how` the loop that each column needs."""
    for f in range(len(columns)):
        x = XT[columns[f], row]
        how[f] = kinds[f]
        if kinds[f] == NOMINAL:
            values[f] = x if x == x else -2.0  # equal to no code, nor to the -1 of a missing training value
        elif x != x:
            how[f] = ABSENT
        elif bounds[f, WIDTH] == 0.0:
            values[f] = 0.0
        else:
            values[f] = (x - bounds[f, SHIFT]) / bounds[f, WIDTH]


@jit
def widen_all(
    XT: FloatArray,
    columns: IntArray,
    row: int,
    kinds: IntArray,
    bounds: FloatArray,
    raw: FloatArray,
    z: FloatArray,
    mode: int,
) -> None:
    """Let one test row widen the ranges, and scale the training columns anew where that changes them."""
    for f in range(len(columns)):
        if kinds[f] != NOMINAL and widen(bounds[f], XT[columns[f], row], mode):
            rescale(raw[f], bounds[f], z[f])


@jit
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
    """Set b to a plus four plain columns; return the four smallest sums on the way. `a` and `b` must not overlap."""
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


@jit
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
    """Set b to a plus four plain columns, in the same order of additions as `step_four`."""
    for j in range(len(a)):
        d = t0 - c0[j]
        s = a[j] + d * d
        d = t1 - c1[j]
        s += d * d
        d = t2 - c2[j]
        s += d * d
        d = t3 - c3[j]
        b[j] = s + d * d


@jit
def step_any(a: FloatArray, b: FloatArray, c: FloatArray, t: float, how: int, bound: FloatArray) -> float:
    """Set b to a plus one column of any kind; return the smallest sum. `a` and `b` may be one array.

    A missing number lies as far from a known one as the range allows, and the whole range from a missing one.
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


@jit
def note(
    p: int,
    m: float,
    tile: int,
    tiles: IntArray,
    least: FloatArray,
    best: FloatArray,
    winner: IntArray,
    conflict: BoolArray,
) -> None:
    """Enter a tile's smallest distance at prefix p."""
    least[tile, p] = m
    if m < best[p]:
        best[p], winner[p], conflict[p] = m, tiles[tile, CLASS], False
    elif m == best[p] and winner[p] != tiles[tile, CLASS]:
        conflict[p] = True


@jit
def sweep(
    z: FloatArray,
    tiles: IntArray,
    order: IntArray,
    values: FloatArray,
    how: IntArray,
    bounds: FloatArray,
    first: int,
    two: FloatArray,
    least: FloatArray,
    best: FloatArray,
    winner: IntArray,
    conflict: BoolArray,
) -> None:
    """Find the smallest distance at the prefixes first..len(order)-1 and the class of the rows that attain it."""
    count = len(order)
    for tile in range(len(tiles)):
        start, stop = tiles[tile, START], tiles[tile, FILLED]
        a, b = two[0, : stop - start], two[1, : stop - start]
        a[:] = 0.0
        p = 0
        while p < count:
            f = order[p]
            plain = p + 4 <= count and how[f] == PLAIN
            if plain:
                g, h, i = order[p + 1], order[p + 2], order[p + 3]
                plain = how[g] == PLAIN and how[h] == PLAIN and how[i] == PLAIN
            if not plain:
                m = step_any(a, b, z[f, start:stop], values[f], how[f], bounds[f])
                if p >= first:
                    note(p, m, tile, tiles, least, best, winner, conflict)
                p += 1
            else:
                c0, c1, c2, c3 = z[f, start:stop], z[g, start:stop], z[h, start:stop], z[i, start:stop]
                t0, t1, t2, t3 = values[f], values[g], values[h], values[i]
                if p + 3 < first:
                    skip_four(a, b, c0, c1, c2, c3, t0, t1, t2, t3)
                else:
                    m0, m1, m2, m3 = step_four(a, b, c0, c1, c2, c3, t0, t1, t2, t3)
                    if p >= first:
                        note(p, m0, tile, tiles, least, best, winner, conflict)
                    if p + 1 >= first:
                        note(p + 1, m1, tile, tiles, least, best, winner, conflict)
                    if p + 2 >= first:
                        note(p + 2, m2, tile, tiles, least, best, winner, conflict)
                    note(p + 3, m3, tile, tiles, least, best, winner, conflict)
                p += 4
            a, b = b, a


@jit
def resolve(
    z: FloatArray,
    tiles: IntArray,
    places: IntArray,
    order: IntArray,
    values: FloatArray,
    how: IntArray,
    bounds: FloatArray,
    buffer: FloatArray,
    least: FloatArray,
    best: FloatArray,
    conflict: BoolArray,
    votes: IntArray,
    nearest: IntArray,
) -> None:
    """Look at single rows for the prefixes in conflict: count votes a class, and find the earliest place.

    `votes` of shape (n_prefixes, n_classes) must be zero, `nearest` of shape (n_prefixes, n_classes) large.
    """
    for tile in range(len(tiles)):
        last = len(order) - 1
        while last >= 0 and not (conflict[last] and least[tile, last] == best[last]):
            last -= 1
        start, stop, filled, c = tiles[tile, START], tiles[tile, STOP], tiles[tile, FILLED], tiles[tile, CLASS]
        a = buffer[: filled - start]
        a[:] = 0.0
        for p in range(last + 1):
            f = order[p]
            step_any(a, a, z[f, start:filled], values[f], how[f], bounds[f])
            if conflict[p] and least[tile, p] == best[p]:
                for j in range(stop - start):
                    if a[j] == best[p]:
                        votes[p, c] += 1
                        nearest[p, c] = min(nearest[p, c], places[start + j])


@jit
def decide(p: int, winner: IntArray, conflict: BoolArray, votes: IntArray, nearest: IntArray, by_place: bool) -> int:
    """Return the class at prefix p: the most votes (then the lowest class), or the earliest place."""
    if not conflict[p]:
        return int(winner[p])
    return int(np.argmin(nearest[p]) if by_place else np.argmax(votes[p]))


@jit
def curve_by_tiles(
    XT: FloatArray,
    columns: IntArray,
    rows: IntArray,
    kinds: IntArray,
    bounds: FloatArray,
    raw: FloatArray,
    z: FloatArray,
    tiles: IntArray,
    places: IntArray,
    orders: IntArray,
    lengths: IntArray,
    first: int,
    mode: int,
    widening: bool,
    by_place: bool,
    predicted: IntArray,
    tally: IntArray,
) -> None:
    """Predict test rows at the prefixes first+1, first+2, ... of each ranking.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
        Raw values of the data set that holds the test rows.
    columns : ndarray of shape (M,)
        Features that take part; every other array numbers them 0..M-1.
    rows : ndarray of shape (n_test,)
        The test rows, in the order in which they may widen the ranges.
    kinds : ndarray of shape (M,)
        PLAIN, NOMINAL or GAPPED (a numeric column with missing training values).
    bounds, raw, z
        As in `nearest_prepare`; changed if `widening`.
    tiles : ndarray of shape (n_tiles, 4)
    places : ndarray of shape (n_slots,)
        Place of each training row in the order that breaks ties.
    orders : ndarray of shape (n_rankings, K)
    lengths : ndarray of shape (n_rankings,)
    first : int
        Prefixes of `first` features or fewer are not wanted.
    mode : int
        Scale, as in `nearest_prepare`.
    widening, by_place : bool
    predicted : ndarray of shape (n_rankings, K - first, n_test)
        Output.
    tally : ndarray of shape (n_test, n_classes) or (0, n_classes)
        Output: votes of the rows at the smallest distance, at the last prefix of the last ranking; left out if empty.
    """
    n_classes, K = tally.shape[1], orders.shape[1]
    values, how = np.empty(len(columns)), np.empty(len(columns), np.int64)
    widest = 0
    for tile in range(len(tiles)):
        widest = max(widest, tiles[tile, FILLED] - tiles[tile, START])
    two = np.empty((2, widest))
    least, best = np.empty((len(tiles), K)), np.empty(K)
    winner, conflict = np.empty(K, np.int64), np.empty(K, np.bool_)
    votes, nearest = np.empty((K, n_classes), np.int64), np.empty((K, n_classes), np.int64)
    for i in range(len(rows)):
        if widening:
            widen_all(XT, columns, rows[i], kinds, bounds, raw, z, mode)
        read_row(XT, columns, rows[i], kinds, bounds, values, how)
        for r in range(len(orders)):
            order = orders[r, : lengths[r]]
            best[:] = np.inf
            winner[:] = 0
            conflict[:] = False
            sweep(z, tiles, order, values, how, bounds, first, two, least, best, winner, conflict)
            if len(tally) > 0:
                conflict[len(order) - 1] = True
            if conflict[: len(order)].any():
                votes[:] = 0
                nearest[:] = len(places)
                resolve(z, tiles, places, order, values, how, bounds, two[0], least, best, conflict, votes, nearest)
            for p in range(first, len(order)):
                predicted[r, p - first, i] = decide(p, winner, conflict, votes, nearest, by_place)
            if len(tally) > 0:
                tally[i] = votes[len(order) - 1]
