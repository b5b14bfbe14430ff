"""What an experiment is, once its file has been read: plain frozen values that go to worker processes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fsbench import registry
from fsbench.classifiers import Classifier
from fsbench.errors import MethodError
from fsbench.method import Method
from fsbench.multilabel import LabelClassifier, Transform
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.rankers import Ranker
from fsbench.searches import Search

__all__ = [
    "DatasetRef",
    "Experiment",
    "FoldScheme",
    "MethodRef",
    "ReductionRule",
    "SearchRule",
    "Selection",
    "TestRule",
]

BASES: dict[str, type[Method]] = {
    "ranker": Ranker,
    "classifier": Classifier,
    "search": Search,
    "transform": Transform,
    "label-classifier": LabelClassifier,
}

# Of data sets, classifiers and selections: keys that few have, with what stands for their absence.
OPTIONS: dict[str, Any] = {
    "join": (),
    "drop": (),
    "complete_rows": False,
    "train_rows": None,
    "first_rows": None,
    "seeds": None,
    "rankers": None,
    "reduction": None,
    "labels": None,
    "transform": None,
    "amount": None,
}

# Keys of the experiment itself, alike.
OWN_OPTIONS: dict[str, Any] = {"kind": "ranking", "zero_division": "one", "label_scores": False, "setups": {}}


@dataclass(frozen=True)
class DatasetRef:
    """A data set as the file names it.

    Parameters
    ----------
    label : str
        Its name in tables.
    name : str, optional
        Its name in the registry of data sets; or
    path : str, optional
        its file, relative to the experiment's file.
    target : str, optional
        The class; by default what the registry says, or the last column.
    join : tuple of DatasetRef
        In place of name and path: data sets whose rows are put below each other.
    drop : tuple of str
        Features to be left out.
    complete_rows : bool, default False
        Whether rows with missing values are left out, after `drop`.
    train_rows, first_rows : int, optional
        With the folds ``holdout``: how many rows are trained on, drawn at random or the first of the file.
    labels : str, int or tuple of str, optional
        Of multi-label data: an XML file (relative to the experiment's file), how many columns, or their names; see
        `fsbench.data.load_multilabel`.
    seeds : int, optional
        Over how many fold seeds searches are repeated by the protocol ``search-cv``; as many as the folds have
        repeats by default.
    """

    label: str
    name: str | None = None
    path: str | None = None
    target: str | None = None
    join: tuple[DatasetRef, ...] = ()
    drop: tuple[str, ...] = ()
    complete_rows: bool = False
    train_rows: int | None = None
    first_rows: int | None = None
    labels: str | int | tuple[str, ...] | None = None
    seeds: int | None = None


@dataclass(frozen=True)
class FoldScheme:
    """How rows are split; repeat r (from 0) uses ``seed + r``.

    Parameters
    ----------
    scheme : {"stratified", "weka", "mulan", "plain", "holdout", "file"}
    folds, repeats, seed : int
    file : str, optional
        With the scheme ``file``: one fold number a row; ``{dataset}`` stands for the data set's name.
    """

    scheme: str = "stratified"
    folds: int = 10
    repeats: int = 1
    seed: int = 1
    file: str | None = None


@dataclass(frozen=True)
class MethodRef:
    """A ranker, search or classifier as the file names it, and its name in tables.

    Parameters
    ----------
    kind : {"ranker", "search", "classifier", "label-classifier"}
    spec : mapping
        The key ``method`` and the parameters beside it.
    label : str
    rankers : tuple of str, optional
        Of a classifier: labels of the rankers and searches that it is combined with; all by default.
    transform : mapping, optional
        Of a ranker of multi-label data: the transformation before it, with its parameters.
    """

    kind: str
    spec: Mapping[str, Any]
    label: str = ""
    rankers: tuple[str, ...] | None = None
    transform: Mapping[str, Any] | None = None

    def make(self, base: Path, where: str = "") -> Method:
        """Make the method.

        Parameters
        ----------
        base : Path
            Folder that a file of the user is relative to.
        where : str, default ""
            Place for error messages.

        Returns
        -------
        Method
            A `Ranker`, `Search` or `Classifier`, as `kind` says.

        Raises
        ------
        MethodError
            Unknown name, wrong parameters, or a class of another kind.
        """
        method = registry.make(self.kind, self.spec, where, base)
        if not isinstance(method, BASES[self.kind]):
            found = type(method).__name__
            raise MethodError(f"{self.spec['method']!r} is no {self.kind}: {found} does not derive from it", where)
        return method

    def make_label_ranker(self, base: Path, where: str = "") -> LabelRanker:
        """Make the ranker with its transformation; arguments and errors as in `make`."""
        transform = MethodRef("transform", self.transform or {"method": "br"}).make(base, where)
        ranker = self.make(base, where)
        assert isinstance(transform, Transform)
        assert isinstance(ranker, Ranker)
        return LabelRanker(transform, ranker)


@dataclass(frozen=True)
class ReductionRule:
    """How a ranking is cut by relevance; see `fsbench.evaluation.reduction.reduce_ranking`.

    Parameters
    ----------
    tolerance : float
    thresholds : tuple of float
    """

    tolerance: float
    thresholds: tuple[float, ...]


@dataclass(frozen=True)
class Selection:
    """Which features a classifier is tested with.

    Parameters
    ----------
    selection : {"all", "ordered", "first", "best", "reduced", "threshold", "share"}
        Every feature, in file order or in that of a ranking; the first `k` of a ranking; the prefix with the best
        estimate; or the prefix that a reduction by relevance accepts. Of multi-label data also the features with a
        score of at least `amount`, or the first `amount` of a ranking as a share of all.
    k : int, optional
        With ``first``.
    estimate : {"", "inner_cv", "train", "test"}
        With ``best``: how the accuracy of each prefix is estimated. ``test`` looks at the test rows and is
        optimistic.
    folds : int, optional
        With ``inner_cv``: the inner folds.
    reduction : ReductionRule, optional
        With ``reduced``.
    amount : float, optional
        With ``threshold`` and ``share``.
    """

    selection: str
    k: int | None = None
    estimate: str = ""
    folds: int | None = None
    reduction: ReductionRule | None = None
    amount: float | None = None

    @property
    def needs_ranking(self) -> bool:
        """Whether the features come from a ranking."""
        return self.selection != "all"


@dataclass(frozen=True)
class SearchRule:
    """How searches are judged.

    Parameters
    ----------
    protocol : tuple of {"search-cv", "nested"}
        By the folds that they were searched on (optimistic), and/or by outer folds that they never saw.
    folds : int
        With ``nested``: the inner folds of each training part.
    """

    protocol: tuple[str, ...] = ("nested",)
    folds: int = 5


@dataclass(frozen=True)
class TestRule:
    """The significance tests of the tables.

    Parameters
    ----------
    test : {"paired-t", "corrected-t"}
        The test on the folds of a data set.
    level : float
        Of every test, mark, interval and diagram.
    correction : {"holm", "none"}
        How comparisons that are made side by side are adjusted for their number.
    rope : float
        Differences of a share, such as accuracy, up to this do not matter (region of practical equivalence).
    reference : str, optional
        The ranker that the others are compared with; the first by default.
    """

    __test__ = False  # not a test case, whatever pytest thinks of its name

    test: str = "corrected-t"
    level: float = 0.05
    correction: str = "holm"
    rope: float = 0.01
    reference: str | None = None


@dataclass(frozen=True)
class Experiment:
    """Everything that decides the results, in the order in which tables show it.

    Parameters
    ----------
    name : str
    seed : int
        Seed of the inner folds, and of the outer ones unless `folds` has its own.
    datasets : tuple of DatasetRef
    folds : FoldScheme
    rankers, classifiers : tuple of MethodRef
    searches : tuple of MethodRef
    searching : SearchRule
    selections : tuple of Selection
    tests : TestRule
    paper : str, optional
        The printed tables to compare with.
    paper_names : mapping of str to str
        From a data set's label to its name in the paper.
    base : Path
        Folder that relative paths are relative to.
    kind : {"ranking", "multilabel"}
        Which computation the cells need.
    zero_division : {"one", "zero", "skip"}
        Of multi-label measures: what 0/0 is; see `fsbench.evaluation.multilabel_metrics.measure`.
    label_scores : bool
        Whether binary relevance also keeps the scores of each label by itself.
    setups : mapping of str to tuple of str
        Groups of data sets that reports show one after the other, such as two versions of a paper's data.
    """

    name: str
    seed: int
    datasets: tuple[DatasetRef, ...]
    folds: FoldScheme = field(default_factory=FoldScheme)
    rankers: tuple[MethodRef, ...] = ()
    classifiers: tuple[MethodRef, ...] = ()
    selections: tuple[Selection, ...] = ()
    tests: TestRule = field(default_factory=TestRule)
    paper: str | None = None
    paper_names: Mapping[str, str] = field(default_factory=dict)
    base: Path = Path()
    kind: str = "ranking"
    zero_division: str = "one"
    label_scores: bool = False
    setups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    searches: tuple[MethodRef, ...] = ()
    searching: SearchRule = field(default_factory=SearchRule)

    def pairs(self, classifier: str) -> list[str]:
        """Return the rankers that a classifier is combined with, in order."""
        asked = next(ref.rankers for ref in self.classifiers if ref.label == classifier)
        return [ref.label for ref in self.rankers if asked is None or ref.label in asked]

    def searched(self, classifier: str) -> list[str]:
        """Return the searches that a classifier is combined with, in order."""
        asked = next(ref.rankers for ref in self.classifiers if ref.label == classifier)
        return [ref.label for ref in self.searches if asked is None or ref.label in asked]

    def dataset(self, label: str) -> DatasetRef:
        """Return the data set of a label."""
        return next(ref for ref in self.datasets if ref.label == label)

    def make_rankers(self) -> dict[str, Any]:
        """Return the rankers by label, in order: `Ranker`, of multi-label data `LabelRanker`."""
        labelled = self.kind == "multilabel"
        return {r.label: r.make_label_ranker(self.base) if labelled else r.make(self.base) for r in self.rankers}

    def make_classifiers(self) -> dict[str, Any]:
        """Return the classifiers by label, in order: `Classifier`, of multi-label data `LabelClassifier`."""
        return {ref.label: ref.make(self.base) for ref in self.classifiers}

    def make_searches(self) -> dict[str, Search]:
        """Return the searches by label, in order."""
        return {ref.label: ref.make(self.base) for ref in self.searches}  # type: ignore[misc]

    def prefixes(self, n_features: int) -> int:
        """Return how long learning curves are: all features, or only as far as ``first`` asks."""
        ranked = [s for s in self.selections if s.needs_ranking]
        if any(s.selection in ("best", "ordered", "reduced") for s in ranked):
            return n_features
        return min(n_features, max((s.k or 1 for s in ranked), default=0))

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for the store, without the folder of the file."""
        values = dataclasses.asdict(self)
        del values["base"]
        for key, default in OWN_OPTIONS.items():
            if values[key] == default:
                del values[key]
        if not self.searches:
            del values["searches"], values["searching"]
        for ref in [*values["rankers"], *values["classifiers"], *values.get("searches", ())]:
            del ref["kind"]
        # What only some experiments say is left out of the others.
        lists = ("datasets", "classifiers", "rankers", "searches", "selections")
        for ref in [ref for name in lists for ref in values.get(name, ())]:
            for key, default in OPTIONS.items():
                if key in ref and ref[key] == default:
                    del ref[key]
        return values
