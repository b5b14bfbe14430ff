"""What a reader wants to know of a report before its tables: sizes, what is absent, when it was computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Scores

__all__ = ["cells", "summary", "times"]


def cells(results: Results) -> Iterator[Scores]:
    """Return every result of the experiment, each over all its folds, those without data included."""
    for dataset in results.datasets:
        for classifier in results.classifiers:
            for way in results.ways:
                for ranker in [ALL] if way.selection == "all" else results.pairs(classifier):
                    yield results.scores(dataset, classifier, ranker, way)


def times(runs: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return when the first run began and the last one ended, to the minute; "" without runs."""
    started = sorted(str(run["started"]) for run in runs if run.get("started"))
    ended = sorted(str(run.get("finished") or run["started"]) for run in runs if run.get("started"))
    return (_minute(started[0]), _minute(ended[-1])) if started else ("", "")


def summary(results: Results, runs: Sequence[Mapping[str, Any]] = ()) -> list[tuple[str, str]]:
    """Return facts by name, in the order of reading.

    Parameters
    ----------
    results : Results
    runs : sequence of mapping, default ()
        As ``Store.provenance()["runs"]``.

    Returns
    -------
    list of (str, str)
    """
    facts = [("Data sets", _counted(len(results.datasets), len(results.missing)))]
    for word, labels in (("Rankers", results.rankers), ("Classifiers", results.classifiers)):
        facts.append((word, _listed([results.title(label) for label in labels]) or "none"))
    facts.append(("Folds", results.protocol))
    statuses = Counter(scores.status for scores in cells(results))
    if statuses:
        facts.append(("Results", _statuses(statuses)))
    if results.rivals and results.classifiers and results.labelled is None:
        from fsbench.stats import TESTS

        facts.append(("Test", f"two-sided {TESTS[results.test_name]} at {100 * results.level:g} %"))
        facts.append(("Compared with", results.title(results.reference)))
    first, last = times(runs)
    if first:
        facts.append(("Computed", first if first == last else f"{first} to {last}"))
    versions = sorted({str(run["versions"].get("fsbench", "")) for run in runs if run.get("versions")})
    if versions:
        facts.append(("Version", f"fsbench {', '.join(versions)}"))
    return facts


def _counted(n: int, missing: int) -> str:
    return f"{n}, of which {missing} could not be had" if missing else str(n)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:10])} and {len(names) - 10} more"


def _statuses(statuses: Counter[str]) -> str:
    words = {
        "ok": "computed",
        "skipped": "not applicable",
        "missing": "without data",
        "absent": "not among the results",
    }
    return ", ".join(f"{n} {words.get(status, status)}" for status, n in statuses.most_common())


def _minute(text: str) -> str:
    return text[:16].replace("T", " ") + (" UTC" if text.endswith("+00:00") else "")
