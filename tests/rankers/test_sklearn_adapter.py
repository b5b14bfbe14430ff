"""Score functions, selectors and models of scikit-learn, and a user's function, as rankers."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn import feature_selection
from sklearn.ensemble import RandomForestClassifier

from fsbench.contracts import check_ranker
from fsbench.data import load
from fsbench.errors import MethodError, NotApplicable
from fsbench.rankers import Ranker
from fsbench.rankers.base import ranking_of
from fsbench.registry import make
from fsbench.values import Dataset, Feature

MINE = """
import numpy as np

def spread(X, y, power=1):
    return np.nan_to_num(np.abs(X)).sum(axis=0) ** power

def texts(X, y):
    return ["good"] * X.shape[1]

def too_few(X, y):
    return [1.0]

def broken(X, y):
    return np.zeros(3) + np.zeros(4)

class Broken:
    def fit(self, X, y):
        np.zeros(3) + np.zeros(4)

spread.takes_missing = True
CONSTANT = 3

class Other:
    pass
"""


def ranker(spec: object, **where: object) -> Ranker:
    return make("ranker", spec, **where)  # type: ignore[arg-type,return-value]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_score_functions_give_scikit_learns_scores() -> None:
    iris = load("iris")
    for function in (feature_selection.f_classif, feature_selection.chi2):
        found = ranker(f"sklearn.feature_selection:{function.__name__}").rank(iris)
        expected = function(iris.X, iris.y)[0]
        np.testing.assert_allclose(found.scores, expected, rtol=1e-12)
        assert found.order.tolist() == np.argsort(-expected).tolist()


def test_mutual_information_is_told_which_features_are_labels() -> None:
    lymph = load("lymph")
    found = ranker("sklearn.feature_selection:mutual_info_classif").score(lymph)
    kinds = lymph.is_nominal
    expected = feature_selection.mutual_info_classif(lymph.X, lymph.y, discrete_features=kinds, random_state=1)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_selectors_and_models() -> None:
    iris = load("iris")
    best = ranker({"method": "sklearn.feature_selection:SelectKBest", "k": "all"}).score(iris)
    np.testing.assert_allclose(best, feature_selection.f_classif(iris.X, iris.y)[0], rtol=1e-12)
    forest = ranker({"method": "sklearn.ensemble:RandomForestClassifier", "n_estimators": "7"}).score(iris)
    expected = RandomForestClassifier(n_estimators=7, random_state=1).fit(iris.X, iris.y).feature_importances_
    np.testing.assert_array_equal(forest, expected)
    linear = ranker("sklearn.discriminant_analysis:LinearDiscriminantAnalysis").score(iris)
    assert linear.shape == (4,)
    assert (linear > 0).all()


def test_a_selector_around_another_model() -> None:
    iris = load("iris")
    spec = {
        "method": "sklearn.feature_selection:RFE",
        "estimator": "sklearn.tree:DecisionTreeClassifier",
        "n_features_to_select": 1,
    }
    scores = ranker(spec).score(iris)
    assert sorted(scores.tolist()) == [1.0, 2.0, 3.0, 4.0]
    spec["method"] = "sklearn.feature_selection:SelectFromModel"
    del spec["n_features_to_select"]
    assert ranker(spec).score(iris).sum() == pytest.approx(1.0)
    chosen = {
        "method": "sklearn.feature_selection:SelectKBest",
        "k": "all",
        "score_func": "sklearn.feature_selection:chi2",
    }
    np.testing.assert_allclose(ranker(chosen).score(iris), feature_selection.chi2(iris.X, iris.y)[0], rtol=1e-12)


def test_a_constant_feature_comes_last() -> None:
    data = Dataset(
        "c", (Feature("flat"), Feature("x")), [[1, 1], [1, 2], [1, 3], [1, 5]], Feature("y", ("a", "b")), [0, 0, 1, 1]
    )
    ranking = ranker("sklearn.feature_selection:f_classif").rank(data)
    assert np.isnan(ranking.scores[0])
    assert ranking.order.tolist() == [1, 0]


def test_missing_values_are_refused_unless_taken(mine: Path) -> None:
    labor = load("labor")
    with pytest.raises(NotApplicable, match="f_classif does not take missing values, found some in column"):
        ranker("sklearn.feature_selection:f_classif").rank(labor)
    assert len(ranker("sklearn.tree:DecisionTreeClassifier").rank(labor).order) == labor.n_features
    assert len(ranker("mine.py:spread", base=mine.parent).rank(labor).order) == labor.n_features


def test_negative_values_are_refused_where_they_are_not_taken() -> None:
    data = Dataset("n", (Feature("x"),), [[-1.0], [1.0]], Feature("y", ("a", "b")), [0, 1])
    with pytest.raises(NotApplicable, match="chi2 does not take negative values, found some in column 'x'"):
        ranker("sklearn.feature_selection:chi2").rank(data)


@pytest.mark.parametrize("name", ["broken", "Broken"])
def test_an_error_in_a_method_is_a_failure_that_names_it(mine: Path, name: str) -> None:
    with pytest.raises(MethodError, match=rf"{name}: .*failed with ValueError: operands .* \(mine.py:\d+\)"):
        ranking_of(ranker(f"mine.py:{name}", base=mine.parent), load("iris"))


def test_a_function_of_the_user(mine: Path) -> None:
    iris = load("iris")
    found = ranker({"method": "mine.py:spread", "power": "2", "ties": "weka"}, base=mine.parent)
    np.testing.assert_allclose(found.score(iris), iris.X.sum(axis=0) ** 2)
    assert found.label == "spread(power=2)"
    assert found.ties == "weka"
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    check_ranker(found)


def test_identity_follows_the_file_and_the_version(mine: Path) -> None:
    spec = {"method": "mine.py:spread", "power": 2}
    first = ranker(spec, base=mine.parent).identity()
    mine.write_text(MINE + "\n# changed\n")
    second = ranker(spec, base=mine.parent).identity()
    assert first["versions"]["mine.py"] != second["versions"]["mine.py"]
    assert str(mine.parent) not in str(first)
    assert ranker("sklearn.feature_selection:chi2").identity()["versions"].keys() == {"scikit-learn"}


def test_identity_follows_the_file_of_an_estimator(tmp_path: Path) -> None:
    path = tmp_path / "estimator.py"
    path.write_text("from sklearn.linear_model import RidgeClassifier as Mine\n")
    made = ranker({"method": "sklearn.feature_selection:RFE", "estimator": f"{path}:Mine"})
    assert sorted(made.rank(load("iris")).order.tolist()) == [0, 1, 2, 3]
    before = made.identity()["versions"]
    path.write_text(path.read_text() + "# changed\n")
    assert before["estimator.py"] != made.identity()["versions"]["estimator.py"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"method": "mine.py:spread", "pover": 2}, "spread: unknown parameter 'pover'; did you mean 'power'?"),
        ("mine.py:CONSTANT", "CONSTANT is no ranker: it needs to be a function f(X, y) or a class with fit"),
        ("mine.py:Other", "Other is no ranker"),
        ("sklearn.feature_selection:RFE", "RFE: parameter 'estimator' has no default and must be set"),
        ({"method": "sklearn.feature_selection:f_classif", "k": 1}, "f_classif: unknown parameter 'k'; it takes none"),
        ("sklearn.feature_selection:f_clasif", "did you mean 'f_classif'?"),
    ],
)
def test_mistakes_are_named(mine: Path, spec: object, message: str) -> None:
    with pytest.raises(MethodError) as caught:
        ranker(spec, where="here", base=mine.parent)
    assert message in str(caught.value)
    assert str(caught.value).startswith("here: ")


def test_results_that_are_no_scores(mine: Path) -> None:
    iris = load("iris")
    with pytest.raises(MethodError, match="its scores are no numbers, found list"):
        ranker("mine.py:texts", base=mine.parent).rank(iris)
    with pytest.raises(MethodError, match="one number for each of the 4 features"):
        ranker("mine.py:too_few", base=mine.parent).rank(iris)
    with pytest.raises(MethodError, match="after fit it has none of scores_"):
        ranker("sklearn.neighbors:KNeighborsClassifier").rank(iris)
    with pytest.raises(MethodError, match="n_estimators"):
        ranker({"method": "sklearn.ensemble:RandomForestClassifier", "n_estimators": -1}).rank(iris)


@pytest.mark.parametrize("name", ["f_classif", "mutual_info_classif", "chi2"])
def test_the_contract_holds(name: str) -> None:
    check_ranker(ranker(f"sklearn.feature_selection:{name}"))
