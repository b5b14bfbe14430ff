"""The k nearest neighbours, equal to Weka's IBk; a whole learning curve in one pass over the pairs of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fsbench.classifiers.base import Classifier, Model, padded_rankings, used_columns
from fsbench.classifiers.nearest_space import (
    Codes,
    Scale,
    Space,
    Ties,
    check_width,
    fits_codes,
    layout,
    prepare,
    prepare_codes,
    tie_places,
)
from fsbench.errors import MethodError
from fsbench.method import param
from fsbench.values import Curve, Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["NearestModel", "NearestNeighbour"]

# Raw values of the test rows' data set, the test rows, rankings, their lengths, the prefix after which to begin.
Task = tuple[FloatArray, IntArray, IntArray, IntArray, int]


@dataclass(frozen=True, eq=False)
class NearestModel(Model):
    """The training rows, laid out for searching.

    Parameters
    ----------
    method : NearestNeighbour
    space : Space or Codes
    labels : ndarray of shape (n_train,)
        The classes of the training rows.
    n_classes : int
    """

    method: NearestNeighbour
    space: Space | Codes
    labels: IntArray
    n_classes: int

    def predict_proba(self, test: Dataset) -> FloatArray:
        """Return the class shares of the neighbours, with 1/n added to every class as Weka does.

        Parameters
        ----------
        test : Dataset
            Rows with the features that the model was fitted on. With ``ranges: weka`` their order matters:
            each widens the ranges for itself and for those after it.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        tally = np.zeros((test.n_rows, self.n_classes), dtype=np.int64)
        order = np.arange(len(self.space.columns))
        rows = np.arange(test.n_rows)
        self.method._predict(self.space, self.labels, test, rows, [order], len(order) - 1, tally)
        return vote_shares(tally, self.space.n_train)


class NearestNeighbour(Classifier):
    """The k nearest neighbours by Euclidean distance, every feature scaled to its range.

    Distances are compared exactly, as sums of squares in the order of the columns. Labels differ by 0 or 1; a
    missing value lies as far from a known one as the range allows, and differs from a missing one by the whole
    range. By default all rows at exactly the k-th smallest distance have a vote, as in Weka's IBk.

    Notes
    -----
    Of rows that are stored sparsely Weka leaves zeros out of some ranges; here every value counts, so that a file gives
    the same predictions however it is stored. Densely stored, both are equal to Weka's with ``ranges: weka``.

    Examples
    --------
    >>> from fsbench.values import Feature
    >>> X = np.array([[1.0], [1.2], [3.0], [3.3]])
    >>> data = Dataset("tiny", (Feature("width"),), X, Feature("class", ("a", "b")), np.array([0, 0, 1, 1]))
    >>> NearestNeighbour().fit(data).predict(data).tolist()
    [0, 0, 1, 1]
    """

    name = "1nn"
    title = "Nearest neighbours"
    reference = "Aha, Kibler and Albert (1991), Instance-based learning algorithms, Machine Learning 6"

    k: int = param(1, "neighbours", low=1)
    ranges: Literal["train", "weka"] = param("train", "ranges of the training part, or widened by each test row")
    scale: Scale = param("minmax", "how numeric features are scaled")
    ties: Ties = param("vote", "equally near rows: all vote, the first in shuffled order, the lowest row index")
    seed: int = param(1, "seed of the shuffled order", low=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranges == "weka" and self.scale == "zscore":
            raise MethodError("1nn: ranges: weka goes with scale: minmax or none, found zscore")

    def fit(self, train: Dataset) -> NearestModel:
        """Keep the training rows; see `Classifier.fit`."""
        space = self._space(train, np.arange(train.n_rows), np.arange(train.n_features))
        return NearestModel(self, space, train.y, train.n_classes)

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Predict the test part from the training part; see `Classifier.evaluate`."""
        chosen = np.asarray(columns, dtype=np.int64)
        space = self._space(data, split.train, chosen)
        nothing = np.empty((0, data.n_classes), dtype=np.int64)
        order = np.arange(len(chosen))
        return Outcome(
            self._predict(space, data.y[split.train], data, split.test, [order], len(order) - 1, nothing)[0][0]
        )

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict the test part at every prefix of one ranking; see `Classifier.curve`."""
        return self.curves(data, split, [np.asarray(order, dtype=np.int64)])[0]

    def curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        """Predict the test part at every prefix of each ranking."""
        used, rankings = used_columns(data.n_features, orders)
        if self.k == 1 and not fits_codes(data, used):
            return self._curves_by_tiles(data, split, used, rankings)
        space = self._space(data, split.train, used)
        nothing = np.empty((0, data.n_classes), dtype=np.int64)
        found = self._predict(space, data.y[split.train], data, split.test, rankings, 0, nothing)
        return [Curve(predicted) for predicted in found]

    def _curves_by_tiles(
        self, data: Dataset, split: Split, columns: IntArray, orders: Sequence[IntArray]
    ) -> list[Curve]:
        """Do it in one call of compiled code; `orders` number the columns."""
        from fsbench.kernels.nearest_prefixes import predict_prefixes

        padded, lengths = padded_rankings(orders)
        predicted = np.empty((*padded.shape, len(split.test)), dtype=np.int64)
        widening, places = self.ranges == "weka", tie_places(len(split.train), self.ties, self.seed)
        parts = layout(data, split.train, columns, self.scale, places, widening, by_class=True)
        too_wide = predict_prefixes(*parts, split.test, padded, lengths, self.ties != "vote", predicted)
        check_width(data, columns, too_wide)
        return [Curve(lines[:n]) for lines, n in zip(predicted, lengths.tolist(), strict=True)]

    def _space(self, data: Dataset, rows: IntArray, columns: IntArray) -> Space | Codes:
        places = tie_places(len(rows), self.ties, self.seed)
        if self.k == 1 and fits_codes(data, columns):
            return prepare_codes(data, rows, columns, places, self.ties == "first")
        return prepare(data, rows, columns, self.scale, places, self.ranges == "weka", by_class=self.k == 1)

    def _predict(
        self,
        space: Space | Codes,
        labels: IntArray,
        data: Dataset,
        rows: IntArray,
        orders: list[IntArray],
        first: int,
        tally: IntArray,
    ) -> list[IntArray]:
        """Predict rows at the prefixes longer than `first`; `orders` number the columns of `space`."""
        padded, lengths = padded_rankings(orders)
        predicted = np.empty((len(orders), padded.shape[1] - first, len(rows)), dtype=np.int64)
        self._search(space, labels, (data.X.T, rows, padded, lengths, first), predicted, tally)
        return [predicted[r, : n - first] for r, n in enumerate(lengths.tolist())]

    def _search(self, space: Space | Codes, labels: IntArray, task: Task, predicted: IntArray, tally: IntArray) -> None:
        """Run the kernel that suits the columns and k; it fills `predicted` and, unless empty, `tally`."""
        widening, by_place = self.ranges == "weka", self.ties != "vote"
        if isinstance(space, Codes):
            from fsbench.kernels.nearest_nominal import curve_by_codes

            curve_by_codes(space, *task, by_place, predicted, tally)
        else:
            if widening:  # the kernel changes what it widens
                space = space._replace(bounds=space.bounds.copy(), z=space.z.copy())
            if self.k > 1:
                from fsbench.kernels.nearest_k import curve_by_groups

                k = min(self.k, space.n_train)
                curve_by_groups(space, *task, widening, by_place, predicted, tally, k, labels)
                return
            from fsbench.kernels.nearest_curve import curve_by_tiles

            curve_by_tiles(space, *task, widening, by_place, predicted, tally)
        if by_place and len(tally):
            tally[:] = 0
            tally[np.arange(len(tally)), predicted[-1, -1]] = 1


def vote_shares(tally: IntArray, n_train: int) -> FloatArray:
    """Turn votes into probabilities: 1/n for every class and 1 a vote, over their sum.

    Parameters
    ----------
    tally : ndarray of shape (n_rows, n_classes)
        Votes.
    n_train : int
        Number of training rows.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The votes are added one after the other, so that the last bits are Weka's.
    """
    n_classes = tally.shape[1]
    ones = np.ones(int(tally.sum(axis=1).max(initial=0)) + 1)
    counted = np.cumsum(np.concatenate([[1.0 / n_train], ones]))
    totals = np.cumsum(np.concatenate([[n_classes / n_train], ones]))
    shares: FloatArray = counted[tally] / totals[tally.sum(axis=1)][:, None]
    return shares
