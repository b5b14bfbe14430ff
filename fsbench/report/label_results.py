"""The results of a multi-label experiment as reports need them: measures by data set, setup and method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.data.multilabel import LabelStatistics
from fsbench.evaluation.multilabel_metrics import MEASURES, RANKING_MEASURES
from fsbench.experiment.labelled import BASELINE, EMPTY
from fsbench.report.table import Source
from fsbench.values import FloatArray

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TITLES", "LabelMethod", "LabelResults", "LabelScores"]

# Every stored measure by its name in tables; `reduction` is in per cent, the others are shares (coverage: places).
TITLES: dict[str, str] = {
    **MEASURES,
    **RANKING_MEASURES,
    "f_macro_one": "Macro F (0/0 is 1)",
    "f_macro_zero": "Macro F (0/0 is 0)",
    "f_macro_skip": "Macro F (0/0 left out)",
    "reduction": "Reduction (%)",
}
_LOWER = ("hamming_loss", "ranking_loss", "one_error", "coverage")
_WORDS = {"failed": "failed", "skipped": "n/a", "pending": "pending", "missing": "missing", "absent": "absent"}


@dataclass(frozen=True)
class LabelMethod:
    """How features were selected, and what was tested with them.

    Parameters
    ----------
    classifier : str
        Label of the classifier.
    ranker : str
        Label of the ranker with its transformation; "" for the baseline, which has all features.
    selection : {"all", "threshold", "first", "share"}
    amount : float, optional
        The threshold, the number of features, or the share.
    title : str, default ""
        Its name in tables: ``baseline``, the ranker, and the selection if there are several.
    """

    classifier: str
    ranker: str
    selection: str
    amount: float | None = None
    title: str = field(default="", compare=False)

    @property
    def is_baseline(self) -> bool:
        """Whether it has all features."""
        return self.selection == "all"


@dataclass(frozen=True, eq=False)
class LabelScores:
    """One measure of one method on one data set, over the folds.

    Parameters
    ----------
    status : {"ok", "empty", "failed", "skipped", "pending", "missing", "absent"}
        ``empty``: the selection keeps no feature in any fold; a paper's dash.
    reason : str
        Why it is not ok; or, if it is, that some folds keep no feature and are left out.
    folds : tuple of (int, int)
        Repeat and fold of each value.
    values : ndarray of shape (n_folds,)
        Of the folds that have one.
    n_train, n_test : ndarray of shape (n_folds,)
        Rows of both parts.
    source : Source, optional
        The cell of the experiment, for readers who trace a number.
    """

    status: str
    reason: str = ""
    folds: tuple[tuple[int, int], ...] = ()
    values: FloatArray = field(default_factory=lambda: np.empty(0))
    n_train: FloatArray = field(default_factory=lambda: np.empty(0))
    n_test: FloatArray = field(default_factory=lambda: np.empty(0))
    source: Source | None = None

    @property
    def ok(self) -> bool:
        """Whether there is a mean."""
        return self.status == "ok"

    @property
    def word(self) -> str:
        """What a table shows in its place when it is not ok."""
        return "-" if self.status == "empty" else _WORDS.get(self.status, self.status)

    @property
    def mean(self) -> float | None:
        """Mean over the folds."""
        return float(self.values.mean()) if self.ok else None

    @property
    def sd(self) -> float | None:
        """Standard deviation over the folds: of the population, divided by their number, as Mulan's."""
        return float(self.values.std()) if self.ok else None


def _amount(amount: float | None) -> str:
    return "" if amount is None else f"{amount:g}"


class LabelResults:
    """What a multi-label store holds, arranged for tables and figures.

    `summary` and `per_fold` are data frames with everything; `scores` is one cell of them.

    Parameters
    ----------
    experiment : mapping
        As `Store.experiment` gives it.
    datasets, measures : DataFrame
        As `Store.datasets` and `LabelStore.measures` give them.
    statistics : mapping of str to LabelStatistics
        As `LabelStore.label_statistics` gives them.
    names : mapping of str to str, optional
        How a paper names the data sets: label to name.

    Attributes
    ----------
    setups : dict of str to list of str
        Groups of data sets by name; ``{"": all}`` if the experiment names none.
    methods : list of LabelMethod
        In the order of the configuration, the baseline first, classifier by classifier.
    """

    def __init__(
        self,
        experiment: Mapping[str, Any],
        datasets: pd.DataFrame,
        measures: pd.DataFrame,
        statistics: Mapping[str, LabelStatistics],
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.datasets: list[str] = [str(d) for d in datasets["dataset"]]
        self.statistics = dict(statistics)
        self.names = {d: (names or {}).get(d, d) for d in self.datasets}
        self.setups: dict[str, list[str]] = {str(k): list(v) for k, v in (experiment.get("setups") or {}).items()}
        if not self.setups:
            self.setups = {"": self.datasets}
        gone = datasets[datasets["missing"].astype(bool)]
        self.missing = dict(zip(gone["dataset"].astype(str), gone["reason"].astype(str), strict=True))
        known = datasets.dropna(subset=["n_rows"])
        self._n_rows = {str(d): int(n) for d, n in zip(known["dataset"], known["n_rows"], strict=True)}
        self._frame = measures.reset_index(drop=True)
        self.methods = _methods(experiment)
        keys = self._frame[["dataset", "classifier", "ranker", "selection"]].astype(str)
        groups: dict[tuple[Any, ...], list[int]] = {}
        amounts = self._frame["amount"].tolist()
        for i, (key, amount) in enumerate(zip(keys.itertuples(index=False, name=None), amounts, strict=True)):
            groups.setdefault((*key, None if amount != amount else amount), []).append(i)
        self._rows = groups
        self._cells: dict[tuple[str, LabelMethod, str], LabelScores] = {}

    @staticmethod
    def is_better(measure: str, first: float, second: float) -> bool:
        """Whether a value of a measure is better than another one."""
        return first < second if measure in _LOWER else first > second

    @staticmethod
    def higher_is_better(measure: str) -> bool:
        """Whether high values of a measure are good."""
        return measure not in _LOWER

    def of_classifier(self, classifier: str) -> list[LabelMethod]:
        """Return the methods tested with a classifier, the baseline first if there is one."""
        return [m for m in self.methods if m.classifier == classifier]

    def scores(self, dataset: str, method: LabelMethod, measure: str) -> LabelScores:
        """Return one measure of one method on one data set.

        Parameters
        ----------
        dataset : str
            Label.
        method : LabelMethod
        measure : str
            A key of `TITLES`.

        Returns
        -------
        LabelScores
        """
        key = dataset, method, measure
        if key not in self._cells:
            self._cells[key] = self._gather(*key)
        return self._cells[key]

    def _gather(self, dataset: str, method: LabelMethod, measure: str) -> LabelScores:
        if dataset in self.missing:
            return LabelScores("missing", self.missing[dataset])
        rows = self._rows.get((dataset, method.classifier, method.ranker, method.selection, method.amount))
        if rows is None:
            return LabelScores("absent", "not among the results")
        columns = self._columns
        statuses, reasons = [columns["status"][i] for i in rows], [columns["reason"][i] for i in rows]
        status, reason = _status(statuses, reasons)
        done = [i for i, s in zip(rows, statuses, strict=True) if s == "ok"]
        # A measure can be without a value: macro F with 0/0 left out and no label decided on.
        done = [i for i in done if columns[measure][i] == columns[measure][i]]
        if status == "ok" and not done:
            status, reason = "skipped", "no fold has a value"
        tested = np.array([columns["n_test"][i] for i in done], dtype=np.float64)
        return LabelScores(
            status,
            reason,
            tuple((int(columns["repeat"][i]), int(columns["fold"][i])) for i in done),
            np.array([columns[measure][i] for i in done], dtype=np.float64),
            self._n_rows.get(dataset, 0) - tested,
            tested,
            Source(dataset, method.classifier, method.ranker, method.selection, _amount(method.amount)),
        )

    @cached_property
    def _columns(self) -> dict[str, list[Any]]:
        names = ("status", "reason", "repeat", "fold", "n_test", *TITLES)
        return {name: self._frame[name].tolist() for name in names}

    @cached_property
    def summary(self) -> pd.DataFrame:
        """Mean and deviation of every measure, one row for each data set, setup, method and measure.

        Columns: ``dataset, name, setup, method, classifier, ranker, selection, amount, measure, title, mean, sd,
        n_folds, share, values, status, reason``. ``name`` is the paper's name of the data set, if there is a paper;
        ``method`` is ``baseline``, or the ranker (with the selection, if there are several); ``title`` names the
        measure in print; ``sd`` is that of the population; ``share`` is the mean share of features kept, 0 to 1 (1
        for the baseline); ``values`` is the tuple of values over the folds; without a value (``status`` other than
        ok; ``empty``: no feature kept) the numbers are NaN.
        """
        import pandas as pd

        rows = []
        for setup, members in self.setups.items():
            for dataset in members:
                for method in self.methods:
                    reduction = self.scores(dataset, method, "reduction").mean
                    share = float("nan") if reduction is None else 1.0 - reduction / 100.0
                    for measure in TITLES:
                        found = self.scores(dataset, method, measure)
                        numbers = [float("nan") if v is None else v for v in (found.mean, found.sd)]
                        rows.append((
                            dataset, self.names[dataset], setup, method.title, method.classifier, method.ranker,
                            method.selection, method.amount, measure, TITLES[measure], *numbers, len(found.values),
                            share, tuple(found.values.tolist()), found.status, found.reason,
                        ))  # fmt: skip
        names = ("dataset", "name", "setup", "method", "classifier", "ranker", "selection", "amount", "measure",
                 "title", "mean", "sd", "n_folds", "share", "values", "status", "reason")  # fmt: skip
        return pd.DataFrame(rows, columns=list(names)).astype({"amount": "float64"})

    @cached_property
    def per_fold(self) -> pd.DataFrame:
        """Every value: one row for each data set, setup, method, measure, repeat and fold.

        Columns: ``dataset, name, setup, method, classifier, measure, repeat, fold, value, share``; ``share`` is the
        share of features kept in that fold.
        """
        import pandas as pd

        rows = []
        for setup, members in self.setups.items():
            for dataset in members:
                for method in self.methods:
                    kept = self.scores(dataset, method, "reduction")
                    share = dict(zip(kept.folds, 1.0 - kept.values / 100.0, strict=True))
                    for measure in TITLES:
                        found = self.scores(dataset, method, measure)
                        place = (dataset, self.names[dataset], setup, method.title, method.classifier, measure)
                        rows += [
                            (*place, *at, float(value), float(share[at]))
                            for at, value in zip(found.folds, found.values, strict=True)
                        ]
        names = ("dataset", "name", "setup", "method", "classifier", "measure", "repeat", "fold", "value", "share")
        return pd.DataFrame(rows, columns=list(names))


def _status(statuses: Sequence[str], reasons: Sequence[str]) -> tuple[str, str]:
    """Return the status of all folds together: the worst, except that folds without a feature are left out."""
    empty = [s == "skipped" and EMPTY in r for s, r in zip(statuses, reasons, strict=True)]
    if all(empty):
        return "empty", reasons[0]
    for status in ("failed", "pending", "skipped"):
        hit = [r for s, r, e in zip(statuses, reasons, empty, strict=True) if s == status and not e]
        if hit:
            count = "" if len(hit) == len(statuses) else f"{len(hit)} of {len(statuses)} folds {status}"
            return status, ": ".join(t for t in (count, next((r for r in hit if r), "")) if t)
    return "ok", f"{sum(empty)} of {len(empty)} folds keep no feature and are left out" if any(empty) else ""


def _methods(experiment: Mapping[str, Any]) -> list[LabelMethod]:
    selections = [
        (str(s["selection"]), s.get("k") if s.get("k") is not None else s.get("amount"))
        for s in experiment.get("selections") or ()
    ]
    ranked = [(kind, amount) for kind, amount in selections if kind != "all"]
    found = []
    for ref in experiment.get("classifiers") or ():
        classifier, asked = str(ref["label"]), ref.get("rankers")
        if ("all", None) in selections:
            found.append(LabelMethod(classifier, "", "all", None, BASELINE))
        for ranker in (str(r["label"]) for r in experiment.get("rankers") or ()):
            for kind, amount in ranked if asked is None or ranker in asked else ():
                title = ranker if len(ranked) == 1 else f"{ranker} {_words(kind, amount)}"
                found.append(LabelMethod(classifier, ranker, kind, float(amount or 0.0), title))
    return found


def _words(kind: str, amount: float | None) -> str:
    text = f"{amount:g}"
    return {"threshold": f">= {text}", "first": f"first {text}", "share": f"share {text}"}[kind]
