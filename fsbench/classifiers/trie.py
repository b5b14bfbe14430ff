"""Classification by the nearest pattern in a trie, against the nearest pattern of another class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fsbench.classifiers.base import Classifier, Model
from fsbench.errors import DataError, MethodError, NotApplicable, nearest
from fsbench.evaluation.folds import stratified_splits
from fsbench.intervals import (
    AUTO_NUMBERS,
    DEFAULT_NUMBER,
    CodeArray,
    Intervals,
    Missing,
    check_names,
    count_intervals,
    fit_intervals,
    parse_spec,
    semi_exclusive,
)
from fsbench.method import param
from fsbench.values import BoolArray, Curve, Dataset, FloatArray, IntArray, Outcome, Split

if TYPE_CHECKING:
    from fsbench.classifiers.trie_trace import Trace
    from fsbench.kernels.trie_build import Trie

__all__ = ["CRITERIA", "TrieClassifier", "TrieModel"]

AUTO_FOLDS = 5

# In the order of the kernels.
CRITERIA = ("exclusive", "strength", "shape", "distance", "frequency", "majority")


class TrieClassifier(Classifier):
    """The trie of Serendero and Toro (2003) [1]_: the nearest pattern p+ against the nearest of another class, p-.

    Rows become patterns of interval numbers, kept in a trie in the order of the features: that order decides
    what is near, and is what a ranker is for. A query follows, feature by feature, the existing branch nearest to
    it (equally near: the more frequent, then the lower number) to p+; p- likewise, using only branches that hold
    several classes, or none of the classes of the branch of p+ on the same level. The one with the larger merit
    gives its class (equal: p+). Merit is the weighted sum of six criteria: the share of semi-exclusive elements,
    the share of prefixes with one class only (strength), likeness of shape, nearness, frequency, and whether its
    class is the majority class. A criterion's weight is the share of training rows that it alone classifies rightly.

    Parameters
    ----------
    phi : float, default 0.75
        Share of one class that makes an interval semi-exclusive.
    intervals : int, "auto", or numbers by feature, default 10
        Number of equal-width intervals of the numeric features (see `fsbench.intervals.parse_spec`). ``auto``: of 3,
        5, 8, 10, 15, 20, 30 and 50, the same for all features, the one with the fewest errors in a stratified
        5-fold cross-validation of the training rows (seed 1); equal: the fewest intervals.
    missing : {"own", "skip"}, default "own"
        Missing values of a feature form an interval of their own, after its last; or training rows that hold one
        are left out, and a missing element of a query is equally near to every branch.
    exact_match : {"wins", "merit"}, default "wins"
        Whether a pattern equal to the query gives its class whatever the merits. By merit alone p- beats it often.
    rivals : {"one", "each"}, default "one"
        One p-, or one of each class other than that of p+ (the paper's future work): the walk to that of class c
        uses only branches that hold c. Each meets p+ by itself; the one whose merit leads by most wins, the lowest
        class of equal ones.
    scale : {"pair", "range"}, default "pair"
        How criteria are brought to [0, 1]. ``pair``: distance and shape as 1 - x / (sum of x over p+ and the
        rival), 1 if the sum is 0, frequency as the share of their sum. ``range``: distance and shape as
        1 - x / (largest possible x), frequency as the share of all training rows.
    weights : {"training", "equal"}, default "training"
        Weights as above, or 1 for every criterion.
    criteria : sequence of str, default all six
        Those that are used: exclusive, strength, shape, distance, frequency, majority.

    Notes
    -----
    The class of a pattern is the most frequent of its rows, the lowest of equal ones; p- stands for its most
    frequent class other than that of p+. Weights are found without `exact_match`, which would make them equal.
    One class in training has no p-. The paper's probabilities are none: `predict_proba` gives 1 to the class named.

    References
    ----------
    .. [1] P. Serendero, M. Toro, "Attribute selection for classification", 2003: formulas 1 to 22.

    Examples
    --------
    >>> from fsbench.values import Dataset, Feature
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]])
    >>> data = Dataset("toy", (Feature("a"), Feature("b")), X, Feature("class", ("n", "p")), np.array([0, 0, 1, 1]))
    >>> model = TrieClassifier().fit(data)
    >>> model.predict(data).tolist()
    [0, 0, 1, 1]
    >>> print(model.describe())
    trie of 2 features: 4 patterns in 7 nodes, 4 training rows, error on them 0.0000
    weights: exclusive 1.0000, strength 1.0000, shape 1.0000, distance 1.0000, frequency 1.0000, majority 0.5000
    """

    name = "trie"
    title = "Trie of interval patterns"
    reference = "Serendero and Toro, Attribute selection for classification, 2003"

    phi: float = param(0.75, "share of one class that makes an interval semi-exclusive", low=0.0, high=1.0)
    intervals: int | str | Mapping[str, int] = param(
        DEFAULT_NUMBER, "intervals of a numeric feature: a number, auto, or name:number,..."
    )
    missing: Missing = param("own", "missing values: an interval of their own, or rows left out")
    exact_match: Literal["wins", "merit"] = param("wins", "a pattern equal to the query wins, or competes by merit")
    rivals: Literal["one", "each"] = param("one", "one p- of any other class, or one of each")
    scale: Literal["pair", "range"] = param("pair", "criteria relative to the candidates, or to what is possible")
    weights: Literal["training", "equal"] = param("training", "each criterion's own accuracy in training, or 1")
    criteria: tuple[str, ...] = param(CRITERIA, "those used, of " + ", ".join(CRITERIA))

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "intervals", parse_spec(self.intervals, self.name))
        object.__setattr__(self, "criteria", _parse_criteria(self.criteria))

    def fit(self, train: Dataset) -> TrieModel:
        """Build the trie, in the order of the features, and find the weights; see `Classifier.fit`."""
        if self.intervals == "auto":
            return replace(self, intervals=int(self._choose(train, train.n_features)[-1])).fit(train)
        return self._build(train, train.n_features)

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """See `Classifier.evaluate`."""
        check_names(parse_spec(self.intervals, self.name), data, self.name)
        return super().evaluate(data, split, columns)

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict at every prefix with one trie: its upper levels are the tries of the prefixes."""
        train = data.select(order).take(split.train)
        # Rows without missing values are others for each prefix.
        if self.missing == "skip" and train.has_missing:
            return super().curve(data, split, order)
        check_names(parse_spec(self.intervals, self.name), data, self.name)
        if self.intervals == "auto":
            return self._auto_curve(data, split, order, self._choose(train, 1))
        model = self._build(train, 1)
        predicted = model.predict_levels(data.select(order).take(split.test), 1)
        points = [model.measures_at(k) for k in range(1, len(order) + 1)]
        return Curve(predicted, {name: np.array([p[name] for p in points]) for name in points[0]})

    def _auto_curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray, numbers: IntArray) -> Curve:
        """Put the curve together from those of the numbers chosen for each prefix."""
        curves = {int(n): replace(self, intervals=int(n)).curve(data, split, order) for n in np.unique(numbers)}
        points = [curves[int(n)].at(k) for k, n in enumerate(numbers, 1)]
        measures = {name: np.array([p.measures[name] for p in points]) for name in points[0].measures}
        return Curve(np.array([p.predicted for p in points], dtype=np.int64), measures)

    def _choose(self, train: Dataset, first_level: int) -> IntArray:
        """Choose how many intervals to use with the first k features, for every k from `first_level`."""
        rows = _usable(train, self.missing, self.name)
        errors = np.zeros((len(AUTO_NUMBERS), train.n_features + 1 - first_level), dtype=np.int64)
        folds = min(AUTO_FOLDS, rows.n_rows)
        if folds > 1 and not rows.is_nominal.all():
            for split in stratified_splits(rows.y, rows.n_classes, folds, seed=1):
                inner, held_out = rows.take(split.train), rows.take(split.test)
                for place, number in enumerate(AUTO_NUMBERS):
                    model = replace(self, intervals=number)._build(inner, first_level)
                    predicted = model.predict_levels(held_out, first_level)
                    errors[place] += (predicted != held_out.y).sum(axis=1)
        return np.asarray(np.array(AUTO_NUMBERS)[errors.argmin(axis=0)], dtype=np.int64)

    def _build(self, train: Dataset, first_level: int) -> TrieModel:
        from fsbench.kernels.trie_build import build_trie

        rows = _usable(train, self.missing, self.name)
        fitted = fit_intervals(rows, parse_spec(self.intervals, self.name), self.missing)
        codes = fitted.encode(rows)
        trie = build_trie(codes, rows.y, rows.n_classes, _marks(fitted, codes, rows, self.phi))
        return TrieModel(self, rows, fitted, codes, trie, first_level)


class TrieModel(Model):
    """A trie of training patterns and the weights of the criteria.

    Parameters
    ----------
    settings : TrieClassifier
        The parameters.
    train : Dataset
        The training rows in use.
    fitted : Intervals
        Its intervals.
    codes : ndarray of shape (n_features, n_rows)
        Its patterns.
    trie : Trie
        Built from them.
    first_level : int
        Predictions are asked for with this many of the first features, or more.
    """

    def __init__(
        self,
        settings: TrieClassifier,
        train: Dataset,
        fitted: Intervals,
        codes: CodeArray,
        trie: Trie,
        first_level: int,
    ) -> None:
        from fsbench.kernels.trie_build import sort_rows

        self.settings = settings
        self.fitted = fitted
        self.trie = trie
        self.n_rows = train.n_rows
        self.n_classes = train.n_classes
        self.majority = int(train.class_counts.argmax())
        self.spans = _spans(fitted, codes) if settings.scale == "range" else np.full((2, len(codes) + 1), -1)
        self._each = settings.rivals == "each"
        rows = sort_rows(codes)  # neighbouring rows share most of their walk
        queries, y = np.ascontiguousarray(codes.T[rows]), train.y[rows]
        self.weights = self._weights(queries, y, first_level)
        self._training_error = self._errors(queries, y, first_level)

    def predict(self, test: Dataset) -> IntArray:
        """Return the class of each row; shape (n_rows,)."""
        return np.asarray(self.predict_levels(test, len(self.fitted.features))[0], dtype=np.int64)

    def predict_levels(self, test: Dataset, first_level: int) -> IntArray:
        """Return the class of each row with the first k features, for every k from `first_level`.

        Parameters
        ----------
        test : Dataset
            Rows with all features of the training part.
        first_level : int
            Not below that of the model.

        Returns
        -------
        ndarray of shape (n_levels, n_rows)
        """
        return self._predict(np.ascontiguousarray(self.fitted.encode(test).T), first_level)

    def predict_proba(self, test: Dataset) -> FloatArray:
        """Return 1 for the class named and 0 for the others; shape (n_rows, n_classes)."""
        return np.asarray(np.eye(self.n_classes)[self.predict(test)], dtype=np.float64)

    def describe(self) -> str:
        """Return the size of the trie and the weights as text."""
        m = self.measures()
        weights = ", ".join(f"{n} {w:.4f}" for n, w in zip(CRITERIA, self.weights[-1], strict=True))
        return (
            f"trie of {len(self.fitted.features)} features: {m['patterns']:.0f} patterns in {m['nodes']:.0f} nodes, "
            f"{self.n_rows} training rows, error on them {m['training_error']:.4f}\nweights: {weights}"
        )

    def measures(self) -> Mapping[str, float]:
        """Return the number of distinct patterns, of nodes, and the share of training rows classified wrongly."""
        return self.measures_at(len(self.fitted.features))

    def measures_at(self, k: int) -> dict[str, float]:
        """Return the measures with the first `k` features."""
        level = self.trie.level
        error = self._training_error[k - 1 - len(self.fitted.features)]
        return {
            "patterns": float(level[k + 1] - level[k]),
            "nodes": float(level[k + 1]),
            "training_error": float(error),
        }

    def trace(self, test: Dataset) -> list[Trace]:
        """Return, for each row, the candidates with their criteria and merits: what decides its class.

        Parameters
        ----------
        test : Dataset

        Returns
        -------
        list of Trace
        """
        from fsbench.classifiers.trie_trace import trace

        queries = np.ascontiguousarray(self.fitted.encode(test).T)
        return [
            trace(self.trie, query, self.weights[-1], self.spans, self.majority, self.n_classes, self._each)
            for query in queries
        ]

    def _weights(self, queries: CodeArray, y: IntArray, first_level: int) -> FloatArray:
        """Return w_j on each level: shape (n_features + 1, 6)."""
        from fsbench.kernels.trie_walk import single_hits

        used = np.array([name in self.settings.criteria for name in CRITERIA], dtype=np.float64)
        if self.settings.weights == "equal":
            return np.tile(used, (queries.shape[1] + 1, 1))
        hits = single_hits(self.trie, queries, y, first_level, self._each, self.n_classes, self.spans, self.majority)
        return np.asarray(used * (hits / len(y)), dtype=np.float64)

    def _errors(self, queries: CodeArray, y: IntArray, first_level: int) -> FloatArray:
        """Return the share of training rows classified wrongly, on each level from `first_level`."""
        if self.settings.exact_match == "merit":
            return np.asarray((self._predict(queries, first_level) != y).mean(axis=1), dtype=np.float64)
        # Each row finds its own pattern, which gives its most frequent class: no need to ask.
        return np.asarray((len(y) - self.trie.right[first_level:]) / len(y), dtype=np.float64)

    def _predict(self, queries: CodeArray, first_level: int) -> IntArray:
        from fsbench.kernels.trie_walk import predict

        exact_wins = self.settings.exact_match == "wins"
        return predict(
            self.trie,
            queries,
            first_level,
            self.weights,
            exact_wins,
            self._each,
            self.n_classes,
            self.spans,
            self.majority,
        )


def _usable(train: Dataset, missing: Missing, owner: str) -> Dataset:
    """Return the training rows that the trie is built of."""
    if train.n_rows == 0:
        raise DataError(f"{owner}: there is no training row", train.name)
    if missing == "own" or not train.has_missing:
        return train
    complete = np.asarray(~np.isnan(train.X).any(axis=1), dtype=np.bool_)
    if not complete.any():
        raise NotApplicable(f"{owner} with missing: skip needs a training row without missing values", train.name)
    return train.take(complete)


def _marks(fitted: Intervals, codes: CodeArray, train: Dataset, phi: float) -> BoolArray:
    """Return which intervals are semi-exclusive: shape (n_features, most intervals + 1)."""
    widest = int(fitted.n_intervals.max(initial=0)) + 1
    marks = np.zeros((len(codes), widest), dtype=np.bool_)
    for j, column in enumerate(codes):
        number = int(fitted.n_intervals[j]) + 1
        marks[j, :number] = semi_exclusive(count_intervals(column, train.y, number, train.n_classes), phi)
    return marks


def _spans(fitted: Intervals, codes: CodeArray) -> IntArray:
    """Return the largest distance and difference of shape of the first i elements: shape (2, n_features + 1)."""
    top = np.maximum(fitted.n_intervals - 1, codes.max(axis=1, initial=0))
    spans = np.zeros((2, len(codes) + 1), dtype=np.int64)
    spans[0, 1:] = np.cumsum(top)
    spans[1, 2:] = np.cumsum(top[1:] + top[:-1])
    return spans


def _parse_criteria(given: Any) -> tuple[str, ...]:
    """Return the criteria named, each once, in the order of the kernels."""
    names = [part.strip() for part in given.split(",")] if isinstance(given, str) else given
    if not isinstance(names, Iterable) or not (names := [str(n) for n in names]):
        raise MethodError(f"trie: criteria must name some of {', '.join(CRITERIA)}, found {given!r}")
    for name in names:
        if name not in CRITERIA:
            raise MethodError(f"trie: unknown criterion {name!r}; {nearest(name, CRITERIA)}")
    return tuple(name for name in CRITERIA if name in names)
