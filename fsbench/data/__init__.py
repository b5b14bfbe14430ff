"""Data sets: reading, finding, fetching, generating."""

from fsbench.data.loading import load
from fsbench.data.table import DataWarning, Table

__all__ = ["DataWarning", "Table", "load"]
