"""The file of results: a star of facts (keyed by what decides them) and dimensions, in SQLite.

Facts are ``ranking``, ``curve``, ``result`` and ``search``; they stay when the configuration changes. The dimensions
``dataset``, ``method``, ``fold`` and the list ``cell`` describe the configuration that was run last and say which
facts belong to it, in its order. ``environment`` says which run computed a fact.

Of multi-label experiments the classes of a data set are its labels, ``actual`` and ``predicted`` are bits (a row of
labels after the other), the scores of single labels are a ``ranking`` without an order, and ``meta`` holds the
statistics of the labels by data set.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fsbench.errors import UserError
from fsbench.values import FloatArray, IntArray

__all__ = [
    "FACTS",
    "FILE_NAME",
    "SCHEMA_VERSION",
    "bits",
    "connect",
    "floats",
    "from_bits",
    "from_floats",
    "from_ints",
    "ints",
]

FILE_NAME = "results.sqlite"

# 1: first version. 2: searches.
SCHEMA_VERSION = 2

# The tables of facts.
FACTS = ("ranking", "curve", "result", "search")

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE environment (
    id INTEGER PRIMARY KEY, command TEXT NOT NULL, started TEXT NOT NULL, finished TEXT, seed INTEGER NOT NULL,
    versions TEXT NOT NULL, machine TEXT NOT NULL);
CREATE TABLE dataset (
    position INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, n_rows INTEGER, n_numeric INTEGER, n_nominal INTEGER,
    features TEXT, classes TEXT, digest TEXT, source TEXT, note TEXT, missing INTEGER NOT NULL, reason TEXT NOT NULL);
CREATE TABLE method (
    position INTEGER PRIMARY KEY, kind TEXT NOT NULL, label TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL,
    reference TEXT NOT NULL, identity TEXT NOT NULL, UNIQUE (kind, label));
CREATE TABLE fold (
    id INTEGER PRIMARY KEY, dataset INTEGER NOT NULL REFERENCES dataset, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
    digest TEXT NOT NULL, n_train INTEGER NOT NULL, n_test INTEGER NOT NULL, rows BLOB NOT NULL, actual BLOB NOT NULL);
CREATE TABLE cell (
    position INTEGER PRIMARY KEY, fold INTEGER NOT NULL REFERENCES fold, kind TEXT NOT NULL, key TEXT NOT NULL,
    ranker TEXT NOT NULL, classifier TEXT NOT NULL, selection TEXT NOT NULL, estimate TEXT NOT NULL, k INTEGER);
CREATE TABLE ranking (
    key TEXT PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL, seconds REAL NOT NULL,
    environment INTEGER NOT NULL REFERENCES environment, ranked BLOB, scores BLOB, unit TEXT) WITHOUT ROWID;
CREATE TABLE curve (
    key TEXT PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL, seconds REAL NOT NULL,
    environment INTEGER NOT NULL REFERENCES environment, correct BLOB, n INTEGER) WITHOUT ROWID;
CREATE TABLE result (
    key TEXT PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL, seconds REAL NOT NULL,
    environment INTEGER NOT NULL REFERENCES environment, n_correct INTEGER, columns BLOB, predicted BLOB,
    measures TEXT) WITHOUT ROWID;
CREATE TABLE search (
    key TEXT PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL, seconds REAL NOT NULL,
    environment INTEGER NOT NULL REFERENCES environment, start BLOB, moves BLOB, usefulness BLOB, remainder BLOB,
    criterion BLOB, evaluations BLOB, best INTEGER, stopped TEXT, hits INTEGER, error REAL, correct BLOB, sizes BLOB,
    scored INTEGER) WITHOUT ROWID;
CREATE INDEX cell_kind ON cell (kind, position);
"""


def connect(folder: Path, create: bool = False) -> sqlite3.Connection:
    """Open the results in a folder.

    Parameters
    ----------
    folder : Path
        A results folder, or the file in it.
    create : bool, default False
        Make folder and file if they are not there.

    Returns
    -------
    sqlite3.Connection

    Raises
    ------
    UserError
        No results there, not a results file, or one that another version of fsbench wrote.
    """
    path = folder if folder.suffix == ".sqlite" else folder / FILE_NAME
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        elif not path.is_file():
            raise UserError(f"no results here: expected a folder with {FILE_NAME}, as 'fsbench run' makes", str(folder))
        # A file that a killed run left needs write access to be rolled back; in a read-only place it is read as it is.
        connection = sqlite3.connect(path, timeout=30)
        try:
            _check_version(connection, path, create)
        except BaseException:
            connection.close()
            raise
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", str(path)) from None
    except sqlite3.Error as error:
        raise UserError(f"not a results file of fsbench: {error}", str(path)) from None
    return connection


def _check_version(connection: sqlite3.Connection, path: Path, create: bool) -> None:
    with closing(connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")) as cursor:
        tables = {name for (name,) in cursor}
    if not tables and create:
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
        return
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if "cell" not in tables or version != SCHEMA_VERSION:
        found = f"format {version}" if "cell" in tables else "another kind of file"
        text = f"expected results of format {SCHEMA_VERSION}, found {found}; 'fsbench run --fresh' starts a new file"
        raise UserError(text, str(path))


def ints(array: IntArray) -> bytes:
    """Return whole numbers as the bytes that are stored (int32, little end first)."""
    return np.ascontiguousarray(array, dtype="<i4").tobytes()


def from_ints(blob: bytes) -> IntArray:
    """Return stored whole numbers as int64."""
    return np.frombuffer(blob, dtype="<i4").astype(np.int64)


def bits(matrix: npt.NDArray[Any]) -> bytes:
    """Return 0 and 1 as the bytes that are stored: eight to a byte, row after row."""
    return np.packbits(matrix.astype(np.uint8)).tobytes()


def from_bits(blob: bytes, n_rows: int, n_columns: int) -> npt.NDArray[np.uint8]:
    """Return stored bits as a matrix."""
    flat = np.unpackbits(np.frombuffer(blob, dtype=np.uint8), count=n_rows * n_columns)
    return flat.reshape(n_rows, n_columns)


def floats(array: FloatArray) -> bytes:
    """Return numbers as the bytes that are stored (float64, little end first)."""
    return np.ascontiguousarray(array, dtype="<f8").tobytes()


def from_floats(blob: bytes) -> FloatArray:
    """Return stored numbers."""
    return np.frombuffer(blob, dtype="<f8").astype(np.float64)
