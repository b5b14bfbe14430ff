"""Reading files by blocks of whole lines: plain or gzipped, with or without BOM, any kind of line end."""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import numpy as np

from fsbench.errors import DataError

__all__ = ["BLOCK", "Block", "LineReader", "is_gzip", "open_binary", "read_errors"]

BLOCK = 1 << 18  # bytes read at a time: some hundred rows, small enough to stay in the processor's cache
_NEWLINE = 10
_GZIP = b"\x1f\x8b"
_UTF8_BOM = b"\xef\xbb\xbf"
_OTHER_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def is_gzip(path: Path) -> bool:
    """Whether a file starts as a gzip file does, whatever its name says."""
    with path.open("rb") as stream:
        return stream.read(2) == _GZIP


def open_binary(path: Path) -> BinaryIO:
    """Open a plain or gzipped file for reading bytes.

    Parameters
    ----------
    path : Path

    Returns
    -------
    BinaryIO

    Raises
    ------
    DataError
        There is no such file, it cannot be read, or it ends in ``.gz`` and is not gzipped.
    """
    try:
        zipped = is_gzip(path)
    except FileNotFoundError:
        raise DataError("no such file", str(path)) from None
    except IsADirectoryError:
        raise DataError("this is a folder; a data file is needed", str(path)) from None
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", str(path)) from None
    if path.suffix == ".gz" and not zipped:
        raise DataError("the name ends in .gz but the content is not gzipped", str(path))
    return cast(BinaryIO, gzip.open(path, "rb")) if zipped else path.open("rb")


class Block(NamedTuple):
    """Whole lines of a file: their bytes, the number of the first, and how many newlines they hold."""

    data: bytes
    first: int
    lines: int


class LineReader:
    """A file's lines, one by one for a header, then by blocks for the rows.

    Line ends of every system become a single newline; a UTF-8 byte order mark is dropped.

    Parameters
    ----------
    path : Path
        A plain or gzipped file.
    size : int, default BLOCK
        Bytes read at a time.

    Attributes
    ----------
    line : int
        Number of the line that was returned last, from 1.
    size : int
        Bytes read at a time from now on.
    """

    def __init__(self, path: Path, size: int = BLOCK) -> None:
        self.path = path
        self.line = 0
        self.size = size
        self._blocks = self._whole_lines()
        self._block = b""
        self._at = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield lines without their ends."""
        while True:
            if self._at >= len(self._block):
                self._block, self._at = next(self._blocks, b""), 0
                if not self._block:
                    return
            end = self._block.find(b"\n", self._at)
            end = len(self._block) if end < 0 else end
            found, self._at = self._block[self._at : end], end + 1
            self.line += 1
            yield found

    def blocks(self) -> Iterator[Block]:
        """Yield what was not yet read as blocks of whole lines."""
        number = self.line + 1
        for data in itertools.chain([self._block[self._at :]], self._blocks):
            if data:
                lines = int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == _NEWLINE))  # 4 x bytes.count
                yield Block(data, number, lines)
                number += lines
        self._block, self._at = b"", 0

    def _whole_lines(self) -> Iterator[bytes]:
        """Yield blocks that end with a newline, the last one perhaps without."""
        held: list[bytes | memoryview] = []  # the start of a line whose end was not yet read
        for chunk in self._chunks():
            cut = chunk.rfind(b"\n") + 1
            if not cut:
                held.append(chunk)
                continue
            held.append(memoryview(chunk)[:cut])  # no copy before the join
            yield b"".join(held)
            held = [chunk[cut:]]
        if rest := b"".join(held):
            yield rest

    def _chunks(self) -> Iterator[bytes]:
        """Yield pieces of the file with single newlines, without a byte order mark."""
        with open_binary(self.path) as stream:
            first = True
            while chunk := _read(stream, self.path, self.size):
                if first:
                    chunk, first = _without_bom(chunk, self.path), False
                if chunk.endswith(b"\r"):
                    chunk += _read(stream, self.path, 1)  # a carriage return and its newline must stay together
                if b"\r" in chunk:
                    chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
                if chunk:
                    yield chunk


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Turn what goes wrong while bytes are read into a `DataError`."""
    try:
        yield
    except EOFError:
        raise DataError("the gzipped content ends too early: the file is truncated", str(path)) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"the gzipped content is damaged ({error})", str(path)) from None
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", str(path)) from None


def _read(stream: BinaryIO, path: Path, size: int) -> bytes:
    with read_errors(path):
        return stream.read(size)


def _without_bom(chunk: bytes, path: Path) -> bytes:
    for mark, encoding in _OTHER_BOMS.items():
        if chunk.startswith(mark):
            raise DataError(f"the file is in {encoding}; UTF-8 is needed", str(path))
    return chunk.removeprefix(_UTF8_BOM)
