"""Every registered method keeps the contract, with defaults and with other parameters."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench import registry
from fsbench.classifiers import Classifier, Model
from fsbench.contracts import check_classifier, check_ranker, samples
from fsbench.rankers import Ranker

RANKERS = [
    *registry.METHODS["ranker"],
    {"method": "nlc", "rule": "exact"},
    {"method": "relieff", "k": 3, "ties": "weka"},
]
CLASSIFIERS = [
    *registry.METHODS["classifier"],
    {"method": "1nn", "ranges": "weka"},
    {"method": "1nn", "k": 3},
    {"method": "1nn", "scale": "none", "ties": "first"},
    {"method": "1nn", "scale": "zscore", "ties": "index"},
    {"method": "c45", "unpruned": True},
]


@pytest.mark.parametrize("spec", RANKERS, ids=str)
def test_rankers(spec: object) -> None:
    check_ranker(registry.make("ranker", spec))  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", CLASSIFIERS, ids=str)
def test_classifiers(spec: object) -> None:
    check_classifier(registry.make("classifier", spec))  # type: ignore[arg-type]


class Drifts(Ranker):
    """Gives another order at each call."""

    def score(self, train):
        return np.random.default_rng().random(train.n_features)


class Peeks(Classifier):
    """Looks at the classes of the test rows."""

    def fit(self, train):
        return Majority(train)

    def evaluate(self, data, split, columns):
        return super().evaluate(data, type(split)(split.test, split.test), columns)


class Majority(Model):
    def __init__(self, train):
        self.counts = train.class_counts

    def predict_proba(self, test):
        return np.tile(self.counts / self.counts.sum(), (test.n_rows, 1))


def test_the_checks_catch_what_they_are_for() -> None:
    with pytest.raises(AssertionError, match="another order"):
        check_ranker(Drifts())
    with pytest.raises(AssertionError, match=r"differs|changes"):
        check_classifier(Peeks())


def test_samples_hold_what_breaks_methods() -> None:
    found = {data.name: data for data in samples()}
    assert np.isnan(found["all missing"].X).all()
    assert (found["numeric"].class_counts == 0).any()
    assert (found["numeric"].X[:, -1] == 2.0).all()
