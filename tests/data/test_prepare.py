"""Complete rows, features left out, files joined."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.data.multilabel import MultiLabelDataset
from fsbench.data.prepare import complete_rows, join_rows, without_features
from fsbench.errors import DataError
from fsbench.values import Dataset, Feature

NAN = float("nan")


def made(X: list[list[float]], y: list[int], *features: Feature, name: str = "made", note: str = "") -> Dataset:
    values = np.array(X)
    columns = features or tuple(Feature(f"f{j}") for j in range(values.shape[1]))
    return Dataset(name, columns, values, Feature("class", ("n", "p")), np.array(y), note=note)


def test_rows_with_a_missing_value_go() -> None:
    data = made([[1, NAN], [2, 3], [NAN, NAN], [4, 5]], [0, 1, 0, 0], note="generated")
    kept = complete_rows(data)
    assert kept.X.tolist() == [[2, 3], [4, 5]]
    assert kept.y.tolist() == [1, 0]
    assert kept.note == "generated; 2 of 4 rows: those without missing values"


def test_complete_data_stay_as_they_are() -> None:
    data = made([[1, 2]], [0])
    assert complete_rows(data) is data


def test_no_complete_row_is_an_error_that_names_the_feature() -> None:
    data = made([[1, NAN], [2, NAN], [NAN, NAN]], [0, 1, 0])
    with pytest.raises(DataError, match=r"^made: no row is without missing values; 'f1' is missing in 3 of 3 rows"):
        complete_rows(data)


def test_features_are_left_out() -> None:
    data = made([[1, 2, 3]], [0])
    kept = without_features(data, ["f1"])
    assert [f.name for f in kept.features] == ["f0", "f2"]
    assert kept.X.tolist() == [[1, 3]]
    assert kept.note == "without f1"
    assert without_features(data, []) is data
    with pytest.raises(DataError, match=r"there is no feature 'f9' to drop; valid: f0, f1, f2"):
        without_features(data, ["f9"])
    with pytest.raises(DataError, match="to drop every feature leaves nothing"):
        without_features(data, ["f0", "f1", "f2"])


def test_features_of_multi_label_data_are_left_out_in_the_same_words() -> None:
    features = Feature("f0"), Feature("f1", ("u", "v"))
    data = MultiLabelDataset("made", features, np.array([[1.0, 0.0]]), ("red", "blue"), np.array([[1, 0]]))
    data.derived("test.what", lambda: "of all features")
    kept = without_features(data, ["f0"])
    assert (kept.features, kept.X.tolist(), kept.labels, kept.note) == (
        features[1:],
        [[0]],
        ("red", "blue"),
        "without f0",
    )
    assert kept.derived("test.what", lambda: "of one") == "of one"
    assert without_features(data, []) is data
    with pytest.raises(DataError, match=r"^made: there is no feature 'f9' to drop; valid: f0, f1"):
        without_features(data, ["f9"])
    with pytest.raises(DataError, match="to drop every feature leaves nothing"):
        without_features(data, ["f1", "f0"])


def test_joining_matches_labels_by_name() -> None:
    first = made([[1, 0], [2, 1]], [0, 1], Feature("a"), Feature("b", ("x", "y")))
    second = made([[3, 0], [NAN, NAN], [4, 1]], [1, 1, 0], Feature("a"), Feature("b", ("y", "z")), name="other")
    joined = join_rows(first, second, "both")
    assert joined.name == "both"
    assert joined.features[1].labels == ("x", "y", "z")
    assert np.array_equal(joined.X, [[1, 0], [2, 1], [3, 1], [NAN, NAN], [4, 2]], equal_nan=True)
    assert joined.y.tolist() == [0, 1, 1, 1, 0]


def test_joining_refuses_other_columns() -> None:
    first = made([[1.0, 2.0]], [0])
    with pytest.raises(DataError, match="2 features cannot be joined with 1"):
        join_rows(first, made([[1.0]], [0]), "both")
    other = made([[1.0, 0.0]], [0], Feature("f0"), Feature("f1", ("x",)), name="other")
    with pytest.raises(DataError, match=r"^other: column 2 is 'f1' \(numeric\) in 'made' but 'f1' \(nominal\) here$"):
        join_rows(first, other, "both")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "left_out", "rows"),
    [
        ("hypothyroid-uci3163", ["TBG"], 2000),
        ("dermatology", [], 358),
        ("breast-w", [], 683),
        ("diabetes", [], 768),
        ("adult-train", [], 30162),
    ],
)
def test_the_papers_complete_rows(shared: object, name: str, left_out: list[str], rows: int) -> None:
    from fsbench.data import load

    data = load(f"{shared}/datasets/single/{name}.arff")
    assert complete_rows(without_features(data, left_out)).n_rows == rows


@pytest.mark.shared
def test_adult_joined(shared: object) -> None:
    from fsbench.data import load

    train, test = (load(f"{shared}/datasets/single/adult-{part}.arff") for part in ("train", "test"))
    joined = complete_rows(join_rows(train, test, "adult"))
    assert joined.n_rows == 45222
    assert joined.class_counts.tolist() == [11208, 34014]
