"""A 1NN for scikit-learn's and mlxtend's selectors with its tie rule stated."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

__all__ = ["LowestRow"]


class LowestRow(ClassifierMixin, BaseEstimator):
    """1NN on the raw values; of equally near rows the lowest one decides. scikit-learn's own leaves that open."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> LowestRow:
        self.classes_ = np.unique(y)
        self.X_, self.y_ = X, y
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        distances = np.zeros((len(X), len(self.X_)))
        for j in range(X.shape[1]):
            distances += (X[:, j, None] - self.X_[None, :, j]) ** 2
        return self.y_[distances.argmin(axis=1)]
