"""What a reader returns: all columns of a file, no class chosen yet."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from fsbench.errors import DataError, nearest
from fsbench.values import Dataset, Feature, FloatArray

__all__ = ["MISSING", "DataWarning", "Table", "choose_column"]

MISSING = ("", "?")  # how a CSV file says that a value is missing


class DataWarning(UserWarning):
    """Something in the data was left out or read in a way that its owner should know of."""


@dataclass(frozen=True, eq=False)
class Table:
    """All columns of a file.

    Parameters
    ----------
    relation : str
        The name that the file gives itself.
    columns : tuple of Feature
        One per column.
    values : ndarray of shape (n_rows, n_columns)
        float64 in Fortran order: numbers, or indices of labels; NaN is missing.
    sparse : bool, default False
        Whether rows were stored as index-value pairs.
    skipped : tuple of str, default ()
        Columns that were left out because their type is of no use here.
    """

    relation: str
    columns: tuple[Feature, ...]
    values: FloatArray
    sparse: bool = False
    skipped: tuple[str, ...] = ()

    def to_dataset(self, target: str | int | None = None, *, name: str = "", source: str = "") -> Dataset:
        """Make one column the class and the others the features.

        The values move into the data set: a large table is not copied, and must not be used afterwards.

        Parameters
        ----------
        target : str or int, optional
            See `choose_column`.
        name, source : str, default ""
            For the data set; `source` names the file in error messages.

        Returns
        -------
        Dataset
            Rows whose class is missing are left out, with a `DataWarning` that counts them.

        Raises
        ------
        DataError
            No such column, a numeric class, or no feature besides the class.
        """
        at = choose_column(target, self, source)
        chosen = self.columns[at]
        if chosen.labels is None:
            raise DataError(
                f"the class must be nominal, but {chosen.name!r} is numeric; "
                "choose another column, or declare its labels in the file",
                source,
            )
        if len(self.columns) == 1:
            raise DataError(f"{chosen.name!r} is the only column; a data set needs features besides the class", source)
        values, y = _split(self.values, at)
        known = ~np.isnan(y)
        if not known.all():
            lost = int(len(y) - known.sum())
            warnings.warn(
                f"{source or name}: {lost} of {len(y)} rows are left out because their class "
                f"({chosen.name!r}) is missing",
                DataWarning,
                stacklevel=3,
            )
            values, y = np.asfortranarray(values[known]), y[known]
        return Dataset(
            name=name or self.relation,
            features=self.columns[:at] + self.columns[at + 1 :],
            X=values,
            target=chosen,
            y=y.astype(np.int64),
            source=source,
            sparse=self.sparse,
        )


def choose_column(target: str | int | None, table: Table, where: str = "") -> int:
    """Return the index of the column that `target` names.

    Parameters
    ----------
    target : str or int, optional
        A column's name, its number from 1, ``"first"`` or ``"last"``; the last column by default. A name
        that looks like a number goes before the number, and a name written in another case is found if there
        is only one such.
    table : Table
    where : str, default ""
        Place for the error message.

    Returns
    -------
    int

    Raises
    ------
    DataError
        There is no such column.
    """
    names = [c.name for c in table.columns]
    if not names:
        raise DataError("no column is left to be the class", where)
    if target is None:
        return len(names) - 1
    if isinstance(target, str):
        if target in names:
            return names.index(target)
        if target in table.skipped:
            raise DataError(f"the class {target!r} is of a type that cannot be read as labels", where)
        folded = [i for i, n in enumerate(names) if n.casefold() == target.casefold()]
        if len(folded) == 1:
            return folded[0]
        if target in ("first", "last"):
            return 0 if target == "first" else len(names) - 1
    number = _number(target)
    if number is None:
        raise DataError(f"no column is named {target!r}; {nearest(str(target), names)}", where)
    if not 1 <= number <= len(names):
        raise DataError(f"there is no column {number}; the columns count from 1 to {len(names)}", where)
    return number - 1


def _number(target: str | int) -> int | None:
    try:
        return int(target)
    except ValueError:
        return None


def _split(values: FloatArray, at: int) -> tuple[FloatArray, FloatArray]:
    """Take one column out; the columns after it move up in place, so no second matrix is needed."""
    y = values[:, at].copy()
    for j in range(at, values.shape[1] - 1):
        values[:, j] = values[:, j + 1]
    return values[:, :-1], y
