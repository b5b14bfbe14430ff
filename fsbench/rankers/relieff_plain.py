"""ReliefF with numpy alone: for small data, and as the oracle of the compiled paths."""

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
    bits decide which of the nearly equal rows are neighbours. With ``share[p, j]`` the part that row j has in
    the update for probe p, the weight of a feature is the mean over p of ``sum_j share[p, j] * diff(p, j)``.
    """
    data, probes = problem.data, problem.probes
    distances = np.zeros((len(probes), len(data.y)))
    for f in range(data.Z.shape[1]):
        distances += differences(data, f, probes)
    shares = _shares(problem, distances)
    sums = [np.einsum("ij,ij->", shares, differences(data, f, probes)) for f in range(data.Z.shape[1])]
    return np.array(sums, dtype=np.float64) / len(probes)


def differences(data: Scaled, f: int, probes: IntArray) -> FloatArray:
    """Return the difference of each probe and each row in one feature, shape (n_probes, n_rows).

    Nominal: 0 or 1, ``1 - 1 / labels`` if either is missing. Numeric: the distance of the scaled values; to a
    missing value the farthest that it could be, 1 between two missing ones.
    """
    column = data.Z[:, f]
    own, other = column[probes, np.newaxis], column[np.newaxis, :]
    if data.nominal[f]:
        diff: FloatArray = (own != other).astype(np.float64)
        if np.isnan(column).any():
            diff[np.isnan(own) | np.isnan(other)] = data.unknown[f]
        return diff
    diff = np.abs(own - other)
    if np.isnan(column).any():
        farthest = np.where(column < 0.5, 1.0 - column, column)
        diff = np.where(np.isnan(own), farthest[np.newaxis, :], diff)
        diff = np.where(np.isnan(other), farthest[probes, np.newaxis], diff)
        diff[np.isnan(diff)] = 1.0
    return diff


def _shares(problem: Problem, distances: FloatArray) -> FloatArray:
    """Return the part of each row in each probe's update, shape (n_probes, n_rows)."""
    data, probes = problem.data, problem.probes
    distances[np.arange(len(probes)), probes] = np.inf  # a probe is not its own neighbour
    shares = np.zeros_like(distances)
    factors = update_factors(data.class_counts)
    for c in np.flatnonzero(data.class_counts):
        rows = np.flatnonzero(data.y == c)
        slots, found = nearest_slots(distances[:, rows], problem.k, ordered=problem.rank_weights is not None)
        weights = _slot_weights(found, problem.rank_weights)
        weights *= factors[data.y[probes], c][:, np.newaxis]
        # Unfilled slots write to a column of their own, which is dropped.
        taken = np.zeros((len(probes), len(rows) + 1))
        np.put_along_axis(taken, slots, weights, axis=1)
        shares[:, rows] = taken[:, :-1]
    return shares


def nearest_slots(distances: FloatArray, k: int, ordered: bool = False) -> tuple[IntArray, FloatArray]:
    """Return the k nearest columns of each row, ties decided as Weka's scan decides them.

    The scan goes through the columns in ascending order. The first k fill slots 0 to k - 1; a later one enters
    only if it is strictly nearer than the worst kept so far, and takes the lowest slot among the worst.

    Parameters
    ----------
    distances : ndarray of shape (n_probes, n_columns)
        ``inf`` for a column that is no candidate.
    k : int
    ordered : bool, default False
        Whether the order of the slots matters too, not only what they hold.

    Returns
    -------
    slots : ndarray of shape (n_probes, min(k, n_columns))
        Column indices; ``n_columns`` where a slot stays empty.
    found : ndarray of the same shape
        Their distances, ``inf`` where a slot stays empty.

    Examples
    --------
    >>> nearest_slots(np.array([[3.0, 3.0, 1.0, 3.0]]), 2)[0].tolist()
    [[2, 1]]
    """
    n_columns = distances.shape[1]
    size = min(k, n_columns)
    near = np.argpartition(distances, size - 1, axis=1)[:, :size]
    found = np.take_along_axis(distances, near, axis=1)
    border = found.max(axis=1)
    replay = ordered | ((distances <= border[:, np.newaxis]).sum(axis=1) > size)
    near[replay], found[replay] = _scan(distances[replay], size)
    return np.where(np.isinf(found), n_columns, near), found


def _scan(distances: FloatArray, size: int) -> tuple[IntArray, FloatArray]:
    """Play the scan of `nearest_slots` for all probes at once."""
    slots = np.zeros((len(distances), size), dtype=np.int64)
    found = np.full((len(distances), size), np.inf)
    everyone = np.arange(len(distances))
    for j in range(distances.shape[1]):
        worst = np.argmax(found, axis=1)  # the lowest among equal ones; an empty slot counts as infinitely far
        enters = distances[:, j] < found[everyone, worst]
        who = everyone[enters]
        slots[who, worst[enters]] = j
        found[who, worst[enters]] = distances[enters, j]
    return slots, found


def _slot_weights(found: FloatArray, rank_weights: FloatArray | None) -> FloatArray:
    """Return the weight of each slot, the filled ones of a probe adding up to 1."""
    filled = ~np.isinf(found)
    weights: FloatArray = filled.astype(np.float64)
    if rank_weights is not None:
        for row, count in enumerate(filled.sum(axis=1).tolist()):
            weights[row, weka_sort(found[row, :count])] = rank_weights[:count]
    weights /= np.maximum(weights.sum(axis=1), np.finfo(float).tiny)[:, np.newaxis]
    return weights
