"""Searches: from subset to subset, guided by a scorer; they know no classifier and see no row."""

from fsbench.searches.base import Search
from fsbench.searches.trace import Step, Trace

__all__ = ["Search", "Step", "Trace"]
