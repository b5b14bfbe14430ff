"""Classifiers: fit, predict, and a whole learning curve at once."""

from fsbench.classifiers.base import Classifier, Model

__all__ = ["Classifier", "Model"]
