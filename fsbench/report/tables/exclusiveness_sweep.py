"""The sweep over the number of intervals, which the exclusiveness paper does not give, and which comes nearest."""

from __future__ import annotations

from collections.abc import Callable

from fsbench.report.exclusiveness import COLUMNS, Setting, error, printed_error, relevance, settings
from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent

__all__ = ["sweep_tables"]

_TITLES = {"original_a": "A original", "ordered_b": "B ordered", "reduced_c": "C reduced"}


def sweep_tables(results: Results) -> list[Table]:
    """Return the numbers of every setting, and for each data set the setting that comes nearest to the paper.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Table
        Empty with fewer than two settings.
    """
    known = sorted(settings(results), key=lambda s: (not s.intervals.isdigit(), s.intervals.zfill(6)))
    if len(known) < 2:
        return []
    datasets = [d for d in results.datasets if d not in results.missing]
    return [_sweep(results, datasets, known), _nearest(results, datasets, known)]


def _sweep(results: Results, datasets: list[str], known: list[Setting]) -> Table:
    columns = (
        DATASET,
        Column("intervals", "intervals", kind="text"),
        Column("tau", "tau", decimals=2),
        Column("relevant", "relevant (%)"),
        Column("tied", "tied"),
        *(Column(key, title, "error (%)") for key, title in _TITLES.items()),
        Column("distance", "from printed", "error (%)", decimals=2),
    )
    rows = [_row(results, dataset, setting) for dataset in datasets for setting in known]
    notes = (
        (
            "Means over the folds. tau: Kendall's tau of the order and the printed one; tied: attributes with exactly "
            "the delta of another one; from printed: mean distance of the three errors from Table 2."
        ),
        "This table looks at test folds to compare settings; Tables 1 to 3 do not depend on it.",
    )
    return Table("sweep", "Number of intervals, the same for all attributes", columns, tuple(rows), notes)


def _row(results: Results, dataset: str, setting: Setting) -> Row:
    found = relevance(results, dataset, setting)
    cells = [Cell(dataset), Cell(setting.intervals), Cell(_tau(results, dataset, setting))]
    cells.append(Cell(float(found.relevant.mean())) if found else Cell())
    cells.append(Cell(float(found.tied.mean())) if found else Cell())
    for column in COLUMNS:
        measured = error(results, dataset, setting, column)
        word = measured.why.partition(":")[0] or "absent"
        source = measured.source
        cells.append(absent(word, source) if measured.mean is None else Cell(measured.mean, measured.sd, source=source))
    return Row((*cells, Cell(_distance(results, dataset, setting))))


def _tau(results: Results, dataset: str, setting: Setting) -> float | None:
    found = relevance(results, dataset, setting)
    return float(found.tau.mean()) if found and len(found.tau) else None


def _share_gap(results: Results, dataset: str, setting: Setting) -> float | None:
    """Return how far our share of relevant attributes is from the printed one, in points."""
    found = relevance(results, dataset, setting)
    printed = printed_error(results.printed_names.get(dataset, ""), "relevant_pct")
    return None if found is None or printed is None else abs(float(found.relevant.mean()) - printed)


def _distance(results: Results, dataset: str, setting: Setting) -> float | None:
    """Return the mean distance of the errors from the printed ones; None unless all three are known."""
    gaps = []
    for column in COLUMNS:
        ours = error(results, dataset, setting, column).mean
        printed = printed_error(results.printed_names.get(dataset, ""), column)
        if ours is None or printed is None:
            return None
        gaps.append(abs(ours - printed))
    return sum(gaps) / len(gaps)


def _nearest(results: Results, datasets: list[str], known: list[Setting]) -> Table:
    columns = (
        DATASET,
        Column("order", "intervals", "attribute order", kind="text"),
        Column("tau", "tau", "attribute order", decimals=2),
        Column("share", "intervals", "relevant share", kind="text"),
        Column("share_gap", "distance", "relevant share"),
        Column("errors", "intervals", "errors", kind="text"),
        Column("errors_gap", "distance", "errors", decimals=2),
    )
    rows = []
    for dataset in datasets:
        cells = [Cell(dataset)]
        for of, sign in ((_tau, -1.0), (_share_gap, 1.0), (_distance, 1.0)):
            cells += _best(results, dataset, known, of, sign)
        rows.append(Row(tuple(cells)))
    notes = (
        (
            "Attribute order by the highest tau, the others by the smallest distance in points from the printed number "
            "(the mean over A, B and C); equally near settings are all named."
        ),
        (
            "Where one class holds nearly phi (0.75) of all rows, most intervals are semi-exclusive whatever their "
            "number, and deltas are equal or nearly so: order and share say little there."
        ),
    )
    return Table("nearest", "Number of intervals that comes nearest to the paper", columns, tuple(rows), notes)


def _best(
    results: Results,
    dataset: str,
    known: list[Setting],
    of: Callable[[Results, str, Setting], float | None],
    sign: float,
) -> list[Cell]:
    """Return the settings with the smallest `sign` times what `of` gives, and what it gives."""
    found = {s.intervals: value for s in known if (value := of(results, dataset, s)) is not None}
    if not found:
        return [Cell(), Cell()]
    best = min(sign * value for value in found.values())
    # Means over folds of equal values may differ in the last bit.
    names = [name for name, value in found.items() if sign * value <= best + 1e-9]
    return [Cell(", ".join(names)), Cell(found[names[0]])]
