"""The reference ranker against all features and against the other rankers, tested cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Way
from fsbench.stats import Correction, PairedTest, Tally, TestName, Verdict, adjust

__all__ = ["Against", "Comparison", "adjusted", "against", "comparisons", "sides", "tally", "verdicts"]

Against = Literal["all", "selectors"]

# Data set, classifier, column.
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Comparison:
    """The reference ranker against one column, on one data set with one classifier.

    Parameters
    ----------
    dataset, classifier : str
        Where.
    versus : str
        ``""`` for all features, or the label of another ranker.
    test : PairedTest
        What the test says; omitted with a reason if a cell is absent.
    """

    dataset: str
    classifier: str
    versus: str
    test: PairedTest


def against(results: Results, way: Way) -> list[str]:
    """Return what the reference is compared with: all features (where a prefix was chosen), then each other ranker.

    The first k features are compared with other rankers only, as in the NLC paper's Table 4.
    """
    baseline = [ALL] if results.has_all and way.selection == "best" else []
    selectors = results.selectors(way)
    rivals = [r for r in results.rivals if r in selectors]
    return [*baseline, *rivals] if results.reference in selectors else []


def sides(results: Results, way: Way) -> list[tuple[Against, list[str]]]:
    """Return the comparisons that are counted together: with all features, and with the other rankers."""
    columns = against(results, way)
    found: list[tuple[Against, list[str]]] = [
        ("all", [c for c in columns if c == ALL]),
        ("selectors", [c for c in columns if c != ALL]),
    ]
    return [(side, members) for side, members in found if members]


def comparisons(results: Results, way: Way, name: TestName) -> list[Comparison]:
    """Return every comparison of a way: data sets, classifiers, then columns, in order."""
    return results.remember(("comparisons", way, name), lambda: list(_compare(results, way, name)))


def _compare(results: Results, way: Way, name: TestName) -> Iterator[Comparison]:
    for dataset in results.datasets:
        for classifier in results.classifiers:
            first = results.scores(dataset, classifier, results.reference, way)
            for versus in against(results, way):
                other = Way("all") if versus == ALL else way
                second = results.scores(dataset, classifier, versus, other)
                yield Comparison(dataset, classifier, versus, results.test(name, first, second))


def adjusted(results: Results, way: Way, name: TestName, correction: Correction) -> dict[Key, PairedTest]:
    """Return the tests of `comparisons` with their p adjusted over the columns of each data set and classifier.

    Keyed by data set, classifier and column.
    """

    def build() -> dict[Key, PairedTest]:
        families: dict[tuple[str, str], list[Comparison]] = {}
        for c in comparisons(results, way, name):
            families.setdefault((c.dataset, c.classifier), []).append(c)
        found = {}
        for family in families.values():
            p_values = adjust(correction, [c.test.p_value for c in family])
            for c, p in zip(family, p_values, strict=True):
                found[c.dataset, c.classifier, c.versus] = replace(c.test, p_value=p)
        return found

    return results.remember(("adjusted", way, name, correction), build)


def verdicts(results: Results, way: Way, name: TestName) -> dict[Key, Verdict]:
    """Return the verdicts of `comparisons`, adjusted as the configuration says, by data set, classifier and column."""
    tests = adjusted(results, way, name, results.correction)
    return {key: test.verdict(results.level) for key, test in tests.items()}


def tally(results: Results, way: Way, name: TestName, side: Against) -> Tally:
    """Count the verdicts against all features, or against the other rankers together."""
    found = verdicts(results, way, name)
    return Tally.of(v for (_, _, versus), v in found.items() if (versus == ALL) == (side == "all"))
