"""Reading a results folder: one data frame a question, in the order of the configuration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Store"]


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

    def experiment(self) -> dict[str, Any]:
        """Return the configuration as it was run, defaults filled in.

        Keys: ``name, seed, datasets, folds, rankers, classifiers, selections, tests, paper, paper_names``.
        ``datasets`` is a list of ``{name, path, target, label}``, ``rankers`` and ``classifiers`` lists of
        ``{spec, label}``, ``selections`` a list of ``{selection: all|first|best, k, estimate, folds}``,
        ``tests`` is ``{test: paired-t|corrected-t, level}``, ``folds`` is ``{scheme, folds, repeats, seed, file}``.
        """
        raise NotImplementedError

    def provenance(self) -> dict[str, Any]:
        """Return who computed this: ``versions``, ``machine``, ``seed``, ``datasets`` (name to digest), ``runs``.

        ``runs`` is a list of ``{command, started, finished, versions, machine, cells}``, one for each run that
        computed cells, oldest first; ``versions`` and ``machine`` are those of the last.
        """
        raise NotImplementedError

    def datasets(self) -> pd.DataFrame:
        """Return the data sets of the configuration, those that were missing included.

        Columns: ``dataset, n_rows, n_features, n_numeric, n_nominal, n_classes, digest, source, note, missing,
        reason``. Numbers are nullable integers; ``note`` is what must be said wherever results on the data stand.
        """
        raise NotImplementedError

    def accuracies(self) -> pd.DataFrame:
        """Return one row for each test of a classifier on a test fold.

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, estimate, k, n_selected, n_features,
        n_test, n_correct, accuracy, tree_size, tree_leaves, status, reason, seconds``.

        ``ranker`` is "" for ``selection == "all"``; ``selection`` is all, first or best; ``estimate`` is
        inner_cv, train or test for best and "" otherwise; ``k`` is the number asked for by first (null otherwise);
        ``accuracy`` is a share (0 to 1); tree columns are null for classifiers without a tree; ``status`` is ok,
        skipped (the method does not apply), failed (an error; tried again by the next run) or pending (not
        computed yet), with the ``reason``; numbers are null where the status is not ok.
        """
        raise NotImplementedError

    def rankings(self) -> pd.DataFrame:
        """Return every ranking, best feature first (``rank`` 1).

        Columns: ``dataset, repeat, fold, ranker, rank, feature_index, feature, score, unit, seconds``;
        ``seconds`` is that of the whole ranking.
        """
        raise NotImplementedError

    def ranking_times(self) -> pd.DataFrame:
        """Return ``dataset, repeat, fold, ranker, seconds``, one row a ranking."""
        raise NotImplementedError

    def curves(self) -> pd.DataFrame:
        """Return the learning curves, one row a prefix.

        Columns: ``dataset, repeat, fold, ranker, classifier, estimate, k, n, n_correct, accuracy``. ``estimate``
        says on which rows: ``inner_cv`` (the training part by inner cross-validation), ``train`` (the training
        part on itself), ``test`` (the test fold; choosing a prefix by it is optimistic).
        """
        raise NotImplementedError

    def predictions(self) -> pd.DataFrame:
        """Return every prediction of a test row.

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, estimate, k, row, actual, predicted``;
        ``row`` is the index in the data file, classes are labels.
        """
        raise NotImplementedError

    def selections(self) -> pd.DataFrame:
        """Return the features of every reduced data set, in rank order (``position`` 1 first).

        Columns: ``dataset, repeat, fold, classifier, ranker, selection, estimate, k, position, feature_index,
        feature``.
        """
        raise NotImplementedError
