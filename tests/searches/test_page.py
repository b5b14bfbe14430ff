"""The page about searches: its code is run."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_page_runs(root: Path) -> None:
    found = doctest.testfile(str(root / "fsbench" / "docs" / "searches.md"), module_relative=False)
    assert found.failed == 0
    assert found.attempted >= 13
