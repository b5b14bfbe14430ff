"""Cells and tasks: what is to be computed. Records: what came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fsbench.experiment.experiment import ReductionRule
from fsbench.searches.trace import Trace
from fsbench.values import IntArray, Ranking, Split

__all__ = ["Cell", "CurveCounts", "Kind", "Record", "SearchResult", "Status", "Task", "TestResult", "Unranked"]

Kind = Literal["ranking", "curve", "result", "label_scores", "search"]
Status = Literal["ok", "skipped", "failed"]


@dataclass(frozen=True)
class Cell:
    """One thing to be computed on one fold, and the key it is stored under.

    Parameters
    ----------
    key : str
        Hash of everything that decides it.
    kind : {"ranking", "curve", "result", "label_scores", "search"}
        A ranking of the training part; the counts of a learning curve; a test of a classifier on the test part;
        of multi-label data the scores of each label by itself; a search with its trace.
    ranker, classifier : str, default ""
        Labels; "" where there is none. The label of a search stands in the place of a ranker's.
    selection : {"", "all", "ordered", "first", "best", "reduced", "threshold", "share"}
        Of a result.
    estimate : str, default ""
        Of a curve, and of a result with the best or a reduced prefix: ``inner_cv``, ``train`` or ``test``. Of a
        result with a threshold or share: that number. Of a search: its protocol.
    k : int, optional
        Of ``first``.
    folds : int, optional
        Of ``inner_cv``.
    reduction : ReductionRule, optional
        Of ``reduced``.
    unit : str, default "ranked"
        Which computation makes it: a key of `fsbench.experiment.worker.UNITS`.
    """

    key: str
    kind: Kind
    ranker: str = ""
    classifier: str = ""
    selection: str = ""
    estimate: str = ""
    k: int | None = None
    folds: int | None = None
    reduction: ReductionRule | None = None
    unit: str = "ranked"


@dataclass(frozen=True)
class Unranked:
    """Why a ranker gave no ranking.

    Parameters
    ----------
    status : {"skipped", "failed"}
    reason : str
        One line.
    """

    status: Status
    reason: str


@dataclass(frozen=True, eq=False)
class Task:
    """What one worker computes at a time: cells of one fold of one data set.

    Parameters
    ----------
    dataset : str
        The data set's label.
    digest : str
        Its content; the worker refuses a file that has changed in the meantime.
    split : Split
    cells : tuple of Cell
    rankings : mapping of str to Ranking or Unranked
        Those that are known already, by the ranker's label.
    cost : float
        Expected work in arbitrary units.
    """

    dataset: str
    digest: str
    split: Split
    cells: tuple[Cell, ...]
    rankings: Mapping[str, Ranking | Unranked] = field(default_factory=dict)
    cost: float = 1.0


@dataclass(frozen=True, eq=False)
class CurveCounts:
    """A learning curve: right predictions with the first 1, 2, ... features.

    Parameters
    ----------
    correct : ndarray of shape (n_prefixes,)
    n : int
        Rows predicted at each prefix.
    """

    correct: IntArray
    n: int


@dataclass(frozen=True, eq=False)
class TestResult:
    """A classifier's predictions of the test part with the selected features.

    Parameters
    ----------
    columns : ndarray of int64
        Indices of the features, in the order in which they were given to the classifier.
    predicted : ndarray of shape (n_test,)
        Or, of multi-label data, (n_test, n_labels), 0 and 1.
    n_correct : int
        Rows predicted right, of multi-label data in every label.
    measures : mapping of str to float
        Such as the size of a tree.
    """

    __test__ = False  # not a test case, whatever pytest thinks of its name

    columns: IntArray
    predicted: IntArray
    n_correct: int
    measures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """A finished search, with the error that it was searched on.

    Parameters
    ----------
    trace : Trace
    error : float
        Mean error rate of the best subset over the folds that were searched on, in [0, 1]: optimistic.
    correct, sizes : ndarray of shape (n_folds,)
        Right predictions with the best subset, and rows, of each of these folds.
    scored : int
        How many of the subsets that it asked for no earlier search of the same task had asked for.
    """

    trace: Trace
    error: float
    correct: IntArray
    sizes: IntArray
    scored: int = 0


@dataclass(frozen=True, eq=False)
class Record:
    """What became of a cell.

    Parameters
    ----------
    key : str
    kind : {"ranking", "curve", "result", "search"}
        Where it is stored: the scores of labels are stored as a ranking without an order.
    status : {"ok", "skipped", "failed"}
    value : Ranking, CurveCounts, TestResult or SearchResult, optional
        As the kind says; None unless the status is ok.
    reason : str, default ""
        Why the cell was skipped (the method does not apply) or failed.
    seconds : float, default 0.0
        Wall time; work shared by several cells counts in equal parts.
    """

    key: str
    kind: Kind
    status: Status
    value: Ranking | CurveCounts | TestResult | SearchResult | None = None
    reason: str = ""
    seconds: float = 0.0
