"""How much the rankers agree: Kendall's tau of their orders, for each two of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fsbench.evaluation.stability import correlations
from fsbench.report.figures import style
from fsbench.report.figures.figure import Figure
from fsbench.report.figures.rankers import chosen_rankers
from fsbench.report.rankings import fold_ranks
from fsbench.report.results import Results
from fsbench.values import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["draw", "draw_pairs", "figures"]

MOST_RANKERS = 14
MOST_PAIRS = 10
MOST_SETS = 30


def figures(results: Results) -> list[Figure]:
    """Return the matrix of all rankers, and each pair by data set if there are few pairs.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Figure
        Empty with fewer than two rankers.
    """
    by_set = {d: found for d in results.datasets if (found := _agreement(results, d)) is not None}
    if len(results.ranked) < 2 or not by_set:
        return []
    mean = _mean(list(by_set.values()))
    shown = chosen_rankers(results, results.ranked, {}, MOST_RANKERS)
    places = [results.ranked.index(r) for r in shown]
    titles = [results.title(r) for r in shown]
    sets = f"{len(by_set)} data set{'s' * (len(by_set) != 1)}"
    caption = (
        "Kendall's tau of the orders of two rankers on the same training part (1: equal, 0: unrelated, -1: reversed), "
        f"mean over the folds ({results.protocol})"
    )
    notes = [f"{d}: {results.missing.get(d, 'no two rankings')}." for d in results.datasets if d not in by_set]
    if len(shown) < len(results.ranked):
        notes.append(
            f"{len(shown)} of {len(results.ranked)} rankers are shown, the first of the configuration; "
            "'fsbench export --what rankings' gives all orders."
        )
    square = mean[np.ix_(places, places)]
    made = [
        Figure(
            "rank-agreement",
            "Agreement of the rankers",
            f"{caption} and over {sets}.",
            lambda: draw(titles, square),
            tuple(notes),
        )
    ]
    pairs = [(i, j) for i in places for j in places if i < j]
    if len(by_set) > 1 and len(pairs) <= MOST_PAIRS:
        made += _by_set(results, by_set, pairs, caption)
    return made


def draw(names: Sequence[str], tau: FloatArray) -> Drawing:
    """Draw a matrix with its numbers.

    Parameters
    ----------
    names : sequence of str
    tau : ndarray of shape (n, n)
        NaN where there is no number.

    Returns
    -------
    Drawing
    """
    return _table([style.short(n, 18) for n in names], [style.short(n, 18) for n in names], tau)


def draw_pairs(rows: Sequence[str], columns: Sequence[str], tau: FloatArray) -> Drawing:
    """Draw data sets by pairs of rankers.

    Parameters
    ----------
    rows, columns : sequence of str
        Data sets, and pairs of rankers.
    tau : ndarray of shape (n_rows, n_columns)

    Returns
    -------
    Drawing
    """
    return _table([style.short(n) for n in rows], [style.short(n, 28) for n in columns], tau)


def _table(rows: Sequence[str], columns: Sequence[str], values: FloatArray) -> Drawing:
    """Draw coloured cells with numbers: blue above zero, the stronger the darker; vermilion below."""
    side = 0.52 if len(columns) <= 8 else 0.36
    left = 0.16 + max(style.text_width(name, 8.0) for name in rows)
    widest = max(style.text_width(name, 8.0) for name in columns)
    upright = widest > side
    # At 45 degrees a text is as high as wide, and the last one reaches beyond its column.
    slant = 0.71 * (widest + 0.12)
    top, right = (slant + 0.08, max(0.1, slant - 0.4 * side)) if upright else (0.28, 0.1)
    tall = 0.26 if len(rows) != len(columns) else side * 0.75
    width, height = left + side * len(columns) + right, top + tall * len(rows) + 0.08
    drawing = style.plain(width, height)
    axes = drawing.add_axes((left / width, 0.06 / height, side * len(columns) / width, tall * len(rows) / height))
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, pad=2)
    turn: dict[str, Any] = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if upright else {}
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, **turn)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    for i in range(len(rows)):
        for j in range(len(columns)):
            _cell(axes, j, i, float(values[i, j]), 8.0 if side > 0.4 else 6.5)
    return drawing


def _cell(axes: Axes, x: int, y: int, value: float, size: float) -> None:
    from matplotlib.patches import Rectangle

    if not np.isfinite(value):
        axes.text(x + 0.5, y + 0.5, "–", ha="center", va="center", fontsize=size)
        return
    colour = style.COLOURS[0] if value >= 0 else style.COLOURS[1]
    box = Rectangle((x + 0.03, y + 0.04), 0.94, 0.92, facecolor=colour, alpha=0.08 + 0.5 * abs(value), linewidth=0)
    axes.add_patch(box)
    # Rounded, a small number below zero would read -0.00.
    shown = f"{round(value, 2) + 0.0:.2f}".replace("-", "\N{MINUS SIGN}")
    axes.text(x + 0.5, y + 0.52, shown, ha="center", va="center", fontsize=size)


def _by_set(
    results: Results, by_set: Mapping[str, FloatArray], pairs: Sequence[tuple[int, int]], caption: str
) -> list[Figure]:
    columns = [" and ".join(style.short(results.title(results.ranked[k]), 12) for k in pair) for pair in pairs]
    values = {d: np.array([tau[pair] for pair in pairs]) for d, tau in by_set.items()}
    return [
        Figure(
            f"rank-agreement-datasets{part}",
            f"Agreement of the rankers by data set{words}",
            f"{caption}.",
            _page(page, columns),
        )
        for part, words, page in style.pages(values, MOST_SETS)
    ]


def _page(page: Mapping[str, FloatArray], columns: Sequence[str]) -> Callable[[], Drawing]:
    return lambda: draw_pairs(list(page), columns, np.array(list(page.values())))


def _agreement(results: Results, dataset: str) -> FloatArray | None:
    """Return the mean tau of each two rankers over their common folds; None if no two have one."""
    return results.remember(("tau", dataset), lambda: _compute(results, dataset))


def _compute(results: Results, dataset: str) -> FloatArray | None:
    ranks = fold_ranks(results).get(dataset, {})
    names = [r for r in results.ranked if r in ranks]
    if len(names) < 2:
        return None
    size = len(results.ranked)
    total, count = np.zeros((size, size)), np.zeros((size, size))
    for fold in dict.fromkeys(fold for name in names for fold in ranks[name]):
        here = [r for r in names if fold in ranks[r]]
        square = np.ix_([results.ranked.index(r) for r in here], [results.ranked.index(r) for r in here])
        total[square] += correlations(np.array([ranks[r][fold] for r in here]))
        count[square] += 1
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def _mean(matrices: Sequence[FloatArray]) -> FloatArray:
    stack = np.array(matrices)
    known = np.isfinite(stack)
    total: FloatArray = np.where(known, stack, 0.0).sum(axis=0)
    mean: FloatArray = np.divide(total, known.sum(axis=0), out=np.full_like(total, np.nan), where=known.any(axis=0))
    return mean
