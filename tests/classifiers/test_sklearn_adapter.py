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
from fsbench.guarded import guarded
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
    with pytest.raises(MethodError, match=r"LogisticRegression: failed with ValueError: .*at least 2 classes"):
        registry.make("classifier", LOGISTIC).fit(sample("one class", 1).select([0]))
    negative = Dataset("n", (Feature("x"),), [[-1.0], [1.0]], Feature("y", ("a", "b")), [0, 1])
    with pytest.raises(NotApplicable, match="MultinomialNB does not take negative values"):
        registry.make("classifier", "sklearn.naive_bayes:MultinomialNB").fit(negative)


def test_no_test_rows() -> None:
    data = sample("numeric", 1)
    model = registry.make("classifier", TREE).fit(data)
    nobody = data.take(np.arange(0))
    assert model.predict(nobody).shape == (0,)
    assert model.predict_proba(nobody).shape == (0, data.n_classes)


OWN = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

C_OF_SCALED = 1.0

class Broken(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        return np.zeros(3) + np.zeros(4)
    def predict(self, X):
        return np.zeros(len(X))

class Says(ClassifierMixin, BaseEstimator):
    def __init__(self, what="text"):
        self.what = what
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        answers = {"text": ["spam"] * len(X), "half": [0.5] * len(X), "high": [99] * len(X), "nan": [np.nan] * len(X),
                   "ragged": [[0], [0, 1]] * (len(X) // 2), "nothing": None, "few": [0], "objects": [object()] * len(X)}
        return answers[self.what]

class Named(Says):
    def fit(self, X, y):
        self.classes_ = ["a", "b", "c", "d"]
    def predict_proba(self, X):
        return np.full((len(X), 4), 0.25)

def scaled(power=1):
    return make_pipeline(StandardScaler(), LogisticRegression(C=C_OF_SCALED ** power, max_iter=500))

def forest():
    return make_pipeline(FunctionTransformer(np.abs), RandomForestClassifier(n_estimators=3))

MADE = scaled()

def same():
    return MADE

def nothing():
    return 3

def fails():
    raise ValueError("no")

def needs(a):
    return scaled()

class Plain:
    def fit(self, X, y):
        pass
    def predict(self, X):
        return np.zeros(len(X), dtype=int)

def plain():
    return Plain()
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(OWN)
    return tmp_path


def test_an_error_in_fit_is_a_failure_that_names_the_classifier(own: Path) -> None:
    made = registry.make("classifier", "own.py:Broken", base=own)
    for classifier in (made, guarded(made)):
        with pytest.raises(MethodError, match=r"^Broken: failed with ValueError: operands .* \(own.py:\d+\)$"):
            classifier.fit(sample("numeric", 1))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("text", "predictions must be class indices, whole numbers from 0 to .*, found 'spam'"),
        ("half", r"predictions must be class indices, .* found 0\.5"),
        ("high", "predictions must be class indices, .* found 99"),
        ("nan", "predictions must be class indices, .* found nan"),
        ("ragged", "predictions must be class indices, .* found "),
        ("nothing", "predictions must "),
        ("few", "predictions must have shape"),
        ("objects", "predictions must be class indices, .* found "),
    ],
)
def test_predictions_that_are_no_classes_are_refused_in_plain_words(own: Path, what: str, message: str) -> None:
    data = sample("numeric", 1)
    made = guarded(registry.make("classifier", {"method": "own.py:Says", "what": what}, base=own))
    with pytest.raises(MethodError, match=rf"^Says\(what={what}\): {message}"):
        made.evaluate(data, split_of(data, 1), [0])


def test_columns_of_probabilities_that_are_no_classes_are_refused(own: Path) -> None:
    data = sample("numeric", 1)
    model = guarded(registry.make("classifier", "own.py:Named", base=own)).fit(data)
    with pytest.raises(MethodError, match="Named: classes_ must be those of y, within 0 to"):
        model.predict_proba(data)


def test_a_function_that_makes_a_classifier(own: Path) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = sample("numeric", 1)
    split = split_of(data, 1)
    theirs = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500, random_state=1))
    theirs.fit(data.X[split.train], data.y[split.train])
    made = registry.make("classifier", "own.py:scaled", base=own)
    found = made.evaluate(data, split, np.arange(data.n_features)).predicted
    assert np.array_equal(found, theirs.predict(data.X[split.test]))
    assert made.label == "scaled"
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert again.identity() == made.identity()
    check_classifier(made)
    check_classifier(registry.make("classifier", "own.py:plain", base=own))


def test_settings_of_the_function_and_of_what_it_makes(own: Path) -> None:
    spec = {"method": "own.py:scaled", "power": "2", "logisticregression__C": 0.5}
    made = registry.make("classifier", spec, base=own)
    assert made.fit(sample("numeric", 1)).model[-1].C == 0.5
    assert made.label == "scaled(power=2, logisticregression__C=0.5)"
    with pytest.raises(MethodError, match="scaled: unknown parameter 'powr'; did you mean 'power'"):
        registry.make("classifier", {"method": "own.py:scaled", "powr": 2}, base=own)


def test_identity_of_what_a_function_makes(own: Path) -> None:
    made = registry.make("classifier", "own.py:scaled", base=own)
    identity = made.identity()
    assert identity["params"] == {"estimator": "own.py:scaled", "settings": {}, "seed": 1}
    assert set(identity["versions"]) == {"scikit-learn", "own.py"}
    assert identity["made"]["class"] == "Pipeline"
    assert identity["made"]["of"]["logisticregression__C"] == "1.0"
    forest = registry.make("classifier", "own.py:forest", base=own).identity()
    assert " at 0x" not in str(forest)


def test_the_seed_reaches_each_part_of_what_a_function_makes(own: Path) -> None:
    made = registry.make("classifier", {"method": "own.py:forest", "seed": 7}, base=own)
    assert made.fit(sample("numeric", 1)).model[-1].random_state == 7
    name = "randomforestclassifier__random_state"
    made = registry.make("classifier", {"method": "own.py:forest", name: 3}, base=own)
    assert made.fit(sample("numeric", 1)).model[-1].random_state == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own.py:same", "same must return a new object at each call"),
        ("own.py:nothing", r"nothing\(\) must return an object with fit and predict, found int"),
        ("own.py:fails", r"fails\(\) failed with ValueError: no \(own.py:\d+\)"),
        ("own.py:needs", "needs is no classifier: .*function without required parameters that returns one; write a"),
        ("own.py:MADE", "MADE is one object, which all folds would share: write a function"),
        ("sklearn.pipeline:make_pipeline", "make_pipeline is no classifier: .*; write a function in a file of your"),
        ("sklearn.pipeline:Pipeline", "Pipeline cannot be made without arguments: .*; write a function in a file of"),
    ],
)
def test_what_makes_no_classifier(own: Path, name: str, message: str) -> None:
    with pytest.raises(MethodError, match=message) as caught:
        registry.make("classifier", name, base=own)
    assert "\n" not in str(caught.value)
