"""Hand-made results: the frames that a store would give, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fsbench.report.results import Results


def experiment(**changes: Any) -> dict[str, Any]:
    """An experiment of two data sets, two rankers and two classifiers, as the store would tell it."""
    base = {
        "name": "sample",
        "seed": 1,
        "datasets": [{"name": "iris", "path": None, "target": None, "label": "iris"}],
        "folds": {"scheme": "stratified", "folds": 4, "repeats": 1, "seed": 1, "file": None},
        "rankers": [methods("nlc"), methods("relieff")],
        "classifiers": [methods("c45"), methods("nb")],
        "selections": [
            {"selection": "all", "k": None, "estimate": "", "folds": None},
            {"selection": "best", "k": None, "estimate": "inner_cv", "folds": 10},
            {"selection": "first", "k": 3, "estimate": "", "folds": None},
        ],
        "tests": {"test": "paired-t", "level": 0.05},
        "paper": None,
        "paper_names": {},
    }
    return {**base, **changes}


def methods(name: str, label: str | None = None, **params: Any) -> dict[str, Any]:
    return {"spec": {"method": name, **params}, "label": label or name}


def dataset(name: str, rows: int = 60, note: str = "", missing: str = "", features: int = 4) -> dict[str, Any]:
    """One row of `Store.datasets`; `missing` is the reason."""
    gone = bool(missing)
    size = {"n_rows": rows, "n_features": features, "n_numeric": features, "n_nominal": 0, "n_classes": 3}
    return {
        "dataset": name,
        **{key: None if gone else value for key, value in size.items()},
        "digest": None if gone else "0123456789abcdef",
        "source": "somewhere",
        "note": note,
        "missing": gone,
        "reason": missing,
    }


def cell(
    dataset: str,
    classifier: str,
    ranker: str,
    selection: str,
    correct: Sequence[int | None],
    n_test: Sequence[int] | int = 15,
    estimate: str = "",
    k: int | None = None,
    n_selected: int = 2,
    tree: float | None = None,
    status: str = "failed",
    reason: str = "",
) -> list[dict[str, Any]]:
    """One cell's rows of `Store.accuracies`; a fold whose correct count is None has the given status."""
    sizes = [n_test] * len(correct) if isinstance(n_test, int) else n_test
    rows = []
    for fold, (right, size) in enumerate(zip(correct, sizes, strict=True)):
        ok = right is not None
        rows.append(
            {
                "dataset": dataset,
                "repeat": 0,
                "fold": fold,
                "classifier": classifier,
                "ranker": ranker,
                "selection": selection,
                "estimate": estimate,
                "k": k,
                "n_selected": (4 if selection == "all" else n_selected) if ok else None,
                "n_features": 4 if ok else None,
                "n_test": size if ok else None,
                "n_correct": right,
                "accuracy": right / size if right is not None else None,
                "tree_size": tree if ok else None,
                "tree_leaves": (tree + 1) / 2 if ok and tree else None,
                "status": "ok" if ok else status,
                "reason": "" if ok else reason,
                "seconds": 0.5 if ok else None,
            }
        )
    return rows


def results(
    spec: dict[str, Any], datasets: list[dict[str, Any]], rows: list[dict[str, Any]], times: list[tuple] = ()
) -> Results:
    """The results that a store with these rows would give; `times` are (dataset, fold, ranker, seconds)."""
    sizes = ("n_rows", "n_features", "n_numeric", "n_nominal", "n_classes")
    sets = pd.DataFrame(datasets).astype(dict.fromkeys(sizes, "Int64"))
    sets["missing"] = sets["missing"].astype(bool)
    whole = ("k", "n_selected", "n_features", "n_test", "n_correct")
    accuracies = pd.DataFrame(rows, columns=list(cell("", "", "", "", [1])[0])).astype(dict.fromkeys(whole, "Int64"))
    accuracies = accuracies.astype(dict.fromkeys(("accuracy", "tree_size", "tree_leaves"), "float64"))
    rankings = pd.DataFrame(
        [(d, 0, f, r, s) for d, f, r, s in times], columns=["dataset", "repeat", "fold", "ranker", "seconds"]
    )
    return Results(spec, sets, accuracies, rankings)
