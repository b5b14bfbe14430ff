"""Average ranks of multi-label methods: one critical-difference diagram a setup and classifier, one panel a measure."""

from __future__ import annotations

import numpy as np

from fsbench.report.figures.critical_difference import Ranks, draw, ranked
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.labels import by_classifier
from fsbench.report.figures.shares import MEASURES
from fsbench.report.results import Results
from fsbench.report.tables.common import slug

__all__ = ["figures"]


def figures(results: Results) -> list[Figure]:
    """Return a diagram for each setup and classifier of a multi-label experiment.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
        Empty for experiments of another kind, and with fewer than two methods beside the baseline.
    """
    if results.labelled is None:
        return []
    made = [
        _figure(results, setup, classifier, ending)
        for setup in results.labelled.setups
        for classifier, ending in by_classifier(results)
    ]
    return [figure for figure in made if figure is not None]


def _figure(results: Results, setup: str, classifier: str, ending: str) -> Figure | None:
    from fsbench.report.label_results import TITLES

    labelled = results.labelled
    assert labelled is not None
    methods = labelled.of_classifier(classifier)
    if len(methods) < 3:
        return None
    panels: list[Ranks] = []
    used: list[str] = []
    for measure in MEASURES:
        means = {d: [labelled.scores(d, m, measure).mean for m in methods] for d in labelled.setups[setup]}
        whole = {d: [v for v in row if v is not None] for d, row in means.items() if None not in row}
        used = list(whole)
        if whole:
            sign = 1.0 if labelled.higher_is_better(measure) else -1.0
            values = sign * np.array(list(whole.values()))
            panels.append(ranked(TITLES[measure], [m.title for m in methods], values, results.level))
    if not panels:
        return None
    where = f" (setup {setup})" if setup else ""
    left_out = [d for d in labelled.setups[setup] if d not in used]
    caption = (
        f"Average ranks of the methods of {classifier} over data sets{where} by each measure, mean over the folds "
        f"({results.protocol}); 1 is best, equal means share their ranks."
    )
    if any(p.distance is not None for p in panels):
        caption += f" Methods under one bar do not differ by Nemenyi's test at {100 * results.level:g} % (CD)."
    notes = [f"{p.title}: {p.words}." for p in panels]
    if left_out:
        notes.append(f"Left out since a method has no value there: {', '.join(left_out)}.")
    key = f"critical-difference{'-' * bool(setup)}{slug(setup) if setup else ''}{ending}"
    title = f"Average ranks over data sets: {classifier}{where}"
    return Figure(key, title, caption, lambda: draw(panels), tuple(notes))
