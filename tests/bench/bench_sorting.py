"""Rankers that sort, against numpy's argsort of the same columns: 500,000 rows, 50 features, 3 classes."""

from __future__ import annotations

import numpy as np

from fsbench.kernels.threads import set_threads
from fsbench.registry import make
from fsbench.values import Dataset, Feature
from tests.bench.harness import paired, show


def matrix(decimals: int | None, n: int = 500_000, m: int = 50) -> Dataset:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, n)
    X = np.asfortranarray(rng.normal(y[:, None] * 0.5, 1.0, (n, m)))
    X = X if decimals is None else np.asfortranarray(np.round(X, decimals))
    return Dataset("normal", tuple(Feature(f"f{j}") for j in range(m)), X, Feature("class", ("a", "b", "c")), y)


def main() -> None:
    set_threads(1)  # numpy sorts on one
    pairs = []
    for name, decimals in (("normal", None), ("two decimals", 2)):
        data = matrix(decimals)
        rows = np.arange(data.n_rows)

        def argsort(data: Dataset = data) -> object:
            return [np.argsort(data.X[:, j]) for j in range(data.n_features)]

        for key, wanted in (("nlc", 1 / 0.6), ("ig", 1 / 0.9)):
            ranker = make("ranker", key)
            # A fresh copy each time: what was sorted for one call must not be there for the next.
            copies = iter([data.take(rows) for _ in range(4)])
            ranker.rank(next(copies))
            pairs.append(
                paired(f"{key} {name}", lambda r=ranker, c=copies: r.rank(next(c)), argsort, wanted, runs=3, warm=False)
            )
    show("ranking against numpy argsort, 500,000 x 50", pairs, "fsbench", "argsort")


if __name__ == "__main__":
    main()
