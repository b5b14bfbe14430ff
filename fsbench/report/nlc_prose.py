"""The numbers in the NLC paper's text beside ours: those that a run holds, and small ones computed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from fsbench.errors import UserError
from fsbench.published import Prose, nlc
from fsbench.report.compare import Compared, tolerance
from fsbench.report.nlc_examples import figure, one_class_run, value_groups
from fsbench.report.printed import printed_counts, printed_here, printed_table
from fsbench.report.results import Results
from fsbench.report.tables.retained import mean_shares
from fsbench.report.tables.times import mean_savings, ranking_seconds
from fsbench.report.versus import sides, tally

if TYPE_CHECKING:
    from fsbench.rankers import Ranker
    from fsbench.values import Dataset

__all__ = ["compare_prose"]

# The attributes as the paper names them to those of our files.
_ATTRIBUTES = {"C7": "Flavanoids", "C8": "Nonflavanoid_phenols"}
_PART = "a part of the experiment: not judged"

# Quantities of better, equal, worse, by table and side.
_COUNT_KEYS: dict[tuple[str, str], tuple[str, str, str]] = {
    ("table3", "all"): ("table3.better_than_all", "table3.equal_to_all", "table3.worse_than_all"),
    ("table3", "selectors"): (
        "table3.better_than_selectors",
        "table3.equal_to_selectors",
        "table3.worse_than_selectors",
    ),
    ("table4", "selectors"): ("table4.better", "table4.equal", "table4.worse"),
}
_COMPUTED = "computed now on the whole data set"


def compare_prose(results: Results) -> list[Compared]:
    """Return every number of the paper's text that can be set beside one of ours.

    Parameters
    ----------
    results : Results
        The run: counts of markers, shares of features, times.

    Returns
    -------
    list of Compared
        With the table ``"prose"`` and the quantity as column. Times and what the paper reads off its figures have
        no tolerance and no judgement.

    Notes
    -----
    A run has no cells for the examples of the text (NLC on whole data sets, C4.5 on a single attribute, Figure
    2): they take less than a second and are computed here; their notes say so.
    """
    return [*_examples(), *_counts(results), *_shares(results), *_times(results)]


@cache
def _examples() -> tuple[Compared, ...]:
    """Return what does not depend on a run, computed once."""
    return (*_nlc_counts(), *_single_attributes(), *_intervals(), *_figure_2())


def _row(
    quantity: str, ours: float | None, note: str = "", dataset: str = "", sd: float | None = None, folds: int = 0
) -> Compared:
    """Set a number beside the printed one of the same quantity, the transcription's own remark included."""
    printed = nlc.prose()[quantity]
    allowed = tolerance(sd, folds, printed.half_unit)
    return _compared(printed, quantity, ours, allowed, note, dataset)


def _compared(
    printed: Prose, column: str, ours: float | None, allowed: float | None, note: str, dataset: str = ""
) -> Compared:
    agrees = None
    if ours is not None and printed.value is not None and allowed is not None:
        agrees = abs(ours - printed.value) <= allowed + 1e-9
    notes = "; ".join(n for n in (note, printed.note) if n)
    return Compared("prose", dataset, column, ours, printed.value, allowed, agrees, notes, printed.unit)


def _data(name: str) -> Dataset | str:
    """Return a data set, or why it cannot be had."""
    from fsbench.data import load

    try:
        return load(name)
    except UserError as error:
        return str(error)


def _ranker() -> Ranker:
    from fsbench import registry
    from fsbench.rankers import Ranker

    made = registry.make("ranker", "nlc")
    assert isinstance(made, Ranker)
    return made


def _index(data: Dataset, attribute: str) -> int:
    wanted = _ATTRIBUTES.get(attribute, attribute)
    return [f.name for f in data.features].index(wanted)


def _nlc_counts() -> Iterator[Compared]:
    """NLC on whole iris and wine; 139 for C8 is given by no rule that gives the other five."""
    ranker = _ranker()
    for name in ("iris", "wine"):
        data = _data(name)
        scores = None if isinstance(data, str) else ranker.score(data)
        keys = [k for k in nlc.prose() if k.startswith(f"nlc.{name}.")]
        for key in keys:
            if isinstance(data, str) or scores is None:
                yield _row(key, None, f"missing: {data}", name)
                continue
            score = float(scores[_index(data, key.rpartition(".")[2])])
            place = int((scores < score).sum()) + 1
            yield _row(key, score, f"{_COMPUTED}; place {place} of {len(scores)}", name)


def _single_attributes() -> Iterator[Compared]:
    """C4.5 on one attribute: 10-fold cross-validation with our own folds, seed 1."""
    from fsbench import registry
    from fsbench.classifiers import Classifier
    from fsbench.evaluation.folds import stratified_splits
    from fsbench.report.nlc_examples import percents

    c45 = registry.make("classifier", "c45")
    assert isinstance(c45, Classifier)
    note = "computed now, 10-fold cross-validation, seed 1"
    for key in (k for k in nlc.prose() if k.startswith("c45_accuracy.")):
        _, name, attribute = key.split(".")
        data = _data(name)
        if isinstance(data, str):
            yield _row(key, None, f"missing: {data}", name)
            continue
        splits = stratified_splits(data.y, data.n_classes, 10, seed=1)
        found = percents(c45, data, splits, _index(data, attribute.removesuffix("_only")))
        yield _row(key, float(found.mean()), note, name, float(found.std(ddof=1)), len(found))


def _intervals() -> Iterator[Compared]:
    """Where one class alone is met: the paper reads these off Figure 1, so they are shown and not judged."""
    classes = {"setosa": 0, "versicolor": 1, "virginica": 2, "class1": 0, "class2": 1, "class3": 2}
    for key in (k for k in nlc.prose() if k.endswith("_interval")):
        name, attribute, which = key.split(".")
        data, printed = _data(name), nlc.prose()[key]
        low, high = printed.text.strip("[]").split(",")
        ends: Sequence[float | None] = (None, None)
        note = f"{_COMPUTED}: the longest run of values with this class alone; the paper reads it off Figure 1"
        if isinstance(data, str):
            note = f"missing: {data}"
        else:
            groups = value_groups(data, _index(data, attribute))
            ends = one_class_run(groups, classes[which.removesuffix("_interval")])
        for side, text, end in (("from", low, ends[0]), ("to", high, ends[1])):
            side_printed = Prose(key, text, printed.unit, printed.where, printed.note)
            yield _compared(side_printed, f"{key}.{side}", end, None, note, name)


def _figure_2() -> Iterator[Compared]:
    from fsbench.rankers.nlc import inner_changes

    ranker, prose = _ranker(), nlc.prose()
    drawn = {
        "fig2a.nlc_abscissa": figure(prose["fig2a.abscissa_partition"].text),
        "fig2a.nlc_ordinate": figure(prose["fig2a.ordinate_partition"].text),
        "fig2b.nlc_a": figure(prose["fig2b.a_partition"].text, tied=[2]),
        "fig2b.nlc_b": figure(prose["fig2b.b_partition"].text),
    }
    for key, data in drawn.items():
        yield _row(key, float(ranker.score(data)[0]), "computed now from the elements as drawn", "Figure 2")
    yield _row("fig2b.changes_same_value_printed", float(inner_changes([4, 3])), "computed now", "Figure 2")


def _counts(results: Results) -> Iterator[Compared]:
    for way in [*results.best[:1], *results.first]:
        for side, _ in sides(results, way):
            if printed_counts(results, way, side) is None:
                continue
            found = tally(results, way, results.test_name, side)
            untested = f"{found.omitted} of {found.total} not tested" if found.omitted else ""
            part = _PART if printed_here(results, way, side) is not None else ""
            note = "; ".join(n for n in (way.slug, untested, part) if n)
            keys = _COUNT_KEYS[printed_table(results, way), side]
            for key, count in zip(keys, (found.better, found.equal, found.worse), strict=True):
                printed = nlc.prose()[key]
                yield _compared(printed, key, float(count), None if part else printed.half_unit, note)


def _shares(results: Results) -> Iterator[Compared]:
    """Judge the means by the bounds that the paper gives: inside them is agreement."""
    part = len(set(results.printed_names.values())) < len(nlc.PAPER_NAMES)
    for way in results.best:
        shares = list(mean_shares(results, way).values())
        for key, ours in (("min", min(shares, default=None)), ("max", max(shares, default=None))):
            printed = nlc.prose()[f"retained_share_{key}"]
            bound = printed.value or 0.0
            agrees = None if ours is None or part else ours >= bound if key == "min" else ours <= bound
            note = "; ".join(n for n in (_PART if part else "", printed.note) if n)
            column = f"{printed.quantity}.{way.estimate}"
            allowed, side = None if part else 0.0, "at least" if key == "min" else "at most"
            yield Compared("prose", "", column, ours, printed.value, allowed, agrees, note, "%", bound=side)


def _times(results: Results) -> Iterator[Compared]:
    seconds = ranking_seconds(results)
    note = "our machine against theirs: not judged"
    for ranker in results.rankers:
        key = f"rank_time.{results.printed_column(ranker)}"
        if key in nlc.prose():
            times = [t[ranker] for t in seconds.values()]
            known = [t for t in times if t is not None]
            unit = 1000.0 if nlc.prose()[key].unit == "ms" else 1.0
            total = unit * sum(known) if known else None
            gaps = f"; {len(known)} of {len(times)} data sets" if len(known) < len(times) else ""
            yield _compared(nlc.prose()[key], key, total, None, note + gaps)
    for rival, saving in mean_savings(results).items():
        key = f"time_saving_vs_{results.printed_column(rival)}"
        if key in nlc.prose():
            yield _compared(nlc.prose()[key], key, saving, None, note)
