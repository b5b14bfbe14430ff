"""ReliefF of many labels on nominal features that mostly hold one value: only the other values are looked at.

Let u_jf be 1 where row j does not hold the usual value of feature f. Rows i and j differ in f by
``u_if + u_jf - u_if u_jf - u_if [same value]``. So the distance of two rows is the number of unusual values in
both less the places where they meet, and with shares w_ij the weight of a feature, ``sum_ij w_ij diff_f(i, j)``, is
``sum_j u_jf sum_i w_ij + sum_i u_if (sum_j w_ij - sum_j u_jf w_ij - sum_j [same value] w_ij)``: for both, the lists
of rows that hold an unusual value are all that is needed.
"""

from __future__ import annotations

import numpy as np

from fsbench.kernels.jit import jit, jit_bare
from fsbench.kernels.multilabel_neighbours import Counts, Marks, binary_shares, powerset_shares
from fsbench.values import FloatArray, IntArray

__all__ = ["sparse_binary", "sparse_powerset", "unusual_distances"]


@jit
def unusual_distances(
    probe_entries: IntArray,
    probe_values: IntArray,
    sizes: IntArray,
    feature_start: IntArray,
    feature_rows: Counts,
    value_start: IntArray,
    value_rows: Counts,
    single: Marks,
    distances: Counts,
) -> None:
    """Write the number of features in which a row differs from each row of the index.

    Parameters
    ----------
    probe_entries, probe_values : ndarray of shape (n_unusual,)
        Features in which the row has an unusual value, and the number of that value.
    sizes : ndarray of shape (n_rows,)
        Unusual values of each row.
    feature_start, feature_rows : ndarray of shape (n_features + 1,) and (n_entries,)
        Rows with an unusual value in each feature, ascending.
    value_start, value_rows : ndarray of shape (n_values + 1,) and (n_entries,)
        Rows that hold each unusual value, ascending.
    single : ndarray of shape (n_features,)
        Whether a feature has one unusual value only: its two lists are then the same.
    distances : ndarray of shape (n_rows,)
        Overwritten.
    """
    for j in range(len(sizes)):
        distances[j] = len(probe_entries) + sizes[j]
    for e in range(len(probe_entries)):
        f, v = probe_entries[e], probe_values[e]
        step = 2 if single[f] else 1
        for at in range(feature_start[f], feature_start[f + 1]):
            distances[feature_rows[at]] -= step
        if single[f] == 0:
            for at in range(value_start[v], value_start[v + 1]):
                distances[value_rows[at]] -= 1


@jit
def sparse_binary(
    entry_start: IntArray,
    entries: IntArray,
    values: IntArray,
    sizes: IntArray,
    feature_start: IntArray,
    feature_rows: Counts,
    value_start: IntArray,
    value_rows: Counts,
    single: Marks,
    rare_start: IntArray,
    rare_rows: Counts,
    row_start: IntArray,
    row_labels: Counts,
    is_rare: Marks,
    all_rows: Counts,
    label_weights: FloatArray,
    wide: int,
    k: int,
    first: int,
    last: int,
    sums: FloatArray,
) -> None:
    """Add up the updates of probes first .. last - 1 over all labels.

    `entry_start`, `entries` and `values` list the unusual values of each row; the arrays up to `single` are as in
    `unusual_distances`, those up to `label_weights` as in `multilabel_neighbours.binary_shares`; `wide` is K there.
    `sums` (n_features,) is overwritten.
    """
    n = len(sizes)
    distances, entered, touched = np.empty(n, np.int32), np.empty(2 * n, np.int32), np.empty(n, np.int32)
    found, slots = np.empty(wide, np.int32), np.empty((3, k), np.int32)
    shares, columns, noted = np.zeros(n), np.zeros(n), np.zeros(n, np.uint8)
    sums[:] = 0.0
    for probe in range(first, last):
        own = entries[entry_start[probe] : entry_start[probe + 1]]
        held = values[entry_start[probe] : entry_start[probe + 1]]
        unusual_distances(own, held, sizes, feature_start, feature_rows, value_start, value_rows, single, distances)
        count = binary_shares(
            distances, probe, rare_start, rare_rows, row_start, row_labels, is_rare, all_rows, label_weights,
            entered, found, slots, shares, noted, touched,
        )  # fmt: skip
        _update(
            own, held, feature_start, feature_rows, value_start, value_rows, single,
            touched[:count], shares, noted, columns, sums,
        )  # fmt: skip
    _finish(feature_start, feature_rows, columns, sums)


@jit
def sparse_powerset(
    entry_start: IntArray,
    entries: IntArray,
    values: IntArray,
    sizes: IntArray,
    feature_start: IntArray,
    feature_rows: Counts,
    value_start: IntArray,
    value_rows: Counts,
    single: Marks,
    owner: IntArray,
    class_start: IntArray,
    class_rows: Counts,
    k: int,
    first: int,
    last: int,
    sums: FloatArray,
) -> None:
    """Do as `sparse_binary` where the classes are label sets, see `multilabel_neighbours.powerset_shares`."""
    n = len(sizes)
    distances, touched = np.empty(n, np.int32), np.empty(n, np.int32)
    found, slots = np.empty(k, np.int32), np.empty((1, k), np.int32)
    shares, columns, noted = np.zeros(n), np.zeros(n), np.zeros(n, np.uint8)
    sums[:] = 0.0
    for probe in range(first, last):
        own = entries[entry_start[probe] : entry_start[probe + 1]]
        held = values[entry_start[probe] : entry_start[probe + 1]]
        unusual_distances(own, held, sizes, feature_start, feature_rows, value_start, value_rows, single, distances)
        count = powerset_shares(distances, probe, owner, class_start, class_rows, found, slots, shares, noted, touched)
        _update(
            own, held, feature_start, feature_rows, value_start, value_rows, single,
            touched[:count], shares, noted, columns, sums,
        )  # fmt: skip
    _finish(feature_start, feature_rows, columns, sums)


@jit_bare
def _update(
    own: IntArray,
    held: IntArray,
    feature_start: IntArray,
    feature_rows: Counts,
    value_start: IntArray,
    value_rows: Counts,
    single: Marks,
    touched: Counts,
    shares: FloatArray,
    noted: Marks,
    columns: FloatArray,
    sums: FloatArray,
) -> None:
    """Take the shares of one probe into the sums, and clear them."""
    total = 0.0
    for t in range(len(touched)):
        j = touched[t]
        total += shares[j]
        columns[j] += shares[j]
    for e in range(len(own)):
        f, v = own[e], held[e]
        met = 0.0
        for at in range(feature_start[f], feature_start[f + 1]):
            met += shares[feature_rows[at]]
        if single[f]:
            met *= 2.0
        else:
            for at in range(value_start[v], value_start[v + 1]):
                met += shares[value_rows[at]]
        sums[f] += total - met
    for t in range(len(touched)):
        shares[touched[t]] = 0.0
        noted[touched[t]] = 0


@jit_bare
def _finish(feature_start: IntArray, feature_rows: Counts, columns: FloatArray, sums: FloatArray) -> None:
    """Add the part of the sums that depends on the other row alone."""
    for f in range(len(sums)):
        for at in range(feature_start[f], feature_start[f + 1]):
            sums[f] += columns[feature_rows[at]]
