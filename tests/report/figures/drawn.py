"""What can be read off a drawing, and results with rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fsbench.report.figures import Figure, style
from fsbench.report.results import Results
from tests.report.samples import dataset, experiment, methods, results


def draw(figure: Figure) -> Any:
    with style.context():
        return figure.draw()


def texts(drawing: Any) -> list[str]:
    """Every text that is written in the drawing, legends and numbers at the axes included."""
    from matplotlib.text import Text

    with style.context():
        drawing.draw_without_rendering()
    return [text.get_text() for text in drawing.findobj(Text) if text.get_text() and text.get_visible()]


def clipped(drawing: Any) -> list[str]:
    """Texts that reach beyond the page."""
    from matplotlib.text import Text

    with style.context():
        drawing.draw_without_rendering()
        page, undrawn = drawing.bbox, _undrawn(drawing)
        found = []
        for text in set(drawing.findobj(Text)) - undrawn:
            box = text.get_window_extent()
            inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= page.x1 + 1 and box.y1 <= page.y1 + 1
            if text.get_text() and text.get_visible() and not inside:
                found.append(text.get_text())
    return found


def _undrawn(drawing: Any) -> set[Any]:
    """Numbers outside of the range of their axes exist, and are not drawn."""
    axis = [one for axes in drawing.axes for one in (axes.xaxis, axes.yaxis)]
    every = {t for one in axis for tick in (*one.majorTicks, *one.minorTicks) for t in (tick.label1, tick.label2)}
    axis = [one for one in axis if one.axes.axison]
    return every - {t for one in axis for tick in one._update_ticks() for t in (tick.label1, tick.label2)}


def ranked(orders: Mapping[str, Mapping[str, Sequence[Sequence[int]]]], times: Sequence[tuple] = ()) -> Results:
    """Results with the given orders: data set to ranker to one order a fold."""
    rows = []
    for name, rankers in orders.items():
        for ranker, folds in rankers.items():
            for fold, order in enumerate(folds):
                for rank, feature in enumerate(order, 1):
                    rows.append((name, 0, fold, ranker, rank, feature, f"f{feature}", 1.0 / rank, "bit", 0.1))
    columns = ["dataset", "repeat", "fold", "ranker", "rank", "feature_index", "feature", "score", "unit", "seconds"]
    labels = list(dict.fromkeys(r for rankers in orders.values() for r in rankers))
    spec = experiment(rankers=[methods(r) for r in labels], classifiers=[])
    base = results(spec, [dataset(name) for name in orders], [], list(times))
    frames = (base.dataset_table, pd.DataFrame(columns=_CELLS), base.ranking_times)
    return Results(spec, *frames, lambda: pd.DataFrame(rows, columns=columns))


_CELLS = [
    "dataset", "repeat", "fold", "classifier", "ranker", "selection", "estimate", "k", "n_selected", "n_features",
    "n_test", "n_correct", "accuracy", "tree_size", "tree_leaves", "status", "reason", "seconds",
]  # fmt: skip
