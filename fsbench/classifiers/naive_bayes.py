"""Naive Bayes, equal to Weka's NaiveBayes with its default options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fsbench.classifiers.base import Classifier, Model, padded_rankings, used_columns
from fsbench.values import Curve, Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["NaiveBayes", "NaiveBayesModel"]

# Test rows are taken in portions: at most so many factors (16 MB), and as many bounds of their errors.
FACTORS = 2_000_000


@dataclass(frozen=True, eq=False)
class NaiveBayesModel(Model):
    """A fitted naive Bayes.

    Parameters
    ----------
    columns : ndarray of shape (M,)
        The features used, as indices into the data set that is to be predicted.
    prior : ndarray of shape (n_classes,)
        (rows of the class + 1) / (rows + classes).
    numeric, nominal : ndarray
        Positions in `columns` of either kind.
    delta : ndarray of shape (n_numeric,)
        Precision: the mean gap between successive distinct values.
    mean, sd : ndarray of shape (n_numeric, n_classes)
        In the column's own unit.
    mean_error, sd_error : ndarray of shape (n_numeric, n_classes) or (0, 0)
        How much both can change with the order of the training rows: absolute, and relative. Empty if that
        order is Weka's.
    counts : ndarray of shape (n_nominal, most labels, n_classes)
        Probability of each label in each class.
    """

    columns: IntArray
    prior: FloatArray
    numeric: IntArray
    nominal: IntArray
    delta: FloatArray
    mean: FloatArray
    sd: FloatArray
    mean_error: FloatArray
    sd_error: FloatArray
    counts: FloatArray

    def predict_proba(self, test: Dataset) -> FloatArray:
        """Return the class probabilities of each row; missing values are passed over.

        Parameters
        ----------
        test : Dataset
            Rows with the features that the model was fitted on.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        order, rows = np.arange(len(self.columns)), np.arange(test.n_rows)
        out = self._sweeps(test, rows, [order], len(order), [np.empty((0, 0), dtype=np.int64)])
        # The sum is taken class by class: numpy's own order of additions depends on their number.
        with np.errstate(invalid="ignore"):  # of a product beyond all numbers there is no share
            out /= np.cumsum(out, axis=0)[-1]
        return np.ascontiguousarray(out.T)

    def predict(self, test: Dataset) -> IntArray:
        """Return the most probable class of each row, as curves do; shape (n_rows,)."""
        order = np.arange(len(self.columns))
        if not len(order):
            return super().predict(test)
        found: IntArray = self.classes(test, np.arange(test.n_rows), [order], len(order) - 1)[0][0]
        return found

    def classes(self, data: Dataset, rows: IntArray, orders: Sequence[IntArray], first: int = 0) -> list[IntArray]:
        """Return the class of each row at the prefixes first+1, first+2, ... of each ranking.

        Parameters
        ----------
        data : Dataset
        rows : ndarray of shape (n_test,)
        orders : sequence of ndarray
            Positions in `columns`.
        first : int, default 0

        Returns
        -------
        list of ndarray of shape (n_prefixes - first, n_test)
            -1 where the order in which training rows were added up could decide.
        """
        out = [np.empty((max(0, len(order) - first), len(rows)), dtype=np.int64) for order in orders]
        self._sweeps(data, rows, orders, first, out)
        return out

    def _sweeps(
        self, data: Dataset, rows: IntArray, orders: Sequence[IntArray], first: int, predicted: list[IntArray]
    ) -> FloatArray:
        """Fill `predicted`; return the products at the last prefix of the last ranking, (n_classes, n_test)."""
        from fsbench.kernels.naive_bayes_sweep import sweep

        portion = max(1, FACTORS // max(1, len(self.columns) * len(self.prior)))
        products = []
        for at in range(0, len(rows), portion):
            F, doubt = self._factors(data, rows[at : at + portion])
            product = np.empty(F.shape[1:])
            for order, out in zip(orders, predicted, strict=True):
                sweep(F, doubt, self.prior, order, first, product, out, at)
            products.append(product)
        return np.concatenate(products, axis=1) if products else np.empty((len(self.prior), 0))

    def _factors(self, data: Dataset, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the factor of each column, class and row, and by what each may be off."""
        from fsbench.kernels import naive_bayes_factors as kernels

        shape, XT = (len(self.columns), len(self.prior), len(rows)), data.X.T
        F = np.empty(shape)
        doubt = np.ones(shape) if self.sd_error.any() else np.empty((0, 0, 0))
        if len(self.numeric):
            fitted = (self.delta, self.mean, self.sd, self.mean_error, self.sd_error)
            kernels.normal_factors(XT, self.columns[self.numeric], rows, *fitted, self.numeric, F, doubt)
        if len(self.nominal):
            kernels.nominal_factors(XT, self.columns[self.nominal], rows, self.counts, self.nominal, F)
        return F, doubt


class NaiveBayes(Classifier):
    """Naive Bayes: normal densities for numbers, Laplace-corrected frequencies for labels.

    A number is rounded to multiples of the column's precision (the mean gap between successive distinct
    training values); its density is the normal area over one such step, divided by the step. No density and
    no frequency falls below 1e-75. Missing values are passed over, in training and in prediction.

    All factors of a split are computed once and serve every ranking: a learning curve costs little more than
    one prediction.

    Notes
    -----
    Weka adds the training rows up in an order that depends on the columns used, and last bits depend on that
    order. `fit` follows it. Curves do not: they bound what the order can change, and fit anew, in Weka's order,
    for the prefixes and test rows where that could be the decision (where classes tie, or a column's spread is
    tiny beside its mean). The predictions are the same.

    Densities of many columns with steps of about 1e-8, or of one with 1e-300, multiply beyond the largest double. Weka
    then has no probabilities and takes the first class; here products are brought back into range.

    Examples
    --------
    >>> from fsbench.values import Feature
    >>> X = np.array([[1.0], [1.2], [3.0], [3.3]])
    >>> data = Dataset("tiny", (Feature("width"),), X, Feature("class", ("a", "b")), np.array([0, 0, 1, 1]))
    >>> NaiveBayes().fit(data).predict(data).tolist()
    [0, 0, 1, 1]
    """

    name = "nb"
    title = "Naive Bayes"
    reference = "John and Langley (1995), Estimating continuous distributions in Bayesian classifiers, UAI"

    def fit(self, train: Dataset) -> NaiveBayesModel:
        """Fit on all rows and features of `train`; see `Classifier.fit`."""
        return _fit(train, np.arange(train.n_rows), np.arange(train.n_features), exact=True)

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Fit on the training part and predict the test part; see `Classifier.evaluate`."""
        chosen = np.asarray(columns, dtype=np.int64)
        model = _fit(data, split.train, chosen)
        predicted = model.classes(data, split.test, [np.arange(len(chosen))], len(chosen) - 1)[0]
        _settle(data, split, chosen, predicted, len(chosen) - 1)
        return Outcome(predicted[0])

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict the test part at every prefix of one ranking; see `Classifier.curve`."""
        return self.curves(data, split, [np.asarray(order, dtype=np.int64)])[0]

    def curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        """Predict the test part at every prefix of each ranking, from one table of factors."""
        from fsbench.kernels.naive_bayes_curve import predict_prefixes

        rankings = [np.asarray(order, dtype=np.int64) for order in orders]
        used, places = used_columns(data.n_features, rankings)
        padded, lengths = padded_rankings(places)
        predicted = np.empty((*padded.shape, len(split.test)), dtype=np.int64)
        facts = (data.X.T, data.y, data.n_classes, data.is_nominal, data.n_labels, _sorted_rows(data))
        undecided = predict_prefixes(*facts, split.train, split.test, used, padded, lengths, FACTORS, predicted)
        out = [lines[:n] for lines, n in zip(predicted, lengths.tolist(), strict=True)]
        if undecided:
            for order, lines in zip(rankings, out, strict=True):
                _settle(data, split, order, lines, 0)
        return [Curve(lines) for lines in out]


def _settle(data: Dataset, split: Split, order: IntArray, predicted: IntArray, first: int) -> None:
    """Fit in Weka's order for each prefix that has undecided test rows, and decide them."""
    for line in np.flatnonzero((predicted < 0).any(axis=1)):
        columns, undecided = order[: first + line + 1], np.flatnonzero(predicted[line] < 0)
        model = _fit(data, split.train, columns, exact=True)
        places = [np.arange(len(columns))]
        predicted[line, undecided] = model.classes(data, split.test[undecided], places, len(columns) - 1)[0][0]


def _fit(data: Dataset, rows: IntArray, columns: IntArray, exact: bool = False) -> NaiveBayesModel:
    """Fit on some rows and columns of a data set, without copying them; `exact`: add them up in Weka's order."""
    from fsbench.kernels import naive_bayes_fit as kernels

    nominal = data.is_nominal[columns]
    numeric_at, nominal_at = np.flatnonzero(~nominal), np.flatnonzero(nominal)
    XT, n_classes = data.X.T, data.n_classes
    prior = (np.bincount(data.y[rows], minlength=n_classes) + 1.0) / (len(rows) + n_classes)
    delta, normals, counts = np.empty(0), (np.empty((0, n_classes)),) * 4, np.empty((0, 1, n_classes))
    if len(numeric_at):
        chosen = columns[numeric_at]
        inside = np.zeros(data.n_rows, dtype=np.bool_)
        inside[rows] = True
        delta = kernels.column_steps(XT, chosen, _sorted_rows(data), inside)
        ordered = _adding_order(XT, chosen, rows) if exact else rows
        normals = kernels.fit_normals(XT, chosen, ordered, data.y, n_classes, delta)
    if len(nominal_at):
        chosen = columns[nominal_at]
        counts = kernels.fit_counts(XT, chosen, rows, data.y, n_classes, data.n_labels[chosen])
    if exact:
        normals = (*normals[:2], np.empty((0, 0)), np.empty((0, 0)))
    return NaiveBayesModel(columns, prior, numeric_at, nominal_at, delta, *normals, counts)


def _adding_order(XT: FloatArray, columns: IntArray, rows: IntArray) -> IntArray:
    from fsbench.kernels.naive_bayes_order import adding_order

    return adding_order(XT, columns, rows)


def _sorted_rows(data: Dataset) -> npt.NDArray[np.int32]:
    """Rows of the data set sorted by each numeric feature, missing values last; made once for all splits."""

    def build() -> npt.NDArray[np.int32]:
        rows = np.zeros(data.X.T.shape, dtype=np.int32)
        for j in np.flatnonzero(~data.is_nominal):
            rows[j] = np.argsort(data.X[:, j])
        return rows

    return data.derived("naive_bayes.sorted_rows", build)
