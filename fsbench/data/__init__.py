"""Data sets: reading, finding, fetching, generating."""

from fsbench.data.arff import read_arff
from fsbench.data.arff_write import write_arff
from fsbench.data.loading import load
from fsbench.data.locate import Location, available
from fsbench.data.mulan import load_multilabel
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.data.registry import DataInfo, describe, info, names
from fsbench.data.table import DataWarning, Table

__all__ = [
    "DataInfo",
    "DataWarning",
    "Location",
    "MultiLabelDataset",
    "Table",
    "available",
    "describe",
    "info",
    "load",
    "load_multilabel",
    "names",
    "read_arff",
    "write_arff",
]
