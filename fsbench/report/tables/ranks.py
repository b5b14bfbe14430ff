"""Methods by their average ranks over data sets: one row a method, and the tests that stand over the ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fsbench.report.across import AverageRanks, average_ranks
from fsbench.report.results import Results
from fsbench.report.scores import ALL, Way
from fsbench.report.table import CLASSIFIER, Cell, Column, Row, Table, absent
from fsbench.report.tables.common import bold_best, data_notes, merged, percent, untested, ways_of_report
from fsbench.report.versus import verdicts
from fsbench.stats import Tally, Verdict

__all__ = ["friedman_table", "left_out_notes", "ranks_table"]


def ranks_table(results: Results, way: Way) -> Table | None:
    """Return the mean accuracy, average rank and standing against the reference of every method.

    Parameters
    ----------
    results : Results
        What was computed.
    way : Way
        How features were chosen.

    Returns
    -------
    Table or None
        One row a method, columns for each classifier; None where no classifier has three methods: two are compared
        in the table of pairs.
    """
    every = {c: average_ranks(results, c, way) for c in results.classifiers}
    found = {c: ranks for c, ranks in every.items() if len(_methods(ranks)) > 1}
    if all(len(_methods(ranks)) < 3 for ranks in found.values()):
        return None
    methods = [m for m in [ALL, *results.rankers] if any(m in _methods(ranks) for ranks in found.values())]
    columns = [Column("method", "method", kind="name")]
    columns += [column for classifier, ranks in found.items() for column in _columns(results, classifier, ranks)]
    blocks = [_block(results, way, ranks, methods) for ranks in found.values()]
    rows = [Row((Cell(results.title(m)), *(cell for block in blocks for cell in block[m]))) for m in methods]
    name, level = results.title(results.reference), percent(results.level)
    notes = [
        "Means, ranks (ties share theirs): over the data sets on which every method of the classifier has a result.",
        *_z_note(name, found),
        f"w/d/l: data sets on which {name} is significantly better, not different, worse (marks of the accuracies).",
        "In bold: the highest mean and the best rank of each classifier, and what equals them as printed.",
        *merged([note for ranks in found.values() for note in left_out_notes(results, ranks)], len(found)),
        *merged([_groups_note(results, ranks) for ranks in found.values() if ranks.distance is not None], len(found)),
        *data_notes(results),
    ]
    title = f"Average ranks with {results.words(way)}; {results.protocol}"
    tested = f"Average ranks: {name} against each method, two-sided, adjusted by Holm, at {level}"
    key = f"ranks-{way.slug}"
    return Table(key, title, tuple(columns), tuple(rows), tuple(notes), tested=tested, detail=way in results.best[1:])


_FRIEDMAN = (
    Column("features", "features", kind="name"),
    CLASSIFIER,
    Column("datasets", "data sets", decimals=0),
    Column("methods", "methods", decimals=0),
    Column("chi_squared", "chi squared", "Friedman", decimals=2),
    Column("df", "df", "Friedman", decimals=0),
    Column("chi_p", "p", "Friedman", decimals=4, p_value=True),
    Column("f", "F", "Iman-Davenport", decimals=2),
    Column("df1", "df 1", "Iman-Davenport", decimals=0),
    Column("df2", "df 2", "Iman-Davenport", decimals=0),
    Column("p", "p", "Iman-Davenport", decimals=4, p_value=True),
    Column("sig", "sig.", "Iman-Davenport", kind="text"),
    Column("cd", "difference", "Nemenyi", decimals=3),
)


def friedman_table(results: Results) -> Table | None:
    """Return the tests over the average ranks, one row for each way of choosing features and classifier.

    Parameters
    ----------
    results : Results
        What was computed.

    Returns
    -------
    Table or None
        None where no classifier is combined with two methods.
    """
    places = [(way, classifier) for way in ways_of_report(results) for classifier in results.classifiers]
    every = [(way, average_ranks(results, classifier, way)) for way, classifier in places]
    found = [(way, ranks) for way, ranks in every if len(_methods(ranks)) > 1]
    if not found:
        return None
    level = percent(results.level)
    reasons = [(f"{way.slug} {who}", why) for way, ranks in found for who, why in left_out_notes(results, ranks)]
    notes = (
        f"sig.: whether the ranks differ at {level} (Iman-Davenport).",
        f"Nemenyi: where they do, two methods whose ranks lie further apart than this differ at {level}.",
        *merged(reasons, len(found)),
        *data_notes(results),
    )
    title = "Do the methods differ over the data sets? Friedman's test of the average ranks"
    rows = tuple(Row(_friedman_cells(results, way, ranks)) for way, ranks in found)
    return Table("friedman", title, _FRIEDMAN, rows, notes, tested=f"Friedman, Iman-Davenport, at {level}",
                 untested=untested([ranks.test for _, ranks in found]))  # fmt: skip


def left_out_notes(results: Results, ranks: AverageRanks) -> Iterator[tuple[str, str]]:
    """Yield what is not in the ranks of a classifier, and why: the classifier's name and the words."""
    classifier = results.title(ranks.across.classifier)
    for method, why in ranks.across.dropped.items():
        yield classifier, f"{results.title(method)} has no result: {why}"
    if ranks.across.left_out:
        listed = "; ".join(f"{dataset} ({why})" for dataset, why in ranks.across.left_out.items())
        yield classifier, f"data sets left out: {listed}"
    if ranks.test.reason:
        yield classifier, f"not tested: {ranks.test.reason}"


def _z_note(name: str, found: Mapping[str, AverageRanks]) -> list[str]:
    if not any(ranks.against for ranks in found.values()):
        return []
    return [f"z: above zero where the method ranks behind {name}; p of z is adjusted by Holm over the methods."]


def _methods(ranks: AverageRanks) -> list[str]:
    return [*ranks.across.methods, *ranks.across.dropped]


def _columns(results: Results, classifier: str, ranks: AverageRanks) -> list[Column]:
    group = results.title(classifier)
    tests = [Column(f"{group} z", "z", group, decimals=2), Column(f"{group} p", "p", group, decimals=3, p_value=True)]
    return [
        Column(f"{group} mean", "mean (%)", group),
        Column(f"{group} rank", "rank", group, decimals=2),
        *(tests if ranks.against else []),
        Column(f"{group} wdl", "w/d/l", group, kind="text"),
    ]


def _block(results: Results, way: Way, ranks: AverageRanks, methods: list[str]) -> dict[str, list[Cell]]:
    """Return the cells of a classifier by method."""
    found = ranks.across
    there = [m for m in methods if m in found.methods]
    index = [found.methods.index(m) for m in there]
    some = len(found.datasets) > 0
    means = bold_best([Cell(float(found.values[:, i].mean())) if some else Cell() for i in index])
    places = bold_best([Cell(float(ranks.ranks[i])) if some else Cell() for i in index], 2, higher_is_better=False)
    counts = _counts(results, way, found.classifier)
    cells = {m: [absent("absent" if m in found.dropped else ""), *_padding(ranks, 2)] for m in methods}
    for method, i, mean, place in zip(there, index, means, places, strict=True):
        against = ranks.against[i] if ranks.against else None
        tests = [Cell(against.z), Cell(against.adjusted)] if against else _padding(ranks, 0)
        cells[method] = [mean, place, *tests, Cell(counts.get(method, ""))]
    return cells


def _padding(ranks: AverageRanks, others: int) -> list[Cell]:
    """Return empty cells for the tests, where they have columns, and some others."""
    return [Cell()] * (others + (2 if ranks.against else 0))


def _counts(results: Results, way: Way, classifier: str) -> dict[str, str]:
    """Return how often the reference is significantly better, not different and worse, by the other method."""
    found: dict[str, list[Verdict]] = {}
    for (_, c, versus), verdict in verdicts(results, way, results.test_name).items():
        if c == classifier:
            found.setdefault(versus, []).append(verdict)
    return {versus: Tally.of(words).short for versus, words in found.items()}


def _groups_note(results: Results, ranks: AverageRanks) -> tuple[str, str]:
    """Return Nemenyi's groups in words, with the classifier's name."""
    classifier, n = results.title(ranks.across.classifier), len(ranks.across.datasets)
    names = [results.title(m) for m in ranks.across.methods]
    start = f"Nemenyi's critical difference over {n} data sets {ranks.distance:.2f} ({percent(results.level)})"
    if ranks.test.p_value is not None and ranks.test.p_value >= results.level:
        return classifier, f"{start}, but Friedman's test finds no difference of the ranks."
    joined = "; ".join(", ".join(names[i] for i in group) for group in ranks.groups)
    return classifier, f"{start}; not apart: {joined or 'none'}."


def _friedman_cells(results: Results, way: Way, ranks: AverageRanks) -> tuple[Cell, ...]:
    n, k = ranks.across.values.shape
    names = (Cell(way.slug), Cell(results.title(ranks.across.classifier)), Cell(n), Cell(k))
    test = ranks.test
    if test.p_value is None:
        return (*names, absent("omitted"), *[Cell()] * 8)
    return (
        *names,
        Cell(test.chi_squared),
        Cell(k - 1),
        Cell(test.chi_p),
        Cell(test.statistic),
        Cell(k - 1),
        Cell((k - 1) * (n - 1)),
        Cell(test.p_value),
        Cell("yes" if test.p_value < results.level else "no"),
        Cell(ranks.distance),
    )
