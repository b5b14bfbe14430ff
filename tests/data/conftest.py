"""Tests of data see no folder of the machine but those they make."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def clean_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FSBENCH_DATA", raising=False)
    monkeypatch.setenv("FSBENCH_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write text or bytes to a file and return its path."""

    def write_file(content: str | bytes, name: str = "t.arff") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file
