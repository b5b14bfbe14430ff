"""Compiled kernels are found again, and never stale ones."""

from __future__ import annotations

import os
import shutil
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


CACHED = (cache.cache_root, cache.cache_folder, cache._source, cache.fingerprint)
ROOT = Path(__file__).resolve().parents[2]

# Everything that is compiled, in this process or in joblib's; says which kernels were not found in the cache.
EVERYTHING = """
import sys
from fsbench.experiment.executor import execute
from fsbench.kernels.cache import KERNELS
from fsbench.warming import chains, compile_steps, steps

def work(chain):
    compile_steps(chain)
    return [k.py_func.__qualname__ for k in KERNELS if sum(k.stats.cache_misses.values())]

if __name__ == "__main__":
    everything = chains(steps())
    missed = [found for _, found in execute(work, everything, int(sys.argv[1]))]
    assert len(missed) == len(everything) > 3
    print(sorted(set(sum(missed, []))))
"""


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


def run(code: str, *arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a fresh process, with the package in a folder."""
    env = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", cache.TOLD)}
    env |= {"PYTHONPATH": str(cwd), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    call = [sys.executable, "-c", code, *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=True, cwd=cwd, env=env)


@pytest.mark.slow
def test_a_second_process_runs_from_the_cache(tmp_path: Path) -> None:
    def files() -> set[Path]:
        return set(tmp_path.rglob("*.nbc"))

    first, compiled = run(CODE, XDG_CACHE_HOME=str(tmp_path)), files()
    second = run(CODE, XDG_CACHE_HOME=str(tmp_path))
    assert first.stdout == second.stdout
    assert compiled == files() != set()


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["1", "2"])
def test_fresh_processes_find_every_kernel(processes: str, tmp_path: Path) -> None:
    script = tmp_path / "everything.py"
    script.write_text(EVERYTHING)
    code = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    run(code, str(script), "1")  # compiles what was not compiled before
    assert run(code, str(script), processes).stdout.strip() == "[]"


# One family that compiles in a few seconds; where the jit is imported, numeric columns are counted by kernels.
COUNTING = """
from fsbench.data import load
from fsbench.kernels import cache, jit, label_changes
from fsbench.registry import make
print(cache.__file__)
print(make("ranker", "nlc").rank(load("iris")).scores.tolist())
print(label_changes.fitted_changes.signatures)
"""


def test_a_read_only_installation(tmp_path: Path) -> None:
    """Nothing is written into the package: kernels go to the user's folder."""
    installed, user = tmp_path / "site", tmp_path / "user"
    shutil.copytree(ROOT / "fsbench", installed / "fsbench", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "datasets", installed / "fsbench" / "shipped" / "datasets")
    before = listing(installed)
    for path in [installed, *installed.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = run(COUNTING, cwd=installed, XDG_CACHE_HOME=str(user), TMPDIR=str(tmp_path))
    finally:
        for path in [installed, *installed.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.stdout.splitlines()[0] == str(installed / "fsbench" / "kernels" / "cache.py")
    assert done.stderr == ""
    assert listing(installed) == before
    assert list(user.rglob("*.nbc"))


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_without_any_folder_to_write_kernels_still_run_and_it_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = str(tmp_path / "file" / "folder")
    done = run(COUNTING, NUMBA_CACHE_DIR=nowhere)
    assert done.stdout.splitlines()[1:] == run(COUNTING).stdout.splitlines()[1:]
    said = [line for line in done.stderr.splitlines() if "CacheWarning" in line]
    assert len(said) == 1
    assert f"cannot write to {nowhere}; set NUMBA_CACHE_DIR to a folder that can be written" in said[0]


def test_a_user_without_a_writable_home_gets_a_temporary_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = "from fsbench.kernels.cache import cache_root; print(cache_root())"
    done = run(code, XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert Path(done.stdout.strip()).parent == tmp_path
    assert done.stderr == ""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_someone_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "fsbench"
    theirs.mkdir()
    os.chown(theirs, 12345, -1)
    assert not cache._is_usable(theirs)
    assert cache._is_usable(tmp_path / "own")


def test_workers_do_not_say_again_that_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = "from fsbench.kernels.cache import cache_root; print(cache_root())"
    done = run(code, NUMBA_CACHE_DIR=str(tmp_path / "file" / "folder"), **{cache.TOLD: "yes"})
    assert (done.stdout, done.stderr) == ("None\n", "")


def test_it_can_be_told_that_kernels_are_compiled_and_only_then(tmp_path: Path) -> None:
    told = "from fsbench.kernels import cache; cache.LISTENERS.append(lambda: print('compiling'))"
    first, second = (run(f"{told}\n{COUNTING}", XDG_CACHE_HOME=str(tmp_path)) for _ in range(2))
    assert first.stdout.count("compiling") == 1
    assert second.stdout == first.stdout.replace("compiling\n", "")


def test_another_installation_has_notes_of_its_own(tmp_path: Path) -> None:
    """numba looks for what it has compiled by the place and time of the source: a note must not promise more."""

    def told(place: str) -> str:
        code = "from fsbench.kernels.cache import fingerprint; print(fingerprint())"
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / place)}
        command = [sys.executable, "-c", code]  # the folder that it is started in comes first on the path
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=True).stdout

    for name in ("one", "two"):
        shutil.copytree(ROOT / "fsbench", tmp_path / name / "fsbench", ignore=shutil.ignore_patterns("__pycache__"))
    first = told("one")
    assert first == told("one") != told("two")
    os.utime(tmp_path / "one" / "fsbench" / "kernels" / "jit.py", ns=(1, 1))
    assert told("one") != first
