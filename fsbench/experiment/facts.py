"""Where each stored result came from: its key, the run that computed it, and what it was made of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from fsbench.experiment.database import connect

__all__ = ["Fact", "result_facts"]


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
    """

    cell: tuple[str, str, str, str, str, int | None]
    repeat: int
    fold: int
    status: str
    reason: str
    key: str
    run: int | None
    n_test: int | None
    n_correct: int | None
    n_selected: int | None
    n_features: int | None
    seconds: float | None


_QUERY = """
SELECT dataset.label, cell.classifier, cell.ranker, cell.selection, cell.estimate, cell.k, fold.repeat, fold.fold,
       coalesce(status, 'pending'), coalesce(result.reason, ''), cell.key, environment, n_test, n_correct,
       length(columns) / 4, n_numeric + n_nominal, seconds
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
            yield Fact(tuple(row[:6]), *row[6:])
