"""Beside Weka, in turn with it: learning curves with their rankings, ReliefF, J48, and the whole NLC protocol.

Weka's seconds are those of its working thread in a warm JVM, without garbage collection and compilation. Only for the
curves of the four large sets they are those of the process, as those of `fsbench` always are. Both sides get the same
folds, and what they find is compared: equal right predictions at all prefixes, equal orders.

    bench_weka.py [--budget SECONDS] [--parts PART ...] [--sets SET ...]

The budget is that of Weka for one measurement, which is of one run at least. What takes a few milliseconds is repeated
within a run, on both sides.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from fsbench.classifiers import Classifier
from fsbench.data import load
from fsbench.evaluation.folds import stratified_splits
from fsbench.kernels.threads import set_threads
from fsbench.rankers import Ranker
from fsbench.registry import make
from fsbench.values import Dataset, IntArray, Split
from tests.bench.harness import Pair, Spent, measure, show
from tests.bench.weka import HOW, Answer, Weka, find_jar

LARGE = ("segment", "kr-vs-kp", "splice", "waveform-5000")
SETS = (
    *("iris", "zoo", "lymph", "glass2", "sonar", "glass", "heart-statlog", "ionosphere", "balance-scale", "soybean"),
    *("diabetes", "vehicle", "anneal", "vowel10", "credit-g", *LARGE),
)
UNRECORDED = ("balance-scale", "glass2")  # measured for the protocol; nothing was asked for
RANKERS = {"ig": {"method": "ig", "ties": "weka"}, "relieff": {"method": "relieff", "ties": "weka"}}
CLASSIFIERS = {"c45": "c45", "1nn": {"method": "1nn", "ranges": "weka"}, "nb": "nb"}
REPEATED = 0.03  # seconds that a run takes at least
WARM = 1.0  # seconds of Weka before it counts as warm
PATIENCE = 3.0  # a first run longer than this has warmed itself and is counted
OUTER, RANKINGS = 10, 3  # of the paper


@dataclass(eq=False)
class Task:
    """A data set with its folds, given to both sides."""

    data: Dataset
    splits: list[Split]
    large: bool = field(init=False)

    def __post_init__(self) -> None:
        self.large = self.data.name in LARGE

    def fresh(self) -> Dataset:
        """Return a copy for which nothing has been derived."""
        return self.data.take(np.arange(self.data.n_rows))


def curves(task: Task, fold: str) -> str:
    """Count the right predictions of the three classifiers at all prefixes of both rankings, as WekaTimes does."""
    data, total = task.fresh(), np.zeros((len(RANKERS), len(CLASSIFIERS)), dtype=np.int64)
    for split in task.splits if fold == "all" else [task.splits[int(fold)]]:
        train = data.take(split.train)
        total += counts(data, split, [ranked(train, ranker) for ranker in RANKERS])
    return ";".join(",".join(map(str, line)) for line in total)


def nested(task: Task, ranker: str, inner: Sequence[Split]) -> str:
    """Count them for one ranking of one training part: its fold's rows, inner folds, the part itself."""
    data, split = task.fresh(), task.splits[0]
    train = data.take(split.train)
    order, rows = ranked(train, ranker), np.arange(train.n_rows)
    total = counts(data, split, [order])
    for part in [*inner, Split(rows, rows)]:
        total += counts(train, part, [order])
    return ",".join(map(str, total[0]))


@cache
def method(ranker: str) -> Ranker:
    made = make("ranker", RANKERS[ranker])
    assert isinstance(made, Ranker)
    return made


def ranked(train: Dataset, ranker: str) -> IntArray:
    return method(ranker).rank(train).order


def counts(data: Dataset, split: Split, orders: Sequence[IntArray]) -> IntArray:
    """Count right predictions by ranking and classifier."""
    actual = data.y[split.test]
    found = [classifier(key).curves(data, split, orders) for key in CLASSIFIERS]
    return np.array([[np.count_nonzero(curve.predicted == actual) for curve in of_one] for of_one in found]).T


@cache  # a run makes its methods once
def classifier(key: str) -> Classifier:
    made = make("classifier", CLASSIFIERS[key])
    assert isinstance(made, Classifier)
    return made


def trees(task: Task) -> str:
    data, c45 = task.fresh(), classifier("c45")
    everything = np.arange(data.n_features)
    found = [c45.evaluate(data, split, everything).predicted == data.y[split.test] for split in task.splits]
    return str(sum(int(right.sum()) for right in found))


class Bench:
    """Times our functions and Weka's requests in turn.

    Parameters
    ----------
    weka : Weka
    budget : float
        Seconds of Weka after which a measurement ends; five runs at most, one at least.
    """

    def __init__(self, weka: Weka, budget: float) -> None:
        self.weka = weka
        self.budget = budget
        self.compared = 0
        self.different: list[str] = []

    def task(self, name: str) -> Task:
        data = load(name)
        task = Task(data, stratified_splits(data.y, data.n_classes, OUTER, 1))
        self.weka.give(data, task.splits)
        return task

    def versus(self, ours: Callable[[], str], request: tuple[str, ...]) -> tuple[list[Spent], list[Answer]]:
        """Time both in turn after a warm-up, and compare what they find."""
        found, spent, other = ours(), [], list(self._warmed(request))
        self.compared += 1
        if found != other[0].found:
            self.different.append(f"{' '.join(request)}: {found}, Weka {other[0].found}")
        if other[0].wall > PATIENCE:
            return [measure(ours)], other
        other = []
        again = [
            max(1, round(REPEATED / max(took, 1e-4))) for took in (measure(ours).wall, self.weka.ask(*request).wall)
        ]
        while len(spent) < 5:
            if len(spent) == len(other):
                if other and sum(answer.wall for answer in other) * again[1] > self.budget:
                    break
                other.append(mean_answer([self.weka.ask(*request) for _ in range(again[1])]))
            mine = measure(lambda: [ours() for _ in range(again[0])])
            spent.append(Spent(mine.wall / again[0], mine.cpu / again[0]))
        return spent, other

    def _warmed(self, request: tuple[str, ...]) -> Iterator[Answer]:
        """Ask until a second has passed; yield the last answer."""
        answer = self.weka.ask(*request)
        passed = answer.wall
        while passed < WARM:
            answer = self.weka.ask(*request)
            passed += answer.wall
        yield answer


def mean_answer(answers: Sequence[Answer]) -> Answer:
    times = (sum(part) / len(answers) for part in zip(*(answer[:3] for answer in answers), strict=True))
    return Answer(*times, answers[0].found)


def as_spent(answers: Sequence[Answer], whole_process: bool) -> list[Spent]:
    return [Spent(a.wall, a.process if whole_process else a.thread) for a in answers]


def bench_curves(bench: Bench, task: Task) -> Pair:
    """Both rankings together, ten folds; of the three largest sets one fold."""
    fold = "0" if task.large and task.data.name != "segment" else "all"
    spent, other = bench.versus(lambda: curves(task, fold), ("curves", task.data.name, ",".join(RANKERS), fold))
    rows = task.data.n_rows
    wanted = 60.0 if task.large else 15.0 if rows >= 200 else 1.0 if task.data.name in ("iris", "zoo") else None
    wanted = None if task.data.name in UNRECORDED else wanted
    note = f"{'one fold' if fold == '0' else 'ten folds'}{', process CPU' if task.large else ''}"
    return Pair(
        f"{task.data.name} ({rows} x {task.data.n_features}), {note}", spent, as_spent(other, task.large), wanted
    )


def bench_trees(bench: Bench, task: Task) -> Pair:
    ours, other = bench.versus(lambda: trees(task), ("cv", task.data.name, "c45"))
    wanted = 5.0 if task.data.n_rows >= 200 and task.data.name not in UNRECORDED else None
    return Pair(task.data.name, ours, as_spent(other, False), wanted)


def bench_relieff(bench: Bench, task: Task) -> Pair:
    def ours() -> str:
        return ",".join(map(str, ranked(task.fresh(), "relieff")))

    set_threads(2)
    spent, other = bench.versus(ours, ("rank", task.data.name, "relieff"))
    set_threads(1)
    wanted = 40.0 if task.large and task.data.name != "segment" else None
    return Pair(task.data.name, spent, as_spent(other, False), wanted, clock="wall")


def bench_one_point(bench: Bench, task: Task) -> Pair:
    """A whole 1NN curve against a single point of Weka's."""
    split, data = task.splits[0], task.fresh()
    order = ranked(data.take(split.train), "ig")
    nearest = classifier("1nn")

    def ours() -> str:
        point = nearest.curve(data, split, [*order]).at(len(order)).predicted
        return str(int((point == data.y[split.test]).sum()))

    spent, other = bench.versus(ours, ("fit", task.data.name, "1nn", "0"))
    return Pair(f"{task.data.name}, curve of {len(order)} points", spent, as_spent(other, False), 20.0)


def bench_nested(bench: Bench, task: Task) -> Pair:
    train = task.data.take(task.splits[0].train)
    inner = stratified_splits(train.y, train.n_classes, 10, (1, 0, 0))
    file = bench.weka.folds_file(f"{task.data.name}-inner", train.n_rows, inner)
    ours, other = bench.versus(lambda: nested(task, "ig", inner), ("nested", task.data.name, "ig", "0", file))
    return Pair(task.data.name, ours, as_spent(other, False))


def protocol(
    measured: dict[str, Pair], curves_found: dict[str, Pair], relieff: dict[str, Pair], paper: Sequence[str]
) -> str:
    """Say what the paper's protocol costs in Weka: measured pieces times 30, the large sets by their curves."""

    def other(pair: Pair) -> float:
        return float(np.median([spent.cpu for spent in pair.other]))

    folds = {name: 2 * (1 if "one fold" in curves_found[name].name else OUTER) for name in curves_found}  # 2 rankings
    known = {name: other(pair) for name, pair in measured.items()}
    factors = {name: known[name] * folds[name] / other(curves_found[name]) for name in known}
    factor = float(np.median([f for name, f in factors.items() if load(name).n_rows >= 500] or [*factors.values()]))
    guessed = {n: other(curves_found[n]) / folds[n] * factor for n in paper if n not in known}
    hours = {kind: OUTER * RANKINGS * sum(part.values()) / 3600 for kind, part in (("m", known), ("g", guessed))}
    hours["r"] = OUTER * sum(0.81 * other(relieff[name]) for name in paper) / 3600  # on nine tenths of the rows
    return (
        f"\nThe protocol of nlc2003 in Weka, one core: {sum(hours.values()):.2f} h."
        f"\n{hours['m']:.2f} h by one ranking of one fold of {len(known)} sets, measured above, times 30;"
        f"\n{hours['g']:.2f} h extrapolated for {', '.join(guessed) or 'none'}: one fold's curves times {factor:.1f},"
        " the median factor\nof the measured sets of 500 rows or more, times 30;"
        f" {hours['r']:.2f} h ReliefF, from the rankings measured above."
        "\nWeka has no NLC: its ranking is taken to cost what information gain costs."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--parts", nargs="*", default=("curves", "trees", "relieff", "point", "protocol"))
    parser.add_argument("--budget", type=float, default=3.0)
    options = parser.parse_args()
    jar = find_jar()
    if jar is None:
        print(HOW)
        return
    set_threads(1)
    with Weka(jar) as weka:
        bench = Bench(weka, options.budget)
        run(bench, {name: bench.task(name) for name in options.sets}, set(options.parts))
        equal = bench.compared - len(bench.different)
        print(f"\nright predictions and orders equal to Weka's in {equal} of {bench.compared} comparisons")
        print("\n".join(bench.different))


def run(bench: Bench, tasks: dict[str, Task], parts: set[str]) -> None:
    """Run some parts and print their tables."""
    by_curves: dict[str, Pair] = {}
    relieff: dict[str, Pair] = {}
    if parts & {"curves", "protocol"}:
        by_curves = {name: bench_curves(bench, task) for name, task in tasks.items()}
        title = "learning curves of C4.5, 1NN and NB with ranking, by IG and by ReliefF"
        show(title, [*by_curves.values()], other="Weka")
    if "trees" in parts:
        show("J48, ten folds", [bench_trees(bench, task) for task in tasks.values()], other="Weka")
    if parts & {"relieff", "protocol"}:
        relieff = {name: bench_relieff(bench, task) for name, task in tasks.items()}
        show("ReliefF, all rows, 2 threads (one in Weka)", [*relieff.values()], other="Weka")
    if "point" in parts and "splice" in tasks:
        show("a whole curve against one point of 1NN", [bench_one_point(bench, tasks["splice"])], other="Weka")
    if "protocol" in parts:
        paper = [name for name in tasks if name != "soybean"]
        inner = {name: bench_nested(bench, tasks[name]) for name in paper if name not in LARGE}
        title = "one ranking of one training part: inner folds, the part itself, test"
        show(title, [*inner.values()], other="Weka")
        print(protocol(inner, by_curves, relieff, paper))


if __name__ == "__main__":
    main()
