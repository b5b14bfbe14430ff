"""Accuracies by data set and classifier with significance marks: the layout of the NLC paper's Tables 3 and 4."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from fsbench.report.printed import Key, printed_counts, printed_here, printed_table, printed_verdicts, unsure_markers
from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way
from fsbench.report.table import DATASET, Cell, Column, Row, Table, marks
from fsbench.report.tables.common import BOLD, OUTCOMES, bold_best, row_notes, score_cell, source_of, test_words
from fsbench.report.versus import against, comparisons, sides, tally, verdicts
from fsbench.stats import TESTS, Tally, Verdict

__all__ = ["accuracy_table"]


def accuracy_table(results: Results, way: Way) -> Table:
    """Return the accuracies of one way of choosing features, beside all features.

    Parameters
    ----------
    results : Results
        What was computed.
    way : Way
        Best prefixes by one estimate, the first k features, or all features.

    Returns
    -------
    Table
        For each classifier: all features, the reference ranker, its marks, the marks that the paper prints (if
        the experiment reproduces one), the other rankers. The last row is the mean over the data sets that are
        complete, so that its columns can be compared, and how often the reference is better, equal and worse.
        Marks stand beside up to 8 columns; of more, only their counts.
    """
    layout = _Layout(results, way)
    number = printed_table(results, way).removeprefix("table")
    place = f", as Table {number} of the paper" if number else ""
    return Table(
        key=f"accuracy-{way.slug}",
        title=f"Accuracy (%) with {results.words(way)}{place}; {results.protocol}",
        columns=(_NAME, *(column for c in results.classifiers for column in layout.columns(c))),
        rows=tuple(layout.row(dataset) for dataset in results.datasets) + layout.mean() + layout.outcomes(),
        tested=layout.tested(),
        # Of another estimate; what comes of it stands in the table of estimates.
        detail=way in results.best[1:],
        cites=("Nadeau2003",) if layout.versus else (),
        notes=(*layout.legend(), *layout.bold(), *_count_notes(results, way), *layout.untested(), *layout.agreement()),
    )


# Marks beside more columns than that could not be told apart.
MOST_MARKED = 8

_NAME = DATASET


@dataclass(frozen=True)
class _Layout:
    results: Results
    way: Way

    @cached_property
    def rankers(self) -> list[str]:
        """What has a column of accuracies, in order."""
        results = self.results
        chosen = results.selectors(self.way) if self.way.selection != "all" else []
        ranked = [r for r in [results.reference, *results.rivals] if r in chosen]
        return [ALL, *ranked] if results.has_all else ranked

    @cached_property
    def versus(self) -> list[str]:
        return against(self.results, self.way)

    @cached_property
    def ours(self) -> dict[Key, Verdict]:
        return verdicts(self.results, self.way, self.results.test_name)

    @cached_property
    def printed(self) -> dict[Key, Verdict]:
        return printed_verdicts(self.results, self.way)

    def is_marked(self, ranker: str) -> bool:
        """Whether marks stand behind the column of a ranker."""
        return ranker == self.results.reference and 0 < len(self.versus) <= MOST_MARKED

    def columns(self, classifier: str) -> list[Column]:
        group = self.results.title(classifier)
        parts = tuple(self.results.title(v) for v in self.versus)
        found = []
        for ranker in self.rankers:
            title = self.results.title(ranker)
            found.append(Column(f"{group} {title}", title, group))
            if self.is_marked(ranker):
                found.append(
                    Column(f"{group} {title} vs", "ours" if self.printed else "sig.", group, "marks", parts=parts)
                )
                if self.printed:
                    found.append(Column(f"{group} {title} printed vs", "paper", group, "marks", parts=parts))
        return found

    def row(self, dataset: str) -> Row:
        cells, shown = [Cell(dataset)], {}
        for classifier in self.results.classifiers:
            found = [self.scores(dataset, classifier, ranker) for ranker in self.rankers]
            sources = [source_of(dataset, classifier, r, self.way_of(r)) for r in self.rankers]
            values = bold_best(list(map(score_cell, found, sources)))
            for ranker, scores, value in zip(self.rankers, found, values, strict=True):
                shown[f"{self.results.title(classifier)}/{self.results.title(ranker)}"] = scores
                cells.append(value)
                if self.is_marked(ranker):
                    keys = [(dataset, classifier, versus) for versus in self.versus]
                    cells.append(marks(*(self.ours[key] for key in keys)))
                    if self.printed:
                        cells.append(marks(*(self.printed.get(key, "omitted") for key in keys)))
        return Row(tuple(cells), row_notes(self.results, dataset, shown))

    def scores(self, dataset: str, classifier: str, ranker: str) -> Scores:
        return self.results.scores(dataset, classifier, ranker, self.way_of(ranker))

    def way_of(self, ranker: str) -> Way:
        return Way("all") if ranker == ALL else self.way

    def mean(self) -> tuple[Row, ...]:
        columns = [(classifier, ranker) for classifier in self.results.classifiers for ranker in self.rankers]
        means = [[self.scores(dataset, *column).mean for column in columns] for dataset in self.results.datasets]
        whole = [[m for m in row if m is not None] for row in means if None not in row]
        if len(whole) < 2 or not columns:
            return ()
        name = "mean" if len(whole) == len(means) else f"mean of {len(whole)}"
        cells, n = [Cell(name)], len(self.rankers)
        sums = [Cell(sum(values) / len(values)) for values in zip(*whole, strict=True)]
        best = [cell for i in range(0, len(sums), n) for cell in bold_best(sums[i : i + n])]
        for (_, ranker), cell in zip(columns, best, strict=True):
            cells.append(cell)
            cells += [Cell()] * (self.is_marked(ranker) * (2 if self.printed else 1))
        return (Row(tuple(cells), rule=True),)

    def outcomes(self) -> tuple[Row, ...]:
        """Return how often the reference is significantly better, not different and worse than each other column."""
        if not self.versus:
            return ()
        cells = [Cell(f"{self.results.title(self.results.reference)} {OUTCOMES}")]
        for classifier in self.results.classifiers:
            for ranker in self.rankers:
                tally = Tally.of(v for (_, c, versus), v in self.ours.items() if (c, versus) == (classifier, ranker))
                cells.append(Cell(tally.short))
                cells += [Cell()] * (self.is_marked(ranker) * (2 if self.printed else 1))
        # Without any test the notes say why.
        return (Row(tuple(cells), rule=True),) if any(cell.value for cell in cells[1:]) else ()

    def tested(self) -> str:
        """Return what the marks say, for a caption."""
        if not self.versus:
            return ""
        name = self.results.title(self.results.reference)
        parts = ", ".join(self.results.title(v) if v != ALL else "all features" for v in self.versus)
        if len(self.versus) > MOST_MARKED:
            parts = f"each of {len(self.versus)} methods"
        return f"Marks: {name} against {parts}, {test_words(self.results, self.results.test_name)}"

    def legend(self) -> list[str]:
        if not self.versus:
            return []
        name = self.results.title(self.results.reference)
        words = test_words(self.results, self.results.test_name)
        counted = f"{name} {OUTCOMES}: data sets on which {name} is significantly better, not different, worse"
        if len(self.versus) > MOST_MARKED:
            return [f"{counted} ({words}); table tests-{self.way.slug} has each of the {len(self.versus)} comparisons."]
        parts = ", ".join(self.results.title(v) for v in self.versus)
        untested = "? not tested or printed" if self.printed else "? not tested"
        better = f"◦ {name} significantly better, • {name} significantly worse"
        return [
            f"Marks, in the order {parts}: {better}, · no significant difference, {untested} ({words}).",
            f"{counted}.",
        ]

    def bold(self) -> list[str]:
        return [BOLD] if len(self.rankers) > 1 else []

    def untested(self) -> list[str]:
        """Return why comparisons were not tested, and how many for each reason."""
        tests = [c.test for c in comparisons(self.results, self.way, self.results.test_name)]
        reasons = Counter(test.reason for test in tests if test.reason)
        found = [f"{count} ({reason})" for reason, count in reasons.items()]
        return [f"Not tested: {', '.join(found)}."] if found else []

    def agreement(self) -> list[str]:
        """Return how many of our marks are the paper's, and which printed ones are unsure of their column."""
        both = [key for key in self.printed if self.ours[key] != "omitted"]
        if not both:
            return []
        same = sum(self.ours[key] == self.printed[key] for key in both)
        notes = [f"Our mark is the printed one in {same} of {len(both)} comparisons."]
        unsure = unsure_markers(self.results, self.way)
        if unsure:
            notes.append(f"Printed markers whose column is only probable: {', '.join(unsure)}.")
        return notes


def _count_notes(results: Results, way: Way) -> list[str]:
    """Return the counts of better, equal, worse under both tests, beside those that the paper prints."""
    notes = []
    name = results.title(results.reference)
    for side, columns in sides(results, way):
        words = "all features" if side == "all" else ", ".join(results.title(c) for c in columns)
        counts = [f"{tally(results, way, test, side)} by the {TESTS[test]}" for test in TESTS]
        printed = printed_counts(results, way, side)
        here = printed_here(results, way, side)
        if printed:
            counts.append(f"printed {printed}" if here is None else f"printed {here} in these cells, {printed} in all")
        notes.append(f"{name} against {words}, better/equal/worse: {', '.join(counts)}.")
    return notes
