"""The trie classifier beside scikit-learn's nearest neighbour, on the same rows of interval numbers, and its size."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.trie import TrieClassifier
from fsbench.data import load
from fsbench.data.prepare import complete_rows
from fsbench.evaluation.folds import stratified_splits
from fsbench.kernels.threads import set_threads
from fsbench.rankers.exclusiveness import Exclusiveness
from fsbench.values import Dataset
from tests.bench.harness import Pair, measure, paired, show


def beside_neighbours(train: Dataset, test: Dataset, number: int) -> Pair:
    """Time predictions with the same encoded rows; ours must not take three times as long."""
    model = TrieClassifier(intervals=number).fit(train)
    ours, theirs = model.fitted.encode(test), np.ascontiguousarray(model.fitted.encode(test).T, dtype=np.float64)
    neighbours = KNeighborsClassifier(1, n_jobs=1)
    neighbours.fit(np.ascontiguousarray(model.fitted.encode(train).T, dtype=np.float64), train.y)
    queries = np.ascontiguousarray(ours.T)
    name = f"predict {train.name}, {number} intervals"
    return paired(
        name, lambda: model._predict(queries, train.n_features), lambda: neighbours.predict(theirs), wanted=1 / 3
    )


def curve_beside_refitting(data: Dataset) -> Pair:
    split = stratified_splits(data.y, data.n_classes, 10, 1)[0]
    order = Exclusiveness().rank(data.take(split.train)).order
    trie = TrieClassifier()
    return paired(
        f"curve {data.name}",
        lambda: trie.curve(data, split, order),
        lambda: Classifier.curve(trie, data, split, order),
        runs=3,
    )


def size(data: Dataset) -> str:
    """Tell how long building takes, and how large the trie is for its distinct prefixes."""
    model = TrieClassifier().fit(data)
    fit = min(measure(lambda: TrieClassifier().fit(data)).cpu for _ in range(3))
    predict = min(measure(lambda: model.predict(data)).cpu for _ in range(3))
    rank = min(measure(lambda: Exclusiveness().rank(data)).cpu for _ in range(3))
    held = sum(part.nbytes for part in model.trie)
    nodes = model.measures()["nodes"]
    return (
        f"{data.name}: {data.n_rows} rows, rank {rank:.3f} s, fit {fit:.3f} s, predict all {predict:.3f} s, "
        f"{nodes:.0f} nodes, {held / 2**20:.1f} MiB = {held / nodes:.1f} bytes a node"
    )


def main() -> None:
    set_threads(1)
    train, test = load("pendigits-train"), load("pendigits-test")
    adult, held_out = complete_rows(load("adult-train")), complete_rows(load("adult-test"))
    pairs = [beside_neighbours(train, test, number) for number in (5, 10, 20, 50)]
    pairs.append(beside_neighbours(adult, held_out, 10))
    show("prediction, all test rows", pairs, "trie", "KNeighbors(1)")
    show("all prefixes of a ranking", [curve_beside_refitting(d) for d in (train, adult)], "one trie", "refitting")
    print()
    for data in (train, adult):
        print(size(data))


if __name__ == "__main__":
    main()
