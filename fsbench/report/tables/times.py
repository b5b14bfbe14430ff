"""Ranking times, and what the reference ranker saves. The only table in which two equal runs differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsbench.report.results import Results
from fsbench.report.table import DATASET, Cell, Column, Row, Table, absent

__all__ = ["mean_savings", "ranking_seconds", "times_table"]


def ranking_seconds(results: Results) -> dict[str, dict[str, float | None]]:
    """Return the seconds that each ranker took on each data set, all folds together.

    Returns
    -------
    dict
        Data set to ranker to seconds; None where rankings are lacking.
    """
    frame = results.ranking_times
    frame = frame[frame["seconds"].notna()]
    sums = frame.groupby(["dataset", "ranker"], sort=False)["seconds"].agg(["sum", "count"])
    found = {key: (float(total), int(count)) for key, total, count in sums.itertuples()}
    seconds: dict[str, dict[str, float | None]] = {}
    for dataset in results.datasets:
        # A ranker with fewer folds than the others is not done: its sum would flatter it.
        most = max((found.get((dataset, r), (0.0, 0))[1] for r in results.ranked), default=0)
        entries = {r: found.get((dataset, r), (0.0, 0)) for r in results.ranked}
        seconds[dataset] = {r: total if count == most and most else None for r, (total, count) in entries.items()}
    return seconds


def mean_savings(results: Results) -> dict[str, float]:
    """Return the mean over data sets of the reference's saving in time against each rival, in percent."""
    savings: dict[str, list[float]] = {r: [] for r in _rivals(results)}
    for times in ranking_seconds(results).values():
        for rival in _rivals(results):
            saving = _saving(times[_reference(results)], times[rival])
            if saving is not None:
                savings[rival].append(saving)
    return {rival: sum(found) / len(found) for rival, found in savings.items() if found}


def times_table(results: Results) -> Table:
    """Return the milliseconds of each ranker by data set, totals, and the savings of the reference."""
    seconds = ranking_seconds(results)
    reference = results.title(_reference(results))
    saving = f"saved by {reference} (%)"
    columns = [DATASET]
    columns += [Column(f"{results.title(r)} ms", results.title(r), "milliseconds") for r in results.ranked]
    columns += [Column(f"saved vs {results.title(r)}", f"vs {results.title(r)}", saving) for r in _rivals(results)]
    rows = [_row(results, dataset, times) for dataset, times in seconds.items()]
    return Table(
        "ranking-times",
        "Ranking time, summed over the folds",
        tuple(columns),
        (*rows, *_totals(results, seconds)),
        tuple(_printed(results)),
        timed=True,
    )


def _rivals(results: Results) -> list[str]:
    return [r for r in results.ranked if r != _reference(results)]


def _reference(results: Results) -> str:
    """Return the reference; a search has no ranking time, so the first ranker stands in for it."""
    return results.reference if results.reference in results.ranked else results.ranked[0]


def _saving(ours: float | None, theirs: float | None) -> float | None:
    return 100.0 * (1.0 - ours / theirs) if ours is not None and theirs else None


def _row(results: Results, dataset: str, times: dict[str, float | None]) -> Row:
    word = "missing" if dataset in results.missing else "absent"
    savings = [_saving(times[_reference(results)], times[r]) for r in _rivals(results)]
    values = [None if t is None else 1000.0 * t for t in times.values()] + savings
    cells = [absent(word) if v is None else Cell(v) for v in values]
    note = (f"{dataset}: {results.notes[dataset]}",) if dataset in results.notes else ()
    gone = (f"{dataset}: missing: {results.missing[dataset]}",) if dataset in results.missing else ()
    return Row((Cell(dataset), *cells), (*note, *gone))


def _totals(results: Results, seconds: dict[str, dict[str, float | None]]) -> list[Row]:
    whole = [[t for t in times.values() if t is not None] for times in seconds.values() if None not in times.values()]
    if not whole:
        return []
    totals = [sum(column) for column in zip(*whole, strict=True)]
    by_ranker = dict(zip(results.ranked, totals, strict=True))
    name = "total" if len(whole) == len(seconds) else f"total of {len(whole)}"
    savings = [_saving(by_ranker[_reference(results)], by_ranker[r]) for r in _rivals(results)]
    total = Row((Cell(name), *(Cell(1000.0 * t) for t in totals), *map(Cell, savings)), rule=True)
    means = mean_savings(results)
    mean = Row((Cell("mean saving"), *([Cell()] * len(totals)), *(Cell(means.get(r)) for r in _rivals(results))))
    return [total, mean] if _rivals(results) else [total]


def _printed(results: Results) -> list[str]:
    prose: Mapping[str, Any] = results.paper.prose() if results.paper else {}
    times = [
        f"{key.removeprefix('rank_time.')} {p.text} {p.unit}"
        for key, p in prose.items()
        if key.startswith("rank_time.")
    ]
    if not times:
        return []
    saved = [
        f"{p.text} % against {key.removeprefix('time_saving_vs_')}"
        for key, p in prose.items()
        if key.startswith("time_saving_vs_")
    ]
    return [f"Printed, on the machine of the paper, all data sets: {', '.join(times)}; mean saving {', '.join(saved)}."]
