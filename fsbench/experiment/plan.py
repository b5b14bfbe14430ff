"""From an experiment and the data sets' digests to the cells of each fold. Nothing is read or computed here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsbench.experiment.cells import Cell, Task, Unranked
from fsbench.experiment.experiment import Experiment, Selection
from fsbench.experiment.keys import key_of, method_identity
from fsbench.experiment.label_plan import LabelCells
from fsbench.experiment.searched_cells import SearchCells, search_cost
from fsbench.experiment.splits import inner_seed
from fsbench.values import Ranking, Split

__all__ = ["PlannedFold", "Planner", "make_tasks"]


@dataclass(frozen=True, eq=False)
class PlannedFold:
    """Every cell of one fold, in the order of tables, whether computed before or not.

    Parameters
    ----------
    dataset, digest : str
        Label and content of the data set.
    n_features : int
    split : Split
    cells : tuple of Cell
    """

    dataset: str
    digest: str
    n_features: int
    split: Split
    cells: tuple[Cell, ...]


class Planner:
    """Lists the cells of folds.

    Parameters
    ----------
    experiment : Experiment
    rankers, classifiers, searches : mapping
        The experiment's methods by label.
    """

    def __init__(
        self,
        experiment: Experiment,
        rankers: Mapping[str, Any],
        classifiers: Mapping[str, Any],
        searches: Mapping[str, Any] | None = None,
    ) -> None:
        self._experiment = experiment
        # Hashed once: a plan of many folds holds each method in thousands of keys.
        self._rankers = {label: key_of(**method_identity(ranker)) for label, ranker in rankers.items()}
        self._classifiers = {label: key_of(**method_identity(c)) for label, c in classifiers.items()}
        found = {label: key_of(**method_identity(search)) for label, search in (searches or {}).items()}
        self._searches = SearchCells(experiment, found, self._classifiers)

    def fold(self, dataset: str, digest: str, n_features: int, split: Split) -> PlannedFold:
        """List the cells of one fold.

        Parameters
        ----------
        dataset, digest : str
            Label and content of the data set.
        n_features : int
        split : Split

        Returns
        -------
        PlannedFold
        """
        seed = inner_seed(self._experiment, split)
        place = {"data": digest, "split": split.digest}
        if self._experiment.kind == "multilabel":
            labelled = LabelCells(self._experiment, place, self._rankers, self._classifiers)
            return PlannedFold(dataset, digest, n_features, split, tuple(labelled.cells()))
        maker = _CellMaker(self._experiment, place, self._rankers, self._classifiers, n_features, seed)
        cells = [maker.ranking(ranker) for ranker in self._rankers]
        for classifier in self._classifiers:
            cells += maker.of_classifier(classifier)
            cells += self._searches.nested(place, seed, classifier)
        return PlannedFold(dataset, digest, n_features, split, tuple(cells))

    def searched(self, dataset: str, digest: str, n_features: int, splits: Sequence[Split]) -> list[PlannedFold]:
        """List the cells of searches on whole sets of folds: one planned fold for each repeat.

        Parameters
        ----------
        dataset, digest : str
            Label and content of the data set.
        n_features : int
        splits : sequence of Split
            The folds of all repeats.

        Returns
        -------
        list of PlannedFold
            Empty unless searches are judged by the protocol ``search-cv``.
        """
        found = self._searches.on_all_folds(digest, splits)
        return [PlannedFold(dataset, digest, n_features, split, cells) for split, cells in found]


@dataclass(frozen=True)
class _CellMaker:
    """Makes the cells of one fold; holds what their keys have in common."""

    experiment: Experiment
    place: Mapping[str, str]
    rankers: Mapping[str, str]
    classifiers: Mapping[str, str]
    n_features: int
    seed: tuple[int, int, int]

    def ranking(self, ranker: str) -> Cell:
        return Cell(key_of(kind="ranking", **self.place, ranker=self.rankers[ranker]), "ranking", ranker)

    def of_classifier(self, classifier: str) -> Iterator[Cell]:
        for selection in self.experiment.selections:
            if not selection.needs_ranking:
                yield self._result("", classifier, selection)
        for ranker in self.experiment.pairs(classifier):
            yield from self._curves(ranker, classifier)
            for selection in self.experiment.selections:
                if selection.needs_ranking:
                    yield self._result(ranker, classifier, selection)

    def _curves(self, ranker: str, classifier: str) -> Iterator[Cell]:
        """Yield the curve of each estimate, and always that of the test part, from which the results are read."""
        ranked = [s for s in self.experiment.selections if s.needs_ranking]
        estimates = {s.estimate: s for s in ranked if s.estimate} | ({"test": Selection("best")} if ranked else {})
        for estimate, selection in estimates.items():
            key = key_of(
                kind="curve", **self._methods(ranker, classifier), **self._estimate(estimate, selection.folds),
                prefixes=self.experiment.prefixes(self.n_features),
            )  # fmt: skip
            yield Cell(key, "curve", ranker, classifier, estimate=estimate, folds=selection.folds)

    def _result(self, ranker: str, classifier: str, s: Selection) -> Cell:
        what = {"selection": s.selection, "k": s.k, **self._estimate(s.estimate, s.folds)}
        if s.reduction is not None:
            what["reduction"] = [s.reduction.tolerance, s.reduction.thresholds]
        key = key_of(kind="result", **self._methods(ranker, classifier), **what)
        return Cell(key, "result", ranker, classifier, s.selection, s.estimate, s.k, s.folds, s.reduction)

    def _methods(self, ranker: str, classifier: str) -> dict[str, Any]:
        identity = self.rankers[ranker] if ranker else None
        return {**self.place, "ranker": identity, "classifier": self.classifiers[classifier]}

    def _estimate(self, estimate: str, folds: int | None) -> dict[str, Any]:
        inner = {"folds": folds, "seed": self.seed} if estimate == "inner_cv" else None
        return {"estimate": estimate, "inner": inner}


def make_tasks(
    folds: Sequence[PlannedFold],
    done: Callable[[Cell], bool],
    ranking_of: Callable[[Cell], Ranking | Unranked | None],
    fits_of: Callable[[PlannedFold, Sequence[Cell]], int] = lambda _fold, _cells: 0,
) -> list[Task]:
    """Make one task of each fold that has cells to compute, the longest first.

    Parameters
    ----------
    folds : sequence of PlannedFold
    done : callable
        Whether a cell need not be computed again.
    ranking_of : callable
        The stored ranking of a cell, why there is none, or None.
    fits_of : callable, optional
        How often classifiers are fitted anew for some cells of a fold.

    Returns
    -------
    list of Task
        Equal costs stay in the order of the plan, so that folds of a data set come together and a worker that
        has loaded it can keep it.
    """
    tasks = []
    for fold in folds:
        missing = tuple(cell for cell in fold.cells if not done(cell))
        if missing:
            known = {c.ranker: r for c in fold.cells if c.kind == "ranking" and (r := ranking_of(c)) is not None}
            cost = _cost(fold, missing) + fits_of(fold, missing) * _fit_cost(fold)
            tasks.append(Task(fold.dataset, fold.digest, fold.split, missing, known, cost))
    return sorted(tasks, key=lambda task: -task.cost)


def _cost(fold: PlannedFold, cells: Sequence[Cell]) -> float:
    """Guess the work: a row meets each feature and, in neighbour methods, each other row, once an inner fold."""
    rows = len(fold.split.train)
    curves = sum(1 + (cell.folds or 0) for cell in cells if cell.kind == "curve")
    rankings = sum(cell.kind == "ranking" for cell in cells)
    searches = sum(cell.kind == "search" for cell in cells)
    ranked = (1 + rankings + curves) * fold.n_features * rows * (3 + rows / 1000)
    return ranked + searches * search_cost(fold.n_features, rows)


def _fit_cost(fold: PlannedFold) -> float:
    """Guess the work of one fit by a classifier that is not ours: some milliseconds, and more for more data."""
    return 5e4 + 25.0 * fold.n_features * len(fold.split.train)
