"""Data sets: reading, finding, fetching, generating."""

from typing import TYPE_CHECKING, Any

from fsbench.data.arff import read_arff
from fsbench.data.loading import load
from fsbench.data.locate import Location, available
from fsbench.data.registry import DataInfo, describe, info, names
from fsbench.data.table import DataWarning, Table

if TYPE_CHECKING:
    from fsbench.data.arff_write import write_arff
    from fsbench.data.mulan import load_multilabel
    from fsbench.data.multilabel import MultiLabelDataset

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


def __getattr__(name: str) -> Any:
    # What most runs do not need is imported when it is asked for: `fsbench rank` must start at once.
    if name == "write_arff":
        from fsbench.data.arff_write import write_arff

        return write_arff
    if name == "load_multilabel":
        from fsbench.data.mulan import load_multilabel

        return load_multilabel
    if name == "MultiLabelDataset":
        from fsbench.data.multilabel import MultiLabelDataset

        return MultiLabelDataset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
