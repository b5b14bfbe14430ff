"""C4.5 as Weka's J48: gain ratio, missing values by fractions, pruning with subtree raising."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.c45_forest import Forest, Growth, any_missing, grow_forest, grow_ordered_tree
from fsbench.classifiers.c45_prepare import coded
from fsbench.classifiers.c45_tasks import Tasks, all_prefixes, one_task
from fsbench.classifiers.c45_tree import C45Tree, plant
from fsbench.errors import MethodError
from fsbench.kernels.threads import map_threads, threads
from fsbench.method import param
from fsbench.values import Curve, Dataset, FloatArray, IntArray, Outcome, Split

__all__ = ["C45"]

NEAR_TIE = 1e-9  # a lead that rounding may have made


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
        rows, features = np.arange(train.n_rows), np.arange(train.n_features)
        forest = grow_ordered_tree(train, rows, features, self._growth())
        return plant(train, forest, pruned=not self.unpruned)

    def evaluate(self, data: Dataset, split: Split, columns: Sequence[int] | IntArray) -> Outcome:
        """Fit on the training part with the given columns and predict the test part."""
        predicted, measures = self._predict(data, split, one_task(np.asarray(columns, dtype=np.int64)))
        return Outcome(predicted[0], {name: float(values[0]) for name, values in measures.items()})

    def curve(self, data: Dataset, split: Split, order: Sequence[int] | IntArray) -> Curve:
        """Predict the test part at every prefix of `order`: all trees grow together."""
        return self._curves(data, split, [np.asarray(order, dtype=np.int64)])[0]

    def curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        """Return the curve of each ranking; all trees grow together, shared out where there are threads."""
        coded(data)
        count = min(threads(), len(orders))
        bounds = [len(orders) * i // count for i in range(count + 1)] if count else [0]
        parts = [orders[a:b] for a, b in pairwise(bounds)]
        return [curve for part in map_threads(lambda part: self._curves(data, split, part), parts) for curve in part]

    def _curves(self, data: Dataset, split: Split, orders: Sequence[IntArray]) -> list[Curve]:
        predicted, measures = self._predict(data, split, all_prefixes(orders))
        ends = np.cumsum([len(order) for order in orders]).tolist()
        stretches = [slice(a, b) for a, b in pairwise([0, *ends])]
        return [Curve(predicted[s], {name: values[s] for name, values in measures.items()}) for s in stretches]

    def _predict(self, data: Dataset, split: Split, tasks: Tasks) -> tuple[IntArray, dict[str, FloatArray]]:
        """Return the class of each test row by each tree, and the measures of the trees."""
        if np.bincount(split.train, minlength=1).max() > 1:
            # Rows drawn more than once become rows of their own.
            rows = np.concatenate([split.train, split.test])
            at = np.arange(len(rows))
            data, split = data.take(rows), Split(at[: len(split.train)], at[len(split.train) :])
        train, test = np.asarray(split.train, dtype=np.int64), np.asarray(split.test, dtype=np.int64)
        forest = grow_forest(data, train, tasks, self._growth())
        sizes, leaves = forest.sizes()
        votes, lead = _vote(data, test, tasks.features, forest)
        if forest.fractions is None:
            return votes, {"size": sizes, "leaves": leaves}
        settled: dict[tuple[int, int], IntArray] = {}
        for t in np.flatnonzero(lead < NEAR_TIE).tolist():
            # Which class weighs more is decided by the last bit, so by the order of additions: take Weka's. Only
            # numeric features change it, for they sort the rows; otherwise equal trees weigh the same.
            used = tasks.used(t)
            key = (int(forest.roots[t]), -1 if data.is_nominal[used].all() else t)
            if key not in settled:
                same = grow_ordered_tree(data, train, used, self._growth())
                settled[key] = _vote(data, test, used, same)[0][0]
            votes[t] = settled[key]
        return votes, {"size": sizes, "leaves": leaves}

    def _growth(self) -> Growth:
        return Growth(self.confidence, self.min_leaf, self.unpruned, self.raising, self.collapse)


def _vote(data: Dataset, test: IntArray, features: IntArray, forest: Forest) -> tuple[IntArray, FloatArray]:
    """Return the class that each tree gives each test row, and the least lead of each tree over a second class.

    Returns
    -------
    votes : ndarray of shape (n_trees, n_test)
    lead : ndarray of shape (n_trees,)
        Of no meaning where all training values were known: then the order of additions cannot matter.
    """
    from fsbench.kernels.tree_walk import vote, vote_shares

    codes, roots = coded(data), forest.roots
    if forest.fractions is None and not any_missing(codes, features, test):
        return vote(forest.nodes, forest.slots, roots, codes.rows, test), np.ones(len(roots))
    weights = forest.weights()
    return vote_shares(
        forest.nodes, forest.slots, weights.classes, weights.totals, weights.bags, roots, codes.rows, test
    )
