"""The results of one experiment as reports need them: cells by name, methods in order, the paper they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from fsbench import registry
from fsbench.errors import UserError
from fsbench.published import PAPERS, paper
from fsbench.report.scores import ALL, ESTIMATES, Cells, Scores, Way
from fsbench.stats import Correction, PairedTest, TestName, compare

if TYPE_CHECKING:
    import pandas as pd

    from fsbench.data.multilabel import LabelStatistics
    from fsbench.report.label_results import LabelResults

__all__ = ["Results", "find_runs", "load"]

T = TypeVar("T")

_STORE = "results.sqlite"

# How the features of a nested search are chosen, in the words of rankings.
SEARCHED = Way("best", "inner_cv")


class Results:
    """What a store holds, arranged for tables.

    Parameters
    ----------
    experiment : dict
        As `Store.experiment` gives it.
    datasets, accuracies, ranking_times : DataFrame
        As the methods of `Store` of these names give them.
    rankings : callable, optional
        Gives what `Store.rankings` does; called once, and only by tables that show scores.
    curves : callable, optional
        Gives what `Store.curves` does; called once, and only where curves are shown.
    labelled : callable, optional
        Of a multi-label experiment: gives what `LabelStore.measures` and `LabelStore.label_statistics` do.
    searches, traces : callable, optional
        Give what the methods of `Store` of these names do; called once, and only if there are searches.

    Attributes
    ----------
    rankers : list of str
        Labels of what chooses features: the rankers, then the searches if they were judged by folds that they
        never saw (the protocol nested). Not every way of choosing has them all: see `selectors`.
    searches : list of str
        Labels of the searches among them.
    """

    def __init__(
        self,
        experiment: dict[str, Any],
        datasets: pd.DataFrame,
        accuracies: pd.DataFrame,
        ranking_times: pd.DataFrame,
        rankings: Callable[[], pd.DataFrame] | None = None,
        curves: Callable[[], pd.DataFrame] | None = None,
        labelled: Callable[[], tuple[pd.DataFrame, dict[str, LabelStatistics]]] | None = None,
        searches: Callable[[], pd.DataFrame] | None = None,
        traces: Callable[[], pd.DataFrame] | None = None,
    ) -> None:
        self.experiment = experiment
        self.name: str = str(experiment.get("name") or "results")
        self.dataset_table = datasets
        self.datasets: list[str] = [str(d) for d in datasets["dataset"]]
        self.ranking_times = ranking_times
        self.classifiers = _labels(experiment.get("classifiers"), accuracies["classifier"])
        nested = "nested" in (experiment.get("searching") or {}).get("protocol", ())
        self.searches = [str(ref["label"]) for ref in experiment.get("searches") or ()] if nested else []
        self.rankers = _labels(experiment.get("rankers"), accuracies["ranker"])
        self.rankers += [label for label in self.searches if label not in self.rankers]
        self.ways = _ways(experiment.get("selections"), accuracies)
        self.ways += [SEARCHED] if self.searches and SEARCHED not in self.ways else []
        self._cells = Cells(accuracies, self.n_rows)
        self._memory: dict[object, Any] = {}
        self._rankings = rankings
        self._labelled = labelled
        self._curves = curves
        self._searches, self._traces = searches, traces

    @cached_property
    def paper(self) -> ModuleType | None:
        """The module of the paper's printed numbers, if the experiment reproduces one."""
        key = str(self.experiment.get("paper") or "")
        return paper(key) if key in PAPERS else None

    @cached_property
    def notes(self) -> dict[str, str]:
        """What must be said of each data set wherever its results stand."""
        table = self.dataset_table
        return {str(d): str(n) for d, n in zip(table["dataset"], table["note"].fillna(""), strict=True) if n}

    @cached_property
    def missing(self) -> dict[str, str]:
        """Data sets that could not be had, with the reason."""
        table = self.dataset_table[self.dataset_table["missing"].astype(bool)]
        reasons = table["reason"].fillna("").astype(str)
        return {str(d): r or "not found" for d, r in zip(table["dataset"], reasons, strict=True)}

    @cached_property
    def n_rows(self) -> dict[str, int]:
        """Rows of each data set that is there."""
        return _sizes(self.dataset_table, "n_rows")

    @cached_property
    def n_features(self) -> dict[str, int]:
        """Features of each data set that is there."""
        return _sizes(self.dataset_table, "n_features")

    @property
    def test_name(self) -> TestName:
        """The configured significance test."""
        asked = str((self.experiment.get("tests") or {}).get("test", ""))
        return "corrected" if asked.startswith("corrected") else "paired"

    @property
    def level(self) -> float:
        """The configured level of significance."""
        return float((self.experiment.get("tests") or {}).get("level", 0.05))

    @property
    def correction(self) -> Correction:
        """How comparisons side by side are adjusted; results of before it could be chosen are not adjusted."""
        return "holm" if (self.experiment.get("tests") or {}).get("correction") == "holm" else "none"

    @property
    def rope(self) -> float:
        """The difference up to which accuracies count as equivalent, in points of percent."""
        return 100.0 * float((self.experiment.get("tests") or {}).get("rope", 0.01))

    @property
    def reference(self) -> str:
        """The ranker that the others are compared with: the configured one, else the first; "" without rankers."""
        asked = (self.experiment.get("tests") or {}).get("reference")
        if asked in self.rankers:
            return str(asked)
        return self.rankers[0] if self.rankers else ""

    @property
    def rivals(self) -> list[str]:
        """The rankers beside the reference."""
        return [r for r in self.rankers if r != self.reference]

    @cached_property
    def protocol(self) -> str:
        """The folds in a few words: ``10-fold cross-validation, stratified, seed 1``."""
        folds = self.experiment.get("folds") or {}
        if folds.get("scheme") == "file":
            return "folds from a file"
        repeats = int(folds.get("repeats", 1))
        if folds.get("scheme") == "holdout":
            return (
                f"one training and one test part of stated sizes, drawn {repeats} times unless the file's order decides"
            )
        times = f"{repeats} times " if repeats > 1 else ""
        scheme = {"weka": "split as Weka does", "mulan": "split as Mulan does", "plain": "not stratified"}.get(
            str(folds.get("scheme")), "stratified"
        )
        seed = folds.get("seed", self.experiment.get("seed", 1))
        return f"{times}{folds.get('folds', 10)}-fold cross-validation, {scheme}, seed {seed}"

    @cached_property
    def rankings(self) -> pd.DataFrame | None:
        """Every ranking with its scores, as `Store.rankings` gives them; None if they were not handed over."""
        return self._rankings() if self._rankings is not None else None

    @cached_property
    def curves(self) -> pd.DataFrame | None:
        """Every learning curve, as `Store.curves` gives them; None if they were not handed over."""
        return self._curves() if self._curves is not None else None

    @cached_property
    def labelled(self) -> LabelResults | None:
        """The measures of a multi-label experiment; None for experiments of other kinds."""
        if self._labelled is None:
            return None
        from fsbench.report.label_results import LabelResults

        measures, statistics = self._labelled()
        return LabelResults(self.experiment, self.dataset_table, measures, statistics, self.paper_names)

    @cached_property
    def search_table(self) -> pd.DataFrame | None:
        """Every search, as `Store.searches` gives them; None if the experiment has none."""
        asked = self._searches is not None and bool(self.experiment.get("searches"))
        return self._searches() if asked and self._searches is not None else None

    @cached_property
    def traces(self) -> pd.DataFrame | None:
        """Every step of every search, as `Store.traces` gives them; None if the experiment has none."""
        asked = self._traces is not None and bool(self.experiment.get("searches"))
        return self._traces() if asked and self._traces is not None else None

    @property
    def ranked(self) -> list[str]:
        """The rankers that give an order of all features: all but the searches."""
        return [r for r in self.rankers if r not in self.searches]

    def selectors(self, way: Way) -> list[str]:
        """Return the rankers that choose features in a way; searches only find the best subset by inner folds."""
        asked = self.experiment.get("selections")
        ranked = self.ranked if asked is None or way in _asked(asked) else []
        return [*ranked, *self.searches] if way == SEARCHED else ranked

    def words(self, way: Way) -> str:
        """Return how features were chosen, in a title; searches beside or in place of rankings are told."""
        if not set(self.selectors(way)) & set(self.searches):
            return way.words
        if self.ranked:
            return way.words.replace("each ranking", "each ranking and subset of each search")
        return f"the best subset of each search by {ESTIMATES['inner_cv']}"

    def pairs(self, classifier: str) -> list[str]:
        """Return the rankers that a classifier is combined with: all, unless the configuration names some."""
        refs = self.experiment.get("classifiers") or ()
        asked = next((ref.get("rankers") for ref in refs if str(ref["label"]) == classifier), None)
        return [r for r in self.rankers if asked is None or r in asked]

    @property
    def has_all(self) -> bool:
        """Whether the classifiers were also run on all features."""
        return Way("all") in self.ways

    @property
    def best(self) -> list[Way]:
        """The ways that choose the best prefix, in the order of the configuration."""
        return [w for w in self.ways if w.selection == "best"]

    @property
    def first(self) -> list[Way]:
        """The ways that take the first k features."""
        return [w for w in self.ways if w.selection == "first"]

    @property
    def relevant(self) -> list[Way]:
        """The ways that take all features in the order of a ranking, or cut it at a threshold of its scores."""
        return [w for w in self.ways if w.selection in ("ordered", "reduced")]

    @property
    def selected(self) -> list[Way]:
        """All ways that leave features out, best prefixes first."""
        return [*self.best, *self.first]

    def title(self, method: str) -> str:
        """Return the name of a method in tables: the paper's, if the experiment is a paper's; ``all`` for no ranker."""
        return self._titles.get(method, method) if method != ALL else "all"

    def printed_column(self, method: str) -> str:
        """Return the paper's name of a method (``all`` for no ranker), "" if the paper has no such column."""
        return self._titles.get(method, "") if method != ALL else "all"

    @cached_property
    def _titles(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for kind, names in (("classifier", "CLASSIFIERS"), ("ranker", "RANKERS")):
            printed: dict[str, str] = getattr(self.paper, names, {})
            for ref in self.experiment.get(f"{kind}s") or ():
                title = printed.get(_method(kind, ref))
                # Of two variants of one method the first stands for the paper's.
                if title and title not in {*found.values(), *(self.classifiers + self.rankers)} - {ref["label"]}:
                    found[str(ref["label"])] = title
        return found

    @cached_property
    def printed_labels(self) -> dict[str, str]:
        """Labels of the paper's data sets: from the names in its list of printed cells; see `printed_names`."""
        return {name: label for label, name in self.printed_names.items()}

    @cached_property
    def printed_names(self) -> dict[str, str]:
        """Data sets of the experiment that the paper has: label to the name in its list of printed cells."""
        known: dict[str, str] = getattr(self.paper, "PAPER_NAMES", {})
        ours = {printed: name for name, printed in known.items()}
        stated: Mapping[str, str] = self.experiment.get("paper_names") or {}
        found: dict[str, str] = {}
        for ref in self.experiment.get("datasets") or ():
            label = str(ref["label"])
            name = ours.get(str(stated.get(label)), str(ref.get("name") or label))
            if name in known:
                found[label] = name
        return found

    @cached_property
    def paper_names(self) -> dict[str, str]:
        """How the paper prints the names of the data sets: label to name; stated names go before known ones."""
        known: dict[str, str] = getattr(self.paper, "PAPER_NAMES", {})
        found = {label: known[name] for label, name in self.printed_names.items()}
        return found | {str(d): str(n) for d, n in (self.experiment.get("paper_names") or {}).items()}

    def scores(self, dataset: str, classifier: str, ranker: str, way: Way) -> Scores:
        """Return one cell.

        Parameters
        ----------
        dataset, classifier, ranker : str
            As in the store; the ranker is not looked at where all features are used.
        way : Way
            How features were chosen.

        Returns
        -------
        Scores
        """
        if dataset in self.missing:
            return Scores("missing", self.missing[dataset])
        return self._cells.get(dataset, classifier, ALL if way.selection == "all" else ranker, way)

    def remember(self, key: object, build: Callable[[], T]) -> T:
        """Return what `build` makes, made once for each key: several tables show the same verdicts."""
        if key not in self._memory:
            self._memory[key] = build()
        value: T = self._memory[key]
        return value

    def test(self, name: TestName, first: Scores, second: Scores) -> PairedTest:
        """Compare two cells on their folds; omitted with the reason unless both are whole."""
        for side in (first, second):
            if not side.ok:
                return PairedTest(name, 0, None, None, None, f"{side.word} cell")
        if first.folds != second.folds:
            return PairedTest(name, 0, None, None, None, "the folds differ")
        return compare(name, first.accuracy, second.accuracy, first.n_train, first.n_test)


def load(path: str | Path, *more: str | Path) -> Results:
    """Read the results of one run, or of several as if they were one.

    Parameters
    ----------
    path, *more : path
        The runs' folders.

    Returns
    -------
    Results

    Raises
    ------
    UserError
        The runs cannot be joined: other data, folds or methods under the same names.
    """
    from fsbench.experiment.label_store import open_store
    from fsbench.report.join import JoinedStore

    store: Any = JoinedStore([path, *more]) if more else open_store(path)
    frames = (store.datasets(), store.accuracies(), store.ranking_times())
    experiment = store.experiment()
    many = experiment.get("kind") == "multilabel"
    labelled = (lambda: (store.measures(), store.label_statistics())) if many else None
    asked = experiment.get("searches")
    searched = (store.searches, store.traces) if asked else (None, None)
    return Results(experiment, *frames, store.rankings, store.curves, labelled, *searched)


def find_runs(path: str | Path) -> list[Path]:
    """Return the run folders at a path: the folder itself, or those in it, by name.

    Raises
    ------
    UserError
        There is no such folder, or no results in it.
    """
    folder = Path(path)
    if (folder / _STORE).is_file():
        return [folder]
    if not folder.is_dir():
        raise UserError("no such folder; give a results folder, such as results/", str(folder))
    runs = sorted(p.parent for p in folder.glob(f"*/{_STORE}"))
    if not runs:
        raise UserError(
            f"no results here: neither {_STORE} nor folders that hold one; 'fsbench run' makes them", str(folder)
        )
    return runs


def _sizes(datasets: pd.DataFrame, column: str) -> dict[str, int]:
    known = datasets.dropna(subset=[column])
    return {str(d): int(n) for d, n in zip(known["dataset"], known[column], strict=True)}


def _labels(refs: Sequence[Mapping[str, Any]] | None, column: pd.Series[Any]) -> list[str]:
    if refs is not None:
        return [str(ref["label"]) for ref in refs]
    return [str(name) for name in column.fillna("").unique() if name]


def _method(kind: str, ref: Mapping[str, Any]) -> str:
    name = str((ref.get("spec") or {}).get("method") or ref["label"]).lower()
    return registry.ALIASES[kind].get(name, name)


def _ways(selections: Sequence[Mapping[str, Any]] | None, accuracies: pd.DataFrame) -> list[Way]:
    if selections is not None:
        return _asked(selections)
    seen = accuracies[["selection", "estimate", "k"]].fillna({"estimate": "", "k": 0}).drop_duplicates()
    return [Way(str(s), str(e), int(k) or None) for s, e, k in seen.itertuples(index=False)]


def _asked(selections: Sequence[Mapping[str, Any]]) -> list[Way]:
    # A threshold or share stands where other selections have their estimate, as in the store.
    return [Way(str(s["selection"]), str(s.get("estimate") or s.get("amount") or ""), s.get("k")) for s in selections]
