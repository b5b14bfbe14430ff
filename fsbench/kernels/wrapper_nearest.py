"""How many test rows their nearest neighbour gets right when one column is added to a subset, or taken out of it.

The distances of a subset are summed once a test row; a column more costs one pass over them. A column less is never
subtracted: the sum of the columns before it is joined with the sum of those after it, three passes whatever the
number of columns. Both sums are not in the order that defines a distance (columns ascending, one after the other), so
they may be off by a few last bits; `slack` bounds by how much. Where two classes come nearer to each other than that,
the rows in question are summed again in the defining order, and the exact minimum and the tie rule decide. The
predictions are those of a plain scan, bit for bit.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.nearest_curve import (
    CLASS,
    FILLED,
    PLAIN,
    START,
    STOP,
    read_row,
    skip_four,
    step_any,
)
from fsbench.kernels.nearest_typed import smaller

__all__ = ["count_added", "count_removed"]


@jit
def least_with(a, c, t):
    """Return the smallest sum of `a` and one plain column."""
    m = np.inf
    for j in range(len(a)):
        d = t - c[j]
        m = smaller(m, a[j] + d * d)
    return m


@jit
def least_of_sums(a, b):
    """Return the smallest a + b."""
    m = np.inf
    for j in range(len(a)):
        m = smaller(m, a[j] + b[j])
    return m


@jit
def add_columns(z, start, stop, subset, values, how, bounds, a, b):
    """Add the columns of `subset` to `a`, one after the other; return the array that holds the sum, and the other."""
    p = 0
    while p < len(subset):
        f = subset[p]
        four = p + 4 <= len(subset) and how[f] == PLAIN
        if four:
            g, h, i = subset[p + 1], subset[p + 2], subset[p + 3]
            four = how[g] == PLAIN and how[h] == PLAIN and how[i] == PLAIN
        if four:
            c0, c1, c2, c3 = z[f, start:stop], z[g, start:stop], z[h, start:stop], z[i, start:stop]
            skip_four(a, b, c0, c1, c2, c3, values[f], values[g], values[h], values[i])
            p += 4
        else:
            step_any(a, b, z[f, start:stop], values[f], how[f], bounds[f])
            p += 1
        a, b = b, a
    return a, b


@jit
def resolve(z, tiles, places, subset, values, how, bounds, least, limit, by_place, two, votes):
    """Sum the rows of the tiles within `limit` in the defining order; return the class of the nearest."""
    best, winner, place = np.inf, 0, 0
    for tile in range(len(tiles)):
        if least[tile] > limit:
            continue
        start, stop, c = tiles[tile, START], tiles[tile, STOP], tiles[tile, CLASS]
        a, b = two[0, : stop - start], two[1, : stop - start]
        a[:] = 0.0
        a, b = add_columns(z, start, stop, subset, values, how, bounds, a, b)
        for j in range(stop - start):
            if a[j] > best:
                continue
            if a[j] < best:
                best, winner, place = a[j], c, places[start + j]
                votes[:] = 0
            elif places[start + j] < place:
                winner, place = c, places[start + j]
            votes[c] += 1
    return winner if by_place else np.argmax(votes)


@jit
def nearest_class(tiles, least, slack):
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


@jit
def toggled(subset, candidate, out):
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


@jit
def widest(tiles):
    """Return the largest number of slots in a tile."""
    width = 0
    for tile in range(len(tiles)):
        width = max(width, tiles[tile, FILLED] - tiles[tile, START])
    return width


@jit
def count_added(
    XT, columns, rows, truth, kinds, bounds, z, tiles, places, lead, subset, candidates, slack, by_place, n_classes,
    right,
):  # fmt: skip
    """Count the test rows predicted right by `subset` and one candidate more.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
        Raw values of the data set that holds the test rows.
    columns : ndarray of shape (M,)
        Features that take part; every other array numbers them 0..M-1.
    rows, truth : ndarray of shape (n_test,)
        The test rows and their classes.
    kinds, bounds, z, tiles
        The training rows, as in `nearest_curve`.
    places : ndarray of shape (n_slots,)
        Place of each training row in the order that breaks ties.
    lead : ndarray of shape (n_slots,)
        What each sum begins with: zeros, or fractions of one in the order of `places`. The latter serve data whose
        distances are whole numbers: no two rows tie any more, and `slack` may be 0.
    subset : ndarray of int64
        Columns, ascending.
    candidates : ndarray of int64
        Columns outside `subset`.
    slack : float
        Bound of the relative error of a sum in another order than the ascending one, twice.
    by_place : bool
        Ties: the earliest place decides, or the rows vote.
    n_classes : int
    right : ndarray of shape (n_candidates,)
        Output, added to.
    """
    values, how = np.empty(len(columns)), np.empty(len(columns), np.int64)
    two, whole = np.empty((2, widest(tiles))), np.empty(len(columns), np.int64)
    least, votes = np.empty((len(candidates), len(tiles))), np.zeros(n_classes, np.int64)
    for i in range(len(rows)):
        read_row(XT, columns, rows[i], kinds, bounds, values, how)
        for tile in range(len(tiles)):
            start, stop = tiles[tile, START], tiles[tile, FILLED]
            a, b = two[0, : stop - start], two[1, : stop - start]
            a[:] = lead[start:stop]
            a, b = add_columns(z, start, stop, subset, values, how, bounds, a, b)
            for k in range(len(candidates)):
                f = candidates[k]
                if how[f] == PLAIN:
                    least[k, tile] = least_with(a, z[f, start:stop], values[f])
                else:
                    least[k, tile] = step_any(a, b, z[f, start:stop], values[f], how[f], bounds[f])
        for k in range(len(candidates)):
            c, limit = nearest_class(tiles, least[k], slack)
            if limit >= 0.0:
                n = toggled(subset, candidates[k], whole)
                c = resolve(
                    z, tiles, places, whole[:n], values, how, bounds, least[k], limit, by_place, two, votes
                )  # fmt: skip
            right[k] += c == truth[i]


@jit
def count_removed(
    XT, columns, rows, truth, kinds, bounds, z, tiles, places, lead, subset, candidates, slack, by_place, n_classes,
    right,
):  # fmt: skip
    """Count the test rows predicted right by `subset` without one candidate; parameters as in `count_added`.

    `candidates` are members of `subset`, ascending.
    """
    values, how = np.empty(len(columns)), np.empty(len(columns), np.int64)
    width = widest(tiles)
    two, after = np.empty((2, width)), np.empty((len(subset) + 1, width))
    whole = np.empty(len(columns), np.int64)
    least, votes = np.empty((len(candidates), len(tiles))), np.zeros(n_classes, np.int64)
    after[len(subset)] = 0.0
    for i in range(len(rows)):
        read_row(XT, columns, rows[i], kinds, bounds, values, how)
        for tile in range(len(tiles)):
            start, stop = tiles[tile, START], tiles[tile, FILLED]
            span = stop - start
            # after[p] = sum of the columns p, p + 1, ...; a = sum of those before p
            for p in range(len(subset) - 1, 0, -1):
                f = subset[p]
                step_any(after[p + 1, :span], after[p, :span], z[f, start:stop], values[f], how[f], bounds[f])
            a, b = two[0, :span], two[1, :span]
            a[:] = lead[start:stop]
            k = 0
            for p in range(len(subset)):
                f = subset[p]
                if k < len(candidates) and candidates[k] == f:
                    least[k, tile] = least_of_sums(a, after[p + 1, :span])
                    k += 1
                step_any(a, b, z[f, start:stop], values[f], how[f], bounds[f])
                a, b = b, a
        for k in range(len(candidates)):
            c, limit = nearest_class(tiles, least[k], slack)
            if limit >= 0.0:
                n = toggled(subset, candidates[k], whole)
                c = resolve(
                    z, tiles, places, whole[:n], values, how, bounds, least[k], limit, by_place, two, votes
                )  # fmt: skip
            right[k] += c == truth[i]
