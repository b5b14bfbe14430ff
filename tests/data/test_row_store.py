from __future__ import annotations

import numpy as np
import pytest

from fsbench.data import row_store
from fsbench.data.row_store import RowStore


@pytest.mark.parametrize("slab", [1, 1 << 15, 1 << 24])
@pytest.mark.parametrize("n_columns", [1, 3, 700])
@pytest.mark.parametrize("sizes", [[], [0], [5], [1000, 0, 3, 2000], [513] * 9])
def test_pieces_come_back_in_order(monkeypatch, slab, n_columns, sizes):
    monkeypatch.setattr(row_store, "_SLAB", slab)
    draw = np.random.default_rng(1)
    pieces = [draw.normal(size=(n, n_columns)) for n in sizes]
    store = RowStore(n_columns)
    for piece in pieces:
        store.append(np.asfortranarray(piece) if len(piece) % 2 else piece)
    assert store.n_rows == sum(sizes)
    values = store.finish()
    assert np.array_equal(values, np.concatenate([np.empty((0, n_columns)), *pieces]))
    assert values.flags.f_contiguous
    assert store.n_rows == 0
