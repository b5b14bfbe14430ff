"""Searches of an experiment: error and size step by step, those that look at the remainder beside those that do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.rankers import MOST_LINES
from fsbench.report.results import Results
from fsbench.report.tables.common import slug
from fsbench.values import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["Walk", "draw", "figures"]

MOST_PANELS = 8


@dataclass(frozen=True, eq=False)
class Walk:
    """One search.

    Parameters
    ----------
    label : str
    error : ndarray of shape (n_steps + 1,)
        Percent, ``100 (1 - J)`` of the subset after each step; the start first.
    size : ndarray of shape (n_steps + 1,)
        Features in the subset.
    best : int
        The step whose subset the search returned.
    """

    label: str
    error: FloatArray
    size: IntArray
    best: int


def figures(results: Results) -> list[Figure]:
    """Return a figure for each data set (and classifier) with searches, one panel a pair of step counts.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
        Empty without searches.
    """
    traces = results.traces
    if traces is None or traces.empty:
        return []
    # On the folds that were searched on, or inside the first training part; of several seeds the first.
    protocol = "search-cv" if (traces["protocol"] == "search-cv").any() else "nested"
    traces = traces[(traces["protocol"] == protocol) & (traces["repeat"] == 0)]
    traces = traces[traces["fold"].isna() | (traces["fold"].fillna(0) == 0)]
    found: dict[tuple[str, str], list[Walk]] = {}
    groups: Any = traces.groupby(["dataset", "classifier", "search"], sort=False)
    for (dataset, classifier, search), rows in groups:
        found.setdefault((str(dataset), str(classifier)), []).append(_walk(str(search), rows))
    order = {d: i for i, d in enumerate(results.datasets)}
    several = len({classifier for _, classifier in found}) > 1
    places = sorted(found, key=lambda place: order.get(place[0], len(order)))
    return [_figure(results, *place, found[place], protocol, several) for place in places]


def draw(panels: Mapping[str, Sequence[Walk]]) -> Drawing:
    """Draw a panel for each group of searches: errors as lines, sizes as fine lines on the axis at the right.

    Parameters
    ----------
    panels : mapping of str to sequence of Walk
        Title to searches, the conventional one first.

    Returns
    -------
    Drawing
    """
    drawing, axes = style.panels(len(panels), columns=2, height=1.7, right=0.6, gap=0.75)
    longest: dict[str, Any] = {}
    for panel, (title, walks) in zip(axes, panels.items(), strict=True):
        panel.set_title(style.short(title, 40))
        sizes = _sizes(panel, walks)
        for i, walk in enumerate(walks):
            look = style.look(i)
            every = max(1, len(walk.error) // 9)
            steps = range(len(walk.error))
            line = panel.plot(steps, walk.error, **look.line(markevery=(i * every // 2, every), linewidth=1.2))[0]
            panel.plot([walk.best], [walk.error[walk.best]], **look.ring(9.0, zorder=5))
            longest.setdefault(_word(i, walks), line)
        longest.setdefault("number of features (right axis)", sizes)
    style.y_title(drawing, "error (%)")
    style.x_title(drawing, "step")
    style.legend(drawing, list(longest.values()), list(longest))
    return drawing


def _sizes(panel: Axes, walks: Sequence[Walk]) -> Any:
    from matplotlib.ticker import MaxNLocator

    right = panel.twinx()
    right.set_zorder(panel.get_zorder() - 1)
    panel.patch.set_visible(False)
    right.grid(visible=False)
    right.spines["right"].set_visible(True)
    right.yaxis.set_label_coords(1.2, 0.5)
    right.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    right.set_ylim(0, max(int(walk.size.max()) for walk in walks) * 1.05)
    drawn = [right.plot(range(len(w.size)), w.size, color=style.QUIET, linewidth=0.8)[0] for w in walks]
    panel.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    return drawn[0]


def _word(place: int, walks: Sequence[Walk]) -> str:
    """Return the name of a line in the legend: what its label has beyond that of the first of its panel."""
    if place == 0:
        return "conventional" if len(walks) > 1 else "search"
    label, first = walks[place].label, walks[0].label
    return label.removeprefix(first).strip() or label if label.startswith(first) else label


def _walk(search: str, rows: pd.DataFrame) -> Walk:
    rows = rows.sort_values("step")
    error = 100.0 * (1.0 - rows["usefulness"].to_numpy(dtype=np.float64))
    best = np.flatnonzero(rows["best"].to_numpy(dtype=bool))
    return Walk(search, error, rows["size"].to_numpy(dtype=np.int64), int(best[0]) if len(best) else 0)


def _groups(results: Results, walks: Sequence[Walk]) -> dict[str, list[Walk]]:
    """Return the searches that differ in the weight of the remainder only, the conventional one first."""
    refs = results.experiment.get("searches") or ()
    specs = {str(ref["label"]): dict(ref["spec"]) for ref in refs}
    found: dict[str, list[Walk]] = {}
    for walk in walks:
        spec = specs.get(walk.label, {"method": walk.label})
        rest = {key: value for key, value in spec.items() if key != "remainder"}
        found.setdefault(json.dumps(rest, sort_keys=True, default=str), []).append(walk)
    for group in found.values():
        group.sort(key=lambda walk: specs.get(walk.label, {}).get("remainder") is not None)
    return {group[0].label: group for group in found.values()}


def _figure(
    results: Results, dataset: str, classifier: str, walks: Sequence[Walk], protocol: str, several: bool
) -> Figure:
    groups = _groups(results, walks)
    shown = {title: group[:MOST_LINES] for title, group in list(groups.items())[:MOST_PANELS]}
    where = (
        "on the folds that it searches on" if protocol == "search-cv" else "by inner folds of the first training part"
    )
    caption = (
        f"{dataset}: error of {classifier} {where}, for the subset after each step of a search; ring: the best subset "
        "met, which the search returns; fine line: its number of features. The error of the ring flatters: it was "
        "chosen by this very number."
    )
    notes = [f"{dataset}: {results.notes[dataset]}."] if dataset in results.notes else []
    if len(groups) > MOST_PANELS or any(len(group) > MOST_LINES for group in groups.values()):
        notes.append(
            f"The first {MOST_PANELS} groups of searches, the first {MOST_LINES} of each; "
            "'fsbench export --what traces' gives all."
        )
    ref: Mapping[str, Any] = next(
        (r for r in results.experiment.get("datasets") or () if str(r.get("label")) == dataset), {}
    )
    if int(ref.get("seeds") or 1) > 1:
        notes.append(f"The first of {ref['seeds']} seeds of the folds.")
    key = f"search-traces-{slug(dataset)}{f'-{slug(classifier)}' if several else ''}"
    title = f"Steps of the searches: {dataset}{f', {classifier}' if several else ''}"
    return Figure(key, title, caption, _page(shown), tuple(notes))


def _page(panels: Mapping[str, Sequence[Walk]]) -> Callable[[], Drawing]:
    return lambda: draw(panels)
