"""The worked example of the documentation: its code is run, and its prose is checked against the formulas."""

from __future__ import annotations

import doctest
from fractions import Fraction
from pathlib import Path

from tests.naive.exclusiveness import relevance
from tests.naive.trie import CRITERIA, NaiveTrie, best, merit, spans

ROWS = [(0, 1, 2, 0), (0, 1, 3, 0), (0, 2, 2, 1), (1, 0, 0, 0), (1, 0, 0, 0), (3, 2, 1, 1), (3, 3, 1, 1), (3, 3, 2, 0)]
QUERY = (2, 2, 2)
REACH = spans([4, 4, 4])


def example() -> NaiveTrie:
    return NaiveTrie([row[:3] for row in ROWS], [row[3] for row in ROWS], 0.75, 2)


def test_the_page_runs(root: Path) -> None:
    found = doctest.testfile(str(root / "fsbench" / "docs" / "exclusiveness.md"), module_relative=False)
    assert found.failed == 0
    assert found.attempted > 15


def test_the_prefixes_are_those_of_the_page(root: Path) -> None:
    trie = example()

    def lines(q: tuple[int, ...]) -> list[str]:
        name = "<" + ",".join(map(str, q)) + ">"
        classes = ",".join("np"[c] for c in sorted(trie.labels(q)))
        below = [line for k in (trie.continuations(q) if len(q) < 3 else []) for line in lines((*q, k))]
        return [f"    {'  ' * len(q)}{name}  {trie.freq(q)} {{{classes}}}", *below]

    assert "\n".join(lines(())) in (root / "fsbench" / "docs" / "exclusiveness.md").read_text(encoding="utf-8")
    assert len(lines(())) == 16


def test_the_deltas_of_the_page() -> None:
    y = [row[3] for row in ROWS]
    deltas = [relevance([row[j] for row in ROWS], y, 0.75, "own") for j in range(3)]
    assert deltas == [Fraction(2, 8), Fraction(6, 8), Fraction(5, 8)]


def test_the_walks_of_the_page() -> None:
    assert example().candidates(QUERY, "one") == [((3, 2, 1), 1), ((3, 3, 2), 0)]


def test_the_criteria_weights_and_merits_of_the_page() -> None:
    trie = example()
    found = trie.candidates(QUERY, "one")
    ((plus, minus),) = trie.meetings(QUERY, found, "pair", REACH)
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert plus == [2 * third, 2 * third, third, half, half, 0]
    assert minus == [0, third, 2 * third, half, half, 1]
    weights = trie.weights("one", "pair", REACH)
    assert dict(zip(CRITERIA, weights, strict=True)) == {
        "exclusive": Fraction(7, 8),
        "strength": 1,
        "shape": 1,
        "distance": 1,
        "frequency": 1,
        "majority": Fraction(5, 8),
    }
    assert f"{float(merit(weights, plus)):.4f}" == "2.5833"
    assert f"{float(merit(weights, minus)):.4f}" == "2.6250"
    assert best([merit(weights, minus) - merit(weights, plus)]) == 1
