"""Every entry of the registry is true of the file it names."""

from __future__ import annotations

import gzip
import hashlib
import re

import numpy as np
import pytest

from fsbench.data import describe, info, load, names
from fsbench.data.recipes import RECIPES
from fsbench.data.registry import PAPERS, is_known
from fsbench.errors import DataError

SHIPPED = [name for name in names() if info(name).kind == "shipped"]
NLC = [
    "anneal",
    "balance-scale",
    "credit-g",
    "diabetes",
    "glass",
    "glass2",
    "heart-statlog",
    "ionosphere",
    "iris",
    "kr-vs-kp",
    "lymph",
    "segment",
    "sonar",
    "splice",
    "vehicle",
    "vowel10",
    "waveform-5000",
    "zoo",
]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_files_are_what_the_registry_says(name, root):
    entry, path = info(name), root / "datasets" / info(name).file
    content = path.read_bytes()
    assert (path.suffix == ".gz") == (len(gzip.decompress(content) if path.suffix == ".gz" else content) > 300_000)
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    assert hashlib.sha256(text).hexdigest() == entry.sha256
    data = load(name)
    assert data.digest == entry.digest
    shape = (data.n_rows, data.n_features, data.n_classes, int(data.is_nominal.sum()), int(np.isnan(data.X).sum()))
    assert shape == (entry.rows, entry.features, entry.classes, entry.nominal, entry.missing)
    assert tuple(data.class_counts.tolist()) == entry.class_counts
    assert (data.name, data.note, data.sparse) == (name, "", False)


def test_every_file_in_the_folder_is_registered_and_described(root):
    files = {p.name for p in (root / "datasets").iterdir()} - {"README.md"}
    assert files == {info(name).file for name in SHIPPED}
    readme = (root / "datasets" / "README.md").read_text()
    for name in SHIPPED:
        entry = info(name)
        section = readme.split(f"\n## {entry.file}\n")[1].split("\n## ")[0]
        assert {entry.shape, entry.citation, entry.licence, entry.source} <= {
            line.partition(": ")[2] for line in section.splitlines()
        }


@pytest.mark.parametrize("name", names())
def test_entries_are_complete(name):
    entry = info(name)
    assert entry.citation
    assert entry.note
    assert entry.kind == "missing" or entry.licence
    assert set(entry.papers) <= set(PAPERS)
    assert set(entry.checked) <= {"uci", "openml", "uci_path"}
    assert (entry.kind == "shipped") == bool(entry.file)
    assert (entry.kind == "fetched") <= bool(entry.fetch)
    assert bool(entry.fetch) == (entry.recipe in RECIPES)
    assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) for file in entry.fetch)
    assert all(url.startswith("https://") for file in entry.fetch for url in file.urls)
    assert not entry.class_counts or (len(entry.class_counts), sum(entry.class_counts)) == (entry.classes, entry.rows)


def test_the_sets_of_the_papers():
    assert sorted(names("nlc2003")) == sorted(NLC)
    assert {"corral-test", "mammogram", "spect", "spectf", "waveform-21", "wdbc"} <= set(names("rsa2007"))
    assert {"adult-train", "covertype", "dermatology", "pendigits-test"} <= set(names("exclusiveness2003"))
    with pytest.raises(DataError, match="unknown paper 'nlc'; did you mean 'nlc2003'"):
        names("nlc")


@pytest.mark.parametrize("name", NLC)
def test_all_sets_of_the_nlc_paper_load_without_the_network(name, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("no network"))
    data = load(name)
    entry = info(name)
    assert (data.n_rows, data.n_features, data.n_classes) == (entry.rows, entry.features, entry.classes)
    assert (data.note != "") == (name == "waveform-5000")


def test_names_are_exact():
    assert is_known("anneal.ORIG")
    with pytest.raises(DataError, match=r"^unknown data set 'Iris'; did you mean 'iris'\?$"):
        info("Iris")


def test_describe_says_what_is_from_memory():
    facts = describe("iris")
    assert facts["openml"] == 61
    assert facts["from_memory"] == ["uci", "uci_path"]
    assert "missing" in facts
    assert describe("mammogram").get("licence") is None
