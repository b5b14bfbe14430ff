"""Where results came from: every cell with its key and run, searches too."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from fsbench.experiment.facts import result_facts, search_facts
from fsbench.experiment.store import Store
from tests.report.runs import make_run

TEXT = """
name: facts
datasets: [iris]
folds: {folds: 3}
rankers: [nlc]
classifiers: [c45, 1nn]
selections: [all, {first: 2}]
searches: [sfg]
searching: {protocol: [search-cv, nested], folds: 2}
"""


def test_facts_are_those_of_the_store(tmp_path: Path) -> None:
    run = make_run(tmp_path, text=TEXT)
    facts, frame = list(result_facts(run)), Store(run).accuracies()
    assert [f.cell[:5] for f in facts] == list(
        frame[["dataset", "classifier", "ranker", "selection", "estimate"]].itertuples(index=False, name=None)
    )
    assert [f.n_correct for f in facts] == frame["n_correct"].tolist()
    assert {f.run for f in facts} == {1}
    assert "size" in next(f.measures for f in facts if f.cell[1] == "c45")
    with sqlite3.connect(run / "results.sqlite") as connection:
        keys = {key for (key,) in connection.execute("SELECT key FROM result")}
    connection.close()
    assert {f.key for f in facts} <= keys
    searches = list(search_facts(run))
    assert [(f.cell[1], f.cell[2], f.cell[3], f.fold) for f in searches] == [
        ("c45", "sfg", "search", None),
        ("1nn", "sfg", "search", None),
    ]
    assert all(f.run == 1 and f.measures.startswith("error ") for f in searches)
