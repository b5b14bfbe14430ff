"""ReliefF on numeric features without missing values: whole-number distances rule out nearly all rows.

With q = rint(z * scale), e(i) the sum of |q - z * scale| over the features of row i, A the whole-number distance
sum |q_i - q_j| and d the exact one, the triangle inequality gives ``|scale * d - A| <= e(i) + e(j)``. So a row
whose A exceeds the k-th smallest A by more than twice that bound is no neighbour, one that falls short of the
next A by more is one for certain, and only the few between need exact doubles (`relieff_neighbours`).
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit
from fsbench.kernels.relieff_typed import Steps, Totals, add_difference

__all__ = ["SELF", "half_rows", "mirror", "two_rows", "two_rows_of_many"]

SELF = 2**32 - 1  # the distance of a row to itself: never the smallest


@jit
def two_rows(q: Steps, p0: int, p1: int, few: Steps, rows: Totals) -> None:
    """Write the whole-number distances of two rows to all rows, if they fit 16 bits.

    Parameters
    ----------
    q : ndarray of shape (n_features padded to a multiple of 4, n_places)
        Rounded values; the padding is 0.
    p0, p1 : int
        The two rows.
    few : ndarray of shape (2, n_places)
        Work space.
    rows : ndarray of shape (2, n_places)
        Overwritten.
    """
    n_features, n = q.shape
    few0, few1 = few[0], few[1]
    few[:] = 0
    for f in range(0, n_features, 4):
        c0, c1, c2, c3 = q[f], q[f + 1], q[f + 2], q[f + 3]
        a0, a1, a2, a3 = c0[p0], c1[p0], c2[p0], c3[p0]
        b0, b1, b2, b3 = c0[p1], c1[p1], c2[p1], c3[p1]
        for j in range(n):
            a = add_difference(add_difference(few0[j], a0, c0[j]), a1, c1[j])
            few0[j] = add_difference(add_difference(a, a2, c2[j]), a3, c3[j])
            b = add_difference(add_difference(few1[j], b0, c0[j]), b1, c1[j])
            few1[j] = add_difference(add_difference(b, b2, c2[j]), b3, c3[j])
    rows[:] = few


@jit
def two_rows_of_many(q: Steps, p0: int, p1: int, start: int, rows: Totals) -> None:
    """Write the whole-number distances of two rows to places start .. n_places - 1, eight features a sweep.

    Parameters
    ----------
    q : ndarray of shape (n_features padded to a multiple of 8, n_places)
        Rounded values, of which eight differences fit 16 bits; the padding is 0.
    p0, p1, start : int
        The two rows, and the first place to write.
    rows : ndarray of shape (2, n_places)
        Overwritten from `start` on.
    """
    zero = np.uint16(0)
    # Stretches that begin at 0: an index that numba cannot prove to be positive is not vectorised.
    rows0, rows1 = rows[0, start:], rows[1, start:]
    rows0[:] = 0
    rows1[:] = 0
    for f in range(0, q.shape[0], 8):
        c0, c1, c2, c3 = q[f, start:], q[f + 1, start:], q[f + 2, start:], q[f + 3, start:]
        c4, c5, c6, c7 = q[f + 4, start:], q[f + 5, start:], q[f + 6, start:], q[f + 7, start:]
        a0, a1, a2, a3 = q[f, p0], q[f + 1, p0], q[f + 2, p0], q[f + 3, p0]
        a4, a5, a6, a7 = q[f + 4, p0], q[f + 5, p0], q[f + 6, p0], q[f + 7, p0]
        b0, b1, b2, b3 = q[f, p1], q[f + 1, p1], q[f + 2, p1], q[f + 3, p1]
        b4, b5, b6, b7 = q[f + 4, p1], q[f + 5, p1], q[f + 6, p1], q[f + 7, p1]
        for j in range(len(rows0)):
            a = add_difference(add_difference(zero, a0, c0[j]), a1, c1[j])
            b = add_difference(add_difference(zero, b0, c0[j]), b1, c1[j])
            a = add_difference(add_difference(a, a2, c2[j]), a3, c3[j])
            b = add_difference(add_difference(b, b2, c2[j]), b3, c3[j])
            a = add_difference(add_difference(a, a4, c4[j]), a5, c5[j])
            b = add_difference(add_difference(b, b4, c4[j]), b5, c5[j])
            a = add_difference(add_difference(a, a6, c6[j]), a7, c7[j])
            b = add_difference(add_difference(b, b6, c6[j]), b7, c7[j])
            rows0[j] += a
            rows1[j] += b


@jit
def half_rows(q: Steps, first: int, last: int, distances: Totals) -> None:
    """Write rows first .. last - 1 of the upper triangle of all distances; the other half is for `mirror`.

    `first` is even; `distances` is (n_rows, n_places), the rest as in `two_rows_of_many`. A stretch begins at a
    multiple of 32, so that no row has an odd rest for the vector units.
    """
    for p in range(first, last - 1, 2):
        two_rows_of_many(q, p, p + 1, p - p % 32, distances[p : p + 2])
        distances[p, p] = SELF
        distances[p + 1, p + 1] = SELF
    if (last - first) % 2 == 1:  # the last row of all: nothing is left of it
        distances[last - 1, last - 1] = SELF


@jit
def mirror(distances: Totals, first: int, last: int) -> None:
    """Copy the upper triangle to rows first .. last - 1 of the lower one, in squares that fit the cache."""
    side = 32
    for top in range(first, last, side):
        bottom = min(top + side, last)
        for left in range(0, bottom, side):
            for i in range(top, bottom):
                for j in range(left, min(left + side, i)):
                    distances[i, j] = distances[j, i]
