"""What a run of the exclusiveness paper holds: errors, relevance and orders by data set and number of intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fsbench import registry
from fsbench.published import exclusiveness as paper
from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way
from fsbench.report.table import Source
from fsbench.values import FloatArray, IntArray

__all__ = [
    "COLUMNS",
    "MAIN",
    "Measured",
    "Relevance",
    "Setting",
    "error",
    "kendall_tau",
    "main_setting",
    "measure",
    "printed_error",
    "relevance",
    "settings",
    "share_kept",
    "tree",
]

# Intervals of the tables: those of the paper's Figure 1.
MAIN = "10"

# The columns of errors of Table 2, and how their features were chosen.
COLUMNS = {"original_a": Way("all"), "ordered_b": Way("ordered"), "reduced_c": Way("reduced", "inner_cv")}
_CHANGES = {"order_b_minus_a": ("ordered_b", "original_a"), "reduction_c_minus_b": ("reduced_c", "ordered_b")}


@dataclass(frozen=True)
class Setting:
    """A trie and the ranker whose order it takes.

    Parameters
    ----------
    intervals : str
        How many intervals the configuration gives the trie.
    classifier, ranker : str
        Labels.
    """

    intervals: str
    classifier: str
    ranker: str


@dataclass(frozen=True, eq=False)
class Measured:
    """A number of ours over the folds.

    Parameters
    ----------
    values : ndarray of shape (n_folds,)
        Empty where there is none.
    why : str, default ""
        Why there is none.
    source : Source, optional
        The cell of the experiment, for readers who trace a number.
    """

    values: FloatArray
    why: str = ""
    source: Source | None = None

    @property
    def mean(self) -> float | None:
        """Mean over the folds; None if there is none."""
        return float(self.values.mean()) if len(self.values) else None

    @property
    def sd(self) -> float | None:
        """Standard deviation over the folds, sample form; None for fewer than two."""
        return float(self.values.std(ddof=1)) if len(self.values) > 1 else None

    def __sub__(self, other: Measured) -> Measured:
        if not len(self.values) or not len(other.values):
            return Measured(np.empty(0), self.why or other.why)
        return Measured(self.values - other.values)


@dataclass(frozen=True, eq=False)
class Relevance:
    """What the ranker says of one data set, fold by fold.

    Parameters
    ----------
    order : tuple of int
        Features by falling mean delta over the folds, numbered from 1 as in the paper; equal: the order of the file.
    relevant : ndarray of shape (n_folds,)
        Percent of the features with delta > 0.
    tied : ndarray of shape (n_folds,)
        How many features have a delta that another feature has too, exactly.
    tau : ndarray of shape (n_folds,)
        Kendall's tau of the fold's order and the printed one; empty if none is printed.
    """

    order: tuple[int, ...]
    relevant: FloatArray
    tied: IntArray
    tau: FloatArray


def settings(results: Results) -> list[Setting]:
    """Return the tries of the configuration that take the order of one exclusiveness ranker, in order."""
    methods = {kind: {str(r["label"]): r["spec"] for r in results.experiment.get(kind) or ()} for kind in _KINDS}
    found = []
    for classifier in results.classifiers:
        spec = methods["classifiers"].get(classifier, {})
        rankers = [
            r for r in results.pairs(classifier) if _name("ranker", methods["rankers"].get(r)) == "exclusiveness"
        ]
        if _name("classifier", spec) == "trie" and len(rankers) == 1:
            found.append(Setting(str(spec.get("intervals", MAIN)), classifier, rankers[0]))
    return found


def main_setting(results: Results) -> Setting | None:
    """Return the setting that the tables read: that of 10 intervals, else the first; None without any."""
    known = settings(results)
    return next((s for s in known if s.intervals == MAIN), known[0] if known else None)


def tree(results: Results) -> str:
    """Return the label of C4.5, "" if the configuration does not have it."""
    for ref in results.experiment.get("classifiers") or ():
        if _name("classifier", ref["spec"]) == "c45":
            return str(ref["label"])
    return ""


def measure(results: Results, dataset: str, column: str) -> Measured:
    """Return our number for a column of the paper's tables.

    Parameters
    ----------
    results : Results
    dataset : str
        Our label.
    column : str
        As in `fsbench.published.exclusiveness.cells`.

    Returns
    -------
    Measured
    """
    setting = main_setting(results)
    if dataset not in results.datasets:
        return Measured(np.empty(0), "the experiment does not have this data set")
    if column == "c45_error":
        found = _errors(results.scores(dataset, tree(results), ALL, Way("all")))
        return replace(found, source=Source(dataset, tree(results), ALL, "all"))
    if setting is None:
        return Measured(np.empty(0), "the experiment has no trie with an exclusiveness ranker of its own")
    if column in COLUMNS:
        return error(results, dataset, setting, column)
    if column in _CHANGES:
        more, less = (error(results, dataset, setting, side) for side in _CHANGES[column])
        return more - less
    if column == "ours_error":
        pair = [error(results, dataset, setting, side) for side in ("ordered_b", "reduced_c")]
        return min(pair, key=lambda m: float("inf") if m.mean is None else m.mean)
    if column == "relevant_pct":
        share = relevance(results, dataset, setting)
        return Measured(share.relevant) if share else Measured(np.empty(0), _why(results, dataset, setting))
    return _size(results, dataset, column, setting)


def error(results: Results, dataset: str, setting: Setting, column: str) -> Measured:
    """Return the error of a trie in percent, by a column of Table 2: original_a, ordered_b or reduced_c."""
    way = COLUMNS[column]
    ranker = ALL if way.selection == "all" else setting.ranker
    found = _errors(results.scores(dataset, setting.classifier, setting.ranker, way))
    return replace(found, source=Source(dataset, setting.classifier, ranker, way.selection, way.estimate))


def share_kept(results: Results, dataset: str, setting: Setting) -> float | None:
    """Return the mean percent of the features that the reduction keeps; None if it was not computed."""
    scores = results.scores(dataset, setting.classifier, setting.ranker, COLUMNS["reduced_c"])
    return float((100.0 * scores.n_selected / scores.n_features).mean()) if scores.ok else None


def relevance(results: Results, dataset: str, setting: Setting) -> Relevance | None:
    """Return what a ranker says of a data set over the folds; None if it was not computed."""
    return results.remember(("relevance", dataset, setting), lambda: _relevance(results, dataset, setting.ranker))


def printed_error(dataset: str, column: str) -> float | None:
    """Return a printed number by the paper's name of the data set in its transcription; None if there is none."""
    return next((c.value for c in paper.cells() if (c.dataset, c.column) == (dataset, column)), None)


def kendall_tau(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Return Kendall's tau of two orders, over what is in both.

    Parameters
    ----------
    first, second : sequence of int
        Each without repetitions.

    Returns
    -------
    float or None
        From -1 (reversed) to 1 (equal); None with fewer than two things in common.

    Examples
    --------
    >>> kendall_tau([1, 2, 3], [1, 2, 3]), kendall_tau([1, 2, 3], [3, 2, 1, 4])
    (1.0, -1.0)
    """
    place = {item: i for i, item in enumerate(second)}
    common = np.array([place[item] for item in first if item in place], dtype=np.int64)
    if len(common) < 2:
        return None
    signs = np.sign(common[None, :] - common[:, None])[np.triu_indices(len(common), 1)]
    return float(signs.mean())


_KINDS = ("rankers", "classifiers")


def _name(kind: str, spec: object) -> str:
    name = str(spec.get("method", "")).lower() if isinstance(spec, dict) else ""
    return registry.ALIASES[kind].get(name, name)


def _errors(scores: Scores) -> Measured:
    if not scores.ok:
        return Measured(np.empty(0), f"{scores.word}: {scores.reason}" if scores.reason else scores.word)
    return Measured(100.0 - scores.accuracy)


def _why(results: Results, dataset: str, setting: Setting) -> str:
    return error(results, dataset, setting, "ordered_b").why or "no ranking is stored"


def _size(results: Results, dataset: str, column: str, setting: Setting) -> Measured:
    scores = results.scores(dataset, setting.classifier, ALL, Way("all"))
    if not scores.ok:
        return Measured(np.empty(0), _errors(scores).why)
    values = {"n_train": scores.n_train, "n_test": scores.n_test, "printed_n_attributes": scores.n_features}
    return Measured(np.asarray(values[column], dtype=np.float64))


def _relevance(results: Results, dataset: str, ranker: str) -> Relevance | None:
    frame = results.rankings
    if frame is None:
        return None
    frame = frame[(frame["dataset"] == dataset) & (frame["ranker"] == ranker)]
    if not len(frame):
        return None
    printed = paper.attribute_orders().get(results.printed_names.get(dataset, ""), ())
    relevant, tied, taus, deltas = [], [], [], []
    for _, fold in frame.groupby(["repeat", "fold"], sort=False):
        order = fold.sort_values("rank")["feature_index"].to_numpy(dtype=np.int64)
        scores = fold.sort_values("feature_index")["score"].to_numpy(dtype=np.float64)
        _, counts = np.unique(scores, return_counts=True)
        relevant.append(100.0 * float((scores > 0).mean()))
        tied.append(int(counts[counts > 1].sum()))
        tau = kendall_tau([int(j) + 1 for j in order], printed)
        taus += [] if tau is None else [tau]
        deltas.append(scores)
    mean = np.mean(deltas, axis=0)
    order = np.argsort(-mean, kind="stable")
    return Relevance(tuple(int(j) + 1 for j in order), np.array(relevant), np.array(tied), np.array(taus))
