"""Searches in the results file: how a trace is stored, and the data frames that are read from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.experiment.cells import SearchResult
from fsbench.experiment.database import floats, from_floats, from_ints, ints

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["search_values", "searches_frame", "traces_frame"]

Query = Callable[[str], list[tuple[Any, ...]]]

PLACE = ("dataset", "repeat", "fold", "seed", "classifier", "search", "protocol")
FACTS = (
    "n_features", "n_selected", "error", "sigma", "evaluations", "hits", "scored", "stopped", "subset", "inclusion",
    "exclusion", "status", "reason", "seconds",
)  # fmt: skip
STEPS = (
    "step", "action", "feature_index", "feature", "size", "usefulness", "remainder", "criterion", "evaluations",
    "best", "subset",
)  # fmt: skip
WHOLE = ("fold", "seed", "n_features", "n_selected", "evaluations", "hits", "scored", "feature_index")

_QUERY = (
    "SELECT dataset.label, fold.repeat, fold.fold, cell.classifier, cell.ranker, cell.estimate, features, start, "
    "moves, usefulness, remainder, criterion, evaluations, best, stopped, hits, error, correct, sizes, scored, "
    "coalesce(status, 'pending'), coalesce(search.reason, ''), seconds "
    "FROM cell JOIN fold ON fold.id = cell.fold JOIN dataset ON dataset.position = fold.dataset "
    "LEFT JOIN search ON search.key = cell.key WHERE cell.kind = 'search' ORDER BY cell.position"
)


def search_values(value: Any) -> tuple[Any, ...]:
    """Return the columns of the table ``search`` that hold a result; all empty for None.

    A move is ``j + 1`` where feature j was added and ``-j - 1`` where it was removed; subsets follow from the start.
    """
    if value is None:
        return (None,) * 13
    assert isinstance(value, SearchResult)
    trace = value.trace
    steps = trace.met
    aware = steps[0].remainder is not None
    columns = [np.array([getattr(s, name) for s in steps], dtype=np.float64) for name in ("usefulness", "criterion")]
    rests = np.array([s.remainder for s in steps], dtype=np.float64) if aware else None
    moves = [(s.feature + 1) * (1 if s.action == "add" else -1) for s in steps[1:] if s.feature is not None]
    return (
        ints(np.array(steps[0].subset, dtype=np.int64)),
        ints(np.array(moves, dtype=np.int64)),
        floats(columns[0]),
        None if rests is None else floats(rests),
        floats(columns[1]),
        ints(np.array([s.evaluations for s in steps], dtype=np.int64)),
        next(i for i, s in enumerate(steps) if s is trace.best),
        trace.stopped,
        trace.hits,
        value.error,
        ints(value.correct),
        ints(value.sizes),
        value.scored,
    )


def searches_frame(query: Query, experiment: dict[str, Any]) -> pd.DataFrame:
    """Return one row a search; see `fsbench.experiment.store.Store.searches`."""
    import pandas as pd

    rows = [(*_place(row, experiment), *_summary(row)) for row in query(_QUERY)]
    frame = pd.DataFrame(rows, columns=[*PLACE, *FACTS])
    return frame.astype({name: "Int64" for name in WHOLE if name in frame})


def traces_frame(query: Query, experiment: dict[str, Any]) -> pd.DataFrame:
    """Return one row a step; see `fsbench.experiment.store.Store.traces`."""
    import pandas as pd

    rows = [(*_place(row, experiment), *step) for row in query(_QUERY) if row[20] == "ok" for step in _steps(row)]
    frame = pd.DataFrame(rows, columns=[*PLACE, *STEPS])
    return frame.astype({name: "Int64" for name in WHOLE if name in frame} | {"remainder": "float64"})


def _place(row: Sequence[Any], experiment: dict[str, Any]) -> tuple[Any, ...]:
    dataset, repeat, fold, classifier, search, protocol = row[:6]
    folds = experiment["folds"]
    seed = None if folds["scheme"] == "file" else folds["seed"] + repeat
    return dataset, repeat, None if fold < 0 else fold, seed, classifier, search, protocol


def _summary(row: Sequence[Any]) -> tuple[Any, ...]:
    features, status = json.loads(row[6]), row[20:]
    if status[0] != "ok":
        return (len(features), *[None] * 10, *status)
    moves, subsets = from_ints(row[8]), _subsets(row)
    correct, sizes = from_ints(row[17]), from_ints(row[18])
    best = sorted(subsets[row[13]])
    orders = [dict.fromkeys(np.abs(moves[moves * sign > 0]) - 1) for sign in (1, -1)]
    named = [[features[j] for j in columns] for columns in (best, *orders)]
    sigma = float(np.std((sizes - correct) / sizes))
    counts = (int(from_ints(row[12])[-1]), row[15], row[19])
    return (len(features), len(best), row[16], sigma, *counts, row[14], *named, *status)


def _steps(row: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    features, moves, subsets = json.loads(row[6]), [0, *from_ints(row[8]).tolist()], _subsets(row)
    useful, criteria, evaluations = from_floats(row[9]), from_floats(row[11]), from_ints(row[12])
    rests = [None] * len(moves) if row[10] is None else from_floats(row[10]).tolist()
    for i, move in enumerate(moves):
        action = "add" if move > 0 else "remove" if move else "start"
        j = abs(move) - 1 if move else None
        named = [features[column] for column in sorted(subsets[i])]
        numbers = float(useful[i]), rests[i], float(criteria[i]), int(evaluations[i])
        yield (i, action, j, None if j is None else features[j], len(named), *numbers, i == row[13], named)


def _subsets(row: Sequence[Any]) -> list[frozenset[int]]:
    """Return the subset after the start and after each move."""
    current = frozenset(from_ints(row[7]).tolist())
    found = [current]
    for move in from_ints(row[8]).tolist():
        current ^= {abs(move) - 1}
        found.append(current)
    return found
