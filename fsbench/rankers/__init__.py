"""Rankers: each scores the features of a training part, best first."""

from fsbench.rankers.base import Ranker

__all__ = ["Ranker"]
