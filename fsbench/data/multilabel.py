"""Rows that carry any number of labels, and the single-class data sets that are made of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from fsbench.errors import DataError
from fsbench.values import BoolArray, Dataset, Feature, FloatArray, IntArray

__all__ = ["BINARY", "LabelMatrix", "LabelStatistics", "MultiLabelDataset"]

LabelMatrix = npt.NDArray[np.uint8]
T = TypeVar("T")

BINARY = ("0", "1")  # the classes of one label: absent, present


@dataclass(frozen=True)
class LabelStatistics:
    """How rows and labels meet.

    Parameters
    ----------
    labels : int
        Number of labels, q.
    cardinality : float
        Mean number of labels of a row.
    density : float
        ``cardinality / q``.
    distinct : int
        Number of different label sets.
    unlabelled_rows : int
        Rows without any label.
    absent_labels, full_labels : int
        Labels that no row carries, or every row.
    single_sets : int
        Label sets that one row alone has.
    """

    labels: int
    cardinality: float
    density: float
    distinct: int
    unlabelled_rows: int
    absent_labels: int
    full_labels: int
    single_sets: int


@dataclass(frozen=True, eq=False)
class MultiLabelDataset:
    """Rows, features and labels, of which a row has none, one or many.

    Parameters
    ----------
    name : str
        The data set's name, as shown in tables.
    features : tuple of Feature
        One per column of `X`.
    X : ndarray of shape (n_rows, n_features)
        As in `fsbench.values.Dataset`.
    labels : tuple of str
        Names of the labels, in the order in which results show them; at least one, each once.
    Y : ndarray of shape (n_rows, n_labels)
        uint8: 1 where the row carries the label, 0 otherwise; never missing.
    source, note, sparse
        As in `fsbench.values.Dataset`.

    Raises
    ------
    DataError
        No label, a label named twice, or a matrix of another shape.

    Examples
    --------
    >>> Y = np.array([[1, 0], [1, 1], [0, 0]])
    >>> data = MultiLabelDataset("tiny", (Feature("f"),), np.zeros((3, 1)), ("red", "blue"), Y)
    >>> data.statistics.cardinality, data.statistics.distinct
    (1.0, 3)
    >>> data.binary(1).y.tolist()
    [0, 1, 0]
    """

    name: str
    features: tuple[Feature, ...]
    X: FloatArray
    labels: tuple[str, ...]
    Y: LabelMatrix
    source: str = ""
    note: str = ""
    sparse: bool = False
    _derived: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", np.asfortranarray(self.X, dtype=np.float64))
        object.__setattr__(self, "Y", np.ascontiguousarray(self.Y, dtype=np.uint8))
        if not self.labels:
            raise DataError("a multi-label data set needs at least one label", self.source or self.name)
        twice = [label for i, label in enumerate(self.labels) if label in self.labels[:i]]
        if twice:
            raise DataError(f"the label {twice[0]!r} is named twice", self.source or self.name)
        if self.Y.shape != (len(self.X), len(self.labels)):
            text = f"the label matrix must have shape {(len(self.X), len(self.labels))}, found {self.Y.shape}"
            raise DataError(text, self.source or self.name)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_derived": {}}

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features, the labels not counted."""
        return int(self.X.shape[1])

    @property
    def n_labels(self) -> int:
        """Number of labels, those that no row carries included."""
        return len(self.labels)

    @cached_property
    def is_nominal(self) -> BoolArray:
        """Which features are nominal, shape (n_features,)."""
        return np.array([f.is_nominal for f in self.features], dtype=np.bool_)

    @cached_property
    def label_counts(self) -> IntArray:
        """Rows that carry each label, shape (n_labels,)."""
        counts: IntArray = self.Y.sum(axis=0, dtype=np.int64)
        return counts

    @cached_property
    def has_missing(self) -> bool:
        """Whether any cell is missing."""
        return bool(np.isnan(self.X).any())

    @cached_property
    def statistics(self) -> LabelStatistics:
        """Cardinality, density and the like."""
        sizes, n = self.Y.sum(axis=1, dtype=np.int64), max(self.n_rows, 1)
        _, counts = self.label_sets
        cardinality = float(sizes.sum() / n)
        return LabelStatistics(
            labels=self.n_labels,
            cardinality=cardinality,
            density=cardinality / self.n_labels,
            distinct=len(counts),
            unlabelled_rows=int((sizes == 0).sum()),
            absent_labels=int((self.label_counts == 0).sum()),
            full_labels=int((self.label_counts == self.n_rows).sum()) if self.n_rows else 0,
            single_sets=int((counts == 1).sum()),
        )

    @cached_property
    def label_sets(self) -> tuple[IntArray, IntArray]:
        """The label set of each row as a number from 0, in order of first appearance, and the rows of each set."""
        packed = np.ascontiguousarray(np.packbits(self.Y, axis=1))
        keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        place = np.empty(len(first), dtype=np.int64)
        place[np.argsort(first)] = np.arange(len(first))
        sets = place[inverse]
        return sets, np.bincount(sets, minlength=len(first)).astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content: names, values and labels, not the data set's own name."""
        h = hashlib.sha256(repr(("multi-label", self.labels, self.X.shape, self.sparse)).encode())
        for f in self.features:
            h.update(repr((f.name, f.labels)).encode())
        h.update(np.ascontiguousarray(self.X.T).tobytes())
        h.update(self.Y.tobytes())
        return h.hexdigest()

    def take(self, rows: IntArray | BoolArray) -> MultiLabelDataset:
        """Return a copy of the given rows, in the given order."""
        return replace(self, X=self.X.T[:, rows].T, Y=self.Y[rows], _derived={})

    def select(self, columns: Sequence[int] | IntArray) -> MultiLabelDataset:
        """Return a copy with the given features, in the given order."""
        cols = [int(c) for c in columns]
        return replace(self, features=tuple(self.features[c] for c in cols), X=self.X[:, cols], _derived={})

    def with_class(self, target: Feature, y: IntArray) -> Dataset:
        """Return the same rows with one nominal class instead of the labels; `X` is shared, not copied.

        Parameters
        ----------
        target : Feature
            Its labels are the classes.
        y : ndarray of shape (n_rows,)
            Class indices.

        Returns
        -------
        fsbench.values.Dataset
        """
        return Dataset(self.name, self.features, self.X, target, y, self.source, self.note, self.sparse)

    def binary(self, label: int) -> Dataset:
        """Return the data set of one label: class 0 where it is absent, 1 where it is present."""
        return self.with_class(Feature(self.labels[label], BINARY), self.Y[:, label].astype(np.int64))

    def powerset(self) -> Dataset:
        """Return the data set whose classes are the distinct label sets, in order of first appearance.

        A class is named by its bits, first label first.
        """
        sets, counts = self.label_sets
        first = np.empty(len(counts), dtype=np.int64)
        first[sets[::-1]] = np.arange(self.n_rows)[::-1]
        bits = tuple("".join(map(str, row)) for row in self.Y[first].tolist())
        return self.with_class(Feature("label set", bits), sets)

    def derived(self, key: str, build: Callable[[], T]) -> T:
        """Return what `build` makes from this data set, made once and shared by all who ask for `key`."""
        if key not in self._derived:
            self._derived[key] = build()
        return self._derived[key]  # type: ignore[no-any-return]
