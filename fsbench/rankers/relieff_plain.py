"""ReliefF with numpy alone: for small data where the compiler is not loaded, and as the oracle of the compiled ways."""

from __future__ import annotations

import numpy as np

from fsbench.rankers.order import weka_sort
from fsbench.rankers.relieff_problem import Problem, Scaled, update_factors
from fsbench.values import FloatArray, IntArray

__all__ = ["differences", "nearest_slots", "plain_weights"]


def plain_weights(problem: Problem) -> FloatArray:
    """Return the ReliefF weight of each feature.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    ndarray of shape (n_features,)

    Notes
    -----
    Holds a matrix of probes by rows. Distances are sums of differences, added feature by feature: their last
    bits decide which of the nearly equal rows are neighbours. A weight is one sum too: over the probes in their order,
    first the hits, then the misses class by class, every neighbour by itself in the order of its slot (weighted by
    rank: of its distance), the update of a miss being ``factor * (difference / neighbours of that class)``; and at
    the end that sum times ``1 / probes``.
    """
    data, probes = problem.data, problem.probes
    own, everyone = probes[:, np.newaxis], np.arange(len(data.y))[np.newaxis, :]
    distances = np.zeros((len(probes), len(data.y)))
    for f in range(data.Z.shape[1]):
        distances += differences(data, f, own, everyone)
    distances[np.arange(len(probes)), probes] = np.inf  # a probe is not its own neighbour
    rows, shares, factors = _neighbours(problem, distances)
    sums = np.zeros(data.Z.shape[1])
    for f in range(len(sums)):
        diff = differences(data, f, own, rows)
        part = diff / shares if problem.rank_weights is None else diff * shares
        # accumulate adds one by one, sum does not.
        sums[f] = np.add.accumulate((factors * part).ravel())[-1]
    return (sums + 0.0) * (1.0 / len(probes))


def differences(data: Scaled, f: int, own: IntArray, other: IntArray) -> FloatArray:
    """Return the difference in one feature of rows and other rows, whose indices are broadcast.

    Nominal: 0 or 1, ``1 - 1 / labels`` if either is missing. Numeric: the distance of the scaled values; to a
    missing value the farthest that it could be, 1 between two missing ones.
    """
    column = data.Z[:, f]
    a, b = column[own], column[other]
    missing = np.isnan(column)
    if data.nominal[f]:
        diff: FloatArray = (a != b).astype(np.float64)
        return np.where(missing[own] | missing[other], data.unknown[f], diff) if missing.any() else diff
    diff = np.abs(a - b)
    if missing.any():
        farthest = np.where(missing, 1.0, np.where(column < 0.5, 1.0 - column, column))
        diff = np.where(missing[own], farthest[other], np.where(missing[other], farthest[own], diff))
    return diff


def _neighbours(problem: Problem, distances: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return all neighbours of each probe in the order in which they are added.

    Returns
    -------
    rows : ndarray of shape (n_probes, n_classes * k)
        Row indices; any row where there is no neighbour.
    shares : ndarray of the same shape
        The number of neighbours of the same class, at least 1; weighted by rank: the neighbour's part of all.
    factors : ndarray of the same shape
        See `fsbench.rankers.relieff_problem.update_factors`; 0 where there is no neighbour.
    """
    data, ranks = problem.data, problem.rank_weights
    n_probes, n_classes = len(problem.probes), len(data.class_counts)
    shape = (n_probes, n_classes, min(problem.k, len(data.y)))
    rows, shares, filled = np.zeros(shape, np.int64), np.ones(shape), np.zeros(shape, np.bool_)
    for c in np.flatnonzero(data.class_counts):
        members = np.append(np.flatnonzero(data.y == c), 0)  # the last one stands for an empty slot
        slots, found = nearest_slots(distances[:, members[:-1]], problem.k)
        if ranks is not None:
            _sort(slots, found)
        width = slots.shape[1]
        filled[:, c, :width] = known = ~np.isinf(found)
        rows[:, c, :width] = members[slots]
        counts = known.sum(axis=1)
        if ranks is None:
            shares[:, c] = np.maximum(counts, 1)[:, np.newaxis]
        else:
            shares[:, c, :width] = ranks[:width] / np.add.accumulate(ranks)[np.maximum(counts, 1) - 1, np.newaxis]
    own = data.y[problem.probes]
    factors = np.where(filled, update_factors(data.class_counts)[own][:, :, np.newaxis], 0.0)
    order = np.argsort(np.arange(n_classes)[np.newaxis, :] != own[:, np.newaxis], axis=1, kind="stable")
    everything = (np.take_along_axis(array, order[:, :, np.newaxis], axis=1) for array in (rows, shares, factors))
    in_order = [array.reshape(n_probes, -1) for array in everything]
    return in_order[0], in_order[1], in_order[2]


def nearest_slots(distances: FloatArray, k: int) -> tuple[IntArray, FloatArray]:
    """Return the k nearest columns of each row, ties decided as Weka's scan decides them.

    The scan goes through the columns in ascending order. The first k fill slots 0 to k - 1; a later one enters
    only if it is strictly nearer than the worst kept so far, and takes the lowest slot among the worst.

    Parameters
    ----------
    distances : ndarray of shape (n_probes, n_columns)
        ``inf`` for a column that is no candidate.
    k : int

    Returns
    -------
    slots : ndarray of shape (n_probes, min(k, n_columns))
        Column indices; ``n_columns`` where a slot stays empty, which only the last ones do.
    found : ndarray of the same shape
        Their distances, ``inf`` where a slot stays empty.

    Examples
    --------
    >>> nearest_slots(np.array([[3.0, 3.0, 1.0, 3.0]]), 2)[0].tolist()
    [[2, 1]]
    """
    n_columns = distances.shape[1]
    slots = np.full((len(distances), min(k, n_columns)), n_columns)
    found = np.full(slots.shape, np.inf)
    everyone = np.arange(len(distances))
    for j in range(n_columns):
        worst = np.argmax(found, axis=1)  # the lowest among equal ones; an empty slot counts as infinitely far
        enters = distances[:, j] < found[everyone, worst]
        who = everyone[enters]
        slots[who, worst[enters]] = j
        found[who, worst[enters]] = distances[enters, j]
    return slots, found


def _sort(slots: IntArray, found: FloatArray) -> None:
    """Bring the filled slots of each probe into the order of distance, as Weka sorts them."""
    for row, distances in zip(slots, found, strict=True):
        count = np.count_nonzero(~np.isinf(distances))
        order = weka_sort(distances[:count])
        row[:count], distances[:count] = row[order], distances[order]
