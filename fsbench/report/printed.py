"""The paper's cells and markers under our names: what is printed for a cell of ours."""

from __future__ import annotations

from collections.abc import Mapping

from fsbench.report.results import Results
from fsbench.report.scores import ALL, Way
from fsbench.report.versus import Against, against
from fsbench.stats import Tally, Verdict

__all__ = ["printed_counts", "printed_here", "printed_table", "printed_verdicts", "unsure_markers"]

Key = tuple[str, str, str]


def printed_table(results: Results, way: Way) -> str:
    """Return the key of the paper's table that shows a way of choosing features, "" if none does."""
    tables: Mapping[tuple[str, int | None], str] = getattr(results.paper, "WAYS", {})
    return tables.get((way.selection, way.k), "")


def printed_counts(results: Results, way: Way, side: Against) -> Tally | None:
    """Return the printed counts of better, equal and worse, None if the paper has none."""
    counts: Mapping[tuple[str, str], tuple[int, int, int]] = getattr(results.paper, "COUNTS", {})
    found = counts.get((printed_table(results, way), side))
    return Tally(*found) if found else None


def printed_here(results: Results, way: Way, side: Against) -> Tally | None:
    """Return the printed markers counted in the experiment's own cells, None if it has all of the paper's.

    A part of the experiment cannot be compared with counts over the whole.
    """
    if results.paper is None:
        return None
    rivals = 1 if side == "all" else len(results.paper.RANKERS) - 1
    whole = len(results.paper.PAPER_NAMES) * len(results.paper.CLASSIFIERS) * rivals
    printed = printed_verdicts(results, way)
    here = Tally.of(v for (_, _, versus), v in printed.items() if (versus == ALL) == (side == "all"))
    return None if here.total == whole else here


def printed_verdicts(results: Results, way: Way) -> dict[Key, Verdict]:
    """Return the printed markers as verdicts on the reference ranker.

    Parameters
    ----------
    results : Results
        What was computed.
    way : Way
        How features were chosen.

    Returns
    -------
    dict
        Keyed by our data set, classifier and compared column; only what the paper compares too. Empty where the
        paper has no such table, or its reference is another ranker.
    """
    table = printed_table(results, way)
    if not table or results.paper is None or results.printed_column(results.reference) != results.paper.REFERENCE:
        return {}
    printed = results.paper.markers(table)
    found: dict[Key, Verdict] = {}
    for dataset, name in results.printed_names.items():
        for classifier in filter(results.printed_column, results.classifiers):
            for versus in filter(results.printed_column, against(results, way)):
                marker = printed.get((name, results.printed_column(classifier), results.printed_column(versus)))
                found[dataset, classifier, versus] = marker.nlc_is if marker else "equal"
    return found


def unsure_markers(results: Results, way: Way) -> list[str]:
    """Return the cells whose printed marker does not tell for certain which column it refers to."""
    table = printed_table(results, way)
    if not table or results.paper is None:
        return []
    printed = results.paper.markers(table)
    labels = results.printed_labels
    return [
        f"{labels[dataset]} {classifier}/{versus}"
        for (dataset, classifier, versus), marker in printed.items()
        if marker.certainty == "probable" and dataset in labels
    ]
