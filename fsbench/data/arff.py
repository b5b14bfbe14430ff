"""Reading ARFF files: the head and the odd rows with care, dense rows by compiled code."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Literal

import numpy as np

from fsbench.data.arff_header import Attribute, place, read_header
from fsbench.data.arff_rows import RowReader
from fsbench.data.streams import BLOCK, LineReader
from fsbench.data.table import DataWarning, Table
from fsbench.errors import DataError
from fsbench.values import FloatArray

__all__ = ["read_arff"]


def read_arff(path: Path, *, unsupported: Literal["refuse", "skip"] = "refuse", block: int = BLOCK) -> Table:
    """Read an ARFF file, plain or gzipped, dense or sparse.

    Parameters
    ----------
    path : Path
        The file.
    unsupported : {"refuse", "skip"}, default "refuse"
        What to do with string, date and relational attributes: refuse the file, or leave them out with a
        `DataWarning`.
    block : int, default BLOCK
        Bytes read at a time.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        Whatever is wrong with the file, with line and column.
    """
    reader = LineReader(path, block)
    header = read_header(reader)
    skipped = _skipped(header.attributes, path, unsupported)
    rows = RowReader(path, header.attributes)
    parts = [rows.read(lines, first) for lines, first in reader.blocks()]
    columns = tuple(a.feature for a in header.attributes if a.is_usable)
    values = _join(parts, len(columns))
    return Table(header.relation, columns, values, sparse=rows.sparse, skipped=skipped)


def _skipped(attributes: tuple[Attribute, ...], path: Path, unsupported: str) -> tuple[str, ...]:
    found = [a for a in attributes if not a.is_usable]
    if not found:
        return ()
    first = found[0]
    if unsupported == "refuse":
        raise DataError(
            f"attribute {first.name!r} is of type {first.kind}, which no method here takes; remove it, or skip such "
            f"attributes",
            place(path, first.line),
        )
    listed = ", ".join(f"{a.name} ({a.kind})" for a in found)
    warnings.warn(f"{path}: left out: {listed}", DataWarning, stacklevel=4)
    return tuple(a.name for a in found)


def _join(parts: list[FloatArray], n_columns: int) -> FloatArray:
    """Join blocks of rows; each is let go as soon as it is copied, so the peak is little more than the result."""
    n_rows = sum(len(p) for p in parts)
    values = np.empty((n_rows, n_columns), order="F")
    end = n_rows
    while parts:
        part = parts.pop()
        values[end - len(part) : end] = part
        end -= len(part)
    return values
