"""Our cells beside the printed ones: difference, tolerance, and whether they agree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fsbench.published import PrintedCell
from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores, Way

__all__ = [
    "BASELINES",
    "SELECTED",
    "Agreement",
    "Compared",
    "compare_cells",
    "count_columns",
    "summarise",
    "tolerance",
    "ways_of",
]


# Names of the counts over several columns.
BASELINES, SELECTED = "all features", "selected features"


@dataclass(frozen=True)
class Compared:
    """A printed cell and ours.

    Parameters
    ----------
    table, dataset, column : str
        Where it stands; the data set under our name, the column as ``"C4.5/NLC"``.
    ours : float or None
        None if we have no such cell.
    printed : float or None
        None where the paper has none to compare.
    tolerance : float or None
        Largest difference that chance and rounding explain; None where there is nothing to compare.
    agrees : bool or None
        Whether the difference is within the tolerance; None where there is nothing to compare.
    note : str, default ""
        Why ours is absent, how the data came about, what to know about the printed value.
    unit : str, default "%"
        Of all three numbers.
    outside : bool, default False
        Whether the experiment does not have such a cell at all, as `quickstart` has few of its paper's.
    setup : str, default ""
        Of a multi-label experiment: the group of data sets that ours is of.
    strict : bool, optional
        Whether the difference is within `tolerance` of this module too, where another rule is the first one.
    bound : {"", "at most", "at least"}
        Where the paper gives no number but a limit: what ours has to be in terms of the printed one.
    """

    table: str
    dataset: str
    column: str
    ours: float | None
    printed: float | None
    tolerance: float | None
    agrees: bool | None
    note: str = ""
    unit: str = "%"
    outside: bool = False
    setup: str = ""
    strict: bool | None = None
    bound: str = ""

    @property
    def difference(self) -> float | None:
        """Ours minus printed."""
        return None if self.ours is None or self.printed is None else self.ours - self.printed


@dataclass(frozen=True)
class Agreement:
    """How many cells of a group agree.

    Parameters
    ----------
    table, column, estimate : str
        The group; "" stands for all.
    cells, computed, agree : int
        Printed cells, those that we have too, those that agree.
    mean_difference, mean_distance : float or None
        Mean of ours minus printed, with and without its sign.
    setup : str, default ""
        As in `Compared`.
    strict : int, optional
        How many agree by the stricter rule too, where there are two.
    """

    table: str
    column: str
    estimate: str
    cells: int
    computed: int
    agree: int
    mean_difference: float | None
    mean_distance: float | None
    setup: str = ""
    strict: int | None = None


def tolerance(sd: float | None, folds: int, half_unit: float) -> float:
    """Return ``2 sqrt(2) s / sqrt(folds)`` plus half a printed unit.

    Two means of so many folds differ by chance with a deviation of ``sqrt(2) s / sqrt(folds)``; twice that is
    allowed, and what the rounding of the printed number hides.

    Parameters
    ----------
    sd : float or None
        Standard deviation over our folds, sample form; None for fewer than two folds, where only rounding counts.
    folds : int
        Number of our folds.
    half_unit : float
        Half of the last printed place.

    Examples
    --------
    >>> round(tolerance(5.0, 10, 0.05), 4)
    4.5221
    """
    return half_unit + (2.0 * math.sqrt(2.0) * sd / math.sqrt(folds) if sd is not None and folds else 0.0)


def ways_of(results: Results, table: str) -> list[Way]:
    """Return the ways of choosing features that stand for a table of the paper, the configured order."""
    tables = getattr(results.paper, "WAYS", {})
    return [way for way in results.selected if tables.get((way.selection, way.k)) == table]


def compare_cells(results: Results, table: str, way: Way | None) -> list[Compared]:
    """Compare every printed cell of a table with ours.

    Parameters
    ----------
    results : Results
        What was computed.
    table : str
        Such as ``"table3"``.
    way : Way or None
        How our features were chosen; None if no way of the experiment stands for the table, and only the cells of
        all features can be compared.

    Returns
    -------
    list of Compared
        In the paper's order, none left out.
    """
    if results.paper is None:
        return []
    return [_compare(results, cell, way) for cell in results.paper.cells() if cell.table == table]


def _compare(results: Results, cell: PrintedCell, way: Way | None) -> Compared:
    dataset = results.printed_labels.get(cell.dataset, cell.dataset)
    scores = _ours(results, cell, dataset, way)
    allowed = tolerance(scores.sd, len(scores.folds), cell.half_unit) if scores.ok else None
    notes = [results.notes[dataset]] if dataset in results.notes else []
    if not scores.ok:
        notes.append(f"{scores.word}: {scores.reason}" if scores.reason else scores.word)
    elif scores.sd is None:
        notes.append("one fold: the tolerance is that of rounding only")
    agrees = None
    if scores.mean is not None and cell.value is not None and allowed is not None:
        # The sum of a printed number and half its unit is not exact in binary.
        agrees = abs(scores.mean - cell.value) <= allowed + 1e-9
    return Compared(
        cell.table,
        cell.dataset,
        cell.column,
        scores.mean,
        cell.value,
        allowed,
        agrees,
        "; ".join(notes),
        cell.unit,
        outside=scores.status == "absent",
    )


def _ours(results: Results, cell: PrintedCell, dataset: str, way: Way | None) -> Scores:
    classifier_name, _, ranker_name = cell.column.partition("/")
    classifier = _label(results, results.classifiers, classifier_name)
    if dataset not in results.datasets:
        return Scores("absent", "the experiment does not have this data set")
    if classifier is None:
        return Scores("absent", f"the experiment does not have {classifier_name}")
    if ranker_name == "all":
        return results.scores(dataset, classifier, ALL, Way("all"))
    ranker = _label(results, results.rankers, ranker_name)
    if ranker is None or way is None:
        return Scores("absent", f"the experiment does not have {ranker_name if ranker is None else cell.table}")
    return results.scores(dataset, classifier, ranker, way)


def _label(results: Results, labels: Sequence[str], printed: str) -> str | None:
    return next((label for label in labels if results.printed_column(label) == printed), None)


def summarise(cells: Iterable[Compared], estimate: str = "") -> list[Agreement]:
    """Count agreement by table and column, then by table: all features, and the selected columns together.

    Parameters
    ----------
    cells : iterable of Compared
        Cells of one or more tables.
    estimate : str, default ""
        The estimate of the curve that ours stand on, for the record.

    Returns
    -------
    list of Agreement
    """
    found = list(cells)
    summary = []
    for table in dict.fromkeys(c.table for c in found):
        inside = [c for c in found if c.table == table]
        columns = dict.fromkeys(c.column for c in inside)
        groups = {column: [c for c in inside if c.column == column] for column in columns}
        groups[BASELINES] = [c for c in inside if c.column.endswith("/all")]
        groups[SELECTED] = [c for c in inside if not c.column.endswith("/all")]
        for column, group in groups.items():
            chosen = "" if column == BASELINES or column.endswith("/all") else estimate
            summary += [_agreement(table, column, chosen, group)] if group else []
    return summary


def count_columns(cells: Iterable[Compared]) -> list[Agreement]:
    """Count agreement by table and column, for papers whose columns are no pairs of classifier and ranker.

    Parameters
    ----------
    cells : iterable of Compared

    Returns
    -------
    list of Agreement
    """
    groups: dict[tuple[str, str], list[Compared]] = {}
    for cell in cells:
        groups.setdefault((cell.table, cell.column), []).append(cell)
    # Nothing can be counted where ours stand beside the printed ones for information only.
    counted = {
        k: g for k, g in groups.items() if any(c.agrees is not None for c in g) or all(c.ours is None for c in g)
    }
    return [_agreement(*key, "", group) for key, group in counted.items()]


def _agreement(table: str, column: str, estimate: str, cells: Sequence[Compared]) -> Agreement:
    gaps = [c.difference for c in cells if c.difference is not None]
    mean = sum(gaps) / len(gaps) if gaps else None
    distance = sum(map(abs, gaps)) / len(gaps) if gaps else None
    agree = sum(c.agrees is True for c in cells)
    return Agreement(table, column, estimate, len(cells), len(gaps), agree, mean, distance)
