"""Naive Bayes, equal to Weka's NaiveBayes with its default options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fsbench.classifiers.base import Classifier, Model
from fsbench.values import Curve, Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["NaiveBayes", "NaiveBayesModel"]

# Test rows are taken in portions, so that the table of factors stays below this many numbers (32 MB).
FACTORS = 4_000_000


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
        from fsbench.kernels import naive_bayes as kernels

        out = np.empty((test.n_rows, len(self.prior)))
        order, no_prefix = np.arange(len(self.columns)), np.empty((0, 0), dtype=np.int64)
        for start, factors in self.factors(test, np.arange(test.n_rows)):
            product = out[start : start + factors.shape[1]]
            kernels.sweep(factors, self.prior, order, product, no_prefix, 0)
        # The sum is taken class by class: numpy's own order of additions depends on their number.
        out /= np.cumsum(out, axis=1)[:, -1:]
        return out

    def factors(self, data: Dataset, rows: IntArray) -> list[tuple[int, FloatArray]]:
        """Return the factor of each column, row and class, in portions of rows.

        Parameters
        ----------
        data : Dataset
        rows : ndarray of shape (n_test,)

        Returns
        -------
        list of (int, ndarray of shape (M, n_portion, n_classes))
            Where the portion begins, and its factors.
        """
        portion = max(1, FACTORS // max(1, len(self.columns) * len(self.prior)))
        return [(at, self._factors(data, rows[at : at + portion])) for at in range(0, len(rows), portion)]

    def _factors(self, data: Dataset, rows: IntArray) -> FloatArray:
        from fsbench.kernels import naive_bayes as kernels

        F = np.empty((len(self.columns), len(rows), len(self.prior)))
        if len(self.numeric):
            columns = self.columns[self.numeric]
            kernels.normal_factors(data.X.T, columns, rows, self.delta, self.mean, self.sd, self.numeric, F)
        if len(self.nominal):
            kernels.nominal_factors(data.X.T, self.columns[self.nominal], rows, self.counts, self.nominal, F)
        return F


class NaiveBayes(Classifier):
    """Naive Bayes: normal densities for numbers, Laplace-corrected frequencies for labels.

    A number is rounded to multiples of the column's precision (the mean gap between successive distinct
    training values), and its probability is the normal area over one such step. No probability falls below
    1e-75. Missing values are passed over, in training and in prediction.

    All factors of a split are computed once and serve every ranking: a learning curve costs little more than
    one prediction.

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
        return _fit(train, np.arange(train.n_rows), np.arange(train.n_features))

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Fit on the training part and predict the test part; see `Classifier.evaluate`."""
        from fsbench.kernels import naive_bayes as kernels

        model = _fit(data, split.train, np.asarray(columns, dtype=np.int64))
        predicted, order = np.empty(len(split.test), dtype=np.int64), np.arange(len(model.columns))
        for start, factors in model.factors(data, split.test):
            product = np.empty(factors.shape[1:])
            kernels.sweep(factors, model.prior, order, product, np.empty((0, 0), dtype=np.int64), 0)
            predicted[start : start + len(product)] = kernels.classes(product)
        return Outcome(predicted)

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict the test part at every prefix of one ranking; see `Classifier.curve`."""
        return self.curves(data, split, [np.asarray(order, dtype=np.int64)])[0]

    def curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        """Predict the test part at every prefix of each ranking, from one table of factors."""
        from fsbench.kernels import naive_bayes as kernels

        rankings = [np.asarray(order, dtype=np.int64) for order in orders]
        used = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *rankings]))
        model = _fit(data, split.train, used)
        out = [np.empty((len(order), len(split.test)), dtype=np.int64) for order in rankings]
        for start, factors in model.factors(data, split.test):
            product = np.empty(factors.shape[1:])
            for order, predicted in zip(rankings, out, strict=True):
                kernels.sweep(factors, model.prior, np.searchsorted(used, order), product, predicted, start)
        return [Curve(predicted) for predicted in out]


def _fit(data: Dataset, rows: IntArray, columns: IntArray) -> NaiveBayesModel:
    """Fit on some rows and columns of a data set, without copying them."""
    from fsbench.kernels import naive_bayes as kernels

    nominal = data.is_nominal[columns]
    numeric_at, nominal_at = np.flatnonzero(~nominal), np.flatnonzero(nominal)
    XT, n_classes = data.X.T, data.n_classes
    prior = (np.bincount(data.y[rows], minlength=n_classes) + 1.0) / (len(rows) + n_classes)
    delta, mean = np.empty(0), np.empty((0, n_classes))
    sd, counts = mean, np.empty((0, 1, n_classes))
    if len(numeric_at):
        inside = np.zeros(data.n_rows, dtype=np.bool_)
        inside[rows] = True
        delta = kernels.column_steps(XT, columns[numeric_at], _sorted_rows(data), inside)
        mean, sd = kernels.fit_normals(XT, columns[numeric_at], rows, data.y, n_classes, delta)
    if len(nominal_at):
        chosen = columns[nominal_at]
        counts = kernels.fit_counts(XT, chosen, rows, data.y, n_classes, data.n_labels[chosen])
    return NaiveBayesModel(columns, prior, numeric_at, nominal_at, delta, mean, sd, counts)


def _sorted_rows(data: Dataset) -> npt.NDArray[np.int32]:
    """Rows of the data set sorted by each numeric feature, missing values last; made once for all splits."""

    def build() -> npt.NDArray[np.int32]:
        rows = np.zeros(data.X.T.shape, dtype=np.int32)
        for j in np.flatnonzero(~data.is_nominal):
            rows[j] = np.argsort(data.X[:, j])
        return rows

    return data.derived("naive_bayes.sorted_rows", build)
