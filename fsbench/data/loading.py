"""`load`: from a name or a path to a data set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from fsbench.data.arff import read_arff
from fsbench.errors import DataError
from fsbench.values import Dataset

__all__ = ["load"]


def load(
    source: str | Path,
    *,
    target: str | int | None = None,
    unsupported: Literal["refuse", "skip"] = "refuse",
) -> Dataset:
    """Load a data set."""
    path = Path(source)
    name = path.name
    for ending in (".gz", ".arff", ".csv"):
        name = name.removesuffix(ending)
    if not path.suffix and not path.exists():
        raise DataError(f"unknown data set {str(source)!r}")
    dataset = read_arff(path, unsupported=unsupported).to_dataset(target, source=str(path))
    return replace(dataset, name=name)
