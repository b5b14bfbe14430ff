"""ReliefF: from the neighbours to the weights, in Weka's order of additions.

The weight of a feature is one sum: over the probes in their order, the hits of each and then the misses, class by
class, every neighbour by itself in the order in which `fsbench.kernels.relieff_select.scan` leaves it. Any other order
would change last bits, and with them the order of features that are equally good but for rounding.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.relieff_lanes import DIVISORS, LANES, SMALLEST, add_shares
from fsbench.kernels.relieff_typed import Places
from fsbench.values import FloatArray, IntArray

__all__ = ["neighbour_weights"]


@jit
def neighbour_weights(
    z: FloatArray,
    unknown: FloatArray,
    features: IntArray,
    kind: int,
    first: int,
    last: int,
    owners: IntArray,
    factors: FloatArray,
    ranked: FloatArray,
    probes: IntArray,
    nearest: Places,
    counts: Places,
    weights: FloatArray,
) -> None:
    """Add up the updates of some features of one kind.

    Parameters
    ----------
    z : ndarray of shape (n_features, n_rows)
        Scaled numbers and label indices; NaN is missing.
    unknown : ndarray of shape (n_features,)
        Difference between a missing label and any other.
    features : ndarray of shape (n_features,)
        The features by kind.
    kind, first, last : int
        Features ``features[first:last]`` are done; they are 0 numeric, 1 numeric with missing values, 2 nominal or
        3 nominal with missing values.
    owners : ndarray of shape (n_rows,)
        Class of each row.
    factors : ndarray of shape (n_classes, n_classes)
        See `fsbench.rankers.relieff_problem.update_factors`.
    ranked : ndarray of shape (2, k) or (2, 0)
        Weight of the i-th nearest neighbour, and the sum of the first i + 1; empty if all count alike.
    probes : ndarray of shape (n_probes,)
    nearest : ndarray of shape (n_probes, n_classes, k)
        Neighbours in the order in which they are added.
    counts : ndarray of shape (n_probes, n_classes)
        How many there are.
    weights : ndarray of shape (n_features,)
        Written for those features.
    """
    n_classes = counts.shape[1]
    block, labels = _block(z, unknown, features[first:last])
    width = block.shape[1]
    sums, diff, absent = np.zeros(width), np.empty(width), np.empty(width)
    alike = ranked.shape[1] == 0
    multiplies = nearest.shape[2] <= DIVISORS and _smallest(block) >= SMALLEST
    for at in range(len(probes)):
        p = probes[at]
        own = owners[p]
        for step in range(n_classes):
            # The probe's own class first, then the others in their order.
            c = own if step == 0 else step - 1 if step <= own else step
            count, factor, rows = counts[at, c], factors[own, c], nearest[at, c]
            number = float(max(count, 1))
            if alike and kind == 0 and multiplies:
                add_shares(block, p, rows, count, factor, number, sums)
            elif alike and kind == 2:
                _add_labels(block, p, rows, count, factor * (1.0 / number), sums)
            elif alike and kind == 3:
                for f in range(width):
                    absent[f] = factor * (labels[f] / number)
                _add_incomplete_labels(block, p, rows, count, factor * (1.0 / number), absent, sums)
            else:
                for s in range(count):
                    _differences(block, kind, labels, p, rows[s], diff)
                    share = 1.0 if alike else ranked[0, s] / ranked[1, count - 1]
                    divisor = number if alike else 1.0
                    for f in range(width):
                        sums[f] += factor * (diff[f] * share / divisor)
    for f in range(first, last):
        weights[features[f]] = sums[f - first]


@jit_bare
def _add_labels(block: FloatArray, p: int, rows: Places, count: int, part: float, sums: FloatArray) -> None:
    """Add `part` for each of some rows that has another label."""
    for s in range(count):
        r = rows[s]
        for f in range(len(sums)):
            sums[f] += part if block[p, f] != block[r, f] else 0.0


@jit_bare
def _add_incomplete_labels(
    block: FloatArray, p: int, rows: Places, count: int, part: float, absent: FloatArray, sums: FloatArray
) -> None:
    """Do as `_add_labels`; `absent` where a label is missing."""
    for s in range(count):
        r = rows[s]
        for f in range(len(sums)):
            a, b = block[p, f], block[r, f]
            change = part if a != b else 0.0
            sums[f] += absent[f] if (a != a) | (b != b) else change


@jit
def _block(z: FloatArray, unknown: FloatArray, features: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return some features row by row and their `unknown`, filled up to whole vectors with zeros, which add nothing."""
    n, width = z.shape[1], -(-len(features) // LANES) * LANES
    block, labels = np.zeros((n, width)), np.zeros(width)
    for f in range(len(features)):
        labels[f] = unknown[features[f]]
        column = z[features[f]]
        for i in range(n):
            block[i, f] = column[i]
    return block, labels


@jit_bare
def _smallest(block: FloatArray) -> float:
    """Return the smallest number that is not zero."""
    smallest = 1.0
    for i in range(block.shape[0]):
        for f in range(block.shape[1]):
            x = abs(block[i, f])
            smallest = x if 0.0 < x < smallest else smallest
    return smallest


@jit_bare
def _differences(block: FloatArray, kind: int, unknown: FloatArray, p: int, r: int, diff: FloatArray) -> None:
    """Write the differences of two rows."""
    width = len(diff)
    if kind == 0:
        for f in range(width):
            diff[f] = abs(block[p, f] - block[r, f])
    elif kind == 1:
        for f in range(width):
            a, b = block[p, f], block[r, f]
            d = abs(a - b)
            far_a, far_b = (1.0 - a if a < 0.5 else a), (1.0 - b if b < 0.5 else b)
            one = far_a if b != b else d
            both = 1.0 if b != b else far_b
            diff[f] = both if a != a else one
    elif kind == 2:
        for f in range(width):
            diff[f] = 1.0 if block[p, f] != block[r, f] else 0.0
    else:
        for f in range(width):
            a, b = block[p, f], block[r, f]
            d = 1.0 if a != b else 0.0
            diff[f] = unknown[f] if (a != a) | (b != b) else d
