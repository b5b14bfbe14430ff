"""Multi-label methods over data sets: Friedman's test, and pairs with the baseline, measure by measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fsbench.evaluation.multilabel_metrics import MEASURES, RANKING_MEASURES
from fsbench.report.across import MOST_PAIRED, AcrossPair, adjusted_pairs, pair_of
from fsbench.report.label_results import TITLES, LabelMethod, LabelResults
from fsbench.report.results import Results
from fsbench.report.table import CLASSIFIER, Cell, Column, Row, Table, absent
from fsbench.report.tables.common import confidence, data_notes, merged, percent, untested
from fsbench.report.tables.pairs import COLUMNS, pair_cells
from fsbench.stats import RankTest, critical_difference, friedman
from fsbench.values import FloatArray

__all__ = ["multilabel_statistics"]

_PLACE = (
    Column("setup", "setup", kind="name"),
    CLASSIFIER,
    Column("measure", "measure", kind="name"),
)
_FRIEDMAN = (
    *_PLACE,
    Column("datasets", "data sets", decimals=0),
    Column("methods", "methods", decimals=0),
    Column("chi_squared", "chi squared", "Friedman", decimals=2),
    Column("chi_p", "p", "Friedman", decimals=4, p_value=True),
    Column("f", "F", "Iman-Davenport", decimals=2),
    Column("p", "p", "Iman-Davenport", decimals=4, p_value=True),
    Column("sig", "sig.", "Iman-Davenport", kind="text"),
    Column("cd", "difference", "Nemenyi", decimals=3),
)


@dataclass(frozen=True)
class _Place:
    """One measure of the methods of a classifier on the data sets of a setup."""

    setup: str
    classifier: str
    measure: str

    @property
    def cells(self) -> tuple[Cell, ...]:
        return (Cell(self.setup or "all"), Cell(self.classifier), Cell(TITLES[self.measure]))

    @property
    def words(self) -> str:
        return " ".join(part for part in (self.setup, self.classifier) if part)


def multilabel_statistics(results: Results) -> list[Table]:
    """Return Friedman's tests and the pairs, one row for each setup, classifier and measure; none for one method.

    Parameters
    ----------
    results : Results
        Of a multi-label experiment.

    Returns
    -------
    list of Table
    """
    labelled = results.labelled
    assert labelled is not None
    places = [place for place in _places(results) if len(labelled.of_classifier(place.classifier)) > 1]
    return [_friedman_table(results, labelled, places), _pairs_table(results, labelled, places)] if places else []


def _places(results: Results) -> Iterator[_Place]:
    labelled = results.labelled
    assert labelled is not None
    for setup in labelled.setups:
        for classifier in results.classifiers:
            for measure in (*MEASURES, *RANKING_MEASURES):
                yield _Place(setup, classifier, measure)


def _friedman_table(results: Results, labelled: LabelResults, places: list[_Place]) -> Table:
    level, rows, reasons, tests = percent(results.level), [], [], []
    for place in places:
        test = friedman(_values(labelled, place), results.level)
        tests.append(test)
        rows.append(Row((*place.cells, *_friedman_cells(results, test))))
        reasons += [(place.words, f"not tested: {test.reason}")] * bool(test.reason)
    notes = (
        "Over the data sets on which every method has a value or keeps no feature; that comes last.",
        f"sig.: whether the ranks differ at {level} (Iman-Davenport).",
        f"Nemenyi: where they do, two methods whose ranks lie further apart than this differ at {level}.",
        *merged(list(dict.fromkeys(reasons))),
        *data_notes(results),
    )
    title = "Do the methods differ over the data sets? Friedman's test of the average ranks"
    return Table("friedman", title, _FRIEDMAN, tuple(rows), notes, tested=f"Friedman, Iman-Davenport, at {level}",
                 untested=untested(tests))  # fmt: skip


def _friedman_cells(results: Results, test: RankTest) -> tuple[Cell, ...]:
    sizes = (Cell(test.n), Cell(test.k))
    if test.p_value is None:
        return (*sizes, absent("omitted"), *[Cell()] * 5)
    found = (test.chi_squared, test.chi_p, test.statistic, test.p_value)
    sig = Cell("yes" if test.p_value < results.level else "no")
    return (*sizes, *map(Cell, found), sig, Cell(critical_difference(test.k, test.n, results.level)))


def _values(labelled: LabelResults, place: _Place) -> FloatArray:
    """Return data sets by methods, more being better; an empty selection is worse than any value."""
    methods = labelled.of_classifier(place.classifier)
    sign = 1.0 if labelled.higher_is_better(place.measure) else -1.0
    rows = []
    for dataset in labelled.setups[place.setup]:
        found = [labelled.scores(dataset, method, place.measure) for method in methods]
        if all(scores.status in ("ok", "empty") for scores in found):
            rows.append([-np.inf if s.mean is None else sign * s.mean for s in found])
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(methods))


def _pairs_table(results: Results, labelled: LabelResults, places: list[_Place]) -> Table:
    level, rows, reasons = percent(results.level), [], []
    for place in places:
        for pair in _pairs(results, labelled, place):
            rows.append(Row((*place.cells, *pair_cells(results, pair, str))))
            why = (pair.signed.reason, pair.posterior.reason)
            reasons += [(place.words, f"no test: {reason}") for reason in why if reason]
    adjusted = ", p adjusted by Holm over the pairs of a row's measure" if results.correction == "holm" else ""
    notes = [
        f"sig.: ◦ the first is better, • worse, · neither (Wilcoxon signed-rank test at {level}{adjusted}).",
        "r: matched-pairs rank-biserial correlation, from -1 to 1, above 0 where the first is better.",
        f"shift: hundredths by which the first is better (Hodges-Lehmann), with {confidence(results.level)}.",
        f"probability: Bayesian signed-rank test, region of practical equivalence of {results.rope:g} hundredths.",
        *merged(list(dict.fromkeys(reasons))),
        *data_notes(results),
    ]
    tested = f"Wilcoxon signed-rank and sign test, two-sided at {level}, on the mean measures of the data sets"
    title = f"Pairs of methods over the data sets, measure by measure; {results.protocol}"
    return Table("pairs", title, (*_PLACE, *COLUMNS), tuple(rows), tuple(notes), tested=tested, detail=True)


def _pairs(results: Results, labelled: LabelResults, place: _Place) -> list[AcrossPair]:
    """Return all pairs of a few methods, of many the first (the baseline, if there is one) with each other."""
    methods = labelled.of_classifier(place.classifier)
    firsts = methods[:-1] if len(methods) <= MOST_PAIRED else methods[:1]
    return adjusted_pairs(
        [
            _pair(results, labelled, place, first, second)
            for i, first in enumerate(firsts)
            for second in methods[i + 1 :]
        ]
    )


def _pair(
    results: Results, labelled: LabelResults, place: _Place, first: LabelMethod, second: LabelMethod
) -> AcrossPair:
    sign = 1.0 if labelled.higher_is_better(place.measure) else -1.0
    sides = [[labelled.scores(d, m, place.measure).mean for d in labelled.setups[place.setup]] for m in (first, second)]
    both = [(a, b) for a, b in zip(*sides, strict=True) if a is not None and b is not None]
    a, b = 100.0 * sign * np.array(both, dtype=np.float64).reshape(len(both), 2).T
    return pair_of(results, (first.title, second.title), a, b, results.rope)
