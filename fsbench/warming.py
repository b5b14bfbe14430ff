"""Compile the kernels ahead: small made-up data through everything that is compiled."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import cast

import numpy as np

from fsbench import registry
from fsbench.classifiers import Classifier
from fsbench.rankers import Ranker
from fsbench.values import Dataset, Feature, FloatArray, Split

__all__ = ["steps"]


def steps() -> Iterator[tuple[str, Callable[[], None]]]:
    """Name what is compiled, one family after the other.

    Yields
    ------
    name : str
        Family of kernels and kind of data.
    compile : callable
        Compiles the family, or loads it from the cache; takes no argument.
    """
    yield "reading of large files", _read
    for kind, data in (("numeric", _made(0, 0.0)), ("nominal", _made(8, 0.0)), ("mixed", _made(4, 0.1))):
        for name in registry.METHODS["ranker"]:
            yield f"{name}, {kind} features", lambda name=name, data=data: _rank(name, data)  # type: ignore[misc]
        for name in registry.METHODS["classifier"]:
            yield f"{name}, {kind} features", lambda name=name, data=data: _classify(name, data)  # type: ignore[misc]
        yield f"wrapper searches, {kind} features", lambda data=data: _search(data)  # type: ignore[misc]
    yield "relieff, many features", lambda: _rank("relieff", _made(0, 0.0, 200, 200))
    for spec in ({"method": "nlc", "rule": "exact"}, {"method": "ig", "discretize": "equal-width"}):
        yield f"{spec['method']}, other settings", lambda spec=spec: _rank(spec, _made(0, 0.0))  # type: ignore[misc]
    for kind, nominal in (("numeric", 0), ("nominal", 8)):
        yield f"multi-label data, {kind} features", lambda nominal=nominal: _labels(nominal)  # type: ignore[misc]


def _made(n_nominal: int, missing: float, n: int = 600, m: int = 8) -> Dataset:
    """Make data large enough for the compiled paths."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, n)
    X: FloatArray = rng.normal(y[:, None], 1.0, (n, m))
    X[:, :n_nominal] = rng.integers(0, 3, (n, n_nominal))
    X[rng.random(X.shape) < missing] = np.nan
    labels = ("a", "b", "c")
    features = tuple(Feature(f"f{j}", labels if j < n_nominal else None) for j in range(m))
    return Dataset("made", features, X, Feature("class", labels), y)


def _read() -> None:
    from fsbench.data import read_arff, write_arff

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.arff")
        write_arff(_made(0, 0.0), path)
        read_arff(path, compiled=True)


def _rank(spec: str | Mapping[str, str], data: Dataset) -> None:
    cast(Ranker, registry.make("ranker", spec)).rank(data)


def _classify(name: str, data: Dataset) -> None:
    classifier = cast(Classifier, registry.make("classifier", name))
    rows, order = np.arange(data.n_rows), np.arange(data.n_features)
    split = Split(rows[rows % 3 > 0], rows[rows % 3 == 0])
    classifier.curve(data, split, order)
    classifier.evaluate(data, split, order)


def _search(data: Dataset) -> None:
    from fsbench.classifiers.nearest_scorer import subset_scorer
    from fsbench.evaluation.folds import stratified_splits
    from fsbench.searches import Search

    splits = stratified_splits(data.y, data.n_classes, 2, 1)
    for ties in ("vote", "first"):
        judge = cast(Classifier, registry.make("classifier", {"method": "1nn", "ties": ties}))
        search = cast(Search, registry.make("search", {"method": "sfg", "remainder": 0.8}))
        search.run(subset_scorer(judge, data, splits), data.n_features)


def _labels(n_nominal: int) -> None:
    """Rank and predict label sets; nominal values are rare, which is what sparse kernels are chosen for."""
    from fsbench.data.multilabel import MultiLabelDataset
    from fsbench.multilabel import LabelClassifier, Transform

    rng, n = np.random.default_rng(1), 1300
    made = _made(n_nominal, 0.0, n)
    X = np.where(rng.random(made.X.shape) < 0.05, made.X, 0.0) if n_nominal else made.X
    names = tuple(f"l{i}" for i in range(8))
    data = MultiLabelDataset("made", made.features, X, names, (rng.random((n, 8)) < 0.2).astype(np.uint8))
    for ranker in ("relieff", "ig"):
        for transform in registry.METHODS["transform"]:
            cast(Transform, registry.make("transform", transform)).rank(
                cast(Ranker, registry.make("ranker", ranker)), data
            )
    rows = np.arange(n)
    brknn = cast(LabelClassifier, registry.make("label-classifier", "brknn"))
    brknn.evaluate(data, Split(rows[::2], rows[1::2]), np.arange(data.n_features))
