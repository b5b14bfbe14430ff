"""Classifiers of scikit-learn by import path."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import sklearn

from fsbench import registry
from fsbench.classifiers.sklearn_adapter import design_matrix
from fsbench.contracts import check_classifier
from fsbench.errors import MethodError, NotApplicable
from fsbench.values import Dataset, Feature, Split
from tests.naive.samples import sample, split_of

LOGISTIC = "sklearn.linear_model:LogisticRegression"
TREE = "sklearn.tree:DecisionTreeClassifier"
SVC = "sklearn.svm:LinearSVC"


@pytest.mark.parametrize(
    "spec",
    [
        {"method": LOGISTIC, "max_iter": 1000},
        {"method": TREE, "max_depth": 3},
        {"method": SVC, "C": 0.1, "max_iter": 20000},
        {"method": "sklearn.ensemble:RandomForestClassifier", "n_estimators": 3},
    ],
    ids=lambda spec: spec["method"],
)
def test_the_contract(spec: dict) -> None:
    check_classifier(registry.make("classifier", spec))


def test_predictions_are_those_of_the_class_itself() -> None:
    from sklearn.linear_model import LogisticRegression

    data = sample("continuous", 3)
    split = split_of(data, 3)
    ours = registry.make("classifier", {"method": LOGISTIC, "C": 0.5, "max_iter": 2000})
    theirs = LogisticRegression(C=0.5, max_iter=2000, random_state=1).fit(data.X[split.train], data.y[split.train])
    columns = np.arange(data.n_features)
    assert np.array_equal(ours.evaluate(data, split, columns).predicted, theirs.predict(data.X[split.test]))
    model = ours.fit(data.take(split.train))
    p = model.predict_proba(data.take(split.test))
    assert np.array_equal(p[:, theirs.classes_], theirs.predict_proba(data.X[split.test]))


def test_labels_become_columns_of_their_own() -> None:
    X = np.array([[2.0, 5.5], [0.0, 1.0], [np.nan, 2.0]])
    data = Dataset("x", (Feature("a", ("p", "q", "r")), Feature("b")), X, Feature("c", ("y", "n")), np.array([0, 1, 1]))
    assert design_matrix(data.take(np.array([0, 1])), "any", False).tolist() == [[0, 0, 1, 5.5], [1, 0, 0, 1.0]]
    assert np.isnan(design_matrix(data, "any", True)[2, :3]).all()
    with pytest.raises(NotApplicable, match=r"any does not take missing values, found some in column 'a'"):
        design_matrix(data, "any", False)


def test_missing_values_where_the_class_takes_them() -> None:
    data = sample("mixed gaps", 2)
    split, columns = split_of(data, 2), np.arange(data.n_features)
    with pytest.raises(NotApplicable, match="does not take missing values"):
        registry.make("classifier", LOGISTIC).evaluate(data, split, columns)
    tree = registry.make("classifier", {"method": TREE, "max_depth": 3})
    assert tree.evaluate(data, split, columns).predicted.shape == (len(split.test),)


def test_the_seed_goes_into_random_state() -> None:
    forest = "sklearn.ensemble:RandomForestClassifier"
    one = registry.make("classifier", {"method": forest, "n_estimators": 2, "seed": 5})
    assert one.fit(sample("numeric", 1)).model.random_state == 5
    two = registry.make("classifier", {"method": forest, "n_estimators": 2, "random_state": 7})
    assert two.fit(sample("numeric", 1)).model.random_state == 7
    assert one.label == "RandomForestClassifier(n_estimators=2, seed=5)"


def test_strings_of_the_command_line_are_read() -> None:
    made = registry.make("classifier", {"method": LOGISTIC, "C": "0.5", "fit_intercept": "false", "solver": "saga"})
    assert dict(made.settings) == {"C": 0.5, "fit_intercept": False, "solver": "saga"}
    assert dict(registry.make("classifier", {"method": TREE, "max_depth": "none"}).settings) == {"max_depth": None}


def test_identity_holds_the_versions() -> None:
    made = registry.make("classifier", {"method": LOGISTIC, "C": 0.5})
    assert made.identity()["versions"] == {"scikit-learn": sklearn.__version__}
    assert made.identity()["params"] == {"estimator": LOGISTIC, "settings": {"C": 0.5}, "seed": 1}
    assert pickle.loads(pickle.dumps(made)) == made


def test_a_class_in_a_file(tmp_path: Path) -> None:
    text = (
        "from sklearn.base import BaseEstimator, ClassifierMixin\n"
        "class Always(ClassifierMixin, BaseEstimator):\n"
        "    def __init__(self, c=0):\n        self.c = c\n"
        "    def fit(self, X, y):\n        self.classes_ = [self.c]\n        return self\n"
        "    def predict(self, X):\n        return [self.c] * len(X)\n"
    )
    (tmp_path / "mine.py").write_text(text)
    made = registry.make("classifier", {"method": "mine.py:Always", "c": 1}, base=tmp_path)
    data = sample("numeric", 1)
    assert made.evaluate(data, Split(np.arange(9), np.arange(9, 12)), [0]).predicted.tolist() == [1, 1, 1]
    assert made.identity()["params"]["estimator"] == "mine.py:Always"
    before = made.identity()["versions"]["mine.py"]
    (tmp_path / "mine.py").write_text(text + "\n")
    assert made.identity()["versions"]["mine.py"] != before


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"method": LOGISTIC, "CC": 1}, r"LogisticRegression: unknown parameter 'CC'; did you mean 'C'\?"),
        ({"method": "sklearn.ensemble:VotingClassifier"}, "cannot be made without arguments"),
        ({"method": "sklearn.preprocessing:StandardScaler"}, "is no classifier: it needs fit, predict"),
        ({"method": "sklearn.metrics:accuracy_score"}, "is no classifier"),
        ({"method": "sklearn.linear_model:LogisticRegresion"}, "did you mean 'LogisticRegression'"),
    ],
)
def test_what_cannot_be(spec: dict, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        registry.make("classifier", spec)


def test_refused_values_and_refused_data() -> None:
    data = sample("numeric", 1)
    with pytest.raises(MethodError, match="The 'C' parameter of LogisticRegression must be"):
        registry.make("classifier", {"method": LOGISTIC, "C": -1}).fit(data)
    with pytest.raises(NotApplicable, match=r"LogisticRegression: .*at least 2 classes"):
        registry.make("classifier", LOGISTIC).fit(sample("one class", 1).select([0]))


def test_no_test_rows() -> None:
    data = sample("numeric", 1)
    model = registry.make("classifier", TREE).fit(data)
    nobody = data.take(np.arange(0))
    assert model.predict(nobody).shape == (0,)
    assert model.predict_proba(nobody).shape == (0, data.n_classes)
