"""Naive Bayes from rows to the classes at all prefixes of rankings in one call, which for small data counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fsbench.kernels.jit import jit
from fsbench.kernels.naive_bayes_factors import nominal_factors, normal_factors
from fsbench.kernels.naive_bayes_fit import column_steps, fit_counts, fit_normals
from fsbench.kernels.naive_bayes_sweep import sweep
from fsbench.values import BoolArray, FloatArray, IntArray

__all__ = ["predict_prefixes"]


@jit
def predict_prefixes(
    XT: FloatArray,
    y: IntArray,
    n_classes: int,
    nominal: BoolArray,
    labels: IntArray,
    sorted_rows: npt.NDArray[np.int32],
    train: IntArray,
    test: IntArray,
    columns: IntArray,
    rankings: IntArray,
    lengths: IntArray,
    most: int,
    predicted: IntArray,
) -> bool:
    """Fit on some rows and enter the class of others at every prefix of each ranking; tell whether one is undecided.

    Parameters
    ----------
    XT : ndarray of shape (n_features, n_rows)
    y : ndarray of shape (n_rows,)
    n_classes : int
    nominal, labels : ndarray of shape (n_features,)
        Which features are nominal, and how many labels they declare.
    sorted_rows : ndarray of shape (n_features, n_rows)
        See `fsbench.kernels.naive_bayes_fit.column_steps`.
    train, test : ndarray
        Rows; `train` in the order in which they are added up.
    columns : ndarray of shape (M,)
        The features used.
    rankings : ndarray of shape (n_rankings, longest)
        Places in `columns`.
    lengths : ndarray of shape (n_rankings,)
    most : int
        Factors that are held at a time, one of each column, class and row of a portion.
    predicted : ndarray of shape (n_rankings, longest, n_test)
        Written up to the length of each ranking; -1 where the order of additions could decide.
    """
    numeric_at, nominal_at = np.flatnonzero(~nominal[columns]), np.flatnonzero(nominal[columns])
    prior = np.ones(n_classes)
    inside = np.zeros(len(y), np.bool_)
    for row in train:
        prior[y[row]] += 1.0
        inside[row] = True
    prior /= float(len(train) + n_classes)
    numbers, names = columns[numeric_at], columns[nominal_at]
    delta = column_steps(XT, numbers, sorted_rows, inside)
    mean, sd, mean_error, sd_error = fit_normals(XT, numbers, train, y, n_classes, delta)
    counts = fit_counts(XT, names, train, y, n_classes, labels[names])
    careful = sd_error.any()
    portion = max(1, most // max(1, len(columns) * n_classes))
    for start in range(0, len(test), portion):
        rows = test[start : start + portion]
        F = np.empty((len(columns), n_classes, len(rows)))
        doubt = np.ones((len(columns), n_classes, len(rows))) if careful else np.empty((0, 0, 0))
        normal_factors(XT, numbers, rows, delta, mean, sd, mean_error, sd_error, numeric_at, F, doubt)
        nominal_factors(XT, names, rows, counts, nominal_at, F)
        product = np.empty((n_classes, len(rows)))
        for r in range(len(lengths)):
            sweep(F, doubt, prior, rankings[r, : lengths[r]], 0, product, predicted[r], start)
    for r in range(len(lengths)):
        for line in predicted[r, : lengths[r]]:
            if (line < 0).any():
                return True
    return False
