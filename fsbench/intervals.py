"""Rows as patterns of interval numbers: equal-width intervals of a numeric feature, one a label of a nominal one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fsbench.discretize import width_cuts
from fsbench.errors import DataError, MethodError, nearest
from fsbench.values import BoolArray, Dataset, Feature, FloatArray, IntArray

__all__ = [
    "AUTO_NUMBERS",
    "DEFAULT_NUMBER",
    "MAX_NUMBER",
    "CodeArray",
    "IntervalSpec",
    "Intervals",
    "Missing",
    "auto_number",
    "check_names",
    "count_intervals",
    "fit_intervals",
    "parse_spec",
    "semi_exclusive",
]

CodeArray = npt.NDArray[np.int32]
Missing = Literal["own", "skip"]
IntervalSpec = int | str | tuple[tuple[str, int], ...]

DEFAULT_NUMBER = 10  # as many as Figure 1 of the exclusiveness paper shows
MAX_NUMBER = 10_000
AUTO_NUMBERS = (3, 5, 8, 10, 15, 20, 30, 50)
OTHERS = "*"


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals fitted on training rows; they turn any row into a pattern of interval numbers.

    Parameters
    ----------
    features : tuple of Feature
        The features they were fitted on.
    cuts : tuple of ndarray
        The inner borders of each feature, ascending: n - 1 of them for n intervals. A value equal to a border
        belongs to the lower interval. Empty for a nominal feature, and for one without two different values.
    low, high : ndarray of shape (n_features,)
        Smallest and largest finite value in training; NaN where there is none.
    missing : {"own", "skip"}
        A missing value gets the number after the last interval, or -1.
    """

    features: tuple[Feature, ...]
    cuts: tuple[FloatArray, ...]
    low: FloatArray
    high: FloatArray
    missing: Missing = "own"

    @cached_property
    def n_intervals(self) -> IntArray:
        """Number of intervals of each feature, that of missing values not counted; shape (n_features,)."""
        pairs = zip(self.features, self.cuts, strict=True)
        return np.array([f.n_labels if f.is_nominal else len(c) + 1 for f, c in pairs], dtype=np.int64)

    def encode(self, data: Dataset) -> CodeArray:
        """Return the interval numbers of every row.

        Parameters
        ----------
        data : Dataset
            With the features that the intervals were fitted on.

        Returns
        -------
        ndarray of shape (n_features, n_rows)
            int32, from 0. Numbers outside the training range fall in the first or the last interval.
        """
        codes = np.empty((data.n_features, data.n_rows), dtype=np.int32)
        for j, (feature, cuts, column) in enumerate(zip(self.features, self.cuts, data.X.T, strict=True)):
            unknown = np.isnan(column)
            if feature.is_nominal:
                codes[j] = np.where(unknown, 0.0, column)
            else:
                codes[j] = np.searchsorted(cuts, column, side="left")
            codes[j][unknown] = self.n_intervals[j] if self.missing == "own" else -1
        return codes

    def name(self, j: int, k: int) -> tuple[str, str]:
        """Return the two ends of an interval as text: its borders, or its label and nothing.

        Parameters
        ----------
        j : int
            Feature index.
        k : int
            Interval number; ``n_intervals[j]`` is the interval of missing values.

        Returns
        -------
        tuple of str
        """
        labels, cuts = self.features[j].labels, self.cuts[j]
        if k == self.n_intervals[j]:
            return "missing", ""
        if labels is not None:
            return labels[k], ""
        start = self.low[j] if k == 0 else cuts[k - 1]
        end = self.high[j] if k == len(cuts) else cuts[k]
        return f"{start:.6g}", f"{end:.6g}"


def fit_intervals(train: Dataset, spec: IntervalSpec = DEFAULT_NUMBER, missing: Missing = "own") -> Intervals:
    """Fit intervals on training rows.

    Parameters
    ----------
    train : Dataset
        The training rows.
    spec : int, "auto" or tuple of (name, int) pairs
        How many for each numeric feature (see `parse_spec`).
    missing : {"own", "skip"}, default "own"
        What number a missing value gets (see `Intervals`).

    Returns
    -------
    Intervals
    """
    cuts: list[FloatArray] = []
    low, high = np.full(train.n_features, np.nan), np.full(train.n_features, np.nan)
    numbers = dict(spec) if isinstance(spec, tuple) else {}
    for j, feature in enumerate(train.features):
        column = train.X[:, j]
        finite = column[np.isfinite(column)]
        cuts.append(np.empty(0))
        if feature.is_nominal or len(finite) == 0:
            continue
        low[j], high[j] = finite.min(), finite.max()
        if isinstance(spec, int):
            number = spec
        elif isinstance(spec, tuple):
            number = numbers.get(feature.name, numbers.get(OTHERS, DEFAULT_NUMBER))
        else:
            number = auto_number(column, train.y, train.n_classes)
        cuts[j] = width_cuts(finite, number)
    return Intervals(train.features, tuple(cuts), low, high, missing)


def auto_number(column: FloatArray, y: IntArray, n_classes: int) -> int:
    """Choose the number of intervals under which the classes of the rows are most probable.

    Of 3, 5, 8, 10, 15, 20, 30 and 50, the one with the largest marginal likelihood of the labels given the
    intervals, all class shares in an interval being equally probable beforehand [1]_. Equal: the fewest.

    Parameters
    ----------
    column : ndarray of shape (n_rows,)
        Values of a numeric feature in training; missing ones are left out.
    y : ndarray of shape (n_rows,)
        Class indices.
    n_classes : int
        Number of declared classes.

    Returns
    -------
    int

    Notes
    -----
    The likelihood of an interval with n rows, n_c of class c, is ``(C-1)! / (n+C-1)! * prod n_c!``. It rises
    with pure intervals and pays for each interval that is not needed, so it needs no test rows.

    References
    ----------
    .. [1] G. F. Cooper, E. Herskovits, "A Bayesian method for the induction of probabilistic networks from
       data", Machine Learning 9, 1992, equation 5.
    """
    known = np.isfinite(column)
    values, labels = column[known], y[known]
    classes = len(np.unique(y))
    if len(values) == 0 or classes < 2 or values.min() == values.max():
        return AUTO_NUMBERS[0]
    steps = np.log(np.arange(1, len(values) + classes))
    log_factorial = np.concatenate([[0.0], np.cumsum(steps)])
    best, most = AUTO_NUMBERS[0], -np.inf
    for number in AUTO_NUMBERS:
        codes = np.searchsorted(width_cuts(values, number), values, side="left")
        counts = count_intervals(codes, labels, number, n_classes)
        rows = counts.sum(axis=1)
        fit = log_factorial[counts].sum() - (log_factorial[rows + classes - 1] - log_factorial[classes - 1]).sum()
        # Sums of logarithms carry rounding: a gain below it is a tie, and the fewest intervals win ties.
        if fit > most + 1e-9 * max(1.0, abs(most)) or most == -np.inf:
            best, most = number, float(fit)
    return best


def count_intervals(codes: npt.NDArray[Any], y: IntArray, number: int, n_classes: int) -> IntArray:
    """Count the rows of each class in each interval: freq(Ai, k, c) of the paper.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        Interval numbers; negative ones are not counted.
    y : ndarray of shape (n_rows,)
        Class indices.
    number : int
        Number of intervals.
    n_classes : int
        Number of classes.

    Returns
    -------
    ndarray of shape (number, n_classes)
    """
    counted = codes >= 0
    cells = codes[counted].astype(np.int64) * n_classes + y[counted]
    counts = np.bincount(cells, minlength=number * n_classes)
    return counts.reshape(number, n_classes).astype(np.int64)


def semi_exclusive(counts: IntArray, phi: float) -> BoolArray:
    """Mark the intervals of which one class holds at least `phi`: semk(Ai, k, phi) of the paper.

    Parameters
    ----------
    counts : ndarray of shape (n_intervals, n_classes)
        Rows of each class in each interval.
    phi : float
        Share of rows; 1 asks for one class only.

    Returns
    -------
    ndarray of shape (n_intervals,)
        An empty interval is never marked.

    Examples
    --------
    >>> semi_exclusive(np.array([[3, 1], [2, 1], [0, 0]]), 0.75).tolist()
    [True, False, False]
    """
    rows = counts.sum(axis=1)
    # The quotient, not a product with phi: correctly rounded, it equals phi whenever the true share does.
    share = counts.max(axis=1, initial=0) / np.maximum(rows, 1)
    return np.asarray((rows > 0) & (share >= phi), dtype=np.bool_)


def parse_spec(spec: Any, owner: str) -> IntervalSpec:
    """Check how many intervals are asked for and bring it to one form.

    Parameters
    ----------
    spec : object
        A number for all numeric features; ``"auto"`` (see `auto_number`); or numbers by feature name, as a
        mapping or as text: ``"width:5,length:8,*:10"``. ``*`` stands for the features not named (default 10).
    owner : str
        Name of the method, for the message.

    Returns
    -------
    int, "auto" or tuple of (name, int) pairs, sorted

    Raises
    ------
    MethodError
        Not one of these.

    Examples
    --------
    >>> parse_spec("width:5,*:8", "exclusiveness")
    (('*', 8), ('width', 5))
    >>> parse_spec(0, "exclusiveness")
    Traceback (most recent call last):
    ...
    fsbench.errors.MethodError: exclusiveness: intervals must be a whole number from 1 to 10000, found 0
    """
    if isinstance(spec, str) and ":" in spec:
        spec = [item.rpartition(":")[::2] for item in spec.split(",")]
    if spec == "auto":
        return "auto"
    if isinstance(spec, Mapping):
        spec = list(spec.items())
    if isinstance(spec, Iterable) and not isinstance(spec, str):
        return _parse_pairs(list(spec), owner)
    return _number(spec, "intervals", owner)


def _parse_pairs(items: list[Any], owner: str) -> tuple[tuple[str, int], ...]:
    numbers: dict[str, int] = {}
    for item in items:
        if not (isinstance(item, tuple | list) and len(item) == 2):
            raise MethodError(f"{owner}: intervals by feature must be name: number, found {item!r}")
        name = str(item[0]).strip()
        if name in numbers:
            raise MethodError(f"{owner}: intervals names the feature {name!r} twice")
        numbers[name] = _number(item[1], f"intervals of {name!r}", owner)
    if not numbers:
        raise MethodError(f"{owner}: intervals must be a number, auto, or numbers by feature, found none")
    return tuple(sorted(numbers.items()))


def _number(value: Any, what: str, owner: str) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = 0
    whole = not isinstance(value, bool) and (isinstance(value, str) or number == value)
    if not whole or not 1 <= number <= MAX_NUMBER:
        auto = " or auto" if what == "intervals" and isinstance(value, str) else ""
        raise MethodError(f"{owner}: {what} must be a whole number from 1 to {MAX_NUMBER}{auto}, found {value!r}")
    return number


def check_names(spec: IntervalSpec, data: Dataset, owner: str) -> None:
    """Refuse numbers of intervals for features that are not there or are nominal.

    Parameters
    ----------
    spec : int, "auto" or tuple of (name, int) pairs
        As `parse_spec` returns it.
    data : Dataset
        With all features, before any selection.
    owner : str
        Name of the method, for the message.

    Raises
    ------
    DataError
        A name that is no numeric feature of the data.
    """
    if not isinstance(spec, tuple):
        return
    nominal = {f.name: f.is_nominal for f in data.features}
    for name, _ in spec:
        if name == OTHERS:
            continue
        if name not in nominal:
            raise DataError(f"{owner}: intervals names no feature {name!r}; {nearest(name, nominal)}", data.name)
        if nominal[name]:
            raise DataError(f"{owner}: intervals: {name!r} is nominal and has one interval a label", data.name)
