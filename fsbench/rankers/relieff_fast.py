"""ReliefF through compiled kernels: the way is chosen by what the columns hold, never by the machine.

Three ways find the same neighbours. Nominal features without missing values: distances are counts of unequal
bytes. Numeric features of dense data without missing values: whole-number distances rule out nearly all rows,
exact doubles decide the rest. Everything else, and weights by rank: a row of exact doubles per probe. All work is
split by the size of the data, so that any number of threads gives the same bits.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fsbench.kernels.threads import map_threads
from fsbench.rankers.relieff_problem import (
    SMALLEST_RANGE,
    Ranges,
    column_parts,
    column_ranges,
    unknown_label_differences,
    update_factors,
)
from fsbench.values import BoolArray, Dataset, FloatArray, IntArray

if TYPE_CHECKING:
    from fsbench.kernels.relieff_typed import Places, Steps, Totals

__all__ = ["fast_weights"]

PARTS = 32  # parts the probes are split into; more than threads, so that none waits long
ALONE = 20_000_000  # pairs of rows times features below which one thread is faster than a pool
HALF_ROWS = 3000  # most rows for which the matrix of all distances is held: 36 MB
FITTING = 192  # most features whose distances are kept in 16 bits
MOST_FEATURES = 500_000  # whose whole-number distances fit 32 bits
FEATURES = 128  # features whose weights are summed by one task


def fast_weights(train: Dataset, probes: IntArray, k: int, rank_weights: FloatArray | None = None) -> FloatArray:
    """Return the ReliefF weight of each feature.

    Parameters
    ----------
    train : Dataset
        Finite or missing values.
    probes : ndarray of shape (n_probes,)
        Rows whose neighbours are looked for, in any order, repeated or not.
    k : int
        Neighbours of each class.
    rank_weights : ndarray of shape (k,), optional
        Weight of the i-th nearest neighbour; None if all count alike.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    grouped = Grouped.of(train, probes, min(k, train.n_rows))
    plain = rank_weights is None and not grouped.ranges.missing.any()
    if plain and train.is_nominal.all() and train.n_labels.max() <= 256:
        sums = _by_codes(train, grouped)
    elif plain and not train.is_nominal.any() and not train.sparse and train.n_features <= MOST_FEATURES:
        sums = _by_integers(train, grouped)
    else:
        sums = _by_doubles(train, grouped, rank_weights)
    return sums / len(probes)


@dataclass(frozen=True, eq=False)
class Grouped:
    """Rows grouped by class, and what all ways need to know of them.

    Parameters
    ----------
    rows : ndarray of shape (n_rows,)
        File index of each place.
    borders : ndarray of shape (n_classes + 1,)
        Class c stands at places ``borders[c]`` .. ``borders[c + 1] - 1``.
    owners : ndarray of shape (n_rows,)
        Class at each place.
    probes : ndarray of shape (n_probes,)
        Places of the probes.
    k : int
        Neighbours of each class.
    factors : ndarray of shape (n_classes, n_classes)
        See `fsbench.rankers.relieff_problem.update_factors`.
    ranges : fsbench.rankers.relieff_problem.Ranges
    """

    rows: IntArray
    borders: IntArray
    owners: IntArray
    probes: IntArray
    k: int
    factors: FloatArray
    ranges: Ranges

    @classmethod
    def of(cls, train: Dataset, probes: IntArray, k: int) -> Grouped:
        """Group the rows of a training part."""
        ranges = column_ranges(train)
        rows = np.argsort(train.y, kind="stable")
        places = np.empty_like(rows)
        places[rows] = np.arange(len(rows))
        borders = np.concatenate([[0], np.cumsum(train.class_counts)])
        # Ascending places: the sums do not depend on how the probes were ordered.
        chosen = np.sort(places[probes])
        factors = update_factors(train.class_counts)
        return cls(rows, borders, train.y[rows], chosen, k, factors, ranges)

    @cached_property
    def work(self) -> int:
        """Pairs of rows times features, about."""
        return len(self.probes) * len(self.rows) * len(self.ranges.low)

    def probe_parts(self) -> list[tuple[int, int]]:
        """Split the probes into stretches of even length."""
        n = len(self.probes)
        length = max(2, 2 * -(-n // (2 * PARTS)))
        return [(start, min(start + length, n)) for start in range(0, n, length)]

    def run(self, function: Callable[[tuple[int, int]], None], parts: list[tuple[int, int]]) -> None:
        """Call a kernel on each part, on threads if there is enough to do."""
        if self.work < ALONE:
            for part in parts:
                function(part)
        else:
            map_threads(function, parts)


def _by_codes(train: Dataset, grouped: Grouped) -> FloatArray:
    """Sum the updates of nominal features without missing values."""
    from fsbench.kernels import relieff_codes, relieff_prepare

    n, m = train.n_rows, train.n_features
    by_feature, by_row = np.zeros((_padded(m, 4), n), np.uint8), np.empty((n, m), np.uint8)
    relieff_prepare.code_columns(train.X, grouped.rows, by_feature, by_row)
    nearest, counts = _neighbour_arrays(grouped)
    probes, borders = grouped.probes, grouped.borders

    def search(part: tuple[int, int]) -> None:
        relieff_codes.code_neighbours(by_feature, borders, probes, *part, nearest, counts)

    parts = grouped.probe_parts()
    grouped.run(search, parts)
    sums = np.empty((len(parts), m))

    def weigh(part: tuple[int, int]) -> None:
        out = sums[parts.index(part)]
        relieff_codes.code_weights(by_row, grouped.owners, grouped.factors, probes, nearest, counts, *part, out)

    grouped.run(weigh, parts)
    return _in_order(sums)


def _by_doubles(train: Dataset, grouped: Grouped, rank_weights: FloatArray | None) -> FloatArray:
    """Sum the updates of features of any kind."""
    from fsbench.kernels import relieff_exact, relieff_prepare

    n, m = train.n_rows, train.n_features
    z = np.empty((m, n))
    low, high, missing = grouped.ranges
    numeric: BoolArray = ~train.is_nominal
    relieff_prepare.scale_columns(train.X, grouped.rows, low, high, numeric, SMALLEST_RANGE, z)
    kinds = 2 * train.is_nominal.astype(np.int64) + missing
    columns = (z, kinds, unknown_label_differences(train))
    nearest = np.empty((len(grouped.probes), train.n_classes, grouped.k), np.int32)
    shares = np.empty(nearest.shape)
    ranked = np.empty(0) if rank_weights is None else rank_weights

    def search(part: tuple[int, int]) -> None:
        relieff_exact.exact_neighbours(
            *columns, grouped.borders, grouped.factors, ranked, grouped.probes, *part, nearest, shares
        )

    grouped.run(search, grouped.probe_parts())
    sums, flat = np.empty(m), (len(grouped.probes), -1)

    def weigh(part: tuple[int, int]) -> None:
        relieff_exact.exact_weights(*columns, grouped.probes, nearest.reshape(flat), shares.reshape(flat), *part, sums)

    grouped.run(weigh, [(f, f + 1) for f in range(m)])
    return sums


def _by_integers(train: Dataset, grouped: Grouped) -> FloatArray:
    """Sum the updates of numeric features without missing values."""
    from fsbench.kernels import relieff_neighbours

    n, m = train.n_rows, train.n_features
    rounded = _round(train, grouped)
    exact = (rounded.z, grouped.borders, rounded.errors, rounded.class_errors, rounded.scale)
    nearest, counts = _neighbour_arrays(grouped)
    if len(grouped.probes) == n <= HALF_ROWS and not rounded.fits:
        distances = _all_distances(rounded, grouped)

        def search(part: tuple[int, int]) -> None:
            relieff_neighbours.matrix_neighbours(distances, *exact, *part, nearest, counts)
    else:

        def search(part: tuple[int, int]) -> None:
            relieff_neighbours.integer_neighbours(
                rounded.q, rounded.fits, *exact, grouped.probes, *part, nearest, counts
            )

    grouped.run(search, grouped.probe_parts())
    # Quarters of the probes by stretches of features: each sum is made in one fixed order.
    quarter = -(-len(grouped.probes) // 4)
    stretches = [(f, min(f + FEATURES, m)) for f in range(0, m, FEATURES)]
    sums = np.zeros((4, m))

    def weigh(task: tuple[int, int]) -> None:
        part, stretch = divmod(task[0], len(stretches))
        places = (part * quarter, min((part + 1) * quarter, len(grouped.probes)))
        relieff_neighbours.integer_weights(
            rounded.z, grouped.owners, grouped.factors, grouped.probes, nearest, counts,
            *places, *stretches[stretch], sums[part],
        )  # fmt: skip

    grouped.run(weigh, [(task, task + 1) for task in range(4 * len(stretches))])
    return _in_order(sums)


@dataclass(frozen=True, eq=False)
class Rounded:
    """Scaled numeric columns in exact and in whole numbers, see `fsbench.kernels.relieff_integers`."""

    z: FloatArray
    q: Steps
    fits: bool
    scale: float
    errors: FloatArray
    class_errors: FloatArray


def _round(train: Dataset, grouped: Grouped) -> Rounded:
    from fsbench.kernels import relieff_prepare

    n, m = train.n_rows, train.n_features
    fits, scale = resolution(m)
    z, q = np.empty((n, m)), np.zeros((_padded(m, 8), _padded(n, 32)), np.uint16)
    parts = column_parts(n, m)
    errors = np.zeros((len(parts), n))

    low, high, _ = grouped.ranges

    def scale_part(task: int) -> None:
        relieff_prepare.scale_and_round(
            train.X, grouped.rows, low, high, SMALLEST_RANGE, scale, *parts[task], z, q, errors[task]
        )

    map_threads(scale_part, range(len(parts)))
    total = errors.sum(axis=0)
    borders = grouped.borders
    largest = [total[a:b].max(initial=0.0) for a, b in itertools.pairwise(borders.tolist())]
    return Rounded(z, q, fits, scale, total, np.array(largest))


def resolution(n_features: int) -> tuple[bool, float]:
    """Tell whether distances fit 16 bits, and choose the whole number that stands for a difference of 1.

    Of many features eight are added up at a time and moved to 32 bits, which leaves room for finer steps.

    Examples
    --------
    >>> resolution(40)
    (True, 1638.0)
    >>> resolution(1000)
    (False, 8191.0)
    """
    if n_features <= FITTING:
        return True, float(min(65535 // max(n_features, 1), 32767))
    return False, 8191.0


def _padded(n: int, multiple: int) -> int:
    """Return the next multiple."""
    return -(-n // multiple) * multiple


def _all_distances(rounded: Rounded, grouped: Grouped) -> Totals:
    """Return the whole-number distances of all pairs; each is computed once and copied to the other half."""
    from fsbench.kernels import relieff_integers

    n = len(grouped.rows)
    distances = np.empty((n, _padded(n, 32)), np.uint32)
    # Row i has n - i distances left: the borders of parts with equal work lie on a square root.
    edges = n - np.sqrt(np.linspace(n * n, 0, PARTS + 1))
    even = np.unique(2 * (edges / 2).astype(np.int64))
    even[-1] = n
    parts = list(itertools.pairwise(even.tolist()))
    grouped.run(lambda part: relieff_integers.half_rows(rounded.q, *part, distances), parts)
    grouped.run(lambda part: relieff_integers.mirror(distances, *part), grouped.probe_parts())
    return distances


def _neighbour_arrays(grouped: Grouped) -> tuple[Places, Places]:
    n_classes = len(grouped.borders) - 1
    shape = (len(grouped.probes), n_classes)
    return np.empty((*shape, grouped.k), np.int32), np.empty(shape, np.int32)


def _in_order(sums: FloatArray) -> FloatArray:
    """Add the rows one after the other."""
    total = np.zeros(sums.shape[1])
    for row in sums:
        total += row
    return total
