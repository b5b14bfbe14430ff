"""Fixtures that all tests share, and the rule for tests that need the reference outputs beside the project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("FSBENCH_SHARED", ROOT.parent / "shared"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    asked = config.getoption("-m") or ""
    for item in items:
        if item.get_closest_marker("shared") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason=f"no reference outputs at {SHARED}"))
        if item.get_closest_marker("slow") and "slow" not in asked:
            item.add_marker(pytest.mark.skip(reason="slow: ask for it with -m slow"))
        if item.get_closest_marker("network") and "network" not in asked:
            item.add_marker(pytest.mark.skip(reason="needs the internet: ask for it with -m network"))


@pytest.fixture(scope="session", autouse=True)
def announce_compiling() -> Iterator[Callable[[], None]]:
    """Whether kernels are compiled already is no matter of the tests: it is not said inside them."""
    from fsbench.cli import progress

    original = progress.announce_compiling
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "announce_compiling", lambda: None)
        yield original


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference outputs beside the project."""
    return SHARED


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT
