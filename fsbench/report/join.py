"""Several runs read as one: the union of their data sets and methods, refused where the same name means two things."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsbench.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["JoinError", "JoinedStore"]

# What names a block of rows in any frame of a store; a frame has some of them.
_NAMES = (
    "dataset",
    "repeat",
    "fold",
    "seed",
    "classifier",
    "ranker",
    "search",
    "protocol",
    "selection",
    "estimate",
    "amount",
)


class JoinError(UserError):
    """Runs that must not be mixed.

    Parameters
    ----------
    reasons : sequence of str
        One line each.
    """

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons), "cannot join")
        self.reasons = tuple(reasons)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reasons,)


class JoinedStore:
    """Answers what a `Store` answers, of several stores at once; of a cell that several have, the first stands.

    Parameters
    ----------
    paths : sequence of path
        Results folders.

    Raises
    ------
    JoinError
        Something in them must not be mixed.
    """

    def __init__(self, paths: Sequence[str | Path]) -> None:
        from fsbench.experiment.label_store import open_store

        self.paths = [Path(path) for path in paths]
        self.stores: list[Any] = [open_store(path) for path in self.paths]
        self._experiments = [store.experiment() for store in self.stores]
        reasons = list(dict.fromkeys(reason for i in range(1, len(self.stores)) for reason in self._clashes(i)))
        if reasons:
            raise JoinError(reasons)

    def __getattr__(self, name: str) -> Callable[[], pd.DataFrame]:
        """Stack the frames that the stores' method of this name gives."""
        if name.startswith("_") or not hasattr(type(self.stores[0]), name):
            raise AttributeError(name)
        return lambda: self._stacked(name)

    def experiment(self) -> dict[str, Any]:
        """Return one configuration: that of the first run, with the data sets and methods of all."""
        merged = dict(self._experiments[0])
        merged["name"] = " + ".join(dict.fromkeys(str(e["name"]) for e in self._experiments))
        for key in dict.fromkeys(key for e in self._experiments for key in e):
            if any(isinstance(e.get(key), list) for e in self._experiments):
                found: dict[str, Any] = {}
                for ref in (ref for e in self._experiments for ref in e.get(key) or ()):
                    found.setdefault(_identity(ref), ref)
                merged[key] = list(found.values())
            elif merged.get(key) in (None, {}, ""):
                merged[key] = next((e[key] for e in self._experiments if e.get(key)), merged.get(key))
        for ref in merged.get("classifiers") or ():
            ref |= {"rankers": self._pairs(str(ref["label"]))}
        names = [e.get("paper_names") or {} for e in self._experiments]
        merged["paper_names"] = {k: v for stated in reversed(names) for k, v in stated.items()}
        return merged

    def _pairs(self, classifier: str) -> list[str]:
        """Return the rankers and searches that a classifier meets in any of the runs."""
        found: list[str] = []
        for experiment in self._experiments:
            rankers = [str(ref["label"]) for kind in ("rankers", "searches") for ref in experiment.get(kind) or ()]
            for ref in experiment.get("classifiers") or ():
                if str(ref["label"]) == classifier:
                    asked = ref.get("rankers")
                    found += rankers if asked is None else [str(r) for r in asked]
        return list(dict.fromkeys(found))

    def datasets(self) -> pd.DataFrame:
        """Return the data sets of all runs; one that is missing from some stands as where it is there."""
        import pandas as pd

        whole = pd.concat([store.datasets() for store in self.stores], ignore_index=True)
        order = {name: i for i, name in reversed(list(enumerate(whole["dataset"])))}
        kept = whole.sort_values("missing", kind="stable").drop_duplicates("dataset")
        found: pd.DataFrame = kept.sort_values("dataset", key=lambda column: column.map(order)).reset_index(drop=True)
        return found

    def accuracies(self) -> pd.DataFrame:
        """Return the tests of all runs; of a cell that several have, one that was computed goes before others."""
        import pandas as pd

        whole = pd.concat([store.accuracies() for store in self.stores], ignore_index=True)
        names = [*(n for n in _NAMES if n in whole), "k"]
        ranked = whole.assign(_late=(whole["status"] != "ok").astype(int))
        kept: pd.DataFrame = ranked.sort_values("_late", kind="stable").drop_duplicates(names).sort_index()
        return kept.drop(columns="_late")

    def label_statistics(self) -> dict[str, Any]:
        """Return the statistics of the labels of all runs."""
        return {name: values for store in reversed(self.stores) for name, values in store.label_statistics().items()}

    def _stacked(self, name: str) -> pd.DataFrame:
        import pandas as pd

        frames: list[pd.DataFrame] = []
        seen: set[tuple[Any, ...]] = set()
        for store in self.stores:
            frame = getattr(store, name)()
            named = (*_NAMES, "k") if "selection" in frame else _NAMES  # else k counts the rows of a curve
            names = [n for n in named if n in frame] or [n for n in ("kind", "label") if n in frame]
            keys = list(zip(*(frame[n].astype(object).where(frame[n].notna(), None) for n in names), strict=True))
            frames.append(frame[[key not in seen for key in keys]])
            seen.update(keys)
        return pd.concat([f for f in frames if len(f)] or frames[:1], ignore_index=True)

    def _clashes(self, i: int) -> Iterable[str]:
        """Say what of a run does not fit to the runs before it."""
        for j in range(i):
            pair = (self.paths[j], self.paths[i])
            yield from _settings(self._experiments[j], self._experiments[i], pair)
            yield from _contents(self.stores[j].datasets(), self.stores[i].datasets(), pair)
            yield from _folds(self.stores[j].folds(), self.stores[i].folds(), pair)
            yield from _methods(self.stores[j].methods(), self.stores[i].methods(), pair)


Pair = tuple[Path, Path]


def _identity(ref: Any) -> str:
    """Return what names an entry of a list: its label, or all of it without its details."""
    if isinstance(ref, Mapping) and "label" in ref:
        return f"label {ref['label']}"
    if isinstance(ref, Mapping) and "selection" in ref:
        return repr((ref["selection"], ref.get("estimate"), ref.get("k"), ref.get("amount")))
    return repr(ref)


def _settings(one: Mapping[str, Any], two: Mapping[str, Any], pair: Pair) -> Iterable[str]:
    for key, words in (("folds", "other folds"), ("seed", "another seed"), ("tests", "another test")):
        if one.get(key) != two.get(key):
            yield f"{words}: {_parts(one.get(key), two.get(key), pair)}"
    if one.get("paper") and two.get("paper") and one["paper"] != two["paper"]:
        yield f"other papers: {one['paper']} in {pair[0]}, {two['paper']} in {pair[1]}"
    found = {_identity(s): s for s in one.get("selections") or ()}
    for selection in two.get("selections") or ():
        before = found.get(_identity(selection), selection)
        if before != selection:
            yield f"another selection {selection['selection']}: {_parts(before, selection, pair)}"
    if one.get("kind") != two.get("kind"):
        yield f"one label a row and many: {pair[0]}, {pair[1]}"


def _contents(one: pd.DataFrame, two: pd.DataFrame, pair: Pair) -> Iterable[str]:
    before = {str(d): str(h) for d, h in zip(one["dataset"], one["digest"], strict=True) if h}
    for dataset, digest in zip(two["dataset"], two["digest"], strict=True):
        other = before.get(str(dataset))
        if digest and other and other != digest:
            yield f"other data under the name {dataset}: {other[:12]} in {pair[0]}, {digest[:12]} in {pair[1]}"


def _folds(one: pd.DataFrame, two: pd.DataFrame, pair: Pair) -> Iterable[str]:
    keys = ["dataset", "repeat", "fold"]
    both = one.merge(two, on=keys, suffixes=("_one", "_two"))
    for dataset in both.loc[both["digest_one"] != both["digest_two"], "dataset"].unique():
        yield f"other folds of {dataset} in {pair[0]} than in {pair[1]}"


def _methods(one: pd.DataFrame, two: pd.DataFrame, pair: Pair) -> Iterable[str]:
    before = {(k, label): identity for k, label, identity in one[["kind", "label", "identity"]].itertuples(index=False)}
    for kind, label, identity in two[["kind", "label", "identity"]].itertuples(index=False):
        other = before.get((kind, label))
        if other is not None and other != identity:
            yield f"another {kind} under the label {label}: {_difference(other, identity, pair)}"


def _difference(one: str, two: str, pair: Pair) -> str:
    """Say in which parts two identities differ."""
    first, second = ({**identity.pop("params", {}), **identity} for identity in (json.loads(one), json.loads(two)))
    if first.get("method") != second.get("method"):  # of other methods the parameters say nothing
        first, second = {"method": first.get("method")}, {"method": second.get("method")}
    return _parts(first, second, pair)


def _parts(one: Any, two: Any, pair: Pair) -> str:
    """Tell the parts that differ, of both runs."""
    if not isinstance(one, Mapping) or not isinstance(two, Mapping):
        return f"{_told(one)} in {pair[0]}, {_told(two)} in {pair[1]}"
    keys = [key for key in dict.fromkeys([*one, *two]) if one.get(key) != two.get(key)]
    sides = [", ".join(f"{key} {_told(found.get(key))}" for key in keys) for found in (one, two)]
    return f"{sides[0]} in {pair[0]}, {sides[1]} in {pair[1]}"


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {v}" for k, v in value.items() if v is not None)
    return str(value)
