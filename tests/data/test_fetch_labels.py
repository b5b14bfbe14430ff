"""Fetching multi-label data sets, against files of our own."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from fsbench.data import info, load_multilabel, names
from fsbench.data.fetch import fetch
from fsbench.data.label_names import read_label_names
from fsbench.data.locate import cache_folder
from fsbench.data.registry import DataInfo, SourceFile
from fsbench.errors import DataError
from fsbench.experiment.experiment import DatasetRef
from fsbench.experiment.label_sources import find_label_dataset
from fsbench.experiment.sources import find_dataset
from tests.data.test_fetch import Server
from tests.data.test_fetch import known as register

TEXT = b"""@relation 'spots: -C 9'
@attribute 'size (mm)' numeric
@attribute hue {red,blue}
@attribute "a&b" {0,1}
@attribute 'large one' {0,1}
@data
1.5,red,1,0
2,blue,0,0
3,red,1,1
"""


@pytest.fixture
def server():
    running = Server()
    running.put("spots.arff", TEXT)
    yield running
    running.stop()


@pytest.fixture
def entry(server, monkeypatch, tmp_path):
    monkeypatch.delenv("FSBENCH_DATA", raising=False)
    (tmp_path / "s.arff").write_bytes(TEXT)
    data = load_multilabel(tmp_path / "s.arff", -2)
    source = SourceFile((f"{server.url}/spots.arff",), hashlib.sha256(TEXT).hexdigest())
    made = DataInfo("spots", "fetched", 3, 2, 0, "us", "a note", digest=data.digest, recipe="last-labels",
                    fetch=(source,), labels=2, labels_file="spots.xml")  # fmt: skip
    register(monkeypatch, made)
    return made


def test_a_set_is_fetched_once_with_its_labels(entry, server):
    data = load_multilabel("spots")
    assert data.labels == ("a&b", "large one")
    assert data.Y.tolist() == [[1, 0], [0, 0], [1, 1]]
    assert data.digest == entry.digest
    assert data.note == ""
    assert (cache_folder() / "spots.arff").read_bytes() == TEXT
    assert read_label_names(cache_folder() / "spots.xml") == ["a&b", "large one"]
    load_multilabel("spots")
    assert server.requests == ["/spots.arff"]


def test_what_is_not_the_registered_set_is_not_kept(entry):
    with pytest.raises(DataError, match="what was fetched for spots is not what the registry describes"):
        fetch(replace(entry, digest="0" * 64))
    assert not (cache_folder() / "spots.arff").exists()


def test_without_leave_nothing_is_fetched(entry, server):
    with pytest.raises(
        DataError, match=r"'fsbench datasets fetch spots' gets it, or put spots.arff and spots.xml into"
    ):
        load_multilabel("spots", fetch=False)
    missing = find_label_dataset(DatasetRef("spots", name="spots"), cache_folder(), fetch=False)
    assert missing.reason == "not here; a run tries to fetch it"
    assert server.requests == []
    assert find_label_dataset(DatasetRef("mine", name="spots"), cache_folder()).name == "mine"


def test_a_set_without_an_address_says_how_to_supply_it(monkeypatch):
    monkeypatch.delenv("FSBENCH_DATA", raising=False)
    with pytest.raises(DataError, match=r"corel16k001 cannot be fetched; put corel16k001.arff and corel16k001.xml"):
        fetch("corel16k001")
    for leave in (True, False):  # no run could fetch it
        missing = find_label_dataset(DatasetRef("c", name="corel16k001"), cache_folder(), fetch=leave)
        assert missing.reason.startswith("not here; put corel16k001.arff and corel16k001.xml into a folder and")
        missing = find_dataset(DatasetRef("m", name="mammogram"), cache_folder(), fetch=leave)
        assert missing.reason == "not here; put mammogram.arff into a folder and name the folder in FSBENCH_DATA"


def test_no_connection_is_a_missing_set(entry, server):
    server.stop()
    found = find_label_dataset(DatasetRef("spots", name="spots"), cache_folder())
    assert "no connection to" in found.reason
    server.http.server_close()


def test_the_papers_sets_are_pinned():
    known = [info(name) for name in names("multilabel2013")]
    assert len(known) == 14
    assert all(entry.labels and entry.digest and entry.sha256 for entry in known)
    assert [entry.name for entry in known if not entry.fetch] == ["corel16k001"]


def test_several_files_are_put_below_each_other(entry, server):
    head, rows = TEXT.split(b"@data\n")
    lines = rows.splitlines(keepends=True)
    parts = [head + b"@data\n" + lines[0].rstrip(), head + b"@DATA  \n" + lines[1] + lines[2]]
    sources = []
    for i, part in enumerate(parts):
        server.put(f"part{i}.arff", part)
        sources.append(SourceFile((f"{server.url}/part{i}.arff",), hashlib.sha256(part).hexdigest()))
    made = replace(entry, fetch=tuple(sources))
    assert fetch(made).read_bytes() == TEXT
    with pytest.raises(DataError, match="not what the registry describes"):
        fetch(replace(made, fetch=tuple(sources[::-1])))
    server.put("none.arff", head)
    lost = SourceFile((f"{server.url}/none.arff",), hashlib.sha256(head).hexdigest())
    with pytest.raises(DataError, match="there is no '@data' in it"):
        fetch(replace(made, fetch=(sources[0], lost)))
