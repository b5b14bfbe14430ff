"""Our tables are tabulate's, to the letter."""

from __future__ import annotations

import random

import pytest
from tabulate import tabulate

from fsbench.cli.text_table import text_table

CELLS = [
    "",
    "a",
    "-",
    "0.5",
    "1e-05",
    "a long name of a feature",
    "x" * 40,
    "-12",
    "naïve",
    "幅",
    " lead",
    "two\nlines",
]


@pytest.mark.parametrize("seed", range(60))
def test_equal_to_tabulate(seed: int) -> None:
    rng = random.Random(seed)
    cells = CELLS if seed % 3 == 0 else CELLS[:8]
    width = rng.randint(1, 5)
    header = [rng.choice(["rank", "feature", "score (bits)", "x", *cells[1:4]]) for _ in range(width)]
    align = [rng.choice(["left", "right"]) for _ in range(width)]
    rows = [[rng.choice(cells) for _ in range(width)] for _ in range(rng.randint(1, 6))]
    assert text_table(rows, header, align) == tabulate(rows, header, "simple", disable_numparse=True, colalign=align)


def test_no_rows() -> None:
    assert text_table([], ["rank", "feature"], ["right", "left"]) == tabulate([], ["rank", "feature"], "simple")
