"""Reading a results folder: one data frame a question, in the order of the configuration."""

# ruff: noqa: S608 (queries are put together from constants of this file only)

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fsbench.errors import UserError
from fsbench.experiment.database import FACTS, connect, from_floats, from_ints

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CELL", "CELL_NAMES", "FROM", "PLACE", "Store", "frame_of", "stack"]

Row = tuple[Any, ...]
Array = npt.NDArray[Any]

PLACE = "dataset.label, fold.repeat, fold.fold"
CELL = "cell.classifier, cell.ranker, cell.selection, cell.estimate, cell.k"
CELL_NAMES = ("dataset", "repeat", "fold", "classifier", "ranker", "selection", "estimate", "k")
WHOLE = ("k", "n_selected", "n_correct", "tree_size", "tree_leaves", "n_rows", "n_features", "n_numeric", "n_nominal")


class Store:
    """The results of one experiment, open for reading.

    Every data frame holds the cells of the configuration that was run last (older cells stay in the file, to be
    used again when they are asked for), in the configuration's order: data sets, repeats, folds, classifiers,
    rankers, selections. Methods are named by the configuration's ``label`` or, without one, by their own.

    Parameters
    ----------
    path : path
        A results folder, or the ``results.sqlite`` in it.

    Raises
    ------
    UserError
        There are no results at `path`, or another version of fsbench wrote them.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        connect(self.path).close()

    def experiment(self) -> dict[str, Any]:
        """Return the configuration as it was run, defaults filled in.

        Keys: ``name, seed, datasets, folds, rankers, classifiers, selections, tests, paper, paper_names``, and those
        of `fsbench.experiment.experiment.OWN_OPTIONS` that are not as by default. With
        searches there are also ``searches`` (a list as that of ``rankers``) and ``searching``, ``{protocol, folds}``.
        ``datasets`` is a list of ``{name, path, target, label}``, ``rankers`` and ``classifiers`` lists of
        ``{spec, label}``, ``selections`` a list of ``{selection: all|ordered|first|best|reduced, k, estimate, folds}``,
        all with the keys of `fsbench.experiment.experiment.OPTIONS` where the file gives them,
        ``tests`` is ``{test: paired-t|corrected-t, level, correction: holm|none, rope, reference}``, ``folds`` is
        ``{scheme, folds, repeats, seed, file}``.
        """
        found = self._query("SELECT value FROM meta WHERE name = 'experiment'")
        if not found:
            raise UserError("holds no experiment; 'fsbench run' writes it", str(self.path))
        experiment: dict[str, Any] = json.loads(found[0][0])
        return experiment

    def provenance(self) -> dict[str, Any]:
        """Return who computed this: ``versions``, ``machine``, ``seed``, ``datasets`` (name to digest), ``runs``.

        ``runs`` is a list of ``{command, started, finished, versions, machine, cells}``, one for each run that
        computed cells, oldest first; ``versions`` and ``machine`` are those of the last.
        """
        counts = "(SELECT count(*) FROM {0} WHERE {0}.environment = environment.id)"
        cells = " + ".join(counts.format(table) for table in FACTS)
        rows = self._query(f"SELECT command, started, finished, seed, versions, machine, {cells} FROM environment")
        names = ("command", "started", "finished", "seed", "versions", "machine", "cells")
        runs = [dict(zip(names, row, strict=True)) for row in rows]
        for run in runs:
            run |= {"versions": json.loads(run["versions"]), "machine": json.loads(run["machine"])}
        last = runs[-1] if runs else {"versions": {}, "machine": {}}
        digests = self._query("SELECT label, digest FROM dataset WHERE NOT missing ORDER BY position")
        return {
            "versions": last["versions"],
            "machine": last["machine"],
            "seed": self.experiment()["seed"],
            "datasets": dict(digests),
            "runs": runs,
        }

    def datasets(self) -> pd.DataFrame:
        """Return the data sets of the configuration, those that were missing included.

        Columns: ``dataset, n_rows, n_features, n_numeric, n_nominal, n_classes, digest, source, note, missing,
        reason``. Numbers are nullable integers; ``note`` is what must be said wherever results on the data stand.
        """
        query = (
            "SELECT label, n_rows, n_numeric + n_nominal, n_numeric, n_nominal, json_array_length(classes), digest, "
            "source, note, missing, reason FROM dataset ORDER BY position"
        )
        names = ("dataset", "n_rows", "n_features", "n_numeric", "n_nominal", "n_classes", "digest", "source", "note")
        frame = frame_of((*names, "missing", "reason"), self._query(query))
        return frame.astype({"missing": bool}).fillna({"digest": "", "source": "", "note": ""})

    def accuracies(self) -> pd.DataFrame:
        """Return one row for each test of a classifier on a test fold.

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, estimate, k, n_selected, n_features,
        n_test, n_correct, accuracy, tree_size, tree_leaves, status, reason, seconds``.

        ``ranker`` is "" for ``selection == "all"``; a search by the protocol nested stands there too, with the
        selection best and the estimate inner_cv; ``selection`` is all, ordered, first, best or reduced;
        ``estimate`` is inner_cv, train or test for best, inner_cv for reduced and "" otherwise; ``k`` is the number
        asked for by first (null otherwise); ``accuracy`` is a share (0 to 1); tree columns are null for classifiers
        without a tree; ``status`` is ok, skipped (the method does not apply), failed (an error; tried again by the
        next run) or pending (not computed yet), with the ``reason``; numbers are null where the status is not ok.
        """
        query = (
            f"SELECT {PLACE}, {CELL}, length(columns) / 4, n_numeric + n_nominal, n_test, n_correct, "
            "1.0 * n_correct / n_test, json_extract(measures, '$.size'), json_extract(measures, '$.leaves'), "
            "coalesce(status, 'pending'), coalesce(result.reason, ''), seconds "
            f"{FROM.format('result', 'LEFT')}"
        )
        names = ("n_selected", "n_features", "n_test", "n_correct", "accuracy", "tree_size", "tree_leaves")
        return frame_of((*CELL_NAMES, *names, "status", "reason", "seconds"), self._query(query))

    def rankings(self) -> pd.DataFrame:
        """Return every ranking, best feature first (``rank`` 1).

        Columns: ``dataset, repeat, fold, ranker, rank, feature_index, feature, score, unit, seconds``;
        ``seconds`` is that of the whole ranking.
        """
        query = f"SELECT {PLACE}, cell.ranker, unit, seconds, ranked, scores, features {FROM.format('ranking', '')}"
        rows = []
        for *constants, ranked, scores, features in self._ok(query):
            order = from_ints(ranked)
            named = np.array(json.loads(features), dtype=object)[order]
            rows.append((constants, [np.arange(1, len(order) + 1), order, named, from_floats(scores)[order]]))
        names = ("dataset", "repeat", "fold", "ranker", "unit", "seconds", "rank", "feature_index", "feature", "score")
        return stack(names, rows)[[*names[:4], *names[6:], "unit", "seconds"]]

    def ranking_times(self) -> pd.DataFrame:
        """Return ``dataset, repeat, fold, ranker, seconds``, one row a ranking."""
        query = f"SELECT {PLACE}, cell.ranker, seconds {FROM.format('ranking', '')}"
        return frame_of(("dataset", "repeat", "fold", "ranker", "seconds"), self._ok(query))

    def curves(self) -> pd.DataFrame:
        """Return the learning curves, one row a prefix.

        Columns: ``dataset, repeat, fold, ranker, classifier, estimate, k, n, n_correct, accuracy``. ``estimate``
        says on which rows: ``inner_cv`` (the training part by inner cross-validation), ``train`` (the training
        part on itself), ``test`` (the test fold; choosing a prefix by it is optimistic).
        """
        query = f"SELECT {PLACE}, cell.ranker, cell.classifier, cell.estimate, n, correct {FROM.format('curve', '')}"
        rows = []
        for *constants, n, blob in self._ok(query):
            correct = from_ints(blob)
            k = np.arange(1, len(correct) + 1)
            rows.append((constants, [k, np.full(len(k), n), correct, correct / n]))
        names = ("dataset", "repeat", "fold", "ranker", "classifier", "estimate", "k", "n", "n_correct", "accuracy")
        return stack(names, rows)

    def predictions(self) -> pd.DataFrame:
        """Return every prediction of a test row.

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, estimate, k, row, actual, predicted``;
        ``row`` is the index in the data file, classes are labels.
        """
        query = f"SELECT {PLACE}, {CELL}, classes, rows, actual, predicted {FROM.format('result', '')}"
        rows = []
        for *constants, classes, test, actual, predicted in self._ok(query):
            labels = np.array(json.loads(classes), dtype=object)
            rows.append((constants, [from_ints(test), labels[from_ints(actual)], labels[from_ints(predicted)]]))
        return stack((*CELL_NAMES, "row", "actual", "predicted"), rows)

    def selections(self) -> pd.DataFrame:
        """Return the features of every reduced data set, in rank order (``position`` 1 first).

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, estimate, k, position, feature_index,
        feature``.
        """
        query = f"SELECT {PLACE}, {CELL}, features, columns {FROM.format('result', '')}"
        rows = []
        for *constants, features, blob in self._ok(query):
            columns = from_ints(blob)
            named = np.array(json.loads(features), dtype=object)[columns]
            rows.append((constants, [np.arange(1, len(columns) + 1), columns, named]))
        return stack((*CELL_NAMES, "position", "feature_index", "feature"), rows)

    def searches(self) -> pd.DataFrame:
        """Return one row for each search.

        Columns: ``dataset, repeat, fold, seed, classifier, search, protocol, n_features, n_selected, error, sigma,
        evaluations, hits, scored, stopped, subset, inclusion, exclusion, status, reason, seconds``.

        ``protocol`` is search-cv (on all rows; ``fold`` is null, and each repeat has a ``seed`` of its own) or nested
        (on the training part of ``fold``; its test is in `accuracies`, under the search's label as ``ranker``).
        ``error`` and ``sigma`` (shares; population form) are those of the folds that were searched on: optimistic.
        ``evaluations`` counts the distinct subsets that it asked for, ``hits`` those that it met again, ``scored``
        those that no earlier search of its task had asked for, ``seconds`` what it would have taken by itself;
        these last two differ from run to run. ``subset``, ``inclusion`` and ``exclusion`` are lists of names: the
        best subset, and the features in the order in which they were first added and first removed.
        """
        from fsbench.experiment.searched_facts import searches_frame

        return searches_frame(self._query, self.experiment())

    def traces(self) -> pd.DataFrame:
        """Return every step of every search; ``step`` 0 is the start.

        Columns: ``dataset, repeat, fold, seed, classifier, search, protocol, step, action, feature_index, feature,
        size, usefulness, remainder, criterion, evaluations, best, subset``.

        ``action`` is start, add or remove; ``usefulness`` is J of the subset after the step, ``remainder`` J of the
        features left out (null if the search does not look at them), ``criterion`` what the step was chosen by,
        ``evaluations`` the subsets asked for by then, ``best`` whether the search returned this one, ``subset`` the
        names in it, as a list in file order.
        """
        from fsbench.experiment.searched_facts import traces_frame

        return traces_frame(self._query, self.experiment())

    def folds(self) -> pd.DataFrame:
        """Return ``dataset, repeat, fold, n_train, n_test, digest``; the digest is that of both lists of rows."""
        query = (
            f"SELECT {PLACE}, n_train, n_test, fold.digest FROM fold JOIN dataset ON dataset.position = fold.dataset "
            "WHERE fold.fold >= 0"  # below stand the whole sets of folds that searches are done on
        )
        names = ("dataset", "repeat", "fold", "n_train", "n_test", "digest")
        return frame_of(names, self._query(f"{query} ORDER BY fold.id"))

    def methods(self) -> pd.DataFrame:
        """Return ``kind, label, name, title, reference, identity`` of each method.

        ``kind`` is ranker, classifier or search; ``identity`` is the JSON text of what decides the method's results.
        """
        names = ("kind", "label", "name", "title", "reference", "identity")
        return frame_of(names, self._query(f"SELECT {', '.join(names)} FROM method ORDER BY position"))

    def kinds(self) -> set[str]:
        """Return which kinds of cells the configuration has: ranking, curve, result, search, label_scores."""
        return {kind for (kind,) in self._query("SELECT DISTINCT kind FROM cell")}

    def statuses(self) -> dict[str, str]:
        """Return the status of every stored fact by its key, those of older configurations included."""
        parts = " UNION ALL ".join(f"SELECT key, status FROM {kind}" for kind in FACTS)
        return dict(self._query(parts))

    def _query(self, query: str) -> list[Row]:
        # Opened for each question: a report may run beside a run, and nobody has to close the store.
        with closing(connect(self.path)) as connection:
            return connection.execute(query).fetchall()

    def _ok(self, query: str) -> list[Row]:
        """Return the rows whose fact was computed, in the configuration's order."""
        return self._query(query.replace("ORDER BY", "AND status = 'ok' ORDER BY"))


# Cells of one kind with their facts, in the configuration's order.
FROM = (
    "FROM cell JOIN fold ON fold.id = cell.fold JOIN dataset ON dataset.position = fold.dataset "
    "{1} JOIN {0} ON {0}.key = cell.key WHERE cell.kind = '{0}' ORDER BY cell.position"
)


def frame_of(names: Sequence[str], rows: Sequence[Row]) -> pd.DataFrame:
    """Return rows as a data frame; columns of whole numbers may have nulls."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(names))
    return frame.astype({name: "Int64" for name in WHOLE if name in names})


def stack(names: Sequence[str], rows: Iterable[tuple[Sequence[Any], Sequence[Array]]]) -> pd.DataFrame:
    """Lay blocks below each other: constants of a block are repeated as often as its arrays are long."""
    import pandas as pd

    blocks = list(rows)
    lengths = [len(arrays[0]) for _, arrays in blocks]
    columns: dict[str, Array] = {}
    for i, name in enumerate(names):
        n_constants = len(blocks[0][0]) if blocks else len(names)
        if i < n_constants:
            columns[name] = np.repeat(np.array([constants[i] for constants, _ in blocks], dtype=object), lengths)
        else:
            columns[name] = np.concatenate([arrays[i - n_constants] for _, arrays in blocks])
    frame = pd.DataFrame(columns).infer_objects()
    return frame.astype({"k": "Int64"}) if "k" in columns else frame
