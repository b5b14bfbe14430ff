"""NLC over a sorted column: label changes by the paper's fitted rule, and their true maximum.

Both walk the groups of equal value once; see `fsbench.rankers.nlc` for the rules. Rows with a missing value are a
last group, given by their class counts.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.sorting import run_end
from fsbench.values import IntArray

__all__ = ["fitted_changes", "most_changes"]

START, NONE = -2, -1  # no group before; nothing that the row before may carry


@jit
def fitted_changes(keys: IntArray, shift: int, missing: IntArray) -> int:
    """Count label changes by the fitted rule.

    Parameters
    ----------
    keys : ndarray of shape (n_known,)
        Ascending; equal values are equal above the lowest `shift` bits, which are the class. So the rows of a
        class stand together inside a group.
    shift : int
    missing : ndarray of shape (n_classes,)
        Class counts of the rows whose value is missing.

    Notes
    -----
    `may` of the rule never holds more than two labels: `one` and `two`, equal if it is a single one.
    """
    n, mask = len(keys), (1 << shift) - 1
    changes, one, two = 0, START, START
    start = 0
    while start < n:
        place, first = keys[start] >> shift, keys[start] & mask
        stop = run_end(keys, start)
        most, n_labels, last = stop - start, 1, first
        shared = first in (one, two)
        while stop < n and keys[stop] >> shift == place:
            end = run_end(keys, stop)
            last = keys[stop] & mask
            most, n_labels, stop = max(most, end - stop), n_labels + 1, end
            shared = shared or last in (one, two)
        changes += _inner_changes(stop - start, most) + (one != START and not shared)
        if n_labels == 1:
            one = two = first
        elif stop - start > 2:
            one = two = NONE
        elif (first in (one, two)) == (last in (one, two)):
            one, two = first, last
        elif first in (one, two):
            one = two = last
        else:
            one = two = first
        start = stop
    rows = int(missing.sum())
    if rows > 0:
        shared = (one >= 0 and missing[one] > 0) or (two >= 0 and missing[two] > 0)
        changes += _inner_changes(rows, int(missing.max())) + (one != START and not shared)
    return changes


@jit_bare
def _inner_changes(n: int, most: int) -> int:
    """Return ChangesSameValue of the paper: the most changes of n rows whose largest class has `most`."""
    return n - 1 if 2 * most <= n + 1 else 2 * (n - most)


@jit
def most_changes(keys: IntArray, shift: int, missing: IntArray) -> int:
    """Return the largest number of changes over all orders that keep equal values together.

    Parameters as in `fitted_changes`. For each label that the last row so far may carry, `best` holds the most
    changes up to there; the labels of the group before are listed in `ends`.
    """
    n, n_classes, mask = len(keys), len(missing), (1 << shift) - 1
    counts = np.zeros(n_classes, np.int64)
    best, following = np.zeros(n_classes, np.int64), np.zeros(n_classes, np.int64)
    ends, labels = np.zeros(n_classes, np.int64), np.zeros(n_classes, np.int64)
    n_ends, start = 0, 0
    while start < n:
        place, first = keys[start] >> shift, keys[start] & mask
        stop = run_end(keys, start)
        if n_ends == 1 and (stop == n or keys[stop] >> shift != place):  # one label after one label
            best[first] = best[ends[0]] + (ends[0] != first)
            ends[0] = first
            start = stop
            continue
        labels[0], counts[first], n_labels = first, stop - start, 1
        while stop < n and keys[stop] >> shift == place:
            end = run_end(keys, stop)
            labels[n_labels] = keys[stop] & mask
            counts[labels[n_labels]] = end - stop
            n_labels, stop = n_labels + 1, end
        _join(counts, labels[:n_labels], stop - start, ends[:n_ends], best, following)
        for i in range(n_labels):
            best[labels[i]] = following[labels[i]]
            ends[i] = labels[i]
        n_ends, start = n_labels, stop
    if missing.sum() > 0:
        labels = np.flatnonzero(missing)
        _join(missing, labels, int(missing.sum()), ends[:n_ends], best, following)
        return int(following[labels].max())
    result = 0
    for i in range(n_ends):
        result = max(result, best[ends[i]])
    return result


@jit_bare
def _join(counts: IntArray, labels: IntArray, n: int, ends: IntArray, best: IntArray, following: IntArray) -> None:
    """Write to `following` the most changes up to each label at which this group may end."""
    heavy0, heavy1 = -1, -1
    for b in range(len(labels)):
        following[labels[b]] = -1
        if 2 * counts[labels[b]] >= n:
            heavy0, heavy1 = labels[b], heavy0
    for a in range(len(labels)):
        first = labels[a]
        before = 0
        for e in range(len(ends)):
            before = max(before, best[ends[e]] + (ends[e] != first))
        for b in range(len(labels)):
            last = labels[b]
            if first == last and counts[first] == 1 and n > 1:
                continue
            equal = 0
            if heavy0 >= 0:
                equal = max(equal, 2 * counts[heavy0] - n - 1 + (first != heavy0) + (last != heavy0))
            if heavy1 >= 0:
                equal = max(equal, 2 * counts[heavy1] - n - 1 + (first != heavy1) + (last != heavy1))
            following[last] = max(following[last], before + n - 1 - equal)
