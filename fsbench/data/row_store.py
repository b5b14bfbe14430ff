"""Rows gathered piece by piece into one matrix, without ever holding them twice."""

from __future__ import annotations

import mmap

import numpy as np

from fsbench.values import FloatArray

__all__ = ["RowStore"]

_SLAB = 1 << 25  # bytes, about: smaller tables are copied once only


class RowStore:
    """Collects pieces of a table whose length is not known beforehand.

    Pieces are copied into slabs, column by column, whenever they fill one. The final matrix is filled column by
    column too, and what was copied is given back to the system at once: the peak is little more than one matrix.

    Parameters
    ----------
    n_columns : int
        Columns of every piece.

    Examples
    --------
    >>> store = RowStore(2)
    >>> store.append(np.array([[1.0, 2.0]]))
    >>> store.append(np.array([[3.0, 4.0]]))
    >>> store.finish().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """

    def __init__(self, n_columns: int) -> None:
        self.n_columns = n_columns
        pages = max(_SLAB // (n_columns * mmap.PAGESIZE), 1)
        self._capacity = pages * mmap.PAGESIZE // 8  # rows of a slab: its columns start at page borders
        self._slabs: list[tuple[mmap.mmap, FloatArray]] = []
        self._pieces: list[FloatArray] = []
        self._waiting = 0  # rows in the pieces

    @property
    def n_rows(self) -> int:
        """Rows so far."""
        return len(self._slabs) * self._capacity + self._waiting

    def append(self, piece: FloatArray) -> None:
        """Add rows, of shape (n, n_columns)."""
        while self._waiting + len(piece) >= self._capacity:
            room = self._capacity - self._waiting
            self._pieces.append(piece[:room])
            self._fill_slab()
            piece = piece[room:]
        self._pieces.append(piece)
        self._waiting += len(piece)

    def finish(self) -> FloatArray:
        """Return all rows, of shape (n_rows, n_columns) in Fortran order; the store is empty afterwards."""
        full = self.n_rows - self._waiting
        values = np.empty((self.n_columns, self.n_rows))
        for j in range(self.n_columns):
            for i, (memory, slab) in enumerate(self._slabs):
                values[j, i * self._capacity : (i + 1) * self._capacity] = slab[j]
                _give_back(memory, 8 * j * self._capacity, 8 * self._capacity)
        _copy(self._pieces, values[:, full:])
        self._slabs, self._pieces, self._waiting = [], [], 0
        return values.T

    def _fill_slab(self) -> None:
        # A mapping, because the allocator would keep freed memory of this size for itself.
        memory = mmap.mmap(-1, 8 * self.n_columns * self._capacity)
        slab = np.frombuffer(memory, dtype=np.float64).reshape(self.n_columns, self._capacity)
        _copy(self._pieces, slab)
        self._slabs.append((memory, slab))
        self._pieces, self._waiting = [], 0


def _copy(pieces: list[FloatArray], columns: FloatArray) -> None:
    start = 0
    for piece in pieces:
        columns[:, start : start + len(piece)] = piece.T
        start += len(piece)


def _give_back(memory: mmap.mmap, start: int, length: int) -> None:
    if hasattr(mmap, "MADV_DONTNEED"):
        memory.madvise(mmap.MADV_DONTNEED, start, length)
