"""Fetching multi-label data sets: the ARFF file as it is, and an XML file of the labels that is made from it."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from fsbench.data.arff import read_arff
from fsbench.data.fetch import fetched_file, how_to_supply
from fsbench.data.locate import cache_folder
from fsbench.data.mulan import to_multilabel
from fsbench.data.registry import DataInfo, info
from fsbench.errors import DataError
from fsbench.files import atomic_path, write_text

__all__ = ["fetch_labelled"]


def fetch_labelled(name: str | DataInfo) -> Path:
    """Fetch a multi-label data set into the cache; its labels are the last columns of the file.

    Of several files, such as a training and a test part, the rows are put below each other.

    Parameters
    ----------
    name : str or DataInfo
        A registry name, or an entry.

    Returns
    -------
    Path
        The ARFF file; the XML file of the labels stands beside it.

    Raises
    ------
    DataError
        There is nothing to fetch, no connection, or what came is not what the registry describes.
    """
    entry = info(name) if isinstance(name, str) else name
    if not entry.fetch:
        raise DataError(f"{entry.name} cannot be fetched; {how_to_supply(entry.name)}")
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as work:
            files = [fetched_file(source, Path(work), i, entry.name) for i, source in enumerate(entry.fetch)]
            return _kept(entry, _joined(files), folder)
    except OSError as error:
        raise DataError(f"{entry.name} cannot be kept: {error.strerror}", str(folder)) from None


def _joined(files: Sequence[Path]) -> Path:
    """Put the rows of all files under the head of the first; the digest tells whether they belong together."""
    if len(files) == 1:
        return files[0]
    whole = files[0].with_name("joined.arff")
    with whole.open("wb") as stream:
        for i, file in enumerate(files):
            content = file.read_bytes()
            start = 0 if i == 0 else re.search(rb"(?im)^@data[^\n]*\n", content)
            if start is None:
                raise DataError("there is no '@data' in it", file.name)
            rows = content[start if isinstance(start, int) else start.end() :]
            stream.write(rows if rows.endswith(b"\n") else rows + b"\n")
    return whole


def _kept(entry: DataInfo, source: Path, folder: Path) -> Path:
    """Check the content and move it into the cache, the labels first: a data file without them is of no use."""
    table = read_arff(source)
    names = [column.name for column in table.columns[-entry.labels :]]
    data = to_multilabel(table, names, name=entry.name, source=str(source))
    if data.digest != entry.digest:
        raise DataError(f"what was fetched for {entry.name} is not what the registry describes: nothing is kept")
    listed = "\n".join(f"<label name={quoteattr(label)}></label>" for label in names)
    text = f'<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n{listed}\n</labels>\n'
    write_text(folder / entry.labels_file, text)
    path = folder / f"{entry.name}.arff"
    with atomic_path(path) as part:
        shutil.copyfile(source, part)
    return path
