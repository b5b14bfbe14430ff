"""Compile kernels ahead: small made-up data through everything that is compiled, and notes of what is done.

A note is an empty file beside the compiled kernels, named after a hash of the kernels' sources. Looking for it takes
no compiler, so a run knows in a moment whether it has to wait, and for what.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np

from fsbench import registry
from fsbench.classifiers import Classifier
from fsbench.kernels.cache import cache_folder, fingerprint
from fsbench.method import Method
from fsbench.rankers import Ranker
from fsbench.rankers.relieff import PLAIN_WORK
from fsbench.values import Dataset, Feature, FloatArray, Split

__all__ = ["Shape", "Step", "chains", "cold", "compile_steps", "needed", "notes_folder", "steps", "undone"]

MANY = 192  # features above which ReliefF holds all distances
FeatureKind = Literal["numeric", "nominal", "mixed"]
Size = Literal["small", "usual", "wide"]
FEATURES: tuple[FeatureKind, ...] = ("numeric", "nominal", "mixed")
SIZES: Mapping[Size, tuple[int, int]] = {"small": (60, 4), "usual": (600, 8), "wide": (400, 200)}
LONG = 6000  # rows enough for ReliefF to rule out most of them by whole numbers


@dataclass(frozen=True)
class Shape:
    """What decides which kernels a data set is sent through.

    Parameters
    ----------
    features : {"numeric", "nominal", "mixed"}
        Of which kind they are.
    missing : bool
        Whether a value is missing.
    size : {"small", "usual", "wide"}
        ``small`` where rankers alone need no kernel, ``wide`` where ReliefF has one of its own for many features.
    """

    features: FeatureKind = "numeric"
    missing: bool = False
    size: Size = "usual"

    @classmethod
    def of(cls, n_rows: int, n_numeric: int, n_features: int, missing: bool) -> Shape:
        """Return the shape of a data set.

        Examples
        --------
        >>> Shape.of(150, 4, 4, False)
        Shape(features='numeric', missing=False, size='small')
        """
        kind: FeatureKind = "numeric" if n_numeric == n_features else "mixed" if n_numeric else "nominal"
        small = n_rows * n_rows * n_features <= PLAIN_WORK
        return cls(kind, missing, "small" if small else "wide" if n_features > MANY else "usual")

    def __str__(self) -> str:
        size = {"small": "few rows of ", "usual": "", "wide": "many "}[self.size]
        return f"{size}{self.features} features{' with missing values' if self.missing else ''}"


@dataclass(frozen=True)
class Step:
    """One family of kernels: what one method needs for one kind of data.

    Parameters
    ----------
    kind : {"ranker", "classifier", "search", "labels", "reading"}
        Of method; multi-label methods are compiled together, and so are searches.
    shape : Shape
    method : Method, optional
        A ranker or a classifier.
    """

    kind: Literal["ranker", "classifier", "search", "labels", "reading"]
    shape: Shape = Shape()
    method: Method | None = None

    def __str__(self) -> str:
        names = {"search": "wrapper searches", "labels": "multi-label methods", "reading": "reading of large files"}
        what = self.method.label if self.method is not None else names[self.kind]
        return what if self.kind == "reading" else f"{what}, {self.shape}"

    @property
    def note(self) -> str:
        """Name of the file that says that this was done."""
        return self._note(self.method.params() if self.method is not None else {})

    @property
    def family_note(self) -> str:
        """Name of the file that says that it was done with some parameters, few of which decide what is compiled."""
        return self._note(None)

    def _note(self, params: Mapping[str, Any] | None) -> str:
        name = self.method.name if self.method is not None else ""
        told = repr((fingerprint(), self.kind, name, str(self.shape), params))
        return hashlib.sha256(told.encode()).hexdigest()[:24]


def compile_steps(wanted: Sequence[Step]) -> list[tuple[str, float]]:
    """Compile what steps need, or load it from the cache, and note it.

    Parameters
    ----------
    wanted : sequence of Step

    Returns
    -------
    list of (str, float)
        What was compiled, and the seconds.
    """
    return [(str(step), _compile(step)) for step in wanted]


def chains(wanted: Iterable[Step]) -> list[list[Step]]:
    """Share steps out to processes: what has kernels in common stays together, the longest come first.

    Two processes that compile one kernel at a time do the work twice, and for different types of arguments each
    might overwrite the other's file.

    Parameters
    ----------
    wanted : iterable of Step

    Returns
    -------
    list of list of Step
    """
    found: dict[str, list[Step]] = {"c45": [], "relieff": [], "1nn": [], "": [], "nb": []}
    for step in wanted:
        name = (
            step.method.name if step.method is not None else {"search": "1nn", "labels": "relieff"}.get(step.kind, "")
        )
        found[name if name in found else ""].append(step)
    return [chain for chain in found.values() if chain]


def _compile(step: Step) -> float:
    start = time.perf_counter()
    # A method that made-up data do not suit has nothing to compile for them; it will say so when it is used.
    with contextlib.suppress(Exception):
        _work(step)
    folder = notes_folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / step.note).touch()
            (folder / step.family_note).touch()
    return time.perf_counter() - start


def undone(wanted: Iterable[Step]) -> list[Step]:
    """Return the steps that have not been taken with the kernels as they are, each once."""
    return _without_note({step.note: step for step in wanted})


def cold(wanted: Iterable[Step]) -> list[Step]:
    """Return the steps that will take time: those of families that have not been compiled."""
    return _without_note({step.family_note: step for step in wanted})


def _without_note(wanted: Mapping[str, Step]) -> list[Step]:
    folder = notes_folder()
    if folder is None:
        return []  # each process compiles what it needs when it needs it
    return [step for note, step in wanted.items() if not (folder / note).exists()]


def needed(methods: Mapping[str, Mapping[str, Any]], shapes: Iterable[Shape]) -> list[Step]:
    """Return what methods need for data of some shapes.

    Parameters
    ----------
    methods : mapping of str to mapping
        By kind and label; those that are not ours are passed over, for they may do anything.
    shapes : iterable of Shape

    Returns
    -------
    list of Step
    """
    made = [method for by_label in methods.values() for method in by_label.values()]
    found = [step for shape in dict.fromkeys(shapes) for method in made for step in _steps_of(method, shape)]
    # Rankers alone do few rows without kernels; beside others, for which the compiler is loaded, they do not.
    return [] if all(step.shape.size == "small" for step in found) else found


def _steps_of(method: Any, shape: Shape) -> Iterator[Step]:
    package, _, module = type(method).__module__.partition(".")
    usual = replace(shape, size="usual")
    if package != "fsbench" or module.endswith("sklearn_adapter"):
        return
    if module.startswith("multilabel."):
        yield Step("labels", Shape(shape.features))
    elif module.startswith("searches."):
        yield Step("search", usual)
    elif isinstance(method, Ranker):
        small_or_all = shape if shape.size == "small" or method.name == "relieff" else usual
        yield Step("ranker", small_or_all, method)
    elif isinstance(method, Classifier):
        yield Step("classifier", usual, method)


def steps() -> Iterator[Step]:
    """List everything that is compiled, for all kinds of data.

    Yields
    ------
    Step
        Those that others build on first.
    """
    yield Step("reading")
    methods = {kind: {n: registry.make(kind, n) for n in registry.METHODS[kind]} for kind in ("ranker", "classifier")}
    methods["search"] = {"sfg": registry.make("search", "sfg")}
    usual = [Shape(features, missing) for missing in (False, True) for features in FEATURES]
    yield from needed(methods, usual)
    yield from needed({"ranker": {"": registry.make("ranker", "relieff")}}, [Shape(size="wide")])
    for spec in ({"method": "nlc", "rule": "exact"}, {"method": "ig", "discretize": "equal-width"}):
        yield from needed({"ranker": {"": registry.make("ranker", spec)}}, [Shape()])
    for features in ("numeric", "nominal"):
        yield Step("labels", Shape(features))
    # Compiled already; noted, it is not announced again.
    small = [replace(shape, size="small") for shape in usual]
    yield from (step for step in needed(methods, small) if step.kind == "ranker")


def notes_folder() -> Path | None:
    """Return the folder of the notes; None if nothing can be kept."""
    kernels = cache_folder("jit")
    return None if kernels is None else kernels.parent / "notes"


def _work(step: Step) -> None:
    import fsbench.kernels.jit  # noqa: F401  # what has a plain path for few rows then takes the compiled one

    if step.kind == "reading":
        _read()
    elif step.kind == "labels":
        _labels(8 if step.shape.features == "nominal" else 0)
    elif step.kind == "search":
        _search(_made(step.shape))
    elif step.kind == "ranker":
        _rank(cast(Ranker, step.method), step.shape)
    else:
        _classify(cast(Classifier, step.method), _made(step.shape))


def _made(shape: Shape, n: int | None = None) -> Dataset:
    """Make data that are sent through the same kernels as data of a shape."""
    rng, (usual, m) = np.random.default_rng(1), SIZES[shape.size]
    n = n or usual
    nominal = {"numeric": 0, "mixed": m // 2, "nominal": m}[shape.features]
    y = rng.integers(0, 3, n)
    X: FloatArray = rng.normal(y[:, None], 1.0, (n, m))
    X[:, :nominal] = rng.integers(0, 3, (n, nominal))
    X[rng.random(X.shape) < 0.1 * shape.missing] = np.nan
    labels = ("a", "b", "c")
    features = tuple(Feature(f"f{j}", labels if j < nominal else None) for j in range(m))
    return Dataset("made", features, X, Feature("class", labels), y)


def _read() -> None:
    from fsbench.data import read_arff, write_arff

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.arff")
        write_arff(_made(Shape()), path)
        read_arff(path, compiled=True)


def _rank(ranker: Ranker, shape: Shape) -> None:
    """Rank few rows and, unless there are only few, many."""
    ranker.rank(_made(replace(shape, size="small")))
    if shape.size != "small":
        ranker.rank(_made(shape, LONG if shape.size == "usual" else None))


def _classify(classifier: Classifier, data: Dataset) -> None:
    rows, features = np.arange(data.n_rows), np.arange(data.n_features)
    split = Split(rows[rows % 3 > 0], rows[rows % 3 == 0])
    classifier.curve(data, split, features[::-1].copy())  # in another order than that of the file
    classifier.evaluate(data, split, features)


def _search(data: Dataset) -> None:
    from fsbench.classifiers.nearest_scorer import subset_scorer
    from fsbench.evaluation.folds import stratified_splits
    from fsbench.searches import Search

    splits = stratified_splits(data.y, data.n_classes, 2, 1)
    for ties in ("vote", "first"):
        judge = cast(Classifier, registry.make("classifier", {"method": "1nn", "ties": ties}))
        search = cast(Search, registry.make("search", {"method": "sfg", "remainder": 0.8}))
        search.run(subset_scorer(judge, data, splits), data.n_features)


def _labels(n_nominal: int) -> None:
    """Rank and predict label sets; nominal values are rare, which is what sparse kernels are chosen for."""
    from fsbench.data.multilabel import MultiLabelDataset
    from fsbench.multilabel import LabelClassifier, Transform

    rng, n = np.random.default_rng(1), 1300
    made = _made(Shape("nominal" if n_nominal else "numeric"), n)
    X = np.where(rng.random(made.X.shape) < 0.05, made.X, 0.0) if n_nominal else made.X
    names = tuple(f"l{i}" for i in range(8))
    data = MultiLabelDataset("made", made.features, X, names, (rng.random((n, 8)) < 0.2).astype(np.uint8))
    for ranker in ("relieff", "ig"):
        for transform in registry.METHODS["transform"]:
            cast(Transform, registry.make("transform", transform)).rank(
                cast(Ranker, registry.make("ranker", ranker)), data
            )
    rows = np.arange(n)
    brknn = cast(LabelClassifier, registry.make("label-classifier", "brknn"))
    brknn.evaluate(data, Split(rows[::2], rows[1::2]), np.arange(data.n_features))
