"""Cuts of numeric features: Fayyad and Irani's by minimum description length, and equal width."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from fsbench.columns import SortedColumn, Stretch, compiled_pays, each_stretch, spread_missing
from fsbench.entropy import LN2, count_logs
from fsbench.values import Dataset, Feature, FloatArray, IntArray

__all__ = ["Discretization", "Encoding", "equal_width", "mdl", "mdl_cuts", "mdl_tables", "width_cuts"]

Encoding = Literal["weka", "fayyad-irani"]


@dataclass(frozen=True, eq=False)
class Discretization:
    """Cuts fitted on a training part.

    Parameters
    ----------
    cuts : tuple
        One entry a feature: ascending cuts of shape (n_cuts,), or None for a nominal feature. A value goes to
        the first interval whose upper cut it does not exceed; there is one interval more than cuts.
    counts : tuple, optional
        What the fit counted on the way, an entry for each numeric feature: training rows by interval and class, and
        missing ones by class.
    tables : tuple, optional
        The same as one table a feature, see `fsbench.columns.spread_missing`.
    """

    cuts: tuple[FloatArray | None, ...]
    counts: tuple[tuple[IntArray, IntArray] | None, ...] = ()
    tables: tuple[FloatArray | None, ...] = ()

    def n_intervals(self, j: int) -> int:
        """Return the number of intervals of a numeric feature."""
        cuts = self.cuts[j]
        assert cuts is not None
        return len(cuts) + 1

    def apply(self, data: Dataset) -> Dataset:
        """Return the data set with every numeric feature replaced by its interval.

        Parameters
        ----------
        data : Dataset
            With the features that the cuts were fitted on; the rows may be others.

        Returns
        -------
        Dataset
            All features nominal; missing stays missing. Values outside the fitted range fall into the end
            intervals.
        """
        X, features = data.X.copy(order="F"), list(data.features)
        for j, cuts in enumerate(self.cuts):
            if cuts is not None:
                known = ~np.isnan(X[:, j])
                X[known, j] = np.searchsorted(cuts, X[known, j], side="left")
                features[j] = Feature(data.features[j].name, interval_labels(cuts))
        return replace(data, X=X, features=tuple(features), sparse=False, _derived={}, _borrowed=[0.0])


def interval_labels(cuts: FloatArray) -> tuple[str, ...]:
    """Name the intervals between cuts.

    Examples
    --------
    >>> interval_labels(np.array([0.8, 1.75]))
    ('(-inf, 0.8]', '(0.8, 1.75]', '(1.75, inf)')
    >>> interval_labels(np.array([]))
    ('all',)
    """
    if len(cuts) == 0:
        return ("all",)
    edges = [repr(float(c)) for c in cuts]
    inner = [f"({a}, {b}]" for a, b in itertools.pairwise(edges)]
    return (f"(-inf, {edges[0]}]", *inner, f"({edges[-1]}, inf)")


def mdl(train: Dataset, encoding: Encoding = "weka") -> Discretization:
    """Fit cuts that lower the entropy of the classes by more than they cost to describe.

    Parameters
    ----------
    train : Dataset
        The training rows.
    encoding : {"weka", "fayyad-irani"}, default "weka"
        Cost of naming a cut: the logarithm of the number of value changes (Weka's default), or of the number
        of rows less one (the paper).

    Returns
    -------
    Discretization

    References
    ----------
    U. Fayyad, K. Irani: Multi-interval discretization of continuous-valued attributes for classification
    learning, IJCAI 1993.
    """
    return train.derived(f"discretize.mdl.{encoding}", lambda: _mdl(train, encoding))


def equal_width(train: Dataset, bins: int = 10) -> Discretization:
    """Fit cuts at equal distances between the smallest and the largest known value.

    Parameters
    ----------
    train : Dataset
        The training rows.
    bins : int, default 10
        Number of intervals; a feature with one distinct value keeps a single one.

    Returns
    -------
    Discretization
    """
    numeric = (None if f.is_nominal else width_cuts(train.X[:, j], bins) for j, f in enumerate(train.features))
    return Discretization(tuple(numeric))


def width_cuts(values: FloatArray, bins: int) -> FloatArray:
    """Return the ``bins - 1`` inner edges of intervals of equal width.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN is left out.
    bins : int
        Number of intervals.

    Returns
    -------
    ndarray of shape (bins - 1,)
        Empty if there are not two distinct values.

    Examples
    --------
    >>> width_cuts(np.array([0.0, 4.0, np.nan, 1.0]), 4).tolist()
    [1.0, 2.0, 3.0]
    """
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    width = (high - low) / bins
    if width <= 0.0:
        return np.empty(0)
    edges: FloatArray = low + width * np.arange(1, bins, dtype=np.float64)
    return edges


class _Fits(NamedTuple):
    """Cuts of some columns, one after the other; see `fsbench.kernels.discretize.fit_columns`."""

    cuts: FloatArray
    counts: IntArray
    tables: FloatArray
    ends: IntArray
    missing: Sequence[IntArray]


def mdl_tables(train: Dataset, encoding: Encoding = "weka") -> tuple[FloatArray, IntArray] | None:
    """Return the tables of interval and class that `mdl` counts, for small data without nominal features.

    Parameters
    ----------
    train, encoding
        As in `mdl`.

    Returns
    -------
    tuple or None
        The tables, one below the other, and the lines before each table; None if there are others.
    """
    fits = _fits(train, encoding)
    alone = len(fits) == 1 and len(fits[0][0]) == train.n_features
    return (fits[0][1].tables, fits[0][1].ends) if alone else None


def _mdl(train: Dataset, encoding: Encoding) -> Discretization:
    cuts: list[FloatArray | None] = [None] * train.n_features
    counts: list[tuple[IntArray, IntArray] | None] = [None] * train.n_features
    tables: list[FloatArray | None] = [None] * train.n_features
    for features, fits in _fits(train, encoding):
        for i, (j, (a, b)) in enumerate(zip(features, itertools.pairwise(fits.ends.tolist()), strict=True)):
            cuts[j], tables[j] = fits.cuts[a - i : b - i - 1], fits.tables[a:b]
            counts[j] = fits.counts[a:b], fits.missing[i]
    return Discretization(tuple(cuts), tuple(counts), tuple(tables))


def _fits(train: Dataset, encoding: Encoding) -> list[tuple[list[int], _Fits]]:
    def build() -> list[tuple[list[int], _Fits]]:
        logs = count_logs(train)
        return each_stretch(train, lambda stretch: _fit_stretch(stretch, logs, encoding == "weka"))

    return train.derived(f"discretize.mdl.{encoding}.fits", build)


def _fit_stretch(stretch: Stretch, logs: FloatArray, count_changes: bool) -> _Fits:
    """Fit some columns: in one go where compiled code has packed them."""
    if stretch.packed is not None:
        from fsbench.kernels.discretize import fit_columns

        packed = stretch.packed
        rows, costs = _rows(packed.keys.shape[1]), _class_costs(packed.missing.shape[1])
        return _Fits(*fit_columns(*packed, rows, costs, logs, count_changes), list(packed.missing))
    missing = [column.missing for column in stretch.columns]
    fits = [_cuts_and_counts(column, logs, count_changes) for column in stretch.columns]
    cuts, counts = [own for own, _ in fits], [own for _, own in fits]
    tables = [spread_missing(own, absent) for own, absent in zip(counts, missing, strict=True)]
    ends = np.cumsum([0, *map(len, counts)])
    return _Fits(np.concatenate(cuts), np.concatenate(counts), np.concatenate(tables), ends, missing)


def mdl_cuts(column: SortedColumn, logs: FloatArray, count_changes: bool = True) -> FloatArray:
    """Return the cuts of one sorted column.

    Parameters
    ----------
    column : SortedColumn
        Known values in ascending order and their classes.
    logs : ndarray of shape (n_rows + 1,)
        ``i * ln(i)``, see `fsbench.entropy.xlogx_table`.
    count_changes : bool, default True
        Cost of naming a cut: Weka's (True) or the paper's, see `mdl`.

    Returns
    -------
    ndarray of shape (n_cuts,)
        Ascending, each halfway between two successive distinct values.

    Notes
    -----
    A subset is split where the entropy is smallest, the lowest place among equal ones, if
    ``gain > (log2(n_candidates) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / n`` (Fayyad and Irani 1993).
    """
    return _cuts_and_counts(column, logs, count_changes)[0]


def _cuts_and_counts(column: SortedColumn, logs: FloatArray, count_changes: bool) -> tuple[FloatArray, IntArray]:
    """Return the cuts, and the class counts of the intervals, shape (n_cuts + 1, n_classes)."""
    costs = _class_costs(column.n_classes)
    if compiled_pays(len(column.keys)):
        from fsbench.kernels.entropy import mdl_places

        places, below = mdl_places(column.keys, column.shift, _rows(len(column.keys)), costs, logs, count_changes)
    else:
        places, below = _mdl_places(column, costs, logs, count_changes)
    order = np.argsort(places)
    places = places[order]
    lower, upper = column.values(places - 1), column.values(places)
    with np.errstate(over="ignore"):  # halfway between huge values is infinity, as in Weka
        cuts = (lower + upper) / 2.0
    if (cuts >= upper).any():  # halfway between neighbouring doubles may be the upper one
        rows = np.searchsorted(column.values(np.arange(len(column.keys))), cuts, side="right")
        return cuts, _count_between(column, rows)
    nothing = np.zeros((1, column.n_classes), dtype=np.int64)
    return cuts, np.diff(np.concatenate([nothing, below[order], below[-1:]]), axis=0)


@lru_cache(maxsize=2)
def _rows(n: int) -> IntArray:
    """Return 0 .. n, made once for all columns of a length."""
    return np.arange(n + 1)


def _count_between(column: SortedColumn, rows: IntArray) -> IntArray:
    """Count the classes between some rows of a sorted column, shape (len(rows) + 1, n_classes)."""
    interval = np.searchsorted(rows, np.arange(len(column.keys)), side="right")
    shape = (len(rows) + 1, column.n_classes)
    return np.bincount(interval * shape[1] + column.classes(), minlength=shape[0] * shape[1]).reshape(shape)


@lru_cache(maxsize=64)
def _class_costs(n_classes: int) -> FloatArray:
    """Return ``log2(3^k - 2)`` for k = 0 .. n_classes: what it costs to say which of k classes a side holds."""
    # Beyond 600 the power overflows soon; such a cost is never met.
    costs = [math.log(3.0**k - 2.0) / LN2 if k <= 600 else math.inf for k in range(1, n_classes + 1)]
    return np.array([0.0, *costs])


def _mdl_places(
    column: SortedColumn, costs: FloatArray, logs: FloatArray, count_changes: bool
) -> tuple[IntArray, IntArray]:
    """Return what `fsbench.kernels.entropy.mdl_places` returns, by numpy: the kernel's oracle."""
    n = len(column.keys)
    below = np.zeros((n + 1, column.n_classes), dtype=np.int64)
    below[np.arange(1, n + 1), column.classes()] = 1
    below = np.add.accumulate(below, axis=0)
    starts = column.starts()
    places, pending = [], [(0, n)]
    while pending:
        start, stop = pending.pop()
        cut = _best_cut(starts, below, start, stop, costs, logs, count_changes)
        if cut:
            places.append(cut)
            pending += [(start, cut), (cut, stop)]
    rows = np.array(places, dtype=np.int64)
    return rows, below[np.append(rows, n)]


def _best_cut(
    starts: IntArray,
    below: IntArray,
    start: int,
    stop: int,
    costs: FloatArray,
    logs: FloatArray,
    count_changes: bool,
) -> int:
    """Return the place of the accepted cut inside rows start .. stop - 1, or 0; row i goes left if i < place.

    `starts` holds the rows at which a value begins, row i of `below` the class counts of the first i rows.
    """
    places = starts[np.searchsorted(starts, start, side="right") : np.searchsorted(starts, stop)]
    if len(places) == 0:
        return 0
    left = below[places] - below[start]
    right = below[stop] - below[places]
    split_entropies = _split_entropies(left, right, logs)
    best = int(np.argmin(split_entropies))
    whole = below[stop] - below[start]
    prior = _entropy(whole, logs)
    gain = prior - float(split_entropies[best])
    if gain <= 0.0:
        return 0
    n = stop - start
    n_candidates = len(places) if count_changes else n - 1
    parts = [(int((c > 0).sum()), _entropy(c, logs)) for c in (whole, left[best], right[best])]
    (k, h), (k1, h1), (k2, h2) = parts
    delta = float(costs[k]) - (k * h - k2 * h2 - k1 * h1)
    accepted = gain > (math.log(n_candidates) / LN2 + delta) / n
    return int(places[best]) if accepted else 0


def _split_entropies(left: IntArray, right: IntArray, logs: FloatArray) -> FloatArray:
    """Return H(class | side) in bits for each candidate: rows of `left` and `right`.

    Added class by class, left before right: equal entropies of different cuts must round alike on every path.
    """
    total = np.zeros(len(left))
    for side in (left, right):
        for c in range(side.shape[1]):
            total += logs[side[:, c]]
        total -= logs[side.sum(axis=1)]
    n = float(left[0].sum() + right[0].sum())
    return -total / (n * LN2)


def _entropy(counts: IntArray, logs: FloatArray) -> float:
    """Return the entropy of integer class counts in bits."""
    total = 0.0
    for c in counts.tolist():
        total -= float(logs[c])
    n = int(counts.sum())
    return (total + float(logs[n])) / (n * LN2)
