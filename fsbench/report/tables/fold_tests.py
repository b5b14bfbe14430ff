"""Every comparison on the folds of one data set: both t tests with adjusted p, intervals, sizes, probabilities."""

from __future__ import annotations

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way
from fsbench.report.table import CLASSIFIER, DATASET, Cell, Column, Row, Table, absent
from fsbench.report.tables.common import confidence, data_notes, merged, points
from fsbench.report.versus import Comparison, adjusted, comparisons
from fsbench.stats import TESTS, cohen_d, correlated_t, mean_interval

__all__ = ["fold_tests_table"]

_COLUMNS = (
    DATASET,
    CLASSIFIER,
    Column("against", "against", kind="name"),
    Column("difference", "mean", "difference (points)", decimals=2),
    Column("low", "low", "difference (points)", decimals=2),
    Column("high", "high", "difference (points)", decimals=2),
    Column("d", "d", decimals=2),
    Column("paired_p", "p", "paired t", decimals=4, p_value=True),
    Column("paired_holm", "Holm", "paired t", decimals=4, p_value=True),
    Column("corrected_p", "p", "corrected resampled t", decimals=4, p_value=True),
    Column("corrected_holm", "Holm", "corrected resampled t", decimals=4, p_value=True),
    Column("better", "better", "probability", decimals=2),
    Column("same", "same", "probability", decimals=2),
    Column("worse", "worse", "probability", decimals=2),
)


def fold_tests_table(results: Results, way: Way) -> Table | None:
    """Return the reference against each column on each data set, one row a comparison.

    Parameters
    ----------
    results : Results
        What was computed.
    way : Way
        How features were chosen.

    Returns
    -------
    Table or None
        None without anything to compare.
    """
    found = comparisons(results, way, results.test_name)
    # A ranker that the classifier is not combined with is no gap.
    found = [c for c in found if {results.reference, c.versus} - {ALL} <= set(results.pairs(c.classifier))]
    if not found:
        return None
    name = results.title(results.reference)
    test = TESTS[results.test_name]
    reasons = [(_place(results, c), f"no test: {c.test.reason}") for c in found if c.test.reason]
    notes = (
        f"difference: {name} minus the other; low, high: {confidence(results.level)} by the {test}.",
        "d: Cohen's d of paired values, mean by standard deviation of the differences on the folds.",
        "Holm: p adjusted over the comparisons of each data set and classifier.",
        f"probability: Bayesian correlated t test with a region of practical equivalence of {points(results.rope)}.",
        *merged(reasons, len(found)),
        *data_notes(results),
    )
    title = f"{name} against each method on each data set, with {results.words(way)}; {results.protocol}"
    rows = tuple(_row(results, way, c) for c in found)
    tested = f"Two-sided paired t and corrected resampled t over the folds, {confidence(results.level)}s"
    return Table(f"tests-{way.slug}", title, _COLUMNS, rows, notes, tested=tested, detail=True)


def _row(results: Results, way: Way, c: Comparison) -> Row:
    names = (Cell(c.dataset), Cell(results.title(c.classifier)), Cell(results.title(c.versus)))
    first = results.scores(c.dataset, c.classifier, results.reference, way)
    second = results.scores(c.dataset, c.classifier, c.versus, Way("all") if c.versus == ALL else way)
    if not (first.ok and second.ok and first.folds == second.folds):
        return Row((*names, absent(_word(first, second)), *[Cell()] * 10))
    sizes = (first.accuracy, second.accuracy, first.n_train, first.n_test)
    interval = mean_interval(results.test_name, *sizes, results.level)
    posterior = correlated_t(*sizes, results.rope)
    cells = (interval.estimate, interval.low, interval.high, cohen_d(first.accuracy, second.accuracy))
    shares = (posterior.better, posterior.same, posterior.worse)
    return Row((*names, *map(Cell, cells), *_p_values(results, way, c), *map(Cell, shares)))


def _p_values(results: Results, way: Way, c: Comparison) -> list[Cell]:
    key, found = (c.dataset, c.classifier, c.versus), []
    for test in TESTS:
        plain = adjusted(results, way, test, "none")[key].p_value
        found.append(absent("omitted") if plain is None else Cell(plain))
        found.append(Cell(adjusted(results, way, test, "holm")[key].p_value))
    return found


def _word(first: Scores, second: Scores) -> str:
    return next((side.word for side in (first, second) if not side.ok), "omitted")


def _place(results: Results, c: Comparison) -> str:
    return f"{c.dataset} {results.title(c.classifier)} {results.title(c.versus)}"
