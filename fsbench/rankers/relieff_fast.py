"""ReliefF through compiled kernels: the way is chosen by what the columns hold and by their size.

Three ways find the same neighbours. Nominal features without missing values: distances are counts of unequal bytes.
Numeric features of long classes of dense data without missing values: whole-number distances rule out nearly all rows,
exact doubles decide the rest. Everything else: exact doubles, of eight probes side by side where no class is long, else
a row of them per probe.

The first and the last add the updates in the order that Weka has, as `fsbench.rankers.relieff_plain` does, and give the
same bits. The second knows which rows are neighbours but not their slots, on which that order depends, and adds in an
order of its own. If two of its weights are so close that rounding might decide which feature is the better one, the
last way is gone as well, and counts. Any number of threads gives the same bits.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from fsbench.kernels.threads import map_threads
from fsbench.rankers.relieff_problem import (
    SMALLEST_RANGE,
    Ranges,
    column_parts,
    column_ranges,
    endless_range,
    update_factors,
)
from fsbench.values import Dataset, FloatArray, IntArray

if TYPE_CHECKING:
    from fsbench.kernels.relieff_typed import Places, Steps, Totals

__all__ = ["fast_weights"]

PARTS = 32  # parts the probes are split into; more than threads, so that none waits long
ALONE = 20_000_000  # pairs of rows times features below which one thread is faster than a pool
FEW = 2_000_000  # pairs of rows times nominal features up to which doubles are as fast as bytes
MANY = 5_000_000  # pairs of rows times numeric features up to which they are as fast as whole numbers
LONG = 5_000  # rows of a class times features from which these are faster
HALF_ROWS = 3000  # most rows for which the matrix of all distances is held: 36 MB
FITTING = 192  # most features whose distances are kept in 16 bits
MOST_FEATURES = 500_000  # whose whole-number distances fit 32 bits
FEATURES = 128  # most features whose weights are summed by one task
CLOSE = 1e-12  # more than rounding changes a weight

T = TypeVar("T")
Part = tuple[int, int]
NO_RANKS = np.empty((2, 0))


def fast_weights(train: Dataset, probes: IntArray, k: int, rank_weights: FloatArray | None = None) -> FloatArray:
    """Return the ReliefF weight of each feature.

    Parameters
    ----------
    train : Dataset
        Finite or missing values.
    probes : ndarray of shape (n_probes,)
        Rows whose neighbours are looked for, in the order in which their updates are added, repeated or not.
    k : int
        Neighbours of each class.
    rank_weights : ndarray of shape (k,), optional
        Weight of the i-th nearest neighbour; None if all count alike.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    k = min(k, train.n_rows)
    sums = _by_bytes_or_integers(train, probes, k) if rank_weights is None else None
    if sums is None:
        ranked = NO_RANKS if rank_weights is None else np.array([rank_weights, np.add.accumulate(rank_weights)])
        sums = (_alone if _work(train, probes) < ALONE else _by_doubles)(train, probes, k, ranked)
    return sums * (1.0 / len(probes))


def _by_bytes_or_integers(train: Dataset, probes: IntArray, k: int) -> FloatArray | None:
    """Sum the updates of one of the two kinds of data for which there is something faster; else return None."""
    work = _work(train, probes)
    if work <= min(MANY, FEW):
        return None
    numeric = not train.is_nominal.any()
    if numeric:
        rows = train.n_rows // max(int(np.count_nonzero(train.class_counts)), 1)
        suits = work > MANY and rows * train.n_features >= LONG and not train.sparse
        suits = suits and train.n_features <= MOST_FEATURES and not _short_classes(train, k)
    else:
        suits = work > FEW and bool(train.is_nominal.all()) and train.n_labels.max() <= 256
    if not suits:
        return None
    ranges = column_ranges(train)
    if ranges.missing.any():
        return None
    grouped = Grouped.of(train, probes, k, ranges)
    return _by_integers(train, grouped) if numeric else _by_codes(train, grouped)


def _short_classes(train: Dataset, k: int) -> bool:
    """Tell whether doubles are as fast as whole numbers, since eight probes are looked at side by side."""
    from fsbench.kernels.relieff_exact import LONG, MUCH
    from fsbench.kernels.relieff_select import FEW_SLOTS

    longest = int(train.class_counts.max(initial=0))
    return k <= FEW_SLOTS and longest <= LONG and longest * train.n_features <= MUCH


def _work(train: Dataset, probes: IntArray) -> int:
    """Return pairs of rows times features."""
    return len(probes) * train.n_rows * train.n_features


class Neighbours(NamedTuple):
    """The neighbours of all probes.

    Attributes
    ----------
    nearest : ndarray of shape (n_probes, n_classes, k)
        Rows, in the order in which their updates are added.
    counts : ndarray of shape (n_probes, n_classes)
        How many there are.
    """

    nearest: Places
    counts: Places

    @classmethod
    def empty(cls, n_probes: int, n_classes: int, k: int) -> Neighbours:
        """Return arrays to be written."""
        return cls(np.empty((n_probes, n_classes, k), np.int32), np.empty((n_probes, n_classes), np.int32))


def _run(function: Callable[[T], None], parts: list[T], work: int) -> None:
    """Call a kernel on each part, on threads if there is enough to do."""
    if work < ALONE:
        for part in parts:
            function(part)
    else:
        map_threads(function, parts)


def _probe_parts(n_probes: int, work: int) -> list[Part]:
    """Split the probes into stretches of even length; one if a thread does them alone."""
    if work < ALONE:
        return [(0, n_probes)]
    length = 8 * -(-n_probes // (8 * PARTS))  # eight are looked at side by side
    return [(start, min(start + length, n_probes)) for start in range(0, n_probes, length)]


def _feature_parts(first: int, last: int, work: int) -> list[Part]:
    """Split features into stretches whose weights are summed by one task."""
    length = FEATURES if work < ALONE else min(FEATURES, max(8, 8 * -(-(last - first) // 32)))
    return [(start, min(start + length, last)) for start in range(first, last, length)]


def _alone(train: Dataset, probes: IntArray, k: int, ranked: FloatArray) -> FloatArray:
    """Sum the updates of features of any kind, in few rows."""
    from fsbench.kernels.relieff_alone import sum_updates

    sums = np.empty(train.n_features)
    kinds = train.is_nominal, train.n_labels, train.sparse
    endless = sum_updates(train.X.T, train.y, train.n_classes, *kinds, SMALLEST_RANGE, probes, k, ranked, sums)
    if endless >= 0:
        raise endless_range(train, endless)
    return sums


def _by_doubles(train: Dataset, probes: IntArray, k: int, ranked: FloatArray) -> FloatArray:
    """Do as `_alone` on threads."""
    from fsbench.kernels import relieff_exact, relieff_prepare, relieff_weights

    n, m, n_classes = train.n_rows, train.n_features, train.n_classes
    borders, factors = np.empty(n_classes + 1, np.int64), np.empty((n_classes, n_classes))
    (places, owners), (kinds, order) = np.empty((2, n), np.int64), np.empty((2, m), np.int64)
    z, unknown, ends = np.empty((m, n)), np.empty(m), np.empty(4, np.int64)
    endless = relieff_prepare.prepare_columns(
        train.X.T, train.y, train.is_nominal, train.n_labels, train.sparse, SMALLEST_RANGE,
        borders, places, owners, factors, z, kinds, unknown, order, ends,
    )  # fmt: skip
    if endless >= 0:
        raise endless_range(train, endless)
    at, work, found = places[probes], _work(train, probes), Neighbours.empty(len(probes), n_classes, k)

    def search(part: Part) -> None:
        relieff_exact.exact_neighbours(z, kinds, unknown, borders, ranked.shape[1] > 0, at, *part, *found)

    _run(search, _probe_parts(len(at), work), work)
    sums = np.empty(m)

    def weigh(task: tuple[int, Part]) -> None:
        kind, part = task
        relieff_weights.neighbour_weights(z, unknown, order, kind, *part, owners, factors, ranked, at, *found, sums)

    by_kind = enumerate(itertools.pairwise([0, *ends.tolist()]))
    _run(weigh, [(kind, part) for kind, (first, last) in by_kind for part in _feature_parts(first, last, work)], work)
    return sums


@dataclass(frozen=True, eq=False)
class Grouped:
    """Rows grouped by class, for large data.

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
    def of(cls, train: Dataset, probes: IntArray, k: int, ranges: Ranges) -> Grouped:
        """Group the rows of a training part."""
        rows = np.argsort(train.y, kind="stable")
        places = np.empty_like(rows)
        places[rows] = np.arange(len(rows))
        borders = np.concatenate([[0], np.cumsum(train.class_counts)])
        return cls(rows, borders, train.y[rows], places[probes], k, update_factors(train.class_counts), ranges)

    @cached_property
    def work(self) -> int:
        """Pairs of rows times features."""
        return len(self.probes) * len(self.rows) * len(self.ranges.low)

    def neighbours(self) -> Neighbours:
        """Return arrays for the neighbours."""
        return Neighbours.empty(len(self.probes), len(self.borders) - 1, self.k)

    def probe_parts(self) -> list[Part]:
        """Split the probes for threads."""
        return _probe_parts(len(self.probes), self.work)

    def run(self, function: Callable[[Part], None], parts: list[Part]) -> None:
        """Call a kernel on each part, on threads if there is enough to do."""
        _run(function, parts, self.work)


def _by_codes(train: Dataset, grouped: Grouped) -> FloatArray:
    """Sum the updates of nominal features without missing values."""
    from fsbench.kernels import relieff_codes, relieff_prepare

    n, m = train.n_rows, train.n_features
    codes = np.zeros((_padded(m, 4), n), np.uint8)
    relieff_prepare.code_columns(train.X, grouped.rows, codes)
    found, probes = grouped.neighbours(), grouped.probes

    def search(part: Part) -> None:
        relieff_codes.code_neighbours(codes, grouped.borders, probes, *part, *found)

    grouped.run(search, grouped.probe_parts())
    sums = np.empty(m)

    def weigh(part: Part) -> None:
        block = np.ascontiguousarray(codes[slice(*part)].T)
        relieff_codes.code_weights(block, grouped.owners, grouped.factors, probes, *found, sums[slice(*part)])

    grouped.run(weigh, _feature_parts(0, m, grouped.work))
    return sums


def _by_integers(train: Dataset, grouped: Grouped) -> FloatArray | None:
    """Sum the updates of numeric features without missing values; None if the order of additions might decide."""
    from fsbench.kernels import relieff_neighbours

    n, m = train.n_rows, train.n_features
    rounded, found = _round(train, grouped), grouped.neighbours()
    exact = (rounded.z, grouped.borders, rounded.errors, rounded.class_errors, rounded.scale)
    if len(grouped.probes) == n <= HALF_ROWS and not rounded.fits:
        distances = _all_distances(rounded, grouped)

        def search(part: Part) -> None:
            relieff_neighbours.matrix_neighbours(distances, *exact, grouped.probes, *part, *found)
    else:

        def search(part: Part) -> None:
            relieff_neighbours.integer_neighbours(rounded.q, rounded.fits, *exact, grouped.probes, *part, *found)

    grouped.run(search, grouped.probe_parts())
    # Quarters of the probes by stretches of features: each sum is made in one fixed order.
    quarter = -(-len(grouped.probes) // 4)
    stretches = [(f, min(f + FEATURES, m)) for f in range(0, m, FEATURES)]
    sums = np.zeros((4, m))

    def weigh(task: tuple[int, Part]) -> None:
        part, stretch = task
        places = (part * quarter, min((part + 1) * quarter, len(grouped.probes)))
        relieff_neighbours.integer_weights(
            rounded.z, grouped.owners, grouped.factors, grouped.probes, *found, *places, *stretch, sums[part]
        )

    _run(weigh, [(part, stretch) for part in range(4) for stretch in stretches], grouped.work)
    total = ((sums[0] + sums[1]) + sums[2]) + sums[3]
    return None if _close(total / len(grouped.probes), rounded.z) else total


def _close(weights: FloatArray, z: FloatArray) -> bool:
    """Tell whether two weights, but for those of equal columns, are so close that rounding decides which is larger."""
    order = np.argsort(weights)
    pairs = itertools.pairwise(order.tolist())
    near = np.diff(weights[order]) < CLOSE
    return any(not np.array_equal(z[:, a], z[:, b]) for a, b in itertools.compress(pairs, near.tolist()))


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
    z, q = np.empty((n, m)), np.zeros((_padded(m, 4 if fits else 8), _padded(n, 32)), np.uint16)
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
    distances = np.empty((n + 1, _padded(n, 32)), np.uint32)  # more is read than there is
    # Row i has n - i distances left: the borders of parts with equal work lie on a square root.
    edges = n - np.sqrt(np.linspace(n * n, 0, PARTS + 1))
    even = np.unique(2 * (edges / 2).astype(np.int64))
    even[-1] = n
    parts = list(itertools.pairwise(even.tolist()))
    grouped.run(lambda part: relieff_integers.half_rows(rounded.q, *part, distances), parts)
    grouped.run(lambda part: relieff_integers.mirror(distances, *part), grouped.probe_parts())
    return distances
