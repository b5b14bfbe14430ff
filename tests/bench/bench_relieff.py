"""ReliefF against fast-select and skrebate with the same threads, where they are installed."""

from __future__ import annotations

import importlib.util
import os

import numpy as np

from fsbench.kernels.threads import set_threads
from fsbench.registry import make
from fsbench.values import Dataset, Feature
from tests.bench.harness import Pair, measure, paired, show

SHAPES = {(5000, 40): 3.0, (2500, 100): 3.0, (1000, 1000): 2.5, (500, 5000): 1.5}


def normal(n: int, m: int) -> Dataset:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n)
    X = rng.normal(0.0, 1.0, (n, m))
    X[:, :10] += y[:, None]
    return Dataset("normal", tuple(Feature(f"f{j}") for j in range(m)), X, Feature("class", ("a", "b")), y)


def fast_select(threads: int) -> list[Pair]:
    from fast_select import ReliefF

    set_threads(threads)
    pairs = []
    for (n, m), wanted in SHAPES.items():
        data = normal(n, m)
        X = np.ascontiguousarray(data.X)
        ours = make("ranker", "relieff")

        def other(X: np.ndarray = X, data: Dataset = data) -> object:
            return ReliefF(n_features_to_select=10, n_neighbors=10, backend="cpu", n_jobs=threads).fit(X, data.y)

        pairs.append(
            paired(
                f"{n} x {m}", lambda d=data, r=ours: r.rank(d), other, wanted, clock="cpu" if threads == 1 else "wall"
            )
        )
    return pairs


def skrebate() -> list[Pair]:
    from skrebate import ReliefF

    data = normal(1000, 100)
    ours = make("ranker", "relieff")
    ours.rank(data)
    set_threads(1)
    own = [measure(lambda: ours.rank(data)) for _ in range(5)]
    X = np.ascontiguousarray(data.X)
    other = [measure(lambda: ReliefF(n_neighbors=10, n_jobs=1).fit(X, data.y))]
    return [Pair("1000 x 100", own, other, 100.0)]


def main() -> None:
    if importlib.util.find_spec("fast_select"):
        for threads in (1, os.cpu_count() or 1):
            show(f"ReliefF, {threads} threads", fast_select(threads), "fsbench", "fast-select")
    else:
        print("fast-select is not installed: pip install 'fast-select==0.3.*'")
    if importlib.util.find_spec("skrebate"):
        show("ReliefF, 1 thread", skrebate(), "fsbench", "skrebate")
    else:
        print("skrebate is not installed: pip install skrebate")


if __name__ == "__main__":
    main()
