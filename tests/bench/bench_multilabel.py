"""Multi-label scoring and prediction beside Mulan's seconds, and RF-BR of the whole of bibtex: time and memory.

Needs the data in FSBENCH_DATA; what is not there is left out with a line. Mulan's seconds are recorded ones (see
tests/conftest.py), of one training part of ten; so are ours.
"""

from __future__ import annotations

import csv
import resource
from collections.abc import Callable

import numpy as np

from fsbench.data import available, load_multilabel
from fsbench.data.multilabel import MultiLabelDataset
from fsbench.evaluation.folds import mulan_splits
from fsbench.multilabel import BinaryRelevance, BRkNNb, LabelPowerset, Transform
from fsbench.rankers import Ranker
from fsbench.rankers.information_gain import InformationGain
from fsbench.rankers.relieff import ReliefF
from fsbench.values import Split
from tests.bench.harness import Pair, Spent, measure, recorded, show
from tests.conftest import SHARED

METHODS: dict[str, tuple[Transform, Ranker]] = {
    "RF-BR": (BinaryRelevance(), ReliefF()),
    "RF-LP": (LabelPowerset(), ReliefF()),
    "IG-BR": (BinaryRelevance(), InformationGain()),
    "IG-LP": (LabelPowerset(), InformationGain()),
}
STOCK = ("yeast", "scene", "genbase", "cal500", "medical")  # where Mulan's own ReliefF was run to the end


def mulan() -> dict[tuple[str, str, str], float]:
    """Return Mulan's median seconds a fold by data set, method and stage; of two runs that of its unchanged code."""
    found: dict[tuple[str, str, str], float] = {}
    if not (SHARED / "mulan" / "timings.csv").is_file():
        print("Mulan's recorded times are not beside the project: ours alone")
        return found
    with (SHARED / "mulan" / "timings.csv").open() as stream:
        for row in csv.DictReader(stream):
            key = row["dataset"], row["method"], row["stage"]
            if key not in found or row["run"].startswith("stock"):
                found[key] = float(row["median_seconds_per_fold"])
    return found


def fold(name: str) -> tuple[MultiLabelDataset, Split, MultiLabelDataset]:
    data = load_multilabel(name)
    split = mulan_splits(data.n_rows, 10, 1)[0]
    return data, split, data.take(split.train)


def several(function: Callable[[], object], runs: int) -> list[Spent]:
    return [measure(function) for _ in range(runs)]


def score(name: str, methods: tuple[str, ...], times: dict[tuple[str, str, str], float], runs: int = 5) -> list[Pair]:
    data, split, train = fold(name)
    # A fresh copy of the training part each time: what one has derived before would be found ready.
    pairs, rows = [], np.arange(train.n_rows)
    for method in methods:
        transform, ranker = METHODS[method]
        transform.rank(ranker, train)
        ours = several(lambda t=transform, r=ranker: t.rank(r, train.take(rows)), runs)  # type: ignore[misc]
        other = times.get((name, method, "score"), float("nan"))
        pairs.append(
            Pair(f"{name} {method}", ours, recorded(other), 100.0 if method == "RF-BR" and name in STOCK else None)
        )
    everything, brknn = np.arange(data.n_features), BRkNNb(ties="mulan")
    brknn.evaluate(data, split, everything)
    ours = several(lambda: brknn.evaluate(data, split, everything), runs)
    return [*pairs, Pair(f"{name} BRkNN-b", ours, recorded(times.get((name, "all", "predict"), float("nan"))))]


def bibtex() -> None:
    """Time RF-BR on all rows: under 30 seconds and 4 GB are wanted."""
    data = load_multilabel("bibtex")
    spent = measure(lambda: BinaryRelevance().rank(ReliefF(), data))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    missed = "" if spent.wall < 30 and peak < 4 else "  MISSED"
    print(f"\nRF-BR of bibtex: {spent.wall:.1f} s, CPU {spent.cpu:.1f} s (< 30), peak {peak:.2f} GB (< 4){missed}")


def main() -> None:
    names = ["bibtex", *STOCK, "emotions", "enron"]
    there = [name for name in names if available(name)]
    if len(there) < len(names):
        print(f"not in FSBENCH_DATA: {', '.join(sorted(set(names) - set(there)))}")
    if "bibtex" in there:
        bibtex()
    times = mulan()
    for name in there:
        if name != "bibtex":
            show(name, score(name, tuple(METHODS), times), "fsbench", "Mulan")


if __name__ == "__main__":
    main()
