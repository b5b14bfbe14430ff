"""C4.5 as Weka's J48: gain ratio, missing values by fractions, pruning with subtree raising."""

from __future__ import annotations

import sys

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.c45_tree import C45Tree
from fsbench.errors import MethodError
from fsbench.method import param
from fsbench.values import Dataset

__all__ = ["C45"]


class C45(Classifier):
    """C4.5 decision tree, equal to Weka's J48 (3.9.7) in trees, probabilities and printed form.

    Parameters
    ----------
    confidence : float, default 0.25
        Confidence of the pruning estimate, above 0 and at most 0.5; smaller prunes more.
    min_leaf : int, default 2
        Least training weight of two branches of a split.
    unpruned : bool, default False
        Leave the grown tree as it is, but for collapsing.
    raising : bool, default True
        Whether pruning may put the largest branch in the place of its parent.
    collapse : bool, default True
        Whether a subtree that makes as many training errors as a leaf becomes a leaf.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann. Release 8's numeric splits:
    Quinlan, J. R. (1996). Improved use of continuous attributes in C4.5. JAIR 4, 77-90.
    """

    name = "c45"
    title = "C4.5 decision tree (J48)"
    reference = "Quinlan (1993), C4.5: Programs for Machine Learning; Quinlan (1996), JAIR 4"

    confidence: float = param(0.25, "confidence of the pruning estimate; smaller prunes more", low=0.0, high=0.5)
    min_leaf: int = param(2, "least training weight of two branches of a split", low=1)
    unpruned: bool = param(False, "do not prune")
    raising: bool = param(True, "pruning may raise the largest branch into its parent's place")
    collapse: bool = param(True, "a subtree no better on the training rows becomes a leaf")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.confidence <= 0.0:
            raise MethodError(f"c45: parameter confidence must be above 0 and at most 0.5, found {self.confidence:g}")

    def fit(self, train: Dataset) -> C45Tree:
        """Grow and prune a tree on all rows of `train`."""
        from fsbench.classifiers.c45_plain import Tree, arrays

        sys.setrecursionlimit(max(sys.getrecursionlimit(), 10000))
        tree = Tree(train.X, train.y, train.n_labels, train.n_classes, **self.params())
        return C45Tree(train.features, train.target, *arrays(tree), pruned=not self.unpruned)
