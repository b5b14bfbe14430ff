"""A folder with small data sets in which experiments are written and run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fsbench.experiment.config import load_experiment
from fsbench.experiment.run import Progress, make_plan, run_plan
from fsbench.experiment.store import Store
from fsbench.experiment.writer import StoreWriter

TOYS = Path(__file__).with_name("toys.py")


class Workshop:
    """Writes data sets and experiment files into a folder, runs them there and reads the results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def data(self, name: str, X: np.ndarray, y: np.ndarray, n_classes: int | None = None) -> Path:
        """Write numeric columns and a class as an ARFF file."""
        labels = [f"c{i}" for i in range(n_classes or int(y.max()) + 1)]
        head = [f"@attribute a{j} numeric" for j in range(X.shape[1])]
        lines = ["@relation x", *head, f"@attribute class {{{','.join(labels)}}}", "@data"]
        lines += [",".join([*(repr(float(v)) for v in row), labels[c]]) for row, c in zip(X, y, strict=True)]
        path = self.folder / f"{name}.arff"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def config(self, text: str, name: str = "my.yaml") -> Path:
        """Write an experiment file; TOYS stands for the file of toy methods."""
        path = self.folder / name
        path.write_text(text.replace("TOYS", str(TOYS)), encoding="utf-8")
        return path

    def run(self, text: str, output: str = "out", jobs: int = 1) -> Progress:
        """Run an experiment to its end."""
        plan = make_plan(load_experiment(self.config(text)))
        with StoreWriter(self.folder / output) as store:
            *_, progress = run_plan(plan, store, lambda tasks: jobs)
        return progress

    def store(self, output: str = "out") -> Store:
        """Open the results."""
        return Store(self.folder / output)

    def tables(self, output: str = "out") -> dict[str, str]:
        """Return every table as CSV, times left out."""
        return tables(self.store(output))


def tables(store: Store) -> dict[str, str]:
    names = (
        "accuracies",
        "curves",
        "predictions",
        "rankings",
        "selections",
        "datasets",
        "folds",
        "methods",
        "searches",
        "traces",
    )
    frames: dict[str, pd.DataFrame] = {name: getattr(store, name)() for name in names}
    return {name: frame.drop(columns=["seconds", "scored"], errors="ignore").to_csv() for name, frame in frames.items()}


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    """A folder with the data sets `a` (60 x 5, three classes) and `b` (40 x 4, two classes)."""
    made = Workshop(tmp_path)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 60)
    made.data("a", rng.normal(size=(60, 5)).round(2) * [1, 2, 3, 1, 1] + np.outer(y, [0, 1, 0, 2, 0.5]), y)
    y = rng.integers(0, 2, 40)
    made.data("b", rng.normal(size=(40, 4)).round(1) + np.outer(y, [1, 0, 0.5, 0]), y)
    return made
