"""Compiled kernels are found again, and never stale ones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fsbench.kernels import cache

CODE = """
import numpy as np
from fsbench.registry import make
from fsbench.data import load
from fsbench.values import Split
data, rows = load("iris"), np.arange(150)
for name in ("c45", "1nn", "nb"):
    curve = make("classifier", name).curve(data, Split(rows[rows % 3 > 0], rows[rows % 3 == 0]), np.arange(4))
    print(name, curve.predicted.sum(axis=1).tolist())
"""


CACHED = (cache.cache_root, cache.cache_folder, cache._source)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    for function in CACHED:
        function.cache_clear()
    yield
    for function in CACHED:
        function.cache_clear()


def test_a_change_in_a_called_module_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {"a": "from fsbench.kernels.b import f", "b": "from fsbench.kernels.c import g", "c": "1", "d": "1"}
    monkeypatch.setattr(cache, "_source", sources.__getitem__)
    before = {name: cache.cache_folder.__wrapped__(name) for name in sources}
    sources["c"] = "2"
    after = {name: cache.cache_folder.__wrapped__(name) for name in sources}
    assert {name for name in sources if before[name] != after[name]} == {"a", "b", "c"}


def test_the_users_cache_and_a_folder_of_his_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_root.__wrapped__() == tmp_path / "fsbench"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "own"))
    assert cache.cache_root.__wrapped__() == tmp_path / "own"


@pytest.mark.slow
def test_a_second_process_runs_from_the_cache(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    env.pop("NUMBA_CACHE_DIR", None)

    def run() -> tuple[str, set[Path]]:
        done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=env)
        return done.stdout, set(tmp_path.rglob("*.nbc"))

    first, second = run(), run()
    assert first == second
    assert first[1]
