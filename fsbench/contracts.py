"""What every ranker and classifier must keep to, as checks that anyone can run on a method of their own.

Examples
--------
In a test of your own::

    from fsbench.contracts import check_ranker
    check_ranker(MyRanker())
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np

from fsbench.classifiers import Classifier
from fsbench.errors import MethodError, NotApplicable
from fsbench.rankers import Ranker
from fsbench.values import Dataset, Feature, FloatArray, Split

__all__ = ["check_classifier", "check_ranker", "samples"]


def samples(seed: int = 1) -> Iterator[Dataset]:
    """Make small data sets with what breaks methods: ties, missing values, constants, unused labels, rare classes.

    Parameters
    ----------
    seed : int, default 1

    Yields
    ------
    Dataset
    """
    yield _sample("numeric", seed, nominal=())
    yield _sample("nominal", seed, nominal=(0, 1, 2, 3, 4))
    yield _sample("mixed", seed, nominal=(1, 3))
    yield _sample("missing", seed, nominal=(1, 3), missing=0.2)
    yield _sample("one feature", seed, nominal=(), n_features=1)
    yield _sample("one class", seed, nominal=(1,), n_classes=1)
    yield _sample("all missing", seed, nominal=(1, 3), missing=1.0)


def _sample(
    name: str,
    seed: int,
    nominal: tuple[int, ...],
    missing: float = 0.0,
    n_features: int = 5,
    n_classes: int = 3,
) -> Dataset:
    rng = np.random.default_rng(seed)
    n = 40
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    X: FloatArray = np.round(rng.normal(y[:, None], 1.0, (n, n_features)), 1)  # rounded: ties
    X[:, -1] = 2.0  # a constant feature
    if n_features == 1:
        X[:, 0] = np.round(rng.normal(y, 1.0), 1)
    features = [Feature(f"f{j}") for j in range(n_features)]
    for j in nominal:
        X[:, j] = np.clip(np.round(X[:, j]), 0, 2)
        features[j] = Feature(f"f{j}", ("a", "b", "c", "never used"))
    X[rng.random(X.shape) < missing] = np.nan
    labels = tuple(f"c{i}" for i in range(n_classes + 1))  # the last one is declared and never occurs
    return Dataset(name, tuple(features), X, Feature("class", labels), y)


def check_ranker(ranker: Ranker) -> None:
    """Check that a ranker gives a complete, repeatable order on every sample that it does not decline.

    Parameters
    ----------
    ranker : Ranker

    Raises
    ------
    AssertionError
        Saying which sample and what is wrong.
    """
    _check_method(ranker)
    for data in samples():
        before = data.X.copy(), data.y.copy()
        try:
            first = ranker.rank(data)
        except NotApplicable:
            continue
        again = ranker.rank(data.take(np.arange(data.n_rows)))
        where = f"{ranker.label} on sample {data.name!r}"
        assert sorted(first.order.tolist()) == list(range(data.n_features)), f"{where}: not a permutation"
        assert np.array_equal(first.order, again.order), f"{where}: a second call gives another order"
        assert np.array_equal(first.scores, again.scores, equal_nan=True), f"{where}: a second call gives other scores"
        assert not np.isinf(first.scores).any(), f"{where}: infinite score"
        assert np.array_equal(data.X, before[0], equal_nan=True), f"{where}: changed X"
        assert np.array_equal(data.y, before[1]), f"{where}: changed y"


def check_classifier(classifier: Classifier) -> None:
    """Check that a classifier's curve equals refitting, and that its predictions are classes.

    Parameters
    ----------
    classifier : Classifier

    Raises
    ------
    AssertionError
        Saying which sample and what is wrong.
    """
    _check_method(classifier)
    for data in samples():
        rows = np.arange(data.n_rows)
        split = Split(rows[rows % 4 != 0], rows[rows % 4 == 0])
        order = np.arange(data.n_features)[::-1]
        try:
            curve = classifier.curve(data, split, order)
        except NotApplicable:
            continue
        except MethodError:
            # Many classifiers of scikit-learn fail on a single class, and none says so beforehand.
            if _is_adapted(classifier) and len(np.unique(data.y)) == 1:
                continue
            raise
        where = f"{classifier.label} on sample {data.name!r}"
        refit = Classifier.curve(classifier, data, split, order)
        assert curve.predicted.shape == (data.n_features, len(split.test)), f"{where}: shape of the curve"
        assert ((curve.predicted >= 0) & (curve.predicted < data.n_classes)).all(), f"{where}: not a class"
        assert np.array_equal(curve.predicted, refit.predicted), f"{where}: the curve differs from refitting"
        assert set(curve.measures) == set(refit.measures), f"{where}: measures of the curve"
        for name, values in curve.measures.items():
            assert np.array_equal(values, refit.measures[name]), f"{where}: {name} differs from refitting"
        _check_model(classifier, data, split, where)


def _check_model(classifier: Classifier, data: Dataset, split: Split, where: str) -> None:
    """Check probabilities, and that the class of a test row has no influence."""
    test = data.take(split.test)
    model = classifier.fit(data.take(split.train))
    p = model.predict_proba(test)
    assert p.shape == (test.n_rows, data.n_classes), f"{where}: shape of the probabilities"
    assert np.allclose(p.sum(axis=1), 1.0), f"{where}: probabilities do not add up to 1"
    columns = np.arange(data.n_features)
    outcome = classifier.evaluate(data, split, columns)
    assert np.array_equal(outcome.predicted, model.predict(test)), f"{where}: evaluate differs from fit and predict"
    y = data.y.copy()
    y[split.test] = (y[split.test] + 1) % max(1, data.n_classes - 1)
    other = Dataset(data.name, data.features, data.X, data.target, y)
    peeked = classifier.evaluate(other, split, columns)
    assert np.array_equal(outcome.predicted, peeked.predicted), f"{where}: the class of test rows changes predictions"


def _is_adapted(method: Ranker | Classifier) -> bool:
    return type(method).__module__.endswith(".sklearn_adapter")


def _check_method(method: Ranker | Classifier) -> None:
    assert pickle.loads(pickle.dumps(method)) == method, f"{method.label}: not equal after pickling"  # noqa: S301
    assert type(method).from_params(method.params()) == method, f"{method.label}: parameters do not rebuild it"
    assert method.identity() == type(method).from_params(method.params()).identity()
