"""The trie classifier from the formulas: prefixes in a dictionary, exact fractions, nothing shared between queries."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from tests.naive.exclusiveness import is_semi_exclusive

Pattern = tuple[int, ...]
CRITERIA = ("exclusive", "strength", "shape", "distance", "frequency", "majority")
MISSING = -1


def most_frequent(counts: Counter[int], other_than: int | None = None) -> int:
    """The most frequent class, the lowest of equal ones."""
    left = [c for c in counts if c != other_than]
    return min(left, key=lambda c: (-counts[c], c))


class NaiveTrie:
    """Every prefix of a training pattern with the classes of its rows."""

    def __init__(self, patterns: Sequence[Pattern], y: Sequence[int], phi: float, n_classes: int) -> None:
        self.patterns, self.y = list(patterns), list(y)
        self.n = len(self.patterns[0])
        self.n_classes = n_classes
        self.prefixes: dict[Pattern, Counter[int]] = {}
        self.children: dict[Pattern, set[int]] = {}
        for p, c in zip(self.patterns, self.y, strict=True):
            for i in range(self.n + 1):
                self.prefixes.setdefault(p[:i], Counter())[c] += 1
            for i in range(self.n):
                self.children.setdefault(p[:i], set()).add(p[i])
        self.marks = [{k: self.semk(i, k, phi) for k in {p[i] for p in self.patterns}} for i in range(self.n)]
        self.majority = most_frequent(self.prefixes[()])

    def freq(self, q: Pattern) -> int:
        return sum(self.prefixes[q].values())

    def labels(self, q: Pattern) -> set[int]:
        return set(self.prefixes[q])

    def strength(self, p: Pattern) -> int:
        return sum(len(self.labels(p[:i])) == 1 for i in range(1, self.n + 1))

    def semk(self, i: int, k: int, phi: float) -> bool:
        inside = [c for r, c in zip(self.patterns, self.y, strict=True) if r[i] == k]
        return is_semi_exclusive(inside, phi)

    def exclusive(self, p: Pattern) -> int:
        """Semp times n: how many elements are semi-exclusive."""
        return sum(self.marks[i][k] for i, k in enumerate(p))

    def next_element(self, q: Pattern, wanted: int, allowed: list[int]) -> int:
        """The nearest of the allowed continuations; then the more frequent; then the lower."""

        def key(k: int) -> tuple[int, int, int]:
            away = 0 if wanted == MISSING else abs(k - wanted)
            return away, -self.freq((*q, k)), k

        return min(allowed, key=key)

    def continuations(self, q: Pattern) -> list[int]:
        return sorted(self.children[q])

    def walk_plus(self, query: Pattern) -> Pattern:
        q: Pattern = ()
        for wanted in query:
            q = (*q, self.next_element(q, wanted, self.continuations(q)))
        return q

    def walk_minus(self, query: Pattern, plus: Pattern) -> Pattern:
        q: Pattern = ()
        for i, wanted in enumerate(query):
            beside = self.labels(plus[: i + 1])
            allowed = [
                k for k in self.continuations(q) if len(self.labels((*q, k))) > 1 or not self.labels((*q, k)) & beside
            ]
            assert allowed, "a dead end"
            q = (*q, self.next_element(q, wanted, allowed))
        return q

    def walk_to_class(self, query: Pattern, c: int) -> Pattern:
        q: Pattern = ()
        for wanted in query:
            allowed = [k for k in self.continuations(q) if c in self.labels((*q, k))]
            q = (*q, self.next_element(q, wanted, allowed))
        return q

    def candidates(self, query: Pattern, rivals: str) -> list[tuple[Pattern, int]]:
        """Patterns and the classes that they stand for, p+ first."""
        plus = self.walk_plus(query)
        own = most_frequent(self.prefixes[plus])
        others = sorted(self.labels(()) - {own})
        if rivals == "each":
            return [(plus, own), *((self.walk_to_class(query, c), c) for c in others)]
        if not others:
            return [(plus, own)]
        minus = self.walk_minus(query, plus)
        return [(plus, own), (minus, most_frequent(self.prefixes[minus], other_than=own))]

    def meeting(
        self, query: Pattern, pair: list[tuple[Pattern, int]], scale: str, spans: tuple[int, int]
    ) -> list[list[Fraction]]:
        """alpha of p+ and of one rival: six fractions each."""
        far = [distance(query, p) for p, _ in pair]
        bent = [shape_distance(query, p) for p, _ in pair]
        often = [self.freq(p) for p, _ in pair]
        wholes = (sum(bent), sum(far), sum(often)) if scale == "pair" else (spans[1], spans[0], len(self.y))
        return [
            [
                Fraction(self.exclusive(p), self.n),
                Fraction(self.strength(p), self.n),
                nearness(bent[m], wholes[0]),
                nearness(far[m], wholes[1]),
                Fraction(often[m], wholes[2]),
                Fraction(label == self.majority),
            ]
            for m, (p, label) in enumerate(pair)
        ]

    def meetings(
        self, query: Pattern, found: list[tuple[Pattern, int]], scale: str, spans: tuple[int, int]
    ) -> list[list[list[Fraction]]]:
        return [self.meeting(query, [found[0], rival], scale, spans) for rival in found[1:]]

    def weights(self, rivals: str, scale: str, spans: tuple[int, int]) -> list[Fraction]:
        """w_j: the share of training rows that criterion j alone classifies rightly."""
        hits = [0] * len(CRITERIA)
        for p, c in zip(self.patterns, self.y, strict=True):
            found = self.candidates(p, rivals)
            alphas = self.meetings(p, found, scale, spans)
            for j in range(len(CRITERIA)):
                hits[j] += found[best([minus[j] - plus[j] for plus, minus in alphas])][1] == c
        return [Fraction(h, len(self.y)) for h in hits]

    def predict(
        self, query: Pattern, weights: list[Fraction], exact: str, rivals: str, scale: str, spans: tuple[int, int]
    ) -> int:
        found = self.candidates(query, rivals)
        if exact == "wins" and distance(query, found[0][0]) == 0:
            return found[0][1]
        alphas = self.meetings(query, found, scale, spans)
        return found[best([merit(weights, minus) - merit(weights, plus) for plus, minus in alphas])][1]


def merit(weights: list[Fraction], alpha: list[Fraction]) -> Fraction:
    return sum((w * a for w, a in zip(weights, alpha, strict=True)), Fraction(0))


def best(leads: list[Fraction]) -> int:
    """0 for p+ if no rival leads; otherwise 1 + the first of those that lead by most."""
    most = max(leads, default=Fraction(0))
    return 1 + leads.index(most) if most > 0 else 0


def errors(query: Pattern, p: Pattern) -> list[int]:
    return [0 if x == MISSING else x - k for x, k in zip(query, p, strict=True)]


def distance(query: Pattern, p: Pattern) -> int:
    """d: the sum of |px_i - p_i|."""
    return sum(abs(e) for e in errors(query, p))


def shape(p: Sequence[int]) -> list[int]:
    """The differences between neighbouring elements."""
    return [b - a for a, b in itertools.pairwise(p)]


def shape_distance(query: Pattern, p: Pattern) -> int:
    """s: d of the shapes; a missing element of the query is read as that of the pattern."""
    filled = [k if x == MISSING else x for x, k in zip(query, p, strict=True)]
    return sum(abs(a - b) for a, b in zip(shape(filled), shape(p), strict=True))


def nearness(x: int, whole: int) -> Fraction:
    return max(Fraction(0), 1 - Fraction(x, whole)) if whole else Fraction(1)


def spans(sizes: Sequence[int]) -> tuple[int, int]:
    """Largest distance and largest difference of shape of patterns with so many intervals."""
    top = [s - 1 for s in sizes]
    return sum(top), sum(a + b for a, b in itertools.pairwise(top))
