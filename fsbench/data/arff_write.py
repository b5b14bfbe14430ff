"""Writing ARFF files."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fsbench.data.arff_tokens import MISSING, quote
from fsbench.files import atomic_path
from fsbench.values import Dataset, Feature, FloatArray

__all__ = ["write_arff"]

_BATCH = 2000  # rows turned into text at a time


def write_arff(dataset: Dataset, path: Path) -> None:
    """Write a data set, the class last, so that `fsbench.data.load` gives it back exactly.

    The file appears under its name only when it is complete. A name that ends in ``.gz`` is gzipped.

    Parameters
    ----------
    dataset : Dataset
        A sparse one is written as index-value pairs.
    path : Path
        The file; one of that name is replaced, and its folder is made.

    Raises
    ------
    UserError
        The file cannot be written.

    Notes
    -----
    The head is written by liac-arff, with our quoting. Its rows are not used: it writes the label ``?`` without
    quotes and the empty label as ``?``, which are both read as missing.
    """
    with atomic_path(path) as part, part.open("wb") as raw:
        # No name and no time go into the gzip header: equal data make equal files.
        zipped = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else raw
        with io.TextIOWrapper(zipped, "utf-8", errors="backslashreplace", newline="\n") as text:
            text.writelines(line + "\n" for line in _lines(dataset))


def _lines(dataset: Dataset) -> Iterator[str]:
    columns = (*dataset.features, dataset.target)
    yield from _head(dataset.name, columns)
    spelled = [None if c.labels is None else [*map(quote, c.labels), MISSING] for c in columns]
    for start in range(0, dataset.n_rows, _BATCH):
        rows = slice(start, start + _BATCH)
        values = [*dataset.X[rows].T, dataset.y[rows].astype(np.float64)]
        cells = [_cells(v, labels) for v, labels in zip(values, spelled, strict=True)]
        if dataset.sparse:
            stored = [v != 0 for v in values]
            yield from map(_sparse_row, zip(*cells, strict=True), zip(*stored, strict=True))
        else:
            yield from map(",".join, zip(*cells, strict=True))


def _head(relation: str, columns: tuple[Feature, ...]) -> Iterator[str]:
    import arff  # here, since reading must not wait for it

    class Encoder(arff.ArffEncoder):  # type: ignore[misc]
        """With quotes for every name and label that needs them."""

        def _encode_relation(self, name: str) -> str:
            return f"@relation {quote(name)}"

        def _encode_attribute(self, name: str, type_: str | list[str]) -> str:
            kind = type_ if isinstance(type_, str) else "{" + ",".join(map(quote, type_)) + "}"
            return f"@attribute {quote(name)} {kind.lower() if isinstance(type_, str) else kind}"

    attributes = [(c.name, "NUMERIC" if c.labels is None else list(c.labels)) for c in columns]
    lines: list[str] = list(Encoder().iter_encode({"relation": relation or "data", "attributes": attributes}))
    return iter(lines[:-1])


def _cells(values: FloatArray, labels: list[str] | None) -> list[str]:
    if labels is not None:
        codes = np.where(np.isnan(values), len(labels) - 1, values).astype(np.int64)
        return [labels[code] for code in codes.tolist()]
    # repr is the shortest text that reads back as the same double.
    return [MISSING if v != v else repr(v).removesuffix(".0") for v in values.tolist()]


def _sparse_row(cells: tuple[str, ...], stored: tuple[bool, ...]) -> str:
    pairs = (f"{i} {cell}" for i, (cell, kept) in enumerate(zip(cells, stored, strict=True)) if kept)
    return "{" + ",".join(pairs) + "}"
