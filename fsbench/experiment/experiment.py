"""What an experiment is, once its file has been read: plain frozen values that go to worker processes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from fsbench import registry
from fsbench.classifiers import Classifier
from fsbench.errors import MethodError
from fsbench.method import Method
from fsbench.rankers import Ranker

__all__ = ["DatasetRef", "Experiment", "FoldScheme", "MethodRef", "Selection", "TestRule"]

BASES: dict[str, type[Method]] = {"ranker": Ranker, "classifier": Classifier}


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
    """

    label: str
    name: str | None = None
    path: str | None = None
    target: str | None = None


@dataclass(frozen=True)
class FoldScheme:
    """How rows are split; repeat r (from 0) uses ``seed + r``.

    Parameters
    ----------
    scheme : {"stratified", "weka", "plain", "file"}
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
    """A ranker or classifier as the file names it, and its name in tables.

    Parameters
    ----------
    kind : {"ranker", "classifier"}
    spec : mapping
        The key ``method`` and the parameters beside it.
    label : str
    """

    kind: str
    spec: Mapping[str, Any]
    label: str = ""

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
            A `Ranker` or `Classifier`, as `kind` says.

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


@dataclass(frozen=True)
class Selection:
    """Which features a classifier is tested with.

    Parameters
    ----------
    selection : {"all", "first", "best"}
        Every feature, in file order; the first `k` of a ranking; or the prefix with the best estimate.
    k : int, optional
        With ``first``.
    estimate : {"", "inner_cv", "train", "test"}
        With ``best``: how the accuracy of each prefix is estimated. ``test`` looks at the test rows and is
        optimistic.
    folds : int, optional
        With ``inner_cv``: the inner folds.
    """

    selection: str
    k: int | None = None
    estimate: str = ""
    folds: int | None = None

    @property
    def needs_ranking(self) -> bool:
        """Whether the features come from a ranking."""
        return self.selection != "all"


@dataclass(frozen=True)
class TestRule:
    """The significance test of the tables.

    Parameters
    ----------
    test : {"paired-t", "corrected-t"}
    level : float
    """

    __test__ = False  # not a test case, whatever pytest thinks of its name

    test: str = "corrected-t"
    level: float = 0.05


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
    selections : tuple of Selection
    tests : TestRule
    paper : str, optional
        The printed tables to compare with.
    paper_names : mapping of str to str
        From a data set's label to its name in the paper.
    base : Path
        Folder that relative paths are relative to.
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

    def dataset(self, label: str) -> DatasetRef:
        """Return the data set of a label."""
        return next(ref for ref in self.datasets if ref.label == label)

    def make_rankers(self) -> dict[str, Ranker]:
        """Return the rankers by label, in order."""
        return {ref.label: cast(Ranker, ref.make(self.base)) for ref in self.rankers}

    def make_classifiers(self) -> dict[str, Classifier]:
        """Return the classifiers by label, in order."""
        return {ref.label: cast(Classifier, ref.make(self.base)) for ref in self.classifiers}

    def prefixes(self, n_features: int) -> int:
        """Return how long learning curves are: all features, or as far as ``first`` asks where no best is sought."""
        ranked = [s for s in self.selections if s.needs_ranking]
        if any(s.selection == "best" for s in ranked):
            return n_features
        return min(n_features, max((s.k or 1 for s in ranked), default=0))

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for the store, without the folder of the file."""
        values = dataclasses.asdict(self)
        del values["base"]
        for ref in [*values["rankers"], *values["classifiers"]]:
            del ref["kind"]
        return values
