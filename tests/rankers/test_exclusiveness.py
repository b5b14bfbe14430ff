"""The relevance delta, and its explanation."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from fsbench.contracts import check_ranker
from fsbench.errors import DataError, MethodError
from fsbench.rankers.exclusiveness import Exclusiveness, relevance
from fsbench.values import Dataset, Feature
from tests.naive import exclusiveness as naive

# Figure 1 of the paper: rows in the intervals 0 to 9, and whether they belong to several classes.
FIGURE_1 = {
    "A1": ([77, 32, 62, 49, 79, 20, 12, 23, 11, 43], {8, 9}),
    "A2": ([227, 23, 35, 17, 17, 14, 12, 13, 5, 45], {1, 4, 5, 7, 9}),
}


def figure_1_counts(name: str) -> np.ndarray:
    rows, pure = FIGURE_1[name]
    return np.array([[n, 0] if k in pure else [n - 1, 1] for k, n in enumerate(rows)])


def figure_1_data() -> Dataset:
    columns, classes = [], []
    for name in FIGURE_1:
        counts = figure_1_counts(name)
        columns.append(np.repeat(np.arange(10.0), counts.sum(axis=1)))
        classes.append(np.concatenate([np.repeat([0, 1], pair) for pair in counts]))
    # One class column cannot serve both attributes in file order, so each attribute gets its own rows.
    X = np.full((816, 2), np.nan)
    X[:408, 0], X[408:, 1] = columns
    y = np.concatenate(classes)
    return Dataset("figure-1", (Feature("A1"), Feature("A2")), X, Feature("class", ("4", "5")), y)


def made(X: list[list[float]], y: list[int], *features: Feature, classes: int = 2) -> Dataset:
    values = np.array(X, dtype=np.float64)
    names = features or tuple(Feature(f"f{j}") for j in range(values.shape[1]))
    return Dataset("made", names, values, Feature("class", tuple("abcdefg"[:classes])), np.array(y))


@pytest.mark.parametrize(("name", "delta"), [("A1", Fraction(54, 408)), ("A2", Fraction(112, 408))])
def test_figure_1(name: str, delta: Fraction) -> None:
    counts = figure_1_counts(name)
    assert counts.sum() == 408
    assert relevance(counts, phi=1.0) == delta


@pytest.mark.shared
def test_figure_1_as_printed(shared: Path) -> None:
    with (shared / "papers" / "excl_figure1.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    for name, (frequencies, pure) in FIGURE_1.items():
        printed = [r for r in rows if r["attribute"] == name and r["interval"] != "total"]
        assert [int(r["frequency"]) for r in printed] == frequencies
        assert {int(r["interval"]) for r in printed if r["class"] != "*"} == pure
        total = next(r for r in rows if r["attribute"] == name and r["interval"] == "total")
        ours = relevance(figure_1_counts(name), phi=1.0)
        assert ours == Fraction(int(total["exclusive_records"]), int(total["n_records"]))


def test_figure_1_through_the_ranker() -> None:
    data = figure_1_data()
    ranking = Exclusiveness(phi=1.0, missing="skip").rank(data)
    assert ranking.order.tolist() == [1, 0]
    assert ranking.scores.tolist() == [54 / 816, 112 / 816]
    assert Exclusiveness(phi=1.0).rank(data.take(np.arange(408))).scores[0] == 54 / 408


def random_data(seed: int) -> Dataset:
    rng = np.random.default_rng(seed)
    n, classes = int(rng.integers(1, 60)), int(rng.integers(1, 5))
    X = np.round(rng.normal(size=(n, 4)), int(rng.integers(0, 2)))
    X[:, 1] = rng.integers(0, 3, n)
    X[:, 2] = 4.0
    X[rng.random(X.shape) < rng.choice([0.0, 0.2, 1.0])] = np.nan
    features = (Feature("a"), Feature("b", ("x", "y", "z", "unused")), Feature("c"), Feature("d"))
    return made(X.tolist(), rng.integers(0, classes, n).tolist(), *features, classes=classes + 1)


@pytest.mark.parametrize("seed", range(60))
def test_scores_equal_the_plain_rule(seed: int) -> None:
    data = random_data(seed)
    rng = np.random.default_rng(seed)
    number, phi = int(rng.choice([1, 2, 5, 10])), float(rng.choice([0.5, 0.6, 0.75, 1.0]))
    for missing in ("own", "skip"):
        ranker = Exclusiveness(phi=phi, intervals=number, missing=missing)
        scores = ranker.rank(data).scores
        for j, feature in enumerate(data.features):
            values = data.X[:, j].tolist()
            if feature.is_nominal:
                codes = [None if np.isnan(v) else int(v) for v in values]
            else:
                codes = naive.column_codes(values, values, number)
            delta = naive.relevance(codes, data.y.tolist(), phi, missing)
            assert ranker.tables(data)[j].delta == delta
            assert scores[j] == float(delta)


@pytest.mark.parametrize(
    "params", [{"missing": "skip"}, {"intervals": "auto"}, {"intervals": {"*": 3}, "phi": 1}], ids=str
)
def test_the_contract_of_rankers(params: dict) -> None:
    check_ranker(Exclusiveness(**params))


def test_equal_scores_keep_the_order_of_the_file() -> None:
    data = made([[0, 1, 0], [0, 2, 0], [1, 1, 1], [1, 2, 1]], [0, 0, 1, 1])
    assert Exclusiveness().rank(data).order.tolist() == [0, 2, 1]


def test_one_interval_tells_only_the_share_of_the_majority() -> None:
    data = made([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1])
    assert Exclusiveness(intervals=1).rank(data).scores.tolist() == [1.0]
    assert Exclusiveness(intervals=1, phi=0.8).rank(data).scores.tolist() == [0.0]


def test_phi_of_a_half_and_of_one() -> None:
    data = made([[0.0], [0.0], [1.0], [1.0]], [0, 1, 1, 1])
    assert Exclusiveness(phi=0.5).rank(data).scores.tolist() == [1.0]
    assert Exclusiveness(phi=1).rank(data).scores.tolist() == [0.5]


def test_constant_features_and_features_without_values() -> None:
    data = made([[5.0, np.nan], [5.0, np.nan], [5.0, np.nan], [5.0, np.nan]], [0, 0, 0, 1])
    assert Exclusiveness().rank(data).scores.tolist() == [1.0, 1.0]
    assert Exclusiveness(missing="skip").rank(data).scores.tolist() == [1.0, 0.0]
    assert Exclusiveness(phi=1.0).rank(data).scores.tolist() == [0.0, 0.0]


def test_one_class_makes_every_interval_exclusive() -> None:
    data = made([[0.0], [1.0], [2.0]], [1, 1, 1])
    assert Exclusiveness(phi=1.0).rank(data).scores.tolist() == [1.0]


def test_the_default_phi_is_the_papers() -> None:
    assert Exclusiveness().params() == {"ties": "index", "phi": 0.75, "intervals": 10, "missing": "own"}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"phi": 1.5}, "exclusiveness: parameter phi must be a number from 0 to 1, found 1.5"),
        ({"intervals": 0}, "exclusiveness: intervals must be a whole number from 1 to 10000, found 0"),
        (
            {"intervals": "lots"},
            "exclusiveness: intervals must be a whole number from 1 to 10000 or auto, found 'lots'",
        ),
        ({"missing": "drop"}, "exclusiveness: parameter missing must be one of own, skip, found 'drop'"),
    ],
)
def test_wrong_parameters(params: dict[str, object], message: str) -> None:
    with pytest.raises(MethodError) as error:
        Exclusiveness.from_params(params)
    assert str(error.value) == message


def test_a_misspelt_feature_is_named() -> None:
    ranker = Exclusiveness(intervals={"f00": 3})
    with pytest.raises(DataError, match="names no feature 'f00'; did you mean 'f0'"):
        ranker.rank(made([[0.0], [1.0]], [0, 1]))


def test_auto_chooses_for_each_feature() -> None:
    values = np.linspace(0.0, 1.0, 500)
    X = np.column_stack([values, values[::-1]])
    y = np.minimum((values * 8).astype(int), 7) % 2
    tables = Exclusiveness(intervals="auto").tables(made(X.tolist(), y.tolist()))
    assert [len(t.counts) - 1 for t in tables] == [8, 8]


EXPLAINED = """\
mark: the class that holds at least 0.75 of the interval's rows; * if none does; - if it is empty
delta: the share of all rows in marked intervals; a value on a border lies in the lower interval

colour: delta = 4/6 = 0.666667
  interval  label    rows  [n]  [p]  majority  mark
         0  red         4    3    1  n         n
         1  green       0    0    0  -         -
         2  missing     2    1    1  n         *
     total              6    4    2

width: delta = 3/6 = 0.500000
  interval  from   to  rows  [n]  [p]  majority  mark
         0     0  0.5     3    3    0  n         n
         1   0.5    1     3    1    2  p         *
     total                6    4    2"""


def explained_data() -> Dataset:
    X = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, np.nan], [1.0, np.nan]]
    features = (Feature("width"), Feature("colour", ("red", "green")))
    return Dataset("toy", features, np.array(X), Feature("class", ("n", "p")), np.array([0, 0, 0, 1, 1, 0]))


def test_explanation() -> None:
    assert Exclusiveness(intervals=2).explain(explained_data()) == EXPLAINED


def test_explanation_tells_of_rows_in_no_interval() -> None:
    text = Exclusiveness(intervals=2, missing="skip").explain(explained_data())
    assert "colour: delta = 4/6 = 0.666667 (2 rows with a missing value lie in no interval)" in text


def test_explanation_of_many_classes_lists_those_that_occur() -> None:
    data = Dataset(
        "many",
        (Feature("f"),),
        np.array([[0.0], [1.0]]),
        Feature("c", tuple(f"c{i}" for i in range(12))),
        np.array([3, 7]),
    )
    lines = Exclusiveness(intervals=2).explain(data).splitlines()
    assert lines[5].split() == ["0", "0", "0.5", "1", "c3:1", "c3", "c3"]


def test_figure_1_explained() -> None:
    lines = Exclusiveness(phi=1.0, missing="skip").explain(figure_1_data()).splitlines()
    assert lines[3].startswith("A2: delta = 112/816")
    assert [line.split()[3] for line in lines[5:15]] == [str(n) for n in FIGURE_1["A2"][0]]
    assert [k for k, line in enumerate(lines[5:15]) if line.endswith(" 4")] == sorted(FIGURE_1["A2"][1])
