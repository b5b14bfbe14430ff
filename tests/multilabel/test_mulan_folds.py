"""Mulan's folds: beside a plain restatement, and beside the fold files that Mulan's own code wrote."""

from __future__ import annotations

import numpy as np
import pytest

from fsbench.errors import DataError
from fsbench.evaluation.folds import mulan_splits, read_folds
from fsbench.evaluation.java_random import JavaRandom
from tests.naive.multilabel import mulan_fold


@pytest.mark.parametrize("seed", [1, 7, -3])
@pytest.mark.parametrize(("n", "folds"), [(10, 10), (53, 10), (20, 3), (5, 2)])
def test_as_restated(n, folds, seed):
    blocks = mulan_fold(list(range(n)), folds, JavaRandom(seed).next_int)
    splits = mulan_splits(n, folds, seed)
    assert [s.test.tolist() for s in splits] == blocks
    for i, split in enumerate(splits):
        assert split.train.tolist() == [row for b in blocks[:i] + blocks[i + 1 :] for row in b]
        assert split.fold == i


def test_more_folds_than_rows():
    with pytest.raises(DataError, match="4 folds need at least 4 rows, found 3"):
        mulan_splits(3, 4, 1)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["emotions", "flags", "genbase", "medical"])
def test_as_mulan(name, shared):
    fold_of = read_folds(shared / "mulan" / "folds" / f"{name}.mulan-seed1.txt")
    ours = np.empty_like(fold_of)
    for split in mulan_splits(len(fold_of), 10, 1):
        ours[split.test] = split.fold
    assert np.array_equal(ours, fold_of)
