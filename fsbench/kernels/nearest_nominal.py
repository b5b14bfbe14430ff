"""The nearest neighbour (k = 1) at every prefix of a ranking of nominal columns: distances are counts, kept in bytes.

Equal distances are the rule here, so the rows of each tile that attain its smallest distance are counted at once,
while the tile is in the first-level cache, wherever no tile before it was nearer.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.nearest_layout import CLASS, FILLED, START, STOP, Codes
from fsbench.kernels.nearest_prepare import most, widest
from fsbench.kernels.nearest_typed import add_equal, add_unequal, smaller_code
from fsbench.values import FloatArray, IntArray

__all__ = ["curve_by_codes"]

ABSENT = 255  # code of a missing test value: equal to nothing

Byte = np.uint8
CodeArray = npt.NDArray[Byte]


@jit_bare
def add_column(a: CodeArray, b: CodeArray, c: CodeArray, t: int) -> Byte:
    """Set b to a plus 1 where column c differs from t; return the smallest count."""
    m = np.uint8(255)
    for j in range(len(a)):
        s = add_unequal(a[j], c[j], t)
        m = smaller_code(m, s)
        b[j] = s
    return m


@jit_bare
def add_four(
    a: CodeArray,
    b: CodeArray,
    c0: CodeArray,
    c1: CodeArray,
    c2: CodeArray,
    c3: CodeArray,
    t0: int,
    t1: int,
    t2: int,
    t3: int,
) -> None:
    """Set b to a plus the differences of four columns."""
    for j in range(len(a)):
        s = add_unequal(add_unequal(a[j], c0[j], t0), c1[j], t1)
        b[j] = add_unequal(add_unequal(s, c2[j], t2), c3[j], t3)


@jit_bare
def count_equal(a: CodeArray, m: Byte) -> np.uint16:
    """Count the elements of a that equal m; at most 65535 of them."""
    count = np.uint16(0)
    for v in a:
        count = add_equal(count, v, m)
    return count


@jit_bare
def first_equal(a: CodeArray, m: Byte) -> int:
    """Return the first position of m in a."""
    j = 0
    while a[j] != m:
        j += 1
    return j


@jit_bare
def sweep_codes(
    space: Codes,
    order: IntArray,
    values: CodeArray,
    first: int,
    by_place: bool,
    two: CodeArray,
    best: CodeArray,
    votes: IntArray,
    earliest: IntArray,
    winner: IntArray,
) -> None:
    """Find at each prefix the smallest distance, the votes of the rows that attain it, or the earliest of them."""
    K, codes, tiles = len(order), space.codes, space.tiles
    for tile in range(len(tiles)):
        start, stop, c = tiles[tile, START], tiles[tile, FILLED], tiles[tile, CLASS]
        rows = tiles[tile, STOP] - start
        a, b = two[0, : stop - start], two[1, : stop - start]
        a[:] = 0
        p = 0
        while p < K:
            if p + 4 <= first:
                f, g, h, i = order[p], order[p + 1], order[p + 2], order[p + 3]
                c0, c1, c2, c3 = codes[f, start:stop], codes[g, start:stop], codes[h, start:stop], codes[i, start:stop]
                add_four(a, b, c0, c1, c2, c3, values[f], values[g], values[h], values[i])
                a, b = b, a
                p += 4
                continue
            f = order[p]
            m = add_column(a, b, codes[f, start:stop], values[f])
            a, b = b, a
            if p >= first and m <= best[p]:
                if m < best[p]:
                    best[p], earliest[p] = m, len(space.places)
                    votes[p] = 0
                if by_place:
                    place = space.places[start + first_equal(a, m)]
                    if place < earliest[p]:
                        earliest[p], winner[p] = place, c
                else:
                    votes[p, c] += count_equal(a[:rows], m)
            p += 1


@jit
def curve_by_codes(
    space: Codes,
    XT: FloatArray,
    rows: IntArray,
    orders: IntArray,
    lengths: IntArray,
    first: int,
    by_place: bool,
    predicted: IntArray,
    tally: IntArray,
) -> None:
    """Predict test rows at the prefixes first+1, first+2, ... of each ranking.

    Parameters
    ----------
    space : Codes
    XT, rows, orders, lengths, first, by_place, predicted, tally
        As in `nearest_curve.curve_by_tiles`.
    """
    n_classes, K, columns = tally.shape[1], orders.shape[1], space.columns
    two, values = np.empty((2, widest(space.tiles)), np.uint8), np.empty(len(columns), np.uint8)
    best, votes = np.empty(K, np.uint8), np.empty((K, n_classes), np.int64)
    earliest, winner = np.empty(K, np.int64), np.empty(K, np.int64)
    for i in range(len(rows)):
        for f in range(len(columns)):
            x = XT[columns[f], rows[i]]
            values[f] = np.uint8(x) if x == x else ABSENT
        for r in range(len(orders)):
            n = lengths[r]
            best[:] = 255
            votes[:] = 0
            earliest[:] = len(space.places)
            sweep_codes(space, orders[r, :n], values, first, by_place, two, best, votes, earliest, winner)
            for p in range(first, n):
                predicted[r, p - first, i] = winner[p] if by_place else most(votes[p])
            if len(tally) > 0 and n > 0:
                for c in range(n_classes):
                    tally[i, c] = votes[n - 1, c]
