"""The page on statistics says what the code does: defaults, keys, names of tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fsbench.experiment.schema import TestsBlock as Block
from fsbench.stats.bayes import DRAWS
from fsbench.stats.signed import _EXACT, fewest_pairs

PAGE = Path(__file__).parents[2] / "fsbench" / "docs" / "statistics.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_example_has_every_key_at_its_default(page: str) -> None:
    (line,) = re.findall(r"^    (tests: \{.*\})$", page, re.MULTILINE)
    given = YAML(typ="safe").load(line)["tests"]
    assert given.pop("reference") == "NLC"
    assert given == {k: v for k, v in Block().model_dump().items() if k != "reference"}
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(Block.model_fields)


def test_numbers_of_the_page(page: str) -> None:
    assert f"{DRAWS:,} draws".replace(",", " ") in page
    assert f"exact up to {_EXACT} differences" in page
    assert f"({fewest_pairs(0.05)} at 5 %)" in page
