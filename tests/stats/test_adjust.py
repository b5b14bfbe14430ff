"""Holm's adjustment against hand values and other implementations."""

import numpy as np
import pytest

from fsbench.stats import adjust, holm


def test_by_hand() -> None:
    # Sorted 0.005, 0.011, 0.02, 0.04 times 4, 3, 2, 1, each at least the one before.
    assert holm([0.02, 0.005, 0.04, 0.011]) == [0.04, 0.02, 0.04, 0.033]
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_omitted_tests_do_not_count() -> None:
    assert holm([0.02, None, 0.03]) == [0.04, None, 0.04]
    assert adjust("none", [0.02, None]) == [0.02, None]
    assert adjust("holm", [0.02, None]) == [0.02, None]


@pytest.mark.parametrize("seed", range(20))
def test_equals_statsmodels(seed: int) -> None:
    peer = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(seed)
    p = np.round(rng.random(int(rng.integers(1, 30))) ** 3, 2)
    assert holm(list(p)) == pytest.approx(peer.multipletests(p, method="holm")[1], abs=1e-12)
