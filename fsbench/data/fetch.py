"""Fetching data sets from their public addresses into the cache: verified, or not kept."""

from __future__ import annotations

import tarfile
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from fsbench.data.arff_write import write_arff
from fsbench.data.locate import cache_folder
from fsbench.data.recipes import RECIPES
from fsbench.data.registry import DataInfo, SourceFile, info, is_known
from fsbench.errors import DataError, nearest
from fsbench.values import Dataset

__all__ = ["fetch", "fetched_file", "how_to_supply", "is_registered"]

_CONNECT, _READ = 5, 30  # seconds without an answer
_LARGEST = 1 << 30  # bytes of a member: more is no data set of ours
_HTML = (b"<!doctype html", b"<html", b"<?xml")


def fetch(name: str | DataInfo) -> Path:
    """Fetch a data set into the cache.

    Every source file must have the SHA-256 of the registry, and what the recipe makes of them must have the
    content that it describes; otherwise nothing is kept. Several processes may fetch the same set.

    Parameters
    ----------
    name : str or DataInfo
        A registry name, or an entry.

    Returns
    -------
    Path
        An ARFF file, the class last.

    Raises
    ------
    DataError
        There is nothing to fetch, no connection, or what came is not what was expected.
    """
    entry = info(name) if isinstance(name, str) else name
    if not entry.fetch:
        raise DataError(f"{entry.name} cannot be fetched; {how_to_supply(entry.name)}")
    if entry.labels:
        from fsbench.data.fetch_labels import fetch_labelled

        return fetch_labelled(entry)
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as work:
            files = [fetched_file(source, Path(work), i, entry.name) for i, source in enumerate(entry.fetch)]
            dataset = RECIPES[entry.recipe](files)
    except OSError as error:
        raise DataError(f"{entry.name} cannot be kept: {error.strerror}", str(folder)) from None
    if not is_registered(entry, dataset):
        raise DataError(f"what was fetched for {entry.name} is not what the registry describes: nothing is kept")
    path = folder / f"{entry.name}.arff"
    write_arff(replace(dataset, name=entry.name), path)
    return path


def is_registered(entry: DataInfo, dataset: Dataset) -> bool:
    """Whether a data set has the content that its registry entry describes, or at least the shape."""
    if entry.digest:
        return dataset.digest == entry.digest
    shape = (dataset.n_rows, dataset.n_features, tuple(dataset.class_counts.tolist()))
    return shape == (entry.rows, entry.features, entry.class_counts or shape[2])


def how_to_supply(name: str) -> str:
    """Tell how a data set that is not here can be supplied."""
    labels = info(name).labels_file if is_known(name) else ""
    files = f"{name}.arff" + (f" and {labels}" if labels else "")
    return f"put {files} into a folder and name the folder in FSBENCH_DATA"


def fetched_file(source: SourceFile, folder: Path, number: int, name: str) -> Path:
    """Download one file of a data set from the first of its mirrors that has it, and verify it.

    Parameters
    ----------
    source : SourceFile
    folder : Path
        Where it is put.
    number : int
        Of the file among those of the data set.
    name : str
        The data set's, for errors.

    Returns
    -------
    Path

    Raises
    ------
    DataError
        No mirror has it.
    """
    reasons = []
    for url in source.urls:
        try:
            path = _download(url, source.sha256, folder / f"{number}-{url.rsplit('/', 1)[-1]}")
            return _member(path, source.member) if source.member else path
        except DataError as error:
            reasons.append(error.what)
    raise DataError(f"{name} cannot be fetched: {'; '.join(reasons)}; {how_to_supply(name)}")


def _download(url: str, sha256: str, path: Path) -> Path:
    import pooch  # here: it loads the network's libraries
    import requests

    pooch.get_logger().setLevel("ERROR")
    plain = pooch.HTTPDownloader(timeout=(_CONNECT, _READ))

    def downloader(url: str, output_file: Any, pooch: Any) -> None:
        plain(url, output_file, pooch)
        with Path(output_file).open("rb") as stream:
            if stream.read(100).lstrip().lower().startswith(_HTML):
                raise DataError(f"{url} sent a web page instead of the file")

    try:
        pooch.retrieve(url, f"sha256:{sha256}", fname=path.name, path=path.parent, downloader=downloader)
    except requests.HTTPError as error:
        raise DataError(
            f"{url} answered {error.response.status_code if error.response is not None else 'an error'}"
        ) from None
    except requests.Timeout:
        raise DataError(f"{url} did not answer in time") from None
    except requests.exceptions.ChunkedEncodingError:
        raise DataError(f"{url} broke off: the file is truncated") from None
    except requests.RequestException:
        raise DataError(f"no connection to {url}") from None
    except ValueError:
        # pooch has removed the file.
        raise DataError(f"{url} sent another file than expected (SHA-256 differs)") from None
    return path


def _member(path: Path, member: str) -> Path:
    """Read one member of a zip or tar file; nothing else of it is ever written, whatever its name."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                data = _from_zip(archive, member)
        else:
            with tarfile.open(path) as archive:
                data = _from_tar(archive, member)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise DataError(f"{path.name} is a damaged archive ({error})") from None
    found = path.with_name(path.name + ".member")
    found.write_bytes(data)
    return found


def _from_zip(archive: zipfile.ZipFile, member: str) -> bytes:
    names = archive.namelist()
    if member not in names:
        raise DataError(f"the archive has no member {member!r}; {nearest(member, names)}")
    _check_size(archive.getinfo(member).file_size, member)
    return archive.read(member)


def _from_tar(archive: tarfile.TarFile, member: str) -> bytes:
    names = archive.getnames()
    if member not in names:
        raise DataError(f"the archive has no member {member!r}; {nearest(member, names)}")
    found = archive.getmember(member)
    stream = archive.extractfile(found) if found.isreg() else None  # a link may lead anywhere
    if stream is None:
        raise DataError(f"the archive's member {member!r} is not a plain file")
    _check_size(found.size, member)
    return stream.read()


def _check_size(size: int, member: str) -> None:
    if size > _LARGEST:
        raise DataError(f"the archive's member {member!r} would take {size} bytes")
