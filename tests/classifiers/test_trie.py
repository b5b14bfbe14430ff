"""The trie classifier against the formulas, its curve against refitting, and its edges."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fsbench.classifiers.base import Classifier
from fsbench.classifiers.trie import CRITERIA, TrieClassifier
from fsbench.contracts import check_classifier
from fsbench.errors import DataError, MethodError, NotApplicable
from fsbench.evaluation.folds import stratified_splits
from fsbench.intervals import AUTO_NUMBERS
from fsbench.values import Dataset, Feature, Split
from tests.naive.trie import NaiveTrie, best, distance, merit, shape_distance, spans

SETTINGS = [
    {},
    {"exact_match": "merit"},
    {"rivals": "each"},
    {"scale": "range"},
    {"weights": "equal", "exact_match": "merit"},
    {"rivals": "each", "scale": "range", "exact_match": "merit"},
    {"criteria": ("distance", "frequency"), "exact_match": "merit"},
    {"phi": 0.5},
    {"phi": 1.0},
]


def patterns_data(patterns: np.ndarray, y: np.ndarray, n_classes: int, size: int, name: str = "made") -> Dataset:
    """Nominal features of `size` labels: the interval numbers are the cells."""
    labels = tuple(f"v{k}" for k in range(size))
    features = tuple(Feature(f"f{j}", labels) for j in range(patterns.shape[1]))
    target = Feature("class", tuple(f"c{c}" for c in range(n_classes)))
    return Dataset(name, features, patterns.astype(np.float64), target, y)


def random_patterns(seed: int, missing: float = 0.0) -> tuple[Dataset, Dataset, int]:
    """Small patterns with many ties, conflicts and repeats."""
    rng = np.random.default_rng(seed)
    n_features, n_classes = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    size = int(rng.integers(1, 6))
    rows = int(rng.integers(1, 40))
    patterns = rng.integers(0, size, (rows + 15, n_features)).astype(np.float64)
    patterns[:, 0] = np.minimum(patterns[:, 0], rng.integers(0, size))
    patterns[rng.random(patterns.shape) < missing] = np.nan
    y = rng.integers(0, n_classes, rows + 15)
    data = patterns_data(patterns, y, n_classes + 1, size)
    return data.take(np.arange(rows)), data.take(np.arange(rows, rows + 15)), size


def as_patterns(data: Dataset, missing_code: int) -> list[tuple[int, ...]]:
    return [tuple(missing_code if np.isnan(v) else int(v) for v in row) for row in data.X]


def check_against_formulas(
    train: Dataset, test: Dataset, patterns: list, queries: list, sizes: list[int], params: dict
) -> None:
    classifier = TrieClassifier(**params)
    model = classifier.fit(train)
    rivals, scale, exact = classifier.rivals, classifier.scale, classifier.exact_match
    reach = spans(sizes)
    naive = NaiveTrie(patterns, train.y.tolist(), classifier.phi, train.n_classes)
    used = [Fraction(name in classifier.criteria) for name in CRITERIA]
    weights = used
    if classifier.weights == "training":
        weights = [u * w for u, w in zip(used, naive.weights(rivals, scale, reach), strict=True)]
    assert model.weights[-1].tolist() == [float(w) for w in weights]
    traces = model.trace(test)
    for query, trace in zip(queries, traces, strict=True):
        assert trace.query == query
        found = naive.candidates(query, rivals)
        assert [(c.pattern, c.label) for c in trace.candidates] == found
        for c in trace.candidates:
            assert c.distance == distance(query, c.pattern)
            assert c.shape == shape_distance(query, c.pattern)
            assert c.frequency == naive.freq(c.pattern)
            assert c.strength == naive.strength(c.pattern)
            assert c.exclusive == naive.exclusive(c.pattern)
        leads = []
        for met, (plus, minus) in zip(trace.meetings, naive.meetings(query, found, scale, reach), strict=True):
            assert met.plus == pytest.approx([float(a) for a in plus], abs=1e-15)
            assert met.minus == pytest.approx([float(a) for a in minus], abs=1e-15)
            assert met.merit_plus == pytest.approx(float(merit(weights, plus)), abs=1e-14)
            assert met.merit_minus == pytest.approx(float(merit(weights, minus)), abs=1e-14)
            leads.append(merit(weights, minus) - merit(weights, plus))
        assert trace.best == best(leads)
    expected = [naive.predict(q, weights, exact, rivals, scale, reach) for q in queries]
    assert model.predict(test).tolist() == expected
    wrong = [
        naive.predict(p, weights, exact, rivals, scale, reach) != c
        for p, c in zip(patterns, train.y.tolist(), strict=True)
    ]
    assert model.measures() == {
        "patterns": len(set(patterns)),
        "nodes": len(naive.prefixes),
        "training_error": pytest.approx(sum(wrong) / len(wrong), abs=1e-15),
    }


@pytest.mark.parametrize("params", SETTINGS, ids=str)
@pytest.mark.parametrize("seed", range(20))
def test_everything_equals_the_formulas(seed: int, params: dict) -> None:
    train, test, size = random_patterns(seed)
    patterns, queries = as_patterns(train, size), as_patterns(test, size)
    check_against_formulas(train, test, patterns, queries, [size] * train.n_features, params)


@pytest.mark.parametrize("params", SETTINGS, ids=str)
@pytest.mark.parametrize("seed", range(100, 110))
def test_missing_values_as_intervals_of_their_own(seed: int, params: dict) -> None:
    train, test, size = random_patterns(seed, missing=0.2)
    patterns, queries = as_patterns(train, size), as_patterns(test, size)
    sizes = [size + int(any(p[j] == size for p in patterns)) for j in range(train.n_features)]
    check_against_formulas(train, test, patterns, queries, sizes, params)


@pytest.mark.parametrize("params", SETTINGS, ids=str)
@pytest.mark.parametrize("seed", range(200, 210))
def test_missing_values_skipped(seed: int, params: dict) -> None:
    train, test, size = random_patterns(seed, missing=0.1)
    complete = ~np.isnan(train.X).any(axis=1)
    assert complete.any(), "the seeds are chosen so that there is something to compare"
    rows = train.take(complete)
    patterns, queries = as_patterns(rows, size), as_patterns(test, -1)
    sizes = [size] * train.n_features
    check_against_formulas(rows, test, patterns, queries, sizes, {**params, "missing": "skip"})
    kept, all_rows = (TrieClassifier(missing="skip", **params).fit(d).predict(test) for d in (rows, train))
    assert kept.tolist() == all_rows.tolist()


@pytest.mark.parametrize("n_classes", [64, 65, 130])
def test_label_sets_of_many_classes(n_classes: int) -> None:
    rng = np.random.default_rng(n_classes)
    patterns = rng.integers(0, 3, (200, 4))
    train = patterns_data(patterns, rng.integers(0, n_classes, 200), n_classes, 3)
    test = patterns_data(rng.integers(0, 3, (10, 4)), np.zeros(10, dtype=np.int64), n_classes, 3)
    for rivals in ("one", "each"):
        model = TrieClassifier(rivals=rivals, exact_match="merit").fit(train)
        naive = NaiveTrie(as_patterns(train, 3), train.y.tolist(), 0.75, n_classes)
        for query, trace in zip(as_patterns(test, 3), model.trace(test), strict=True):
            assert [(c.pattern, c.label) for c in trace.candidates] == naive.candidates(query, rivals)


def mixed_data(seed: int, missing: float = 0.0) -> Dataset:
    rng = np.random.default_rng(seed)
    n = 120
    y = rng.integers(0, 3, n)
    X = np.round(rng.normal(y[:, None], 1.0, (n, 6)), 1)
    X[:, 1], X[:, 4] = rng.integers(0, 3, n), 7.0
    X[rng.random(X.shape) < missing] = np.nan
    features = [Feature(f"f{j}") for j in range(6)]
    features[1] = Feature("f1", ("a", "b", "c", "unused"))
    return Dataset("mixed", tuple(features), X, Feature("class", ("n", "p", "q", "unused")), y)


@pytest.mark.parametrize("params", [*SETTINGS, {"intervals": "auto"}, {"intervals": {"f0": 3}}], ids=str)
@pytest.mark.parametrize("missing", ["own", "skip"])
def test_the_curve_equals_refitting(params: dict, missing: str) -> None:
    classifier = TrieClassifier(missing=missing, **params)
    for seed, share in [(1, 0.0), (2, 0.02)]:
        data = mixed_data(seed, share)
        rows = np.arange(data.n_rows)
        split = Split(rows[rows % 3 > 0], rows[rows % 3 == 0])
        for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 1], [1]):
            curve, refit = classifier.curve(data, split, order), Classifier.curve(classifier, data, split, order)
            assert np.array_equal(curve.predicted, refit.predicted)
            assert {k: v.tolist() for k, v in curve.measures.items()} == {
                k: v.tolist() for k, v in refit.measures.items()
            }


@pytest.mark.parametrize("params", [{}, {"missing": "skip"}, {"rivals": "each", "intervals": 3}], ids=str)
def test_the_contract_of_classifiers(params: dict) -> None:
    check_classifier(TrieClassifier(**params))


@pytest.mark.parametrize("seed", range(20))
def test_training_patterns_without_conflict_are_found_again(seed: int) -> None:
    train, _, _ = random_patterns(seed)
    model = TrieClassifier().fit(train)
    classes: dict[tuple[float, ...], set[int]] = {}
    for row, c in zip(train.X.tolist(), train.y.tolist(), strict=True):
        classes.setdefault(tuple(row), set()).add(c)
    clear = [len(classes[tuple(row)]) == 1 for row in train.X.tolist()]
    assert np.array_equal(model.predict(train)[clear], train.y[clear])


def test_by_merit_alone_some_training_rows_are_missed() -> None:
    data, _, _ = random_patterns(19)
    by_merit = TrieClassifier(exact_match="merit").fit(data)
    missed = float((by_merit.predict(data) != data.y).mean())
    assert by_merit.measures()["training_error"] == missed
    assert missed > TrieClassifier().fit(data).measures()["training_error"]


def test_memory_is_that_of_the_distinct_prefixes() -> None:
    rng = np.random.default_rng(1)
    few = patterns_data(np.tile(rng.integers(0, 5, (20, 8)), (100, 1)), np.tile(np.arange(20) % 2, 100), 2, 5)
    trie = TrieClassifier().fit(few).trie
    once = TrieClassifier().fit(few.take(np.arange(20))).trie
    assert trie.node.nbytes == once.node.nbytes
    assert trie.labels.nbytes == once.labels.nbytes
    assert len(trie.labels) == len(NaiveTrie(as_patterns(few, 5), few.y.tolist(), 0.75, 2).prefixes)


def test_auto_takes_the_number_with_the_fewest_errors_in_inner_folds() -> None:
    data = mixed_data(3)
    errors = []
    for number in AUTO_NUMBERS:
        wrong = 0
        for split in stratified_splits(data.y, data.n_classes, 5, seed=1):
            outcome = TrieClassifier(intervals=number).evaluate(data, split, range(6))
            wrong += int((outcome.predicted != data.y[split.test]).sum())
        errors.append(wrong)
    chosen = AUTO_NUMBERS[errors.index(min(errors))]
    model = TrieClassifier(intervals="auto").fit(data)
    assert model.settings == TrieClassifier(intervals=chosen)
    assert model.predict(data).tolist() == TrieClassifier(intervals=chosen).fit(data).predict(data).tolist()


def test_auto_without_a_choice_takes_the_fewest() -> None:
    one_row, nominal = numbers([[1.0]], [0]), random_patterns(1)[0]
    for data in (one_row, nominal):
        assert TrieClassifier(intervals="auto").fit(data).settings.intervals == AUTO_NUMBERS[0]


def numbers(X: list[list[float]], y: list[int], classes: int = 2) -> Dataset:
    values = np.array(X, dtype=np.float64).reshape(len(y), -1)
    features = tuple(Feature(f"f{j}") for j in range(values.shape[1]))
    return Dataset("made", features, values, Feature("class", tuple("npqr"[:classes])), np.array(y, dtype=np.int64))


def test_one_class_in_training_is_the_answer() -> None:
    model = TrieClassifier().fit(numbers([[0.0], [1.0]], [1, 1]))
    assert model.predict(numbers([[5.0], [np.nan]], [0, 0])).tolist() == [1, 1]
    assert [len(t.candidates) for t in model.trace(numbers([[5.0]], [0]))] == [1]


def test_constant_features_and_features_without_values() -> None:
    train = numbers([[3.0, np.nan], [3.0, np.nan], [3.0, np.nan]], [0, 1, 1])
    assert TrieClassifier().fit(train).predict(numbers([[9.0, 1.0], [3.0, np.nan]], [0, 0])).tolist() == [1, 1]
    assert TrieClassifier(intervals=1, phi=1.0).fit(train).predict(train).tolist() == [1, 1, 1]


def test_labels_not_met_in_training_go_to_the_nearest_branch() -> None:
    train = patterns_data(np.array([[0], [0], [4]]), np.array([0, 0, 1]), 2, 6)
    test = patterns_data(np.array([[1], [2], [3], [5]]), np.zeros(4, dtype=np.int64), 2, 6)
    traces = TrieClassifier().fit(train).trace(test)
    assert [t.candidates[0].pattern for t in traces] == [(0,), (0,), (4,), (4,)]  # <2> is a tie: 0 is more frequent


def test_equally_near_and_equally_frequent_goes_to_the_lower_number() -> None:
    train = patterns_data(np.array([[0], [2]]), np.array([1, 0]), 2, 3)
    test = patterns_data(np.array([[1]]), np.array([0]), 2, 3)
    assert TrieClassifier().fit(train).trace(test)[0].candidates[0].pattern == (0,)


def test_no_feature_leaves_the_majority_class() -> None:
    train = numbers([[0.0], [1.0], [2.0]], [1, 1, 0]).select([])
    assert TrieClassifier().fit(train).predict(train).tolist() == [1, 1, 1]


def test_no_training_row_is_an_error() -> None:
    with pytest.raises(DataError, match=r"^made: trie: there is no training row$"):
        TrieClassifier().fit(numbers([[0.0]], [0]).take(np.array([], dtype=np.int64)))


def test_no_complete_training_row_does_not_apply() -> None:
    with pytest.raises(NotApplicable, match="needs a training row without missing values"):
        TrieClassifier(missing="skip").fit(numbers([[np.nan], [np.nan]], [0, 1]))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"phi": -0.1}, "trie: parameter phi must be a number from 0 to 1, found -0.1"),
        ({"intervals": 0}, "trie: intervals must be a whole number from 1 to 10000, found 0"),
        ({"exact_match": "no"}, "trie: parameter exact_match must be one of wins, merit, found 'no'"),
        ({"criteria": "distanze"}, "trie: unknown criterion 'distanze'; did you mean 'distance'?"),
        ({"criteria": 3}, f"trie: criteria must name some of {', '.join(CRITERIA)}, found 3"),
        ({"criteria": []}, f"trie: criteria must name some of {', '.join(CRITERIA)}, found ()"),
    ],
)
def test_wrong_parameters(params: dict[str, object], message: str) -> None:
    with pytest.raises(MethodError) as error:
        TrieClassifier.from_params(params)
    assert str(error.value) == message


def test_criteria_may_come_as_text() -> None:
    classifier = TrieClassifier.from_params({"criteria": "frequency, distance", "intervals": "5"})
    assert classifier.criteria == ("distance", "frequency")
    assert classifier.label == "trie(intervals=5, criteria=('distance', 'frequency'))"


def test_a_misspelt_feature_is_named() -> None:
    data = numbers([[0.0], [1.0]], [0, 1])
    split = Split(np.array([0, 1]), np.array([0]))
    classifier = TrieClassifier(intervals={"f00": 3})
    for call in (classifier.curve, classifier.evaluate):
        with pytest.raises(DataError, match="names no feature 'f00'; did you mean 'f0'"):
            call(data, split, [0])
