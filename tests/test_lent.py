"""What a method of a user's does to the data it is given, no other method sees."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsbench.classifiers import Classifier, Model
from fsbench.classifiers.c45 import C45
from fsbench.classifiers.naive_bayes import NaiveBayes
from fsbench.classifiers.nearest import NearestNeighbour
from fsbench.contracts import samples
from fsbench.data import load_multilabel
from fsbench.errors import MethodError
from fsbench.experiment.labelled import LabelFold
from fsbench.guarded import guarded
from fsbench.lent import Lender, builds_on_ours, is_ours, lend, private, read_only
from fsbench.multilabel import BinaryRelevance, LabelClassifier
from fsbench.multilabel.brknn import BRkNN, LabelOutcome
from fsbench.multilabel.label_ranker import LabelRanker
from fsbench.rankers import Ranker
from fsbench.rankers.base import ranking_of
from fsbench.rankers.information_gain import InformationGain
from fsbench.registry import make
from fsbench.values import Curve, Dataset, Outcome, Ranking, Split

HINT = "; data are read-only for methods: change a copy of them"
DATA = next(iter(samples()))
SPLIT = Split(np.arange(30), np.arange(30, 40))
ORDERS = [np.array([2, 0, 1]), np.array([1, 2])]


def zero_y(data: Any, *_: Any) -> None:
    data.y[:] = 0


def sort_x(data: Any, *_: Any) -> None:
    data.X.sort(axis=0)


def by_flag(data: Any, *_: Any) -> None:
    data.X.flags.writeable = True
    data.X[:] = 0


def train_rows(_: Any, split: Any, *__: Any) -> None:
    split.train[:] = 0


def held_out(_: Any, split: Any, *__: Any) -> None:
    np.add(split.test, 1, out=split.test)


def columns(_: Any, __: Any, order: Any) -> None:
    (order[0] if isinstance(order, list) else order)[::-1].sort()


WRITES = [zero_y, sort_x, by_flag, train_rows, held_out, columns]


class Whole(Classifier):
    """Overrides all that is given shared data."""

    write: Any = None

    def fit(self, train):
        raise NotImplementedError

    def evaluate(self, data, split, columns):
        self.write(data, split, columns)
        return Outcome(np.zeros(len(split.test), dtype=int))

    def curve(self, data, split, order):
        self.write(data, split, order)
        return Curve(np.zeros((len(order), len(split.test)), dtype=int))

    def curves(self, data, split, orders):
        self.write(data, split, orders)
        return [Curve(np.zeros((len(order), len(split.test)), dtype=int)) for order in orders]


def derived(base: type[Classifier]) -> type[Classifier]:
    class Derived(base):  # type: ignore[misc,valid-type]
        write: Any = None

        def evaluate(self, data, split, columns):
            self.write(data, split, columns)
            return super().evaluate(data, split, columns)

        def curve(self, data, split, order):
            self.write(data, split, order)
            return super().curve(data, split, order)

        def curves(self, data, split, orders):
            self.write(data, split, orders)
            return super().curves(data, split, orders)

    return Derived


def state() -> list[bytes]:
    return [a.tobytes() for a in (DATA.X, DATA.y, SPLIT.train, SPLIT.test, *ORDERS)]


CALLS: list[Callable[[Classifier], Any]] = [
    lambda c: c.evaluate(DATA, SPLIT, ORDERS[0]),
    lambda c: c.curve(DATA, SPLIT, ORDERS[0]),
    lambda c: c.curves(DATA, SPLIT, ORDERS),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("kind", [Whole, derived(NaiveBayes), derived(C45)])
def test_no_classifier_writes_into_what_others_get(kind: Any, write: Any, call: Any) -> None:
    before = state()
    with pytest.raises(MethodError) as caught:
        call(guarded(kind(write=write)))
    told = str(caught.value)
    assert told.startswith(f"{kind(write=write).label}: ")
    right = "wrote into the data it was given; they are to stay: change a copy of them"
    if builds_on_ours(kind()):
        assert told.endswith(right)
    else:
        assert "failed with ValueError: " in told
        assert "(test_lent.py:" in told
        assert told.endswith(HINT)
    assert state() == before


@pytest.mark.parametrize("base", [NaiveBayes, C45, NearestNeighbour])
def test_a_class_derived_from_ours_says_what_ours_does_without_being_compiled_anew(base: Any) -> None:
    from fsbench.kernels.cache import loaded

    ours, theirs = base(), guarded(derived(base)(write=lambda *_: None))
    for call in (*CALLS, *CALLS):
        expected, before = call(ours), loaded()
        found = call(theirs)
        assert loaded() == before  # nothing was compiled, nor taken from the cache
        pairs = zip(found, expected, strict=True) if isinstance(found, list) else [(found, expected)]
        for one, other in pairs:
            assert np.array_equal(one.predicted, other.predicted)
            assert one.measures.keys() == other.measures.keys()


def test_what_is_derived_from_lent_data_is_there_again_but_only_for_the_same_method() -> None:
    made = []

    class Keeps(Whole):
        def curve(self, data, split, order):
            data.derived("mine", lambda: made.append(1) or np.zeros(3))
            return super().curve(data, split, order)

    for classifier in (guarded(Keeps(write=print)), guarded(Keeps(write=print))):
        for _ in range(3):
            classifier.curve(DATA, SPLIT, ORDERS[0])
    assert len(made) == 2
    assert "mine" not in DATA._derived


def test_a_model_has_rows_of_its_own() -> None:
    class Scales(Model):
        def predict_proba(self, test):
            test.X[:] = 0
            test.y[:] = 0
            return np.full((test.n_rows, test.n_classes), 0.25)

    class Fits(Classifier):
        def fit(self, train):
            train.X[:] -= train.X.mean(axis=0)
            train.y[:] = 0
            return Scales()

    before = state()
    guarded(Fits()).curves(DATA, SPLIT, ORDERS)
    assert state() == before


def test_a_classifier_may_be_made_of_ours() -> None:
    class Asks(Classifier):
        def fit(self, train):
            return NaiveBayes().fit(train)

        def curve(self, data, split, order):
            return NaiveBayes().curve(data, split, order)

    expected = NaiveBayes().curve(DATA, SPLIT, ORDERS[0]).predicted
    assert np.array_equal(guarded(Asks()).curve(DATA, SPLIT, ORDERS[0]).predicted, expected)
    assert np.array_equal(guarded(Asks()).evaluate(DATA, SPLIT, ORDERS[0]).predicted, expected[-1])


@pytest.mark.parametrize("write", [zero_y, sort_x, by_flag])
@pytest.mark.parametrize("base", [Ranker, InformationGain])
@pytest.mark.parametrize("method", ["score", "rank"])
def test_no_ranker_writes_into_what_others_get(base: Any, write: Any, method: str) -> None:
    def does(_: Any, train: Dataset) -> Any:
        write(train)
        return np.zeros(train.n_features)

    spoils = type("Spoils", (base,), {"score": lambda _, train: np.zeros(train.n_features), method: does})
    before = state()
    with pytest.raises(MethodError, match=r"^Spoils: "):
        ranking_of(spoils(), DATA)
    assert state() == before


NO_RANKINGS = [
    None,
    Ranking(np.array([0, 0, 1, 2, 3]), np.zeros(5)),
    Ranking(np.arange(5.0), np.zeros(5)),  # type: ignore[arg-type]
    Ranking(np.arange(5), np.zeros(4)),
    Ranking(np.arange(5), np.zeros(5), "a\ud800"),
    Ranking(np.arange(5), np.zeros(5), None),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("found", NO_RANKINGS)
def test_what_is_no_ranking_is_refused(found: Any) -> None:
    class Odd(Ranker):
        def score(self, train):
            raise NotImplementedError

        def rank(self, train):
            return found

    right = r"^Odd: rank\(\) must return a Ranking that holds each of the 5 features once, .*, found (nothing|Ranking)"
    with pytest.raises(MethodError, match=right):
        ranking_of(Odd(), DATA)


def test_multi_label_methods_cannot_write_either() -> None:
    data = load_multilabel("blobs")
    rows = np.arange(data.n_rows)
    fold = LabelFold(data, Split(rows[10:], rows[:10]))
    everything = np.arange(data.n_features)

    def spoil(train: Any) -> None:
        train.Y[:] = 1
        train.X[:] = 0

    class Transforms(BinaryRelevance):
        def score(self, ranker, train):
            spoil(train)
            return super().score(ranker, train)

        def label_scores(self, ranker, train):
            spoil(train)
            return super().label_scores(ranker, train)

    class Own(LabelClassifier):
        def evaluate(self, data, split, columns):
            spoil(data)
            return LabelOutcome(data.Y[split.test], data.Y[split.test])

    class Votes(BRkNN):
        def decide(self, votes):
            votes.votes[:] = 0
            return super().decide(votes)

    expected = fold.test("brknn", BRkNN(), everything).value
    before = [a.tobytes() for a in (fold.train.X, fold.train.Y, data.X, data.Y)]
    broken = LabelRanker(Transforms(), InformationGain())
    for call in (broken.rank, broken.label_scores):
        with pytest.raises(MethodError, match=r"^Transforms: wrote into the data"):
            call(fold.train)
    refused = fold.test("own", Own(), everything)
    assert refused.reason.startswith("Own: failed with ValueError: assignment destination is read-only (test_lent.py:")
    assert refused.reason.endswith(HINT)
    fold.test("votes", Votes(), everything)
    again = LabelFold(data, fold.split)
    again._votes.update(fold._votes)
    assert np.array_equal(again.test("brknn", BRkNN(), everything).value.predicted, expected.predicted)  # type: ignore[union-attr]
    assert [a.tobytes() for a in (fold.train.X, fold.train.Y, data.X, data.Y)] == before


def test_what_a_method_sets_for_the_whole_process_is_set_back() -> None:
    class Sets(Classifier):
        def fit(self, train):
            np.seterr(all="raise")
            warnings.simplefilter("error")
            warnings.showwarning = None
            return NaiveBayes().fit(train)

    def state() -> list[Any]:
        return [np.geterr(), list(warnings.filters), warnings.showwarning]

    before = state()
    guarded(Sets()).evaluate(DATA, SPLIT, ORDERS[0])
    assert state() == before


def test_lending_changes_nothing_but_the_arrays() -> None:
    for hand in (read_only, private):
        lent = lend(DATA, hand)
        assert lent.digest == DATA.digest
        assert lent.X.flags.f_contiguous
        assert lend(SPLIT, hand).digest == SPLIT.digest
        assert lend([1, "a", None, (2, 3)], hand) == [1, "a", None, (2, 3)]
    assert not np.shares_memory(lend(DATA, private).X, DATA.X)
    empty = DATA.select([])
    assert lend(empty).X.shape == empty.X.shape


def test_adapters_stand_for_others() -> None:
    assert is_ours(NaiveBayes())
    assert builds_on_ours(derived(NaiveBayes)())
    for theirs in (
        make("classifier", "sklearn.naive_bayes:GaussianNB"),
        make("ranker", "sklearn.feature_selection:chi2"),
    ):
        assert not is_ours(theirs)
        assert not builds_on_ours(theirs)
    with Lender(Whole()).lent(DATA, SPLIT) as (data, split):
        assert not data.X.flags.writeable
        assert not split.train.flags.writeable


SKLEARN = [
    *({"method": "sklearn.neighbors:KNeighborsClassifier", "algorithm": a} for a in ("kd_tree", "ball_tree", "brute")),
    {"method": "sklearn.svm:SVC", "probability": False},
    "sklearn.svm:LinearSVC",
    {"method": "sklearn.svm:NuSVC", "nu": 0.4},
    {"method": "sklearn.ensemble:RandomForestClassifier", "n_estimators": 3},
    {"method": "sklearn.ensemble:GradientBoostingClassifier", "n_estimators": 3},
    {"method": "sklearn.ensemble:HistGradientBoostingClassifier", "max_iter": 3},
    {"method": "sklearn.ensemble:AdaBoostClassifier", "n_estimators": 3},
    {"method": "sklearn.neural_network:MLPClassifier", "max_iter": 5},
    "sklearn.discriminant_analysis:LinearDiscriminantAnalysis",
    {"method": "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis", "reg_param": 0.5},
    "sklearn.naive_bayes:GaussianNB",
    "sklearn.naive_bayes:BernoulliNB",
    "sklearn.tree:DecisionTreeClassifier",
    "sklearn.linear_model:SGDClassifier",
    "sklearn.linear_model:RidgeClassifier",
    "sklearn.linear_model:LogisticRegression",
    "sklearn.gaussian_process:GaussianProcessClassifier",
]


@pytest.mark.filterwarnings("ignore")  # few iterations, constant columns
@pytest.mark.parametrize("spec", SKLEARN, ids=str)
def test_scikit_learn_goes_on_working(spec: Any) -> None:
    theirs: Any = make("classifier", spec)
    expected = Classifier.curve(theirs, DATA, SPLIT, ORDERS[1])
    assert np.array_equal(guarded(theirs).curves(DATA, SPLIT, ORDERS[1:])[0].predicted, expected.predicted)


SPOILS = """
import numpy as np
from fsbench.classifiers import Classifier
from fsbench.classifiers.naive_bayes import NaiveBayes
from fsbench.values import Curve

class Spoils(Classifier):
    def fit(self, train):
        raise NotImplementedError
    def curve(self, data, split, order):
        data.y[:] = 0
        return Curve(np.zeros((len(order), len(split.test)), int))

class Derived(NaiveBayes):
    name = "derived"
    def curves(self, data, split, orders):
        np.asarray(orders[0])[:] = 0
        data.X[:] = split.train[:] = split.test[:] = data.y[:] = 0
        return super().curves(data, split, orders)
"""


def test_no_result_changes_because_a_broken_classifier_was_in_the_run(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(SPOILS)
    found = []
    for name, first in (("alone", ""), ("beside", "'own.py:Spoils', 'own.py:Derived', ")):
        text = f"name: {name}\ndatasets: [iris]\nfolds: {{folds: 2}}\nrankers: [ig]\nclassifiers: [{first}nb, c45]\n"
        (tmp_path / "x.yaml").write_text(text)
        run = _fsbench(tmp_path, "run", "x.yaml", "--jobs", "1")
        assert run.returncode == (1 if first else 0)
        rows = _fsbench(tmp_path, "export", f"results/{name}", "--what", "predictions").stdout.splitlines()
        found.append([row for row in rows if ",nb," in row or ",c45," in row])
    assert found[0] == found[1]
    assert len(found[0]) > 100
    assert "x iris: Spoils: failed with ValueError: assignment destination is read-only (own.py:11)" in run.stderr
    assert "x iris: derived: wrote into the data it was given" in run.stderr


def _fsbench(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "fsbench", *args], capture_output=True, text=True, cwd=folder)
