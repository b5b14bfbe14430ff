"""Methods pair by pair over the data sets: signed-rank and sign tests, the size of the difference, probabilities."""

from __future__ import annotations

from collections.abc import Callable

from fsbench.report.across import MOST_PAIRED, AcrossPair, compared, pair_verdict, pairs_across
from fsbench.report.results import Results
from fsbench.report.scores import Way
from fsbench.report.table import CLASSIFIER, Cell, Column, Row, Table, absent, marks
from fsbench.report.tables.common import confidence, data_notes, merged, percent, points, untested
from fsbench.stats import SignedTest

__all__ = ["COLUMNS", "pair_cells", "pairs_table"]


def pairs_table(results: Results, way: Way) -> Table | None:
    """Return one row for each classifier and pair of methods.

    Parameters
    ----------
    results : Results
        What was computed.
    way : Way
        How features were chosen.

    Returns
    -------
    Table or None
        None where no classifier has two methods.
    """
    found = [(c, pair) for c in results.classifiers for pair in pairs_across(results, c, way)]
    if not found:
        return None
    level = percent(results.level)
    adjusted = ", p adjusted by Holm over the pairs of a classifier" if results.correction == "holm" else ""
    notes = [
        f"sig.: ◦ the first is better, • worse, · neither (Wilcoxon signed-rank test at {level}{adjusted}).",
        "r: matched-pairs rank-biserial correlation, from -1 to 1, above 0 where the first is better.",
        f"shift: first minus second (Hodges-Lehmann) with its {confidence(results.level)}.",
        f"probability: Bayesian signed-rank test with a region of practical equivalence of {points(results.rope)}.",
        *merged(_reasons(results, found)),
        *data_notes(results),
    ]
    if any(len(compared(results, c, way)) > MOST_PAIRED for c in results.classifiers):
        notes.append(
            f"Of more than {MOST_PAIRED} methods only {results.title(results.reference)} is compared with each."
        )
    why = untested([test for _, pair in found for test in (pair.signed, pair.sign)])
    return Table(
        f"pairs-{way.slug}",
        f"Pairs of methods over the data sets, with {results.words(way)}; {results.protocol}",
        (CLASSIFIER, *COLUMNS),
        tuple(Row((Cell(results.title(c)), *pair_cells(results, pair, results.title))) for c, pair in found),
        tuple(notes),
        tested=f"Wilcoxon signed-rank and sign test, two-sided at {level}, on the mean accuracies of the data sets",
        detail=way in results.best[1:] or not why,
        untested=why,
    )


COLUMNS = (
    Column("first", "first", kind="name"),
    Column("second", "second", kind="name"),
    Column("datasets", "sets", decimals=0),
    Column("wdl", "w/d/l", kind="text"),
    Column("wilcoxon_p", "p", "Wilcoxon", decimals=4, p_value=True),
    Column("wilcoxon_holm", "Holm", "Wilcoxon", decimals=4, p_value=True),
    Column("wilcoxon_sig", "sig.", "Wilcoxon", "marks", parts=("first",)),
    Column("r", "r", "Wilcoxon", decimals=2),
    Column("sign_p", "p", "sign test", decimals=4, p_value=True),
    Column("sign_holm", "Holm", "sign test", decimals=4, p_value=True),
    Column("shift", "shift", "shift (points)", decimals=2),
    Column("low", "low", "shift (points)", decimals=2),
    Column("high", "high", "shift (points)", decimals=2),
    Column("better", "better", "probability", decimals=2),
    Column("same", "same", "probability", decimals=2),
    Column("worse", "worse", "probability", decimals=2),
)


def pair_cells(results: Results, pair: AcrossPair, title: Callable[[str], str]) -> tuple[Cell, ...]:
    """Return the cells of a pair, one for each of `COLUMNS`.

    Parameters
    ----------
    results : Results
        Level and correction.
    pair : AcrossPair
    title : callable
        Gives the name of a method in tables.

    Returns
    -------
    tuple of Cell
    """
    posterior, shift = pair.posterior, pair.shift
    return (
        Cell(title(pair.first)),
        Cell(title(pair.second)),
        Cell(pair.n),
        Cell(f"{pair.wins}/{pair.ties}/{pair.losses}"),
        *_p_cells(pair.signed, pair.signed_p),
        marks(pair_verdict(results, pair)),
        Cell(pair.signed.effect),
        *_p_cells(pair.sign, pair.sign_p),
        Cell(shift.estimate),
        Cell(shift.low),
        Cell(shift.high),
        *(Cell(p) for p in (posterior.better, posterior.same, posterior.worse)),
    )


def _p_cells(test: SignedTest, adjusted: float | None) -> tuple[Cell, Cell]:
    return (absent("omitted") if test.p_value is None else Cell(test.p_value), Cell(adjusted))


def _reasons(results: Results, found: list[tuple[str, AcrossPair]]) -> list[tuple[str, str]]:
    """Return why tests were omitted, once for each classifier."""
    words = [
        (results.title(c), f"no test: {reason}")
        for c, pair in found
        for reason in (pair.signed.reason, pair.posterior.reason)
        if reason
    ]
    return list(dict.fromkeys(words))
