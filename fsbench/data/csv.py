"""Reading CSV files: a header, then rows; which columns are nominal is inferred unless it is said."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from fsbench.data.arff_cells import NAN, NUMBER, quick_numbers
from fsbench.data.row_store import RowStore
from fsbench.data.streams import open_binary, read_errors
from fsbench.data.table import MISSING, DataWarning, Table, choose_column
from fsbench.errors import DataError, nearest
from fsbench.values import Feature, FloatArray

__all__ = ["csv_header", "read_csv"]

_DELIMITERS = ",;\t"
_BLANK = re.compile(r"\s")
_BATCH = 2000  # rows converted at a time
_NEARLY_ALL = 0.9
_MANY = 10  # classes up to which rows may be as few
_FEW = 3  # rows of a class, on average, below which its numbers are more likely measured than labels
_NOT_AVAILABLE = {"na", "n/a", "nan"}  # missing, in a column of numbers
# How other programs write a missing or impossible number; never taken for labels of a column of numbers.
_SUSPECT = {"na", "n/a", "nan", "null", "none", "nil", ".", "-", "inf", "-inf", "+inf", "infinity", "-infinity"}
Batch = list[tuple[int, list[str]]]  # line number and cells of each row


@dataclass
class _Column:
    """What is known of a column so far; `told` says that its kind is not inferred."""

    name: str
    nominal: bool = False
    told: bool = False
    codes: dict[str, float] = field(default_factory=dict)

    @property
    def feature(self) -> Feature:
        return Feature(self.name, tuple(self.codes) if self.nominal else None)


def read_csv(
    path: Path,
    *,
    target: str | int | None = None,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    missing: Sequence[str] = MISSING,
) -> Table:
    """Read a CSV file, plain or gzipped, in UTF-8.

    The first line names the columns; commas, semicolons or tabs separate, whichever the first line holds. A
    column is numeric if every value in it is a number, and nominal otherwise; the class is always nominal. Labels
    are numbered in the order of their first appearance, as Weka's reader does. Blanks around values are dropped.

    Parameters
    ----------
    path : Path
        The file.
    target : str or int, optional
        The class, see `choose_column`; the last column by default.
    nominal, numeric : sequence of str, default ()
        Columns whose kind is not left to inference.
    missing : sequence of str, default ("", "?")
        How a missing value is written, quoted or not. Unless others are given, NA, N/A and NaN in a column whose
        other values are numbers are missing values too.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        Whatever is wrong with the file, with line and column. A column of numbers with words such as null or
        inf between them, and a class of fractions, are refused unless their kind is said.

    Warns
    -----
    DataWarning
        NA and the like are read as missing; a column is read as nominal though nearly all its values are numbers; a
        class of numbers has fewer than three rows a value; the first line looks like a row.
    """
    names, delimiter = csv_header(path)
    columns = [_Column(name) for name in names]
    at = choose_column(target, Table("", tuple(Feature(n) for n in names), np.empty((0, len(names)))), str(path))
    _tell(columns, at, nominal, numeric, path)
    blank = frozenset(missing)
    while (values := _read(path, delimiter, columns, blank)) is None:
        for column in columns:
            column.codes.clear()
    if set(missing) == set(MISSING):
        _take_out_words(path, columns, values)
    for j, column in enumerate(columns):
        if column.nominal and column.name not in nominal:
            _check_labels(path, delimiter, column, values[:, j], j == at)
    _check_names(columns, path)
    return Table(path.name, tuple(c.feature for c in columns), values)


def csv_header(path: Path) -> tuple[list[str], str]:
    """Return the column names and the delimiter."""
    names: list[str] = []
    for delimiter in _DELIMITERS:
        rows = _rows(path, delimiter)
        first = next(rows, None)
        rows.close()
        if first is None:
            raise DataError("the file is empty; a CSV file starts with the names of its columns", str(path))
        line, names = first[0], [cell.strip() for cell in first[1]]
        if len(names) > 1:
            break
    else:
        delimiter = ","
    where = f"{path}, line {line}"
    for i, name in enumerate(names):
        if not name:
            raise DataError(f"column {i + 1} has no name", where)
        if name in names[:i]:
            raise DataError(f"the column name {name!r} stands twice", where)
    if all(NUMBER.fullmatch(name) for name in names):
        raise DataError("the first line must name the columns, found numbers only", where)
    return names, delimiter


def _rows(path: Path, delimiter: str) -> Generator[tuple[int, list[str]], None, None]:
    """Yield first line and cells of every row that is not blank, the header included."""
    with read_errors(path), open_binary(path) as stream, io.TextIOWrapper(stream, "utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter=delimiter, strict=True, skipinitialspace=True)
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except UnicodeDecodeError:
                where = f"{path}, line {_first_undecodable(path)}"
                raise DataError("the text is not UTF-8; convert the file", where) from None
            except csv.Error as error:
                raise DataError(f"malformed CSV: {error}", f"{path}, line {line}") from None
            if "\0" in "".join(row):
                raise DataError("a NUL byte; the file is damaged, or it is not text in UTF-8", f"{path}, line {line}")
            if row:
                yield line, row


def _first_undecodable(path: Path) -> int:
    with open_binary(path) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return number
    raise AssertionError(path)


def _tell(columns: list[_Column], at: int, nominal: Sequence[str], numeric: Sequence[str], path: Path) -> None:
    """Set the kinds that need no inference: those said, and the class."""
    names = [c.name for c in columns]
    for given in (*nominal, *numeric):
        if given not in names:
            raise DataError(f"no column is named {given!r}; {nearest(given, names)}", str(path))
    if both := set(nominal) & set(numeric):
        raise DataError(f"column {min(both)!r} cannot be both nominal and numeric", str(path))
    if columns[at].name in numeric:
        raise DataError(f"the class must be nominal, but {columns[at].name!r} is said to be numeric", str(path))
    for column in columns:
        column.nominal = column.name in nominal or column is columns[at]
        column.told = column.nominal or column.name in numeric


def _read(path: Path, delimiter: str, columns: list[_Column], blank: frozenset[str]) -> FloatArray | None:
    """Convert all rows; None if a column turned out to be nominal too late, so that all must be read again."""
    store = RowStore(len(columns))
    late = False
    for number, batch in enumerate(_batches(path, delimiter, len(columns))):
        values = np.empty((len(batch), len(columns)))
        for j, (column, raw) in enumerate(zip(columns, zip(*(row for _, row in batch), strict=True), strict=True)):
            cells = _stripped(raw)
            if not column.nominal:
                parsed = _numbers(cells, blank)
                if parsed is None and column.told:
                    _refuse(path, batch, j, column, blank)
                column.nominal = parsed is None
                late = late or (column.nominal and number > 0)
            values[:, j] = _codes(cells, column.codes, blank) if column.nominal else parsed
        store.append(values)
    if not store.n_rows:
        raise DataError("there are no rows after the header", str(path))
    return None if late else store.finish()


def _batches(path: Path, delimiter: str, width: int) -> Iterator[Batch]:
    rows = _rows(path, delimiter)
    next(rows)
    batch: Batch = []
    for line, cells in rows:
        if len(cells) != width:
            raise DataError(f"{len(cells)} values where the header names {width} columns", f"{path}, line {line}")
        batch.append((line, cells))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _codes(cells: Sequence[str], codes: dict[str, float], blank: frozenset[str]) -> list[float]:
    for cell in dict.fromkeys(cells):
        if cell not in codes and cell not in blank:
            codes[cell] = float(len(codes))
    return [codes.get(cell, NAN) for cell in cells]


def _stripped(cells: Sequence[str]) -> Sequence[str]:
    text = "".join(cells)
    return cells if text.isascii() and not _BLANK.search(text) else [cell.strip() for cell in cells]


def _numbers(cells: Sequence[str], blank: frozenset[str]) -> FloatArray | list[float] | None:
    """Convert a column; None if a value in it is not a number that fits a double."""
    quick = quick_numbers(cells, blank)
    if quick is not None:
        return quick
    values = []
    for cell in cells:
        if cell in blank:
            values.append(NAN)
        elif NUMBER.fullmatch(cell) and abs(value := float(cell)) != float("inf"):
            values.append(value)
        else:
            return None
    return values


def _refuse(path: Path, batch: Batch, j: int, column: _Column, blank: frozenset[str]) -> None:
    line, cell = next((line, row[j]) for line, row in batch if _numbers([row[j].strip()], blank) is None)
    raise DataError(f"column {column.name!r} is said to be numeric, found {cell!r}", f"{path}, line {line}")


def _take_out_words(path: Path, columns: Sequence[_Column], values: FloatArray) -> None:
    """Make columns numeric that hold numbers and NA only."""
    found: dict[str, int] = {}
    for j, column in enumerate(columns):
        labels = list(column.codes)
        words = [label for label in labels if label.casefold() in _NOT_AVAILABLE]
        if column.told or not words or len(words) == len(labels):
            continue
        numbers = _numbers(["" if label in words else label for label in labels], frozenset([""]))
        if numbers is None:
            continue
        codes = values[:, j]
        known = ~np.isnan(codes)
        for word in words:
            found[word] = found.get(word, 0) + int((codes == column.codes[word]).sum())
        values[known, j] = np.asarray(numbers)[codes[known].astype(np.int64)]
        column.nominal = False
        column.codes.clear()
    if found:
        counts = ", ".join(f"{word!r} in {count} cell{'s' * (count != 1)}" for word, count in found.items())
        warnings.warn(f"{path}: read as missing, in columns of numbers: {counts}", DataWarning, stacklevel=4)


def _check_labels(path: Path, delimiter: str, column: _Column, values: FloatArray, is_class: bool) -> None:
    """Refuse or report a column that was taken for nominal and may not have been meant so."""
    labels = list(column.codes)
    is_number = np.array([_numbers([label], frozenset()) is not None for label in labels], dtype=np.bool_)
    words = [label for label, number in zip(labels, is_number, strict=True) if not number]
    if is_class:
        fraction = next((label for label in labels if not words and float(label) % 1), None)
        if fraction is not None:
            raise DataError(
                f"the class must be nominal, but {column.name!r} holds fractions such as {fraction}; choose another "
                f"column, or write its labels as text",
                str(path),
            )
        if len(labels) > _MANY and not words and _FEW * len(labels) > len(values):
            warnings.warn(
                f"{path}: the class {column.name!r} holds {len(labels)} different numbers in {len(values)} rows: "
                f"each is taken for a class of its own",
                DataWarning,
                stacklevel=4,
            )
        return
    if not is_number.any():
        return
    word = next((word for word in words if word.casefold() not in _NOT_AVAILABLE), words[0])
    line = _first_line(path, delimiter, column.name, word)
    if all(word.casefold() in _SUSPECT or NUMBER.fullmatch(word) for word in words):
        raise DataError(
            f"column {column.name!r} holds numbers, but here {word!r}; a missing value is an empty cell, ?, NA or NaN",
            f"{path}, line {line}",
        )
    counts = np.bincount(values[~np.isnan(values)].astype(np.int64), minlength=len(labels))
    if counts[is_number].sum() >= _NEARLY_ALL * counts.sum():
        warnings.warn(
            f"{path}, line {line}: column {column.name!r} is read as nominal because of the value {word!r}",
            DataWarning,
            stacklevel=4,
        )


def _check_names(columns: Sequence[_Column], path: Path) -> None:
    """Report a first line that looks like a row: numbers, and words only where the same word stands below."""
    words = [c for c in columns if not NUMBER.fullmatch(c.name)]
    if len(words) < len(columns) and all(c.nominal and c.name in c.codes for c in words):
        numbers = [c.name for c in columns if NUMBER.fullmatch(c.name)]
        warnings.warn(
            f"{path}: the first line is taken for the names of the columns, but looks like a row "
            f"({', '.join(numbers[:3])}{', ...' if len(numbers) > 3 else ''}); put a line with the names before it",
            DataWarning,
            stacklevel=4,
        )


def _first_line(path: Path, delimiter: str, name: str, value: str) -> int:
    rows = _rows(path, delimiter)
    j = [cell.strip() for cell in next(rows)[1]].index(name)
    return next(line for line, cells in rows if cells[j].strip() == value)
