"""Real runs, small enough for a test: what `fsbench run` would leave in a folder."""

from __future__ import annotations

from pathlib import Path

SMALL = """
name: small
paper: nlc2003
datasets: [iris, gone.arff]
folds: {folds: 3}
rankers: [{method: nlc, label: NLC}, {method: relieff, label: RLF}, {method: ig, label: IG}]
classifiers: [{method: nb, label: NB}]
selections: [all, {best: {estimate: [inner_cv, test], folds: 2}}, {first: 3}]
tests: {test: paired-t}
"""


def make_run(folder: Path, place: str = "results/small", text: str = SMALL) -> Path:
    """Run an experiment file that stands in `folder`; return where its results are."""
    from fsbench.experiment.config import load_experiment
    from fsbench.experiment.run import make_plan, run_plan
    from fsbench.experiment.writer import StoreWriter

    config = folder / "small.yaml"
    config.write_text(text, encoding="utf-8")
    plan = make_plan(load_experiment(config), fetch=False)
    results = folder / place
    with StoreWriter(results, False) as store:
        for _ in run_plan(plan, store, lambda tasks: 1):
            pass
    return results
