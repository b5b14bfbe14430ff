"""What a methods section says of methods that are not ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsbench.experiment.store import Store
from fsbench.report.foreign_methods import in_its_own_name
from fsbench.report.methods import describe
from fsbench.report.results import load
from tests.report.runs import make_run
from tests.report.test_methods import said

MINE = """
import numpy as np
from fsbench.classifiers import Classifier, Model
from fsbench.rankers import Ranker

class Spread(Ranker):
    def score(self, train):
        return train.X.std(axis=0)

class Published(Spread):
    reference = "Someone (2020), Spread, Journal of Spread"

class FirstModel(Model):
    def predict_proba(self, test):
        return np.tile([1.0, 0.0, 0.0], (test.n_rows, 1))

class First(Classifier):
    k: int = 3

    def fit(self, train):
        return FirstModel()

class Styled:
    def __init__(self, depth=1):
        self.depth = depth

    def get_params(self, deep=True):
        return {"depth": self.depth}

    def set_params(self, **params):
        self.depth = params.get("depth", self.depth)
        return self

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)
"""
TEXT = """
name: foreign
datasets: [iris]
folds: {folds: 2}
rankers: ["mine.py:Spread", "mine.py:Published", "sklearn.feature_selection:f_classif"]
classifiers: CLASSIFIERS
selections: [all]
"""


@pytest.mark.parametrize(("classifiers", "words"), [
    ('["sklearn.naive_bayes:GaussianNB"]', "GaussianNB of scikit-learn [Pedregosa2011] (seed = 1). "),
    ('[{method: "sklearn.svm:SVC", C: 10}]', "SVC of scikit-learn [Pedregosa2011] (C = 10, seed = 1). "),
    ('[{method: "sklearn.svm:SVC", C: 10, label: Mine}]',
     "SVC of scikit-learn [Pedregosa2011] (Mine; C = 10, seed = 1). "),
    ('[{method: "sklearn.svm:SVC", C: 10}, {method: "sklearn.svm:SVC", C: 2, label: Mine}]',
     "SVC of scikit-learn [Pedregosa2011] (SVC(C=10); Mine: C = 2; all with seed = 1). "),
    ('["mine.py:First"]', "First (of our own; k = 3). "),
    ('["mine.py:First", {method: "mine.py:First", k: 5, label: F5}]', "First (of our own; First: k = 3; F5: k = 5). "),
    ('[{method: "mine.py:Styled", depth: 2}]', "Styled of mine.py (depth = 2, seed = 1). "),
])  # fmt: skip
def test_every_method_goes_by_its_own_name(tmp_path: Path, classifiers: str, words: str) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    run = make_run(tmp_path, text=TEXT.replace("CLASSIFIERS", classifiers))
    section = describe(load(run), [run], [])
    ranked, tested = said(section, "Methods").split("The classifiers were ")
    assert tested == words
    assert ranked == (
        "Features were ranked by Spread (of our own; ties = index), Published [method-Published] (ties = index) and "
        "f_classif of scikit-learn [Pedregosa2011] (ties = index, seed = 1). "
    )
    assert said(section, "Data").endswith("Its content is identified by the hash in the table of data sets. ")


def test_ours_stay_as_they_are(tmp_path: Path) -> None:
    run = make_run(tmp_path, text="name: ours\ndatasets: [iris]\nrankers: [nlc]\nclassifiers: [c45, 1nn, nb]\n")
    for record in Store(run).methods().to_dict("records"):
        assert in_its_own_name(record) == record


def test_behind_a_transformation() -> None:
    adapter = "A score function or selector in scikit-learn's style, binary relevance"
    identity = (
        '{"transform": {"method": "br", "params": {"combine": "mean"}}, "ranker": {"method": "sklearn", "params": '
        '{"ties": "index", "source": "sklearn.feature_selection:chi2", "settings": {}, "seed": 1}}}'
    )
    record = {"label": "chi2 br", "name": "sklearn br", "title": adapter, "reference": "P", "identity": identity}
    assert in_its_own_name(record)["title"] == "chi2 of scikit-learn, binary relevance"
    broken = {**record, "identity": "no JSON"}
    assert in_its_own_name(broken) == broken
