from __future__ import annotations

import numpy as np

from fsbench.data import load
from fsbench.data.inspect import summarise
from fsbench.values import Dataset, Feature


def test_counts():
    nan = np.nan
    X = np.array(
        [[1, 0, nan, 2], [1, 0, nan, 2], [1, 1, nan, 2], [1, 0, nan, 2], [0.0, nan, nan, 2], [-0.0, nan, nan, 2]]
    )
    features = (Feature("a"), Feature("b", ("x", "y")), Feature("c"), Feature("d"))
    data = Dataset("t", features, X, Feature("class", ("p", "q", "r")), np.array([0, 0, 0, 1, 1, 1]))
    found = summarise(data)
    assert (found.rows, found.features, found.numeric, found.nominal, found.classes) == (6, 4, 3, 1, 3)
    assert found.class_counts == {"p": 3, "q": 3, "r": 0}
    assert (found.missing_cells, found.rows_with_missing, found.features_with_missing) == (8, 6, 2)
    assert found.constant == ("d",)
    assert found.all_missing == ("c",)
    # Rows 0 and 1 are equal; 3 has their features and another class; 4 and 5 differ in the sign of zero only.
    assert (found.duplicate_rows, found.inconsistent_rows) == (2, 1)


def test_no_rows():
    data = load("iris").take(np.array([], dtype=np.int64))
    found = summarise(data)
    assert (found.rows, found.duplicate_rows, found.inconsistent_rows, found.all_missing) == (0, 0, 0, ())


def test_shipped():
    found = summarise(load("ionosphere"))
    assert (found.constant, found.duplicate_rows, found.missing_cells) == (("a02",), 1, 0)
    found = summarise(load("anneal.ORIG"))
    assert found.all_missing == ("m", "marvi", "corr", "jurofm", "s", "p")
    assert found.missing_cells == 22175
