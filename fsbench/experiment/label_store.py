"""Reading the results of a multi-label experiment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.data.multilabel import LabelStatistics
from fsbench.evaluation.multilabel_metrics import MEASURES, RANKING_MEASURES
from fsbench.experiment.database import from_bits, from_floats, from_ints
from fsbench.experiment.store import CELL, CELL_NAMES, FROM, PLACE, Store, frame_of, stack

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["STORED_MEASURES", "LabelStore", "open_store"]

# What is kept of each test, in the order of columns.
STORED_MEASURES = (*MEASURES, *RANKING_MEASURES, "f_macro_one", "f_macro_zero", "f_macro_skip", "reduction")


class LabelStore(Store):
    """The results of one multi-label experiment, open for reading; see `Store`.

    `rankings`, `selections`, `folds`, `methods` and `provenance` are those of `Store`. In `accuracies`, ``accuracy``
    is the share of rows predicted right in every label, and ``estimate`` holds a threshold or share; `measures` has
    all there is to know of a test.
    """

    def measures(self) -> pd.DataFrame:
        """Return one row for each test of a classifier on a test fold.

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, amount, n_selected, n_features, n_test``, a
        column for each of `STORED_MEASURES`, ``status, reason, seconds``.

        ``ranker`` is "" for the baseline (``selection == "all"``); ``amount`` is the threshold, the number of
        features of ``first``, or the share, null for ``all``; ``reduction`` is the per cent of features left out;
        measures are shares, as Mulan gives them; ``status`` is ok, skipped (with the ``reason``: no feature reaches
        the threshold, or the method does not apply), failed or pending; numbers are null where it is not ok.
        """
        import pandas as pd

        query = (
            f"SELECT {PLACE}, {CELL}, length(columns) / 4, n_numeric + n_nominal, n_test, measures, "
            f"coalesce(status, 'pending'), coalesce(result.reason, ''), seconds {FROM.format('result', 'LEFT')}"
        )
        rows = []
        for *names, estimate, k, kept, features, tested, measures, status, reason, seconds in self._query(query):
            found: dict[str, float] = json.loads(measures) if measures else {}
            amount = k if k is not None else float(estimate) if estimate else None
            values = [found.get(name) for name in STORED_MEASURES]
            rows.append((*names, amount, kept, features, tested, *values, status, reason, seconds))
        columns = (*CELL_NAMES[:-2], "amount", "n_selected", "n_features", "n_test", *STORED_MEASURES)
        frame = frame_of((*columns, "status", "reason", "seconds"), rows)
        numbers = ("amount", *STORED_MEASURES, "seconds")
        whole: dict[str, Any] = {"n_test": pd.Int64Dtype()}
        return frame.astype(whole | dict.fromkeys(numbers, "float64"))

    def predictions(self) -> pd.DataFrame:
        """Return the label sets of every test row.

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, estimate, k, row, actual, predicted``; the
        last two are names of labels with ``|`` between them, in the data's order.
        """
        query = f"SELECT {PLACE}, {CELL}, classes, rows, actual, predicted {FROM.format('result', '')}"
        rows = []
        for *constants, classes, test, actual, predicted in self._ok(query):
            labels, at = json.loads(classes), from_ints(test)
            sets = [_sets(from_bits(blob, len(at), len(labels)), labels) for blob in (actual, predicted)]
            rows.append((constants, [at, *sets]))
        return stack((*CELL_NAMES, "row", "actual", "predicted"), rows)

    def label_scores(self) -> pd.DataFrame:
        """Return the scores of single labels, where the experiment asked for them (``label_scores: true``).

        Columns: ``dataset, repeat, fold, ranker, label, feature_index, feature, score, unit``.
        """
        source = FROM.format("ranking", "").replace("cell.kind = 'ranking'", "cell.kind = 'label_scores'")
        query = f"SELECT {PLACE}, cell.ranker, unit, scores, features, classes {source}"
        rows = []
        for *constants, unit, scores, features, classes in self._ok(query):
            named, labels = (np.array(json.loads(text), dtype=object) for text in (features, classes))
            at = np.tile(np.arange(len(named)), len(labels))
            lists = [np.repeat(labels, len(named)), at, named[at], from_floats(scores)]
            rows.append((constants, [*lists, np.full(len(at), unit, dtype=object)]))
        names = ("dataset", "repeat", "fold", "ranker", "label", "feature_index", "feature", "score", "unit")
        return stack(names, rows)

    def label_statistics(self) -> dict[str, LabelStatistics]:
        """Return the statistics of the labels by data set, those that are missing left out."""
        ((text,),) = self._query("SELECT value FROM meta WHERE name = 'label_statistics'")
        return {name: LabelStatistics(**values) for name, values in json.loads(text).items()}


def open_store(path: str | Path) -> Store:
    """Open results for reading: a `LabelStore` if they are those of a multi-label experiment.

    Parameters
    ----------
    path : path
        See `Store`.

    Returns
    -------
    Store
    """
    store = Store(path)
    return LabelStore(path) if store.experiment().get("kind") == "multilabel" else store


def _sets(matrix: Any, labels: Sequence[str]) -> Any:
    """Return the label set of each row as a text."""
    sets = ["|".join(labels[j] for j in np.flatnonzero(row).tolist()) for row in matrix]
    return np.array(sets, dtype=object)
