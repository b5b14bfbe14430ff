"""Fetching, against a server of our own."""

from __future__ import annotations

import hashlib
import http.server
import io
import tarfile
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from fsbench.data import DataInfo, info, load
from fsbench.data import registry as registry_module
from fsbench.data.fetch import fetch
from fsbench.data.locate import cache_folder
from fsbench.data.registry import SourceFile
from fsbench.errors import DataError

GOOD = b"@relation r\r\n@attribute class {p,q}\r\n@attribute a numeric\r\n@data\r\np,1\r\nq,2\r\n"
PAGE = b"<!DOCTYPE html>\n<html><body>Sign in to this network</body></html>"


class Server:
    """Serves what is put into `files`; counts the requests."""

    def __init__(self):
        files, requests = {}, []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.path)
                status, body, announced = files.get(self.path, (404, b"", 0))
                self.send_response(status)
                self.send_header("Content-Length", str(announced))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.files, self.requests = files, requests
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def put(self, name, body, status=200, announced=None):
        self.files[f"/{name}"] = (status, body, len(body) if announced is None else announced)

    def stop(self):
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server():
    running = Server()
    running.put("good.arff", GOOD)
    yield running
    running.stop()


@pytest.fixture
def entry(server):
    """An entry whose file the server has."""
    return made_entry(f"{server.url}/good.arff")


def made_entry(*urls, content=GOOD, **more):
    entry = DataInfo(
        name="made", kind="fetched", rows=2, features=1, classes=2, citation="", note="", class_counts=(1, 1),
        recipe="class-first", fetch=(SourceFile(urls, hashlib.sha256(content).hexdigest()),),
    )  # fmt: skip
    return replace(entry, **more)


def kept():
    """What the cache holds, drafts included."""
    return sorted(p.name for p in cache_folder().iterdir()) if cache_folder().exists() else []


def error(call):
    with pytest.raises(DataError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def known(monkeypatch, entry):
    sections, parsed = dict(registry_module._sections()) | {entry.name: ""}, registry_module._parsed
    monkeypatch.setattr(registry_module, "_sections", lambda: sections)
    monkeypatch.setattr(registry_module, "_parsed", lambda name: entry if name == entry.name else parsed(name))


SUPPLY = "put made.arff into a folder and name the folder in FSBENCH_DATA"


def test_a_good_file(entry):
    path = fetch(entry)
    data = load(path)
    assert (data.target.name, data.X.tolist(), data.y.tolist()) == ("class", [[1], [2]], [0, 1])
    assert kept() == ["made.arff"]


def test_load_fetches_once_and_then_needs_no_network(entry, server, monkeypatch):
    known(monkeypatch, entry)
    assert "not on this machine" in error(lambda: load("made", fetch=False))
    assert load("made").n_rows == 2
    assert len(server.requests) == 1
    server.stop()
    data = load("made")
    assert (data.n_rows, data.name, data.note) == (2, "made", "")
    assert len(server.requests) == 1


def test_a_wrong_file_is_not_kept(entry, server):
    server.put("good.arff", GOOD.replace(b"1", b"3"))
    url = entry.fetch[0].urls[0]
    expected = f"made cannot be fetched: {url} sent another file than expected (SHA-256 differs); {SUPPLY}"
    assert error(lambda: fetch(entry)) == expected
    assert kept() == []


def test_a_truncated_file_is_not_kept(entry, server):
    server.put("good.arff", GOOD[:50], announced=len(GOOD))
    url = entry.fetch[0].urls[0]
    assert error(lambda: fetch(entry)) == f"made cannot be fetched: {url} broke off: the file is truncated; {SUPPLY}"
    assert kept() == []


def test_a_web_page_is_not_kept(entry, server):
    server.put("good.arff", PAGE)
    url = entry.fetch[0].urls[0]
    expected = f"made cannot be fetched: {url} sent a web page instead of the file; {SUPPLY}"
    assert error(lambda: fetch(entry)) == expected
    assert kept() == []


@pytest.mark.parametrize("status", [404, 403, 500])
def test_an_answer_that_is_no_file(server, status):
    server.put("bad.arff", PAGE, status)
    url = f"{server.url}/bad.arff"
    assert error(lambda: fetch(made_entry(url))) == f"made cannot be fetched: {url} answered {status}; {SUPPLY}"
    assert kept() == []


def test_no_connection(entry, server):
    server.stop()
    url = entry.fetch[0].urls[0]
    assert error(lambda: fetch(entry)) == f"made cannot be fetched: no connection to {url}; {SUPPLY}"
    assert kept() == []


def test_the_next_mirror_is_tried(server):
    server.put("page.arff", PAGE)
    path = fetch(made_entry(f"{server.url}/none.arff", f"{server.url}/page.arff", f"{server.url}/good.arff"))
    assert path.is_file()
    assert server.requests == ["/none.arff", "/page.arff", "/good.arff"]


def test_content_must_be_what_the_registry_describes(server):
    for wrong in ({"rows": 3}, {"class_counts": (2, 0)}, {"digest": "0" * 64}):
        entry = made_entry(f"{server.url}/good.arff", **wrong)
        assert error(lambda entry=entry: fetch(entry)) == (
            "what was fetched for made is not what the registry describes: nothing is kept"
        )
        assert kept() == []


@pytest.mark.parametrize("damage", [b"", b"@relation r\n@attribute a nume", PAGE])
def test_a_damaged_cached_file_is_fetched_anew(entry, server, monkeypatch, damage):
    known(monkeypatch, entry)
    fetch(entry).write_bytes(damage)
    assert load("made").n_rows == 2
    assert len(server.requests) == 2
    fetch(entry).write_bytes(damage)
    server.stop()
    message = error(lambda: load("made"))
    assert "the cached file is of no use (" in message
    assert "no connection" in message


def test_another_file_in_the_cache_is_fetched_anew(entry, monkeypatch):
    known(monkeypatch, entry)
    fetch(entry).write_text("@relation r\n@attribute a numeric\n@attribute class {p,q}\n@data\n1,p\n")
    assert load("made").n_rows == 2


def test_many_may_fetch_at_once(entry):
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(fetch, [entry] * 16))
    assert len(set(paths)) == 1
    assert load(paths[0]).n_rows == 2
    assert kept() == ["made.arff"]


def test_what_has_no_address():
    assert error(lambda: fetch("mammogram")) == (
        "mammogram cannot be fetched; put mammogram.arff into a folder and name the folder in FSBENCH_DATA"
    )


def test_a_cache_that_cannot_be_written(entry, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FSBENCH_CACHE", str(tmp_path / "file" / "cache"))
    assert error(lambda: fetch(entry)) == f"{tmp_path / 'file' / 'cache'}: made cannot be kept: Not a directory"


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def tarred(members, link=None):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, body in members.items():
            header = tarfile.TarInfo(name)
            header.size = len(body)
            archive.addfile(header, io.BytesIO(body))
        if link:
            header = tarfile.TarInfo(link[0])
            header.type, header.linkname = tarfile.SYMTYPE, link[1]
            archive.addfile(header)
    return buffer.getvalue()


def archive_entry(server, content, member):
    server.put("archive", content)
    source = SourceFile((f"{server.url}/archive",), hashlib.sha256(content).hexdigest(), member)
    return made_entry(f"{server.url}/archive", fetch=(source,))


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_member_of_an_archive(server, pack):
    content = pack({"deep/good.arff": GOOD, "other": b"x"})
    assert load(fetch(archive_entry(server, content, "deep/good.arff"))).n_rows == 2
    message = error(lambda: fetch(archive_entry(server, content, "deep/god.arff")))
    assert "the archive has no member 'deep/god.arff'; did you mean 'deep/good.arff'?" in message


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("evil", ["../../evil.arff", "/tmp/fsbench-evil.arff", "a/../../../evil.arff"])
def test_members_cannot_leave_the_folder(server, tmp_path, pack, evil):
    """Whatever the members are called, only the one that is asked for is read, and its name is never a path."""
    content = pack({evil: GOOD, "good.arff": GOOD})
    for member in ("good.arff", evil):
        assert load(fetch(archive_entry(server, content, member))).n_rows == 2
    assert kept() == ["made.arff"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache"]
    assert not list(tmp_path.parent.glob("evil*"))
    assert not list(type(tmp_path)("/tmp").glob("fsbench-evil*"))


def test_a_link_in_an_archive_is_not_followed(server, tmp_path):
    (tmp_path / "secret.arff").write_bytes(GOOD)
    content = tarred({}, link=("good.arff", str(tmp_path / "secret.arff")))
    message = error(lambda: fetch(archive_entry(server, content, "good.arff")))
    assert "the archive's member 'good.arff' is not a plain file" in message


def test_a_damaged_archive(server):
    content = zipped({"good.arff": GOOD * 100})
    message = error(lambda: fetch(archive_entry(server, content[:-30], "good.arff")))
    assert "is a damaged archive" in message


def test_registered_addresses_are_pinned():
    """A file that may change under its address would make every fetch fail one day."""
    for name in registry_module.names():
        for file in info(name).fetch:
            for url in file.urls:
                if "githubusercontent" in url:
                    assert len(url.split("/")[5]) == 40  # a commit, not a branch
