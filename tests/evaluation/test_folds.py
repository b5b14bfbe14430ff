"""Folds: every row tested once, classes in equal shares, Weka's order, and clear words for what cannot be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fsbench.errors import DataError
from fsbench.evaluation.folds import file_splits, plain_splits, read_folds, splits_of, stratified_splits, weka_splits
from fsbench.evaluation.java_random import JavaRandom
from fsbench.values import Split


def labels(n: int, n_classes: int, seed: int) -> np.ndarray:
    shares = np.random.default_rng(seed).dirichlet(np.ones(n_classes))
    return np.random.default_rng(seed).choice(n_classes, n, p=shares)


def check_partition(splits: list[Split], n: int, folds: int) -> None:
    assert [s.fold for s in splits] == list(range(folds))
    assert sorted(np.concatenate([s.test for s in splits])) == list(range(n))
    for s in splits:
        assert sorted([*s.train, *s.test]) == list(range(n))
    sizes = [len(s.test) for s in splits]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("n", [10, 11, 57, 200])
@pytest.mark.parametrize("n_classes", [1, 2, 5, 12])
@pytest.mark.parametrize("make", [stratified_splits, weka_splits])
def test_every_row_is_tested_once_and_classes_are_even(make, n: int, n_classes: int) -> None:
    y = labels(n, n_classes, n)
    splits = make(y, n_classes, 10, 3)
    check_partition(splits, n, 10)
    for c in range(n_classes):
        held = [int((y[s.test] == c).sum()) for s in splits]
        assert max(held) - min(held) <= 1


def test_plain_folds_ignore_classes_and_follow_the_seed() -> None:
    splits = plain_splits(23, 4, 1)
    check_partition(splits, 23, 4)
    assert splits[0].digest == plain_splits(23, 4, 1)[0].digest
    assert splits[0].digest != plain_splits(23, 4, 2)[0].digest


def test_stratified_rule_by_hand() -> None:
    y = np.array([1, 0, 1, 0, 1, 1, 0])
    rng = np.random.default_rng(5)
    first, second = rng.permutation([1, 3, 6]), rng.permutation([0, 2, 4, 5])
    fold_of = {int(row): place % 3 for place, row in enumerate([*first, *second])}
    splits = stratified_splits(y, 2, 3, 5)
    assert {int(row): s.fold for s in splits for row in s.test} == fold_of


def test_an_empty_class_changes_nothing() -> None:
    y = labels(40, 3, 1)
    shifted = np.where(y == 2, 3, y)  # class 2 of 4 is declared and unused
    for one, other in zip(stratified_splits(y, 3, 5, 1), stratified_splits(shifted, 4, 5, 1), strict=True):
        assert one.digest == other.digest


def weka_by_the_book(y: list[int], folds: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """SEMANTICS of Weka's cross-validation, step by step on lists."""
    rng, n = JavaRandom(seed), len(y)

    def shuffle(rows: list[int]) -> list[int]:
        for j in range(len(rows) - 1, 0, -1):
            other = rng.next_int(j + 1)
            rows[j], rows[other] = rows[other], rows[j]
        return rows

    rows = shuffle(list(range(n)))
    place = 1
    while place < n:
        before = rows[place - 1]
        for j in range(place, n):
            if y[rows[j]] == y[before]:
                rows[j], rows[place] = rows[place], rows[j]
                place += 1
        place += 1
    rows = [rows[j] for start in range(folds) for j in range(start, n, folds)]
    result, start = [], 0
    for fold in range(folds):
        stop = start + n // folds + (fold < n % folds)
        result.append((shuffle(rows[:start] + rows[stop:]), rows[start:stop]))
        start = stop
    return result


@pytest.mark.parametrize(("n", "n_classes", "folds"), [(30, 3, 10), (57, 2, 10), (101, 7, 3), (12, 5, 12)])
@pytest.mark.parametrize("seed", [1, 2, 99])
def test_weka_splits_by_the_book(n: int, n_classes: int, folds: int, seed: int) -> None:
    y = labels(n, n_classes, seed)
    got = weka_splits(y, n_classes, folds, seed)
    expected = weka_by_the_book(y.tolist(), folds, seed)
    assert [(s.train.tolist(), s.test.tolist()) for s in got] == expected


def test_a_class_with_fewer_rows_than_folds() -> None:
    y = np.array([0] * 17 + [1])
    assert [len(s.test) for s in stratified_splits(y, 2, 5, 1)] == [4, 4, 4, 3, 3]


@pytest.mark.parametrize("call", [
    lambda: stratified_splits(np.zeros(3, dtype=int), 1, 10, 1),
    lambda: plain_splits(3, 10, 1),
    lambda: weka_splits(np.zeros(3, dtype=int), 1, 10, 1),
])  # fmt: skip
def test_more_folds_than_rows(call) -> None:
    with pytest.raises(DataError, match="10 folds need at least 10 rows, found 3"):
        call()


def test_one_fold() -> None:
    with pytest.raises(DataError, match="two folds are the least, found 1"):
        plain_splits(3, 1, 1)


def test_folds_from_a_file_are_renumbered(tmp_path: Path) -> None:
    path = tmp_path / "folds.txt"
    path.write_text("3\n1\n1\n7\n\n", encoding="utf-8")
    assert [s.test.tolist() for s in file_splits(path, 4)] == [[1, 2], [0], [3]]
    assert [s.fold for s in file_splits(path, 4)] == [0, 1, 2]


@pytest.mark.parametrize(("text", "message"), [
    ("0\n1\nx\n", r"folds\.txt:3: expected a fold number .*, found 'x'"),
    ("0\n\n1\n", r"folds\.txt:2: .* found ''"),
    ("0\n-1\n", r"folds\.txt:2: .* found '-1'"),
    ("0\n1.0\n", r"folds\.txt:2: .* found '1.0'"),
    ("0\n1\n", r"2 fold numbers, but the data set has 3 rows"),
    ("0\n0\n0\n", r"every row is in fold 0"),
    ("", r"0 fold numbers, but the data set has 3 rows"),
])  # fmt: skip
def test_bad_fold_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "folds.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        file_splits(path, 3)


def test_no_fold_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"folds\.txt: cannot read the folds: No such file"):
        read_folds(tmp_path / "folds.txt")


@pytest.mark.shared
def test_seed_0_gives_the_folds_of_the_reference_outputs(shared: Path) -> None:
    y = np.repeat([0, 1, 2], 50)  # iris
    expected = splits_of(read_folds(shared / "weka" / "folds" / "iris.txt"))
    for ours, theirs in zip(stratified_splits(y, 3, 10, 0), expected, strict=True):
        assert ours.digest == theirs.digest
