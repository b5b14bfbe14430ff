"""What the figures of multi-label experiments share: which methods are shown, how, and what is absent."""

from __future__ import annotations

from collections.abc import Sequence

from fsbench.report.figures import style
from fsbench.report.figures.rankers import MOST_LINES
from fsbench.report.label_results import LabelMethod
from fsbench.report.results import Results
from fsbench.report.tables.common import slug

__all__ = ["by_classifier", "gaps", "label_looks", "shown_methods"]


def by_classifier(results: Results) -> list[tuple[str, str]]:
    """Return the classifiers with the ends of their file names (empty for a lone one); none if not multi-label."""
    if results.labelled is None:
        return []
    names = list(dict.fromkeys(m.classifier for m in results.labelled.methods))
    return [(name, f"-{slug(name)}" if len(names) > 1 else "") for name in names]


def shown_methods(results: Results, classifier: str) -> tuple[list[LabelMethod], list[str]]:
    """Return the methods to show, the baseline first, and a note if there are more."""
    assert results.labelled is not None
    every = results.labelled.of_classifier(classifier)
    baseline, others = [m for m in every if m.is_baseline], [m for m in every if not m.is_baseline]
    if len(others) <= MOST_LINES:
        return every, []
    note = f"The first {MOST_LINES} of {len(others)} methods; the tables of the report have all."
    return [*baseline, *others[:MOST_LINES]], [note]


def label_looks(methods: Sequence[LabelMethod]) -> dict[str, style.Look]:
    """Return the look of each method by its title; the baseline is dashed ink without marks."""
    others = [m.title for m in methods if not m.is_baseline]
    looks = {m.title: style.BASELINE for m in methods if m.is_baseline}
    return looks | {title: style.look(i) for i, title in enumerate(others)}


def gaps(results: Results, methods: Sequence[LabelMethod], measure: str) -> list[str]:
    """Return notes on the cells without a value: no feature kept, failed, missing."""
    labelled = results.labelled
    assert labelled is not None
    found: dict[str, list[str]] = {}
    for method in methods:
        for dataset in (d for d in labelled.datasets if d not in labelled.missing):
            scores = labelled.scores(dataset, method, measure)
            if not scores.ok:
                why = "no feature is kept" if scores.status == "empty" else scores.word
                found.setdefault(f"{method.title}, {why}", []).append(dataset)
    notes = [f"Not shown: {what} on {', '.join(sets)}." for what, sets in found.items()]
    return [*notes, *(f"{d}: missing: {why}." for d, why in labelled.missing.items())]
