"""Reading ARFF files: the head and the odd rows with care, dense rows by compiled code."""

from __future__ import annotations

import io
import itertools
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from fsbench.data.arff_header import Attribute, place, read_header
from fsbench.data.arff_rows import RowReader
from fsbench.data.row_store import RowStore
from fsbench.data.streams import BLOCK, Block, LineReader, is_gzip
from fsbench.data.table import DataWarning, Table
from fsbench.errors import DataError
from fsbench.values import FloatArray

__all__ = ["read_arff"]

_LARGE, _VERY_LARGE = 1 << 18, 1 << 22  # bytes that pay for the kernel, with numba loaded and without
_BYTES_PER_COLUMN = 500  # a block of a wide table holds a hundred rows or so
_AT_ONCE = 16  # blocks given to the threads
_MANY_CELLS, _SMALLEST = 1 << 22, 1 << 12  # of one piece; bytes of a block
_RATIO = 5  # how much a gzipped file grows, roughly


def read_arff(
    path: Path,
    *,
    unsupported: Literal["refuse", "skip"] = "refuse",
    compiled: bool | None = None,
    block: int = BLOCK,
) -> Table:
    """Read an ARFF file, plain or gzipped, dense or sparse.

    Parameters
    ----------
    path : Path
        The file.
    unsupported : {"refuse", "skip"}, default "refuse"
        What to do with string, date and relational attributes: refuse the file, or leave them out with a
        `DataWarning`.
    compiled : bool, optional
        Whether plain rows are read by compiled code; by default if the file is large enough to make up for
        loading it. It changes nothing but the time.
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
    if compiled is None:
        compiled = _is_large(path)
    columns = tuple(a.feature for a in header.attributes if a.is_usable)
    store = RowStore(len(columns))
    for values in _rows(reader, rows, compiled and not skipped):
        store.append(values)
    return Table(header.relation, columns, store.finish(), sparse=rows.sparse, skipped=skipped)


def _is_large(path: Path) -> bool:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return False
    size = path.stat().st_size * (_RATIO if is_gzip(path) else 1)
    return size >= (_LARGE if "numba" in sys.modules else _VERY_LARGE)


def _rows(reader: LineReader, rows: RowReader, compiled: bool) -> Iterator[FloatArray]:
    """Yield the rows in pieces."""
    blocks = reader.blocks()
    first = next(blocks, None)
    if first is None:
        return
    blocks = itertools.chain([first], blocks)
    if _starts_sparse(first):
        for block in blocks:
            values = rows.read(block)
            yield values
            if values.size > _MANY_CELLS:  # short lines may stand for very long rows
                reader.size = max(reader.size // 2, _SMALLEST)
        return
    reader.size = max(reader.size, _BYTES_PER_COLUMN * len(rows.attributes))
    yield from _compiled(rows, blocks) if compiled else map(rows.read, blocks)


def _starts_sparse(block: Block) -> bool:
    lines = (line.lstrip() for line in io.BytesIO(block.data))
    return next((line for line in lines if line and line[:1] != b"%"), b"").startswith(b"{")


def _compiled(rows: RowReader, blocks: Iterator[Block]) -> Iterator[FloatArray]:
    """Read some blocks at once, and hand on their rows in the order of the file."""
    from fsbench.data.arff_compiled import CompiledReader
    from fsbench.kernels.threads import map_threads

    reader = CompiledReader(rows)
    while some := list(itertools.islice(blocks, _AT_ONCE)):
        yield from map_threads(reader.read, some)


def _skipped(attributes: tuple[Attribute, ...], path: Path, unsupported: str) -> tuple[str, ...]:
    found = [a for a in attributes if not a.is_usable]
    if not found:
        return ()
    first = found[0]
    if unsupported == "refuse":
        raise DataError(
            f"attribute {first.name!r} is of type {first.kind}, which no method here takes; remove it from the file",
            place(path, first.line),
        )
    listed = ", ".join(f"{a.name} ({a.kind})" for a in found)
    warnings.warn(f"{path}: left out: {listed}", DataWarning, stacklevel=4)
    return tuple(a.name for a in found)
