"""The multi-label paper (Spolaor et al. 2013): Tables 2 to 4 and its text."""

from __future__ import annotations

from functools import cache

from fsbench.published.printed import PrintedCell, Prose, read, read_prose

__all__ = ["MEASURES", "METHODS", "ORDER", "PAPER_NAMES", "TITLE", "cells", "prose"]

TITLE = "Spolaor et al. (2013), multi-label filter selection"

# Our name of each data set, and the paper's.
PAPER_NAMES = {
    name: name
    for name in (
        "bibtex", "cal500", "corel16k001", "corel5k", "emotions", "enron", "genbase", "medical", "scene", "yeast",
    )
}  # fmt: skip
# Ranker and transformation to the paper's name of the method.
METHODS = {("relieff", "br"): "RF-BR", ("relieff", "lp"): "RF-LP", ("ig", "br"): "IG-BR", ("ig", "lp"): "IG-LP"}

# The methods from best to worst, as the paper sums up.
ORDER = ("RF-LP", "RF-BR", "IG-LP")
# The paper's measures, in the order of Table 4, as they are called there and by us.
MEASURES = {
    "hamming_loss": "hamming_loss",
    "subset_accuracy": "subset_accuracy",
    "f_measure": "f_example",
    "accuracy": "accuracy",
    "macro_f": "f_macro",
    "micro_f": "f_micro",
}

_TABLE2 = ("n_examples", "n_features", "n_labels", "label_cardinality", "label_density", "distinct_combinations")


@cache
def cells() -> tuple[PrintedCell, ...]:
    """Return the numbers of Tables 2 to 4; a dash of the paper stays a dash."""
    found = []
    for row in read("ml_table2"):
        names = (row["dataset"], row["dataset"])
        found += [PrintedCell("table2", *names, column, row[column], column) for column in _TABLE2]
    for row in read("ml_table3"):
        names = (row["dataset"], row["dataset"])
        mean, std = row["reduction_mean_pct"], row["reduction_std"]
        found.append(PrintedCell("table3", *names, row["method"], mean, "%", std))
    for row in read("ml_table4"):
        names = (row["dataset"], row["dataset"])
        column = f"{row['measure']}/{row['method']}"
        found.append(PrintedCell("table4", *names, column, row["mean"], row["measure"], row["std"]))
    return tuple(found)


@cache
def prose() -> dict[str, Prose]:
    """Return the numbers in the paper's text, keyed by quantity."""
    return {p.quantity: p for p in read_prose("ml_prose")}
