"""The one writer of a results file: the plan at the start, the records of each task as it is done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy.typing as npt

from fsbench.errors import UserError
from fsbench.experiment.cells import Cell, CurveCounts, Record, TestResult, Unranked
from fsbench.experiment.database import FACTS, FILE_NAME, bits, connect, floats, from_floats, from_ints, ints
from fsbench.experiment.experiment import Experiment
from fsbench.experiment.keys import method_identity
from fsbench.experiment.plan import PlannedFold
from fsbench.experiment.searched_facts import search_values
from fsbench.experiment.sources import Missing
from fsbench.experiment.survey import DatasetFacts
from fsbench.method import Method
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.values import Ranking, Split

__all__ = ["StoreWriter"]


class StoreWriter:
    """Writes one results folder; a context manager that keeps other writers out.

    A task's records are committed together: a run that is killed leaves whole tasks behind, and the next run
    goes on with the others.

    Parameters
    ----------
    folder : Path
    fresh : bool, default False
        Forget what was computed before.

    Raises
    ------
    UserError
        Another run is writing there, the place cannot be written to, or another version of fsbench wrote it.
    """

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        self.folder = folder
        self._lock = _lock(folder)
        try:
            if fresh:
                for name in (FILE_NAME, f"{FILE_NAME}-journal"):
                    (folder / name).unlink(missing_ok=True)
            self._db = connect(folder, create=True)
        except BaseException:
            self._lock.close()
            raise
        self._environment = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()
        self._lock.close()

    def statuses(self) -> dict[str, str]:
        """Return the status of every stored fact by its key."""
        rows = (self._db.execute(f"SELECT key, status FROM {kind}") for kind in FACTS)  # noqa: S608
        return {key: status for cursor in rows for key, status in cursor}

    def ranking(self, cell: Cell) -> Ranking | None:
        """Return the stored ranking of a cell, or None."""
        query = "SELECT ranked, scores, unit, seconds FROM ranking WHERE key = ? AND status = 'ok'"
        row = self._db.execute(query, (cell.key,)).fetchone()
        return None if row is None else Ranking(from_ints(row[0]), from_floats(row[1]), row[2], row[3])

    def unranked(self, cell: Cell) -> Unranked | None:
        """Return why a cell has no ranking, or None if it has one or was never computed."""
        query = "SELECT status, reason FROM ranking WHERE key = ? AND status != 'ok'"
        row = self._db.execute(query, (cell.key,)).fetchone()
        return None if row is None else Unranked(*row)

    def write_plan(
        self,
        experiment: Experiment,
        methods: Mapping[str, Mapping[str, Method | LabelRanker]],
        datasets: Sequence[DatasetFacts | Missing],
        folds: Iterable[PlannedFold],
    ) -> None:
        """Replace the list of cells by that of the configuration to be run; facts stay.

        Parameters
        ----------
        experiment : Experiment
        methods : mapping of str to mapping
            Kind to label to method.
        datasets : sequence of DatasetFacts or Missing
            In the configuration's order.
        folds : iterable of PlannedFold
            In the same order.
        """
        with self._db:
            for table in ("cell", "fold", "method", "dataset"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('experiment', ?)", (_json(experiment.as_dict()),))
            statistics = {
                facts.label: asdict(facts.statistics)
                for facts in datasets
                if isinstance(facts, DatasetFacts) and facts.statistics is not None
            }
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('label_statistics', ?)", (_json(statistics),))
            self._insert("dataset", (_dataset_row(i, facts) for i, facts in enumerate(datasets)))
            rows = [(kind, label, method) for kind, made in methods.items() for label, method in made.items()]
            self._insert("method", (_method_row(i, *row) for i, row in enumerate(rows)))
            positions = {facts.label: i for i, facts in enumerate(datasets)}
            known = {facts.label: facts for facts in datasets if isinstance(facts, DatasetFacts)}
            position = 0
            for i, fold in enumerate(folds):
                self._insert("fold", [_fold_row(i, positions[fold.dataset], fold.split, known[fold.dataset].y)])
                self._insert("cell", (_cell_row(position + j, i, cell) for j, cell in enumerate(fold.cells)))
                position += len(fold.cells)

    def begin(self, environment: Mapping[str, Any]) -> None:
        """Remember which run is about to compute.

        Parameters
        ----------
        environment : mapping
            ``command, started, seed, versions, machine``; see `fsbench.experiment.provenance`.
        """
        columns = ("command", "started", "seed", "versions", "machine")
        values = [_json(v) if isinstance(v := environment[name], dict) else v for name in columns]
        with self._db:
            cursor = self._db.execute(
                f"INSERT INTO environment ({', '.join(columns)}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608
                values,
            )
        self._environment = int(cursor.lastrowid or 0)

    def write(self, records: Iterable[Record]) -> None:
        """Store the records of one task, all or none.

        Parameters
        ----------
        records : iterable of Record
        """
        with self._db:
            for record in records:
                common = (record.key, record.status, record.reason, record.seconds, self._environment)
                self._insert(record.kind, [(*common, *_VALUES[record.kind](record.value))])

    def finish(self, finished: str) -> None:
        """Remember when the run ended."""
        with self._db:
            self._db.execute("UPDATE environment SET finished = ? WHERE id = ?", (finished, self._environment))

    def _insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        for row in rows:
            marks = ", ".join("?" * len(row))
            self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)  # noqa: S608


def _lock(folder: Path) -> sqlite3.Connection:
    """Lock the folder for as long as the returned connection is open, or the process alive."""
    path = folder / ".lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", str(folder)) from None
    except sqlite3.OperationalError as error:
        busy = "locked" in str(error)
        raise UserError("another run is writing here" if busy else f"cannot be written: {error}", str(folder)) from None
    return connection


def _dataset_row(position: int, facts: DatasetFacts | Missing) -> tuple[Any, ...]:
    if isinstance(facts, Missing):
        return (position, facts.label, *[None] * 8, 1, facts.reason)
    n_nominal = len(facts.features) - facts.n_numeric
    names = _json(facts.features), _json(facts.classes)
    shape = len(facts.y), facts.n_numeric, n_nominal
    return (position, facts.label, *shape, *names, facts.digest, facts.source, facts.note, 0, "")


def _method_row(position: int, kind: str, label: str, method: Method | LabelRanker) -> tuple[Any, ...]:
    title = method.title or method.name
    return position, kind, label, method.name, title, method.reference, _json(method_identity(method))


def _fold_row(i: int, dataset: int, split: Split, y: npt.NDArray[Any]) -> tuple[Any, ...]:
    actual = y[split.test]
    rows = ints(split.test), ints(actual) if actual.ndim == 1 else bits(actual)
    return i, dataset, split.repeat, split.fold, split.digest, len(split.train), len(split.test), *rows


def _cell_row(position: int, fold: int, cell: Cell) -> tuple[Any, ...]:
    names = cell.ranker, cell.classifier, cell.selection, cell.estimate
    return position, fold, cell.kind, cell.key, *names, cell.k


def _ranking_values(value: Any) -> tuple[Any, ...]:
    assert value is None or isinstance(value, Ranking)
    return (None, None, None) if value is None else (ints(value.order), floats(value.scores), value.unit)


def _curve_values(value: Any) -> tuple[Any, ...]:
    assert value is None or isinstance(value, CurveCounts)
    return (None, None) if value is None else (ints(value.correct), value.n)


def _result_values(value: Any) -> tuple[Any, ...]:
    assert value is None or isinstance(value, TestResult)
    if value is None:
        return None, None, None, None
    predicted = ints(value.predicted) if value.predicted.ndim == 1 else bits(value.predicted)
    return value.n_correct, ints(value.columns), predicted, _json(dict(value.measures))


_VALUES = {
    "ranking": _ranking_values,
    "curve": _curve_values,
    "result": _result_values,
    "search": search_values,
}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
