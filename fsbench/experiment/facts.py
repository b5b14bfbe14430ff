"""Where each stored result came from: its key, the run that computed it, and what it was made of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fsbench.experiment.database import connect

__all__ = ["Fact", "result_facts", "search_facts"]


@dataclass(frozen=True)
class Fact:
    """One test of a classifier on one test fold, with its origin.

    Parameters
    ----------
    cell : tuple
        ``(dataset, classifier, ranker, selection, estimate, k)``, as the store names them.
    repeat, fold : int
    status, reason : str
        ``ok``, ``failed``, ``skipped`` or ``pending``, and why.
    key : str
        The hash of all that decides the result; ``result.key`` in the file.
    run : int or None
        Which run computed it, numbered from 1 as in the table ``environment``; None while it is pending.
    n_test, n_correct, n_selected, n_features : int or None
    seconds : float or None
    measures : str
        What else was measured on the fold: sizes of trees, measures of label sets.
    """

    cell: tuple[str, str, str, str, str, int | None]
    repeat: int
    fold: int | None
    status: str
    reason: str
    key: str
    run: int | None
    n_test: int | None
    n_correct: int | None
    n_selected: int | None
    n_features: int | None
    seconds: float | None
    measures: str = ""


_QUERY = """
SELECT dataset.label, cell.classifier, cell.ranker, cell.selection, cell.estimate, cell.k, fold.repeat, fold.fold,
       coalesce(status, 'pending'), coalesce(result.reason, ''), cell.key, environment, n_test, n_correct,
       length(columns) / 4, n_numeric + n_nominal, seconds, measures
FROM cell JOIN fold ON fold.id = cell.fold JOIN dataset ON dataset.position = fold.dataset
LEFT JOIN result ON result.key = cell.key WHERE cell.kind = 'result' ORDER BY cell.position
"""


def result_facts(path: str | Path) -> Iterator[Fact]:
    """Return every result of the configuration that was run last, in its order.

    Parameters
    ----------
    path : path
        A results folder.

    Yields
    ------
    Fact
    """
    with closing(connect(Path(path))) as connection:
        for row in connection.execute(_QUERY):
            values: list[Any] = [*row[6:-1], _told(row[-1])]
            yield Fact(tuple(row[:6]), *values)


_SEARCHES = """
SELECT cell.key, environment FROM cell LEFT JOIN search ON search.key = cell.key
WHERE cell.kind = 'search' ORDER BY cell.position
"""


def search_facts(path: str | Path) -> Iterator[Fact]:
    """Return every search on whole sets of folds, whose error is that of the folds it was searched on.

    Parameters
    ----------
    path : path
        A results folder.

    Yields
    ------
    Fact
        With the selection ``search`` and the protocol for its estimate; nested searches stand among `result_facts`.
    """
    from fsbench.experiment.store import Store

    with closing(connect(Path(path))) as connection:
        origins = connection.execute(_SEARCHES).fetchall()
    if not origins:
        return
    records: list[dict[Any, Any]] = Store(path).searches().to_dict("records")
    for record, (key, run) in zip(records, origins, strict=True):
        if record["protocol"] == "search-cv":
            yield _search(record, key, run)


def _search(record: Mapping[Any, Any], key: str, run: int | None) -> Fact:
    ok = record["status"] == "ok"
    return Fact(
        cell=(record["dataset"], record["classifier"], record["search"], "search", record["protocol"], None),
        repeat=int(record["repeat"]),
        fold=None,
        status=record["status"],
        reason=record["reason"],
        key=key,
        run=run,
        n_test=None,
        n_correct=None,
        n_selected=int(record["n_selected"]) if ok else None,
        n_features=int(record["n_features"]) if ok else None,
        seconds=float(record["seconds"]) if ok else None,
        measures=f"error {100 * record['error']:.4g} %, sigma {100 * record['sigma']:.4g} %" if ok else "",
    )


def _told(measures: str | None) -> str:
    found = json.loads(measures) if measures else {}
    numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
    return ", ".join(f"{name} {value:.4g}" for name, value in numbers.items())
