"""Modules beside a file of the user's: imported, told apart, and part of what the file's results depend on."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fsbench import registry
from fsbench.beside import source_digest
from fsbench.errors import MethodError
from fsbench.experiment.keys import method_identity
from fsbench.rankers import Ranker

OWN = """\
import json
import random
from fsbench.rankers import Ranker
from helper_beside import WEIGHT

class Weighted(Ranker):
    def score(self, train):
        from lazy_beside.part import SIGN
        return SIGN * WEIGHT * train.X.var(axis=0)

class Other(Ranker):
    def score(self, train):
        return [0.0] * train.n_features
"""

FILES = {
    "own.py": OWN,
    "helper_beside.py": "import deep_beside\nWEIGHT = deep_beside.W\n",
    "deep_beside.py": "W = 2.0\n",
    "lazy_beside/part.py": "from . import more\nSIGN = 1.0\n",
    "lazy_beside/more.py": "\n",
    "unused_beside.py": "\n",
    "random.py": "raise ValueError('the one of Python is meant')\n",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The files, and after the test a Python that has seen none of them."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield write(tmp_path, FILES)
    for name in set(sys.modules) - before:
        if "_beside" in name or name.startswith("fsbench_user."):
            del sys.modules[name]


def made(folder: Path) -> Ranker:
    return registry.make("ranker", "own.py:Weighted", base=folder)  # type: ignore[return-value]


def test_what_lies_beside_can_be_imported(folder: Path) -> None:
    from fsbench.data import load

    iris = load("iris")
    assert made(folder).rank(iris).order.tolist() == (-iris.X.var(axis=0)).argsort().tolist()


def test_the_digest_of_a_file_alone_is_that_of_its_content(folder: Path) -> None:
    alone = (
        write(folder, {"alone.py": "import json, numpy, random, fsbench\nfrom . import helper_beside\n"}) / "alone.py"
    )
    write(folder, {"numpy/part.py": "", "fsbench/__init__.py": ""})
    assert source_digest(alone) == hashlib.sha256(alone.read_bytes()).hexdigest()
    broken = write(folder, {"broken.py": "import helper_beside\ndef"}) / "broken.py"
    assert source_digest(broken) == hashlib.sha256(broken.read_bytes()).hexdigest()
    import joblib

    library = Path(joblib.__file__)
    assert source_digest(library) == hashlib.sha256(library.read_bytes()).hexdigest()


@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize("name", list(FILES))
def test_the_digest_follows_what_is_imported_and_nothing_else(folder: Path, name: str, loaded: bool) -> None:
    if loaded:
        made(folder)
    before = source_digest(folder / "own.py")
    (folder / name).write_text(FILES[name] + "# changed\n")
    assert (source_digest(folder / "own.py") != before) == (name not in ("unused_beside.py", "random.py"))


def test_the_digest_is_that_of_any_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = write(tmp_path_factory.mktemp("other"), FILES)
    assert source_digest(folder / "own.py") == source_digest(other / "own.py")


def test_the_identity_of_a_method_holds_the_digest(folder: Path) -> None:
    assert method_identity(made(folder))["file"] == source_digest(folder / "own.py")


def test_equal_names_in_two_folders_are_refused(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    made(folder)
    other = write(tmp_path_factory.mktemp("other"), FILES)
    with pytest.raises(MethodError) as caught:
        made(other)
    said = f"{other / 'own.py'} imports 'deep_beside', which Python finds at {folder / 'deep_beside.py'} and not beside"
    assert said in str(caught.value)
    third = write(tmp_path_factory.mktemp("third"), {"own.py": OWN.replace("_beside", "_beside3")})
    write(third, {"helper_beside3.py": "WEIGHT = 1\n", "lazy_beside3/part.py": "SIGN = 1\n"})
    assert made(third).label == "Weighted"


def test_a_name_that_the_file_does_not_have_lists_what_could_be_methods(folder: Path) -> None:
    with pytest.raises(MethodError, match=r"own.py has no 'Nope'; valid: Weighted, Other$"):
        registry.make("ranker", "own.py:Nope", base=folder)
    write(folder, {"empty.py": "import numpy as np\nfrom fsbench.rankers import Ranker\nN = 1\n"})
    with pytest.raises(MethodError, match=r"empty.py has no 'Nope'; it defines no class and no function$"):
        registry.make("ranker", "empty.py:Nope", base=folder)


CONFIG = """\
name: demo
datasets: [iris, glass2]
folds: {folds: 2}
rankers: ["methods/own.py:Weighted", "methods/own.py:Other"]
classifiers: [nb]
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_computes_anew_when_a_module_beside_changed(tmp_path: Path, jobs: str) -> None:
    write(tmp_path / "methods", FILES)
    write(tmp_path / "elsewhere", {"demo.yaml": CONFIG.replace("methods/", "../methods/")})

    def run() -> str:
        command = [sys.executable, "-m", "fsbench", "run", "elsewhere/demo.yaml", "--jobs", jobs]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()[0]

    assert "were there already" not in run()
    assert "demo: 0 cells computed" in run()
    (tmp_path / "methods" / "deep_beside.py").write_text("W = -1.0\n")
    assert "demo: 0 cells computed" not in run()


def test_what_editors_leave_in_a_package_does_not_count(tmp_path: Path) -> None:
    package = tmp_path / "left_by_editors"
    (package / ".ipynb_checkpoints").mkdir(parents=True)
    (package / "a.py").write_text("ONE = 1\n")
    (tmp_path / "mine.py").write_text("from left_by_editors.a import ONE\n")
    before = source_digest(tmp_path / "mine.py")
    (package / ".#a.py").symlink_to("me@host.1234:5")
    (package / "._a.py").write_text("no Python")
    (package / ".ipynb_checkpoints" / "a-checkpoint.py").write_text("ONE = 2\n")
    (package / "folder.py").mkdir()
    assert source_digest(tmp_path / "mine.py") == before
    (package / "a.py").write_text("ONE = 2\n")
    assert source_digest(tmp_path / "mine.py") != before
