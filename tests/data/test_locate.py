from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys

import pytest

from fsbench.data import available, info, load
from fsbench.data.locate import cache_folder, shipped_folder
from fsbench.errors import DataError

SMALL = "@relation r\n@attribute a numeric\n@attribute class {p,q}\n@data\n1,p\n2,q\n"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two folders in FSBENCH_DATA."""
    made = [tmp_path / "one", tmp_path / "two"]
    for folder in made:
        folder.mkdir()
    monkeypatch.setenv("FSBENCH_DATA", os.pathsep.join(map(str, made)))
    return made


def put(path, text=SMALL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_own_data_are_found_by_name(folders):
    path = put(folders[1] / "deep" / "deeper" / "mine.arff.gz")
    assert available("mine").path == path
    data = load("mine")
    assert (data.name, data.source, data.n_rows, data.note) == ("mine", str(path), 2, "")


def test_the_first_folder_goes_first_and_the_folder_before_its_subfolders(folders):
    last = put(folders[1] / "mine.arff")
    assert available("mine").path == last
    below = put(folders[0] / "a" / "mine.arff")
    assert available("mine").path == below
    csv = put(folders[0] / "mine.csv", "a,class\n1,p\n")
    assert available("mine").path == csv
    assert available("mine").path == csv
    arff = put(folders[0] / "mine.arff")
    assert available("mine").path == arff


def test_hidden_folders_and_folders_that_are_not_there_hold_nothing(folders, monkeypatch, tmp_path):
    put(folders[0] / ".git" / "mine.arff")
    monkeypatch.setenv("FSBENCH_DATA", os.pathsep.join(["", str(tmp_path / "none"), str(folders[0])]))
    assert available("mine") is None


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_in_a_circle_does_not_trap_the_search(folders):
    (folders[0] / "circle").symlink_to(folders[0], target_is_directory=True)
    assert available("mine") is None


def test_order_of_the_places(folders, root):
    assert available("iris").kind == "shipped"
    cached = put(cache_folder() / "mine.arff")
    assert (available("mine").kind, available("mine").path) == ("cache", cached)
    mine = put(folders[0] / "iris.arff")
    assert (available("iris").kind, available("iris").path) == ("FSBENCH_DATA", mine)
    assert available("corral").kind == "recipe"
    assert available("dermatology") is None
    assert shipped_folder() == root / "datasets"


def test_another_file_under_a_known_name_is_used_and_said(folders):
    put(folders[0] / "iris.arff")
    assert load("iris").note == (
        "not the registered iris: 2 rows, 1 features, 2 classes instead of 150 rows, 4 features, 3 classes"
    )
    text = (shipped_folder() / "iris.arff").read_text()
    put(folders[0] / "iris.arff", text.replace("5.1,3.5", "5.0,3.5", 1))
    assert load("iris").note == "not the registered iris: other values"
    # Equal content in another spelling is the registered set.
    put(folders[0] / "iris.arff", text.replace("\n", "\r\n") + "% more\n")
    assert load("iris").note == ""


def test_the_real_waveform_goes_before_the_recipe(folders):
    assert "recipe" in load("waveform-21").note
    put(folders[0] / "waveform-21.arff")
    assert load("waveform-21").n_rows == 2


def test_an_installed_package_has_its_data_inside(tmp_path):
    """The wheel's layout: no checkout around the package."""
    package = tmp_path / "site" / "fsbench"
    source = shipped_folder().parent / "fsbench"
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(shipped_folder(), package / "shipped" / "datasets")
    code = "from fsbench.data import load; d = load('iris'); print(d.n_rows, d.source)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "site", capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["150", str(package / "shipped" / "datasets" / "iris.arff")]


def test_what_is_nowhere(monkeypatch):
    for name in ("dermatology", "mammogram"):
        with pytest.raises(DataError) as caught:
            load(name, fetch=False)
        get = "'fsbench datasets fetch dermatology' gets it, or " if info(name).fetch else ""
        assert str(caught.value) == (
            f"the data set {name!r} is not on this machine; {get}put {name}.arff into a folder and name the folder "
            f"in FSBENCH_DATA"
        )
    with pytest.raises(DataError, match=r"^unknown data set 'irsi'; did you mean 'iris'\?$"):
        load("irsi")


def test_a_name_and_a_path_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "iris.arff")
    assert load("iris").n_rows == 150
    assert load("iris.arff").n_rows == 2
    assert load("./iris.arff").n_rows == 2
    with pytest.raises(DataError, match=r"^none\.arff: no such file$"):
        load("none.arff")


@pytest.mark.parametrize("source", ["iris", "iris.arff"])
def test_a_small_file_loads_nothing_heavy(source, tmp_path):
    shutil.copy(shipped_folder() / "iris.arff", tmp_path)
    code = f"""
import sys
from fsbench.data import load
load({source!r})
heavy = {{"numba", "pandas", "scipy", "sklearn", "pooch", "requests", "arff", "matplotlib", "pyarrow"}}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
