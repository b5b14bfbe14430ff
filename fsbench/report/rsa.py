"""What a run of the paper on remainder subset awareness holds: its algorithms, the pairs of cells, CorrAL's orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsbench import registry
from fsbench.published import rsa as paper
from fsbench.report.results import Results
from fsbench.report.searching import Judged, judged_nested, judged_on_folds

__all__ = [
    "ALGORITHMS",
    "MAIN",
    "NEAR",
    "Corral",
    "Pair",
    "Variant",
    "corral",
    "cross",
    "judge",
    "order",
    "outcome",
    "pairs",
    "printed_pairs",
    "variant",
    "variants",
]

# Table 1 of the paper: features added and removed in a turn.
ALGORITHMS = ((0, 1), (1, 0), (1, 2), (2, 1))
# The paper's k; 1 is the conventional search.
MAIN, CONVENTIONAL = 0.8, 1.0
# Points of error within which two searches nearly tie.
NEAR = 0.75
RELEVANT = frozenset({"A0", "A1", "B0", "B1"})
SHORT = {"Correlated": "C", "Irrelevant": "I"}


@dataclass(frozen=True)
class Variant:
    """A search of the configuration as the paper names it.

    Parameters
    ----------
    label : str
    plus, minus : int
        Features added and removed in a turn.
    k : float
        Weight of the subset; 1 does not look at the remainder.
    weighting : {"constant", "size"}
    """

    label: str
    plus: int
    minus: int
    k: float
    weighting: str

    @property
    def algorithm(self) -> tuple[int, int]:
        """Features added and removed in a turn."""
        return self.plus, self.minus

    @property
    def weight(self) -> str:
        """How the remainder is weighed, in a column head."""
        return f"k = {self.k:g}" if self.weighting == "constant" else f"k = {self.k:g}, by size"


@dataclass(frozen=True)
class Pair:
    """The conventional and the remainder-aware search of one algorithm on one data set.

    Parameters
    ----------
    dataset : str
        Label, or the printed name.
    algorithm : tuple of int
    conventional, modified : Judged
    """

    dataset: str
    algorithm: tuple[int, int]
    conventional: Judged
    modified: Judged

    @property
    def ok(self) -> bool:
        """Whether both are there."""
        return self.conventional.error is not None and self.modified.error is not None

    @property
    def difference(self) -> float:
        """Error of the modified search minus that of the conventional one, in points."""
        return (self.modified.error or 0.0) - (self.conventional.error or 0.0)


@dataclass(frozen=True)
class Corral:
    """How often the paper's example comes about, over the fold seeds of one of CorrAL's data sets.

    Parameters
    ----------
    seeds : tuple of int
    misled : tuple of int
        Seeds under which the conventional SFG takes C first.
    saved : tuple of int
        Seeds under which the aware SFG takes A0, A1, B0, B1 first, in any order, with error 0.
    exact_conventional, exact_modified : tuple of int
        Seeds that give the very orders that are printed.
    discards : mapping of str to int
        For the conventional and the modified SBG: how many best subsets are without C.
    """

    seeds: tuple[int, ...]
    misled: tuple[int, ...]
    saved: tuple[int, ...]
    exact_conventional: tuple[int, ...]
    exact_modified: tuple[int, ...]
    discards: Mapping[str, int]

    @property
    def both(self) -> tuple[int, ...]:
        """Seeds that show the whole effect."""
        return tuple(seed for seed in self.misled if seed in self.saved)

    @property
    def exact(self) -> tuple[int, ...]:
        """Seeds that give both printed orders."""
        return tuple(seed for seed in self.exact_conventional if seed in self.exact_modified)


def variants(results: Results) -> list[Variant]:
    """Return the searches of the configuration that are settings of plus l, take away r, in order."""
    found = []
    for ref in results.experiment.get("searches") or ():
        spec = ref["spec"]
        name = str(spec.get("method", "")).lower()
        turns = {"sfg": (1, 0), "sbg": (0, 1)}
        turns["pta"] = int(spec.get("plus", 2)), int(spec.get("minus", 1))
        turn = turns.get(registry.ALIASES["search"].get(name, name))
        if turn is not None:
            k = spec.get("remainder")
            weighting = str(spec.get("weighting", "constant"))
            found.append(Variant(str(ref["label"]), *turn, CONVENTIONAL if k is None else float(k), weighting))
    return found


def variant(results: Results, algorithm: tuple[int, int], k: float) -> Variant | None:
    """Return the first search of an algorithm and a constant weight; None if the configuration has none."""
    found = (v for v in variants(results) if (v.algorithm, v.k, v.weighting) == (algorithm, k, "constant"))
    return next(found, None)


def judge(results: Results, dataset: str, label: str, nested: bool = False) -> Judged:
    """Return a search with the first classifier of the configuration, as the paper judges it or honestly."""
    if not results.classifiers:
        return Judged(status="absent", reason="the experiment has no classifier")
    return (judged_nested if nested else judged_on_folds)(results, dataset, results.classifiers[0], label)


def pairs(results: Results, datasets: Sequence[str], nested: bool = False) -> Iterator[Pair]:
    """Yield both searches of each algorithm on each data set, those that are not there included."""
    for dataset in datasets:
        for algorithm in ALGORITHMS:
            sides = [variant(results, algorithm, k) for k in (CONVENTIONAL, MAIN)]
            gone = Judged(status="absent", reason="the experiment does not have this search")
            one, two = (gone if v is None else judge(results, dataset, v.label, nested) for v in sides)
            yield Pair(dataset, algorithm, one, two)


def printed_pairs(datasets: Sequence[str]) -> Iterator[Pair]:
    """Yield the pairs of the printed Table 4, by our names of the data sets."""
    found = {(c.dataset, c.column): c for c in paper.cells() if c.table == "table4"}
    for dataset in datasets:
        for plus, minus in ALGORITHMS:
            sides = []
            for kind in ("conventional", "modified"):
                column = f"PTA({plus},{minus})/{kind}"
                error, size = found[dataset, f"{column}/error"], found[dataset, f"{column}/size"]
                sides.append(Judged(error.value, float(error.spread), size.value, 5))
            yield Pair(dataset, (plus, minus), *sides)


def outcome(pair: Pair) -> tuple[str, str]:
    """Return whether the modified search is better, equal or worse, and whether ``=``, ``>`` or ``<`` features.

    ``>`` is the conventional search having more features: the modified subset is the smaller one.
    """
    # Mean errors are quotients of whole numbers: only rounding of the last bit lies below this.
    gap = 0.0 if abs(pair.difference) < 1e-9 else pair.difference
    error = "better" if gap < 0 else "worse" if gap > 0 else "equal"
    size = (pair.conventional.size or 0.0) - (pair.modified.size or 0.0)
    return error, ">" if size > 0 else "<" if size < 0 else "="


def cross(found: Sequence[Pair]) -> dict[tuple[str, str], int]:
    """Return how many pairs fall into each cell of Tables 2 and 3: those that are whole are counted."""
    counts = {(error, size): 0 for error in ("better", "equal", "worse") for size in ("=", ">", "<")}
    for pair in found:
        if pair.ok:
            counts[outcome(pair)] += 1
    return counts


def corral(results: Results, dataset: str) -> Corral | None:
    """Return how often the paper's example comes about; None without the two SFG searches."""
    return results.remember(("corral", dataset), lambda: _corral(results, dataset))


def order(results: Results, dataset: str, k: float, seed: int) -> tuple[str, ...]:
    """Return the features in the order in which SFG takes them under a fold seed, as the paper names them."""
    found = _by_seed(results, dataset, (1, 0), k).get(seed)
    return () if found is None else tuple(SHORT.get(name, name) for name in found["inclusion"])


def _corral(results: Results, dataset: str) -> Corral | None:
    one, two = (_by_seed(results, dataset, (1, 0), k) for k in (CONVENTIONAL, MAIN))
    seeds = tuple(seed for seed in one if seed in two)
    if not seeds:
        return None
    printed = [tuple(paper.prose()[f"corral.order_{kind}_sfg"].text.split()) for kind in ("conventional", "modified")]
    backward = {"conventional": CONVENTIONAL, "modified": MAIN}
    return Corral(
        seeds=seeds,
        misled=tuple(seed for seed in seeds if one[seed]["inclusion"][:1] == ["Correlated"]),
        saved=tuple(s for s in seeds if set(two[s]["inclusion"][:4]) == RELEVANT and two[s]["error"] == 0.0),
        exact_conventional=tuple(s for s in seeds if order(results, dataset, CONVENTIONAL, s) == printed[0]),
        exact_modified=tuple(s for s in seeds if order(results, dataset, MAIN, s) == printed[1]),
        discards={
            kind: sum("Correlated" not in row["subset"] for row in _by_seed(results, dataset, (0, 1), k).values())
            for kind, k in backward.items()
        },
    )


def _by_seed(results: Results, dataset: str, algorithm: tuple[int, int], k: float) -> dict[int, dict[Any, Any]]:
    """Return the search on all folds under each fold seed; made once, for all seeds that are asked about."""
    key = ("searches by seed", dataset, algorithm, k)
    return results.remember(key, lambda: _read_by_seed(results, dataset, algorithm, k))


def _read_by_seed(results: Results, dataset: str, algorithm: tuple[int, int], k: float) -> dict[int, dict[Any, Any]]:
    found, table = variant(results, algorithm, k), results.search_table
    if found is None or table is None or not results.classifiers:
        return {}
    mine = table[
        (table["dataset"] == dataset)
        & (table["search"] == found.label)
        & (table["classifier"] == results.classifiers[0])
        & (table["protocol"] == "search-cv")
        & (table["status"] == "ok")
        & table["seed"].notna()
    ]
    return {int(row["seed"]): row for row in mine.to_dict("records")}
