"""Names of methods and where they live: ``"module:Class"``, imported when used."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from fsbench.errors import MethodError, blamed, is_one_line, nearest, raised, show
from fsbench.lent import is_ours
from fsbench.method import Method

__all__ = ["ALIASES", "METHODS", "load_class", "make", "names"]

METHODS: dict[str, dict[str, str]] = {
    "ranker": {
        "nlc": "fsbench.rankers.nlc:NLC",
        "relieff": "fsbench.rankers.relieff:ReliefF",
        "ig": "fsbench.rankers.information_gain:InformationGain",
        "gain-ratio": "fsbench.rankers.gain_ratio:GainRatio",
        "su": "fsbench.rankers.symmetrical_uncertainty:SymmetricalUncertainty",
        "chi2": "fsbench.rankers.chi_squared:ChiSquared",
        "oner": "fsbench.rankers.oner:OneR",
        "exclusiveness": "fsbench.rankers.exclusiveness:Exclusiveness",
    },
    "classifier": {
        "c45": "fsbench.classifiers.c45:C45",
        "1nn": "fsbench.classifiers.nearest:NearestNeighbour",
        "nb": "fsbench.classifiers.naive_bayes:NaiveBayes",
        "trie": "fsbench.classifiers.trie:TrieClassifier",
    },
    "search": {
        "pta": "fsbench.searches.plus_l_take_away_r:PlusLTakeAwayR",
        "sfg": "fsbench.searches.plus_l_take_away_r:SFG",
        "sbg": "fsbench.searches.plus_l_take_away_r:SBG",
        "sffs": "fsbench.searches.floating:SFFS",
        "sbfs": "fsbench.searches.floating:SBFS",
    },
    "transform": {
        "br": "fsbench.multilabel.binary_relevance:BinaryRelevance",
        "lp": "fsbench.multilabel.label_powerset:LabelPowerset",
    },
    "label-classifier": {
        "brknn": "fsbench.multilabel.brknn:BRkNN",
        "brknn-a": "fsbench.multilabel.brknn:BRkNNa",
        "brknn-b": "fsbench.multilabel.brknn:BRkNNb",
    },
}

ALIASES: dict[str, dict[str, str]] = {
    "ranker": {
        "information_gain": "ig",
        "information-gain": "ig",
        "rlf": "relieff",
        "gain_ratio": "gain-ratio",
        "symmetrical-uncertainty": "su",
        "symmetrical_uncertainty": "su",
        "chi-squared": "chi2",
        "chi_squared": "chi2",
    },
    "classifier": {"j48": "c45", "c4.5": "c45", "ibk": "1nn", "knn": "1nn", "naive-bayes": "nb", "naive_bayes": "nb"},
    "search": {"sfs": "sfg", "sbs": "sbg", "plus-l-take-away-r": "pta"},
    "transform": {"binary-relevance": "br", "label-powerset": "lp"},
    "label-classifier": {},
}


def names(kind: str) -> list[str]:
    """Return the names of every known method of a kind, entry points of other packages included.

    Parameters
    ----------
    kind : {"ranker", "classifier", "search", "transform", "label-classifier"}

    Returns
    -------
    list of str
    """
    return [*METHODS[kind], *(n for n in _entry_points(kind) if n not in METHODS[kind])]


def make(kind: str, spec: str | Mapping[str, Any], where: str = "", base: Path | None = None) -> Method:
    """Make a method from its name, a file, an import path, or a mapping with parameters.

    Parameters
    ----------
    kind : {"ranker", "classifier", "search", "transform", "label-classifier"}
        What is asked for.
    spec : str or mapping
        ``"relieff"``, ``"my_ranker.py:MyRanker"``, ``"package.module:Class"``, or a mapping with the key
        ``method`` and the parameters beside it.
    where : str, default ""
        Place for error messages.
    base : Path, optional
        Folder that a relative file is relative to; the current one by default.

    Returns
    -------
    Method

    Raises
    ------
    MethodError
        Unknown name, a file or class that cannot be loaded, wrong parameters.

    Examples
    --------
    >>> make("ranker", {"method": "nlc", "rule": "exact"}).label
    'nlc(rule=exact)'
    >>> make("ranker", "relief")
    Traceback (most recent call last):
    ...
    fsbench.errors.MethodError: unknown ranker 'relief'; did you mean 'relieff'?
    """
    params = {} if isinstance(spec, str) else {k: v for k, v in spec.items() if k != "method"}
    name = spec if isinstance(spec, str) else spec.get("method")
    if not isinstance(name, str):
        raise MethodError(f"a {kind} needs the key 'method' with its name, found {spec!r}", where)
    found = load_class(kind, name, where, base)
    if isinstance(found, type) and issubclass(found, Method):
        return _presented(found.from_params(params, where), where)
    if kind not in ("ranker", "classifier"):
        bases = {
            "search": "fsbench.searches.Search",
            "transform": "fsbench.multilabel.Transform",
            "label-classifier": "fsbench.multilabel.LabelClassifier",
        }
        raise MethodError(f"{name!r} is not a {kind}: derive a class from {bases[kind]}", where)
    # Anything that is not a Method of ours: a score function, selector or classifier in scikit-learn's style.
    adapters = importlib.import_module(f"fsbench.{kind}s.sklearn_adapter")
    return adapters.adapt(found, _absolute(name, base), params, where)  # type: ignore[no-any-return]


def _absolute(name: str, base: Path | None) -> str:
    """Return the path of a file, with the name in it, so that it is found from any folder; other paths as they are."""
    place, _, attribute = name.rpartition(":")
    return f"{Path(base or '.', place).resolve()}:{attribute}" if place.endswith(".py") else name


def load_class(kind: str, name: str, where: str = "", base: Path | None = None) -> Any:
    """Return the class (or the scikit-learn object) that a name stands for; see `make`."""
    key = name if name in METHODS[kind] else ALIASES[kind].get(name.lower(), name.lower())
    if key in METHODS[kind]:
        module, attribute = METHODS[kind][key].split(":")
        return getattr(importlib.import_module(module), attribute)
    if ":" in name:
        found = _load_path(name, where, base)
        if found is Method:  # what all kinds derive from, and none of them
            raise MethodError(f"{name!r} is not a {kind}", where)
        return found
    points = _entry_points(kind)
    if name in points:
        return points[name].load()
    raise MethodError(f"unknown {kind} {name!r}; {nearest(name, [*names(kind), *ALIASES[kind]])}", where)


@cache
def _entry_points(kind: str) -> dict[str, Any]:
    from importlib.metadata import entry_points  # here: it costs a tenth of a small command's time

    return {point.name: point for point in entry_points(group=f"fsbench.{kind}s")}


def _load_path(name: str, where: str, base: Path | None) -> Any:
    place, _, attribute = name.rpartition(":")
    if place.endswith(".py"):
        module = _load_file(Path(base or ".", place).resolve(), where)
    else:
        try:
            module = importlib.import_module(place)
        except (ImportError, ValueError) as error:
            raise MethodError(f"cannot import {place!r}: {error}", where) from None
        except (Exception, SystemExit) as error:
            raise MethodError(f"cannot import {place!r}: {raised(error)}", where) from error
    try:
        return getattr(module, attribute)
    except AttributeError:
        known = _defined(module, place.endswith(".py"))
        hint = nearest(attribute, known) if known else "it defines no class and no function"
        raise MethodError(f"{place} has no {attribute!r}; {hint}", where) from None


def _defined(module: ModuleType, only_own: bool) -> list[str]:
    """Return the names of what could be methods in a module: those that it defines, or all that it offers."""
    public = {n: v for n, v in vars(module).items() if not n.startswith("_") and callable(v)}
    return [n for n, v in public.items() if not only_own or getattr(v, "__module__", "") == module.__name__]


def _load_file(path: Path, where: str) -> ModuleType:
    if not path.is_file():
        raise MethodError(f"no such file: {path}", where)
    name = f"fsbench_user.{path.stem}_{abs(hash(str(path))):x}"
    if name in sys.modules:
        return sys.modules[name]
    from fsbench.beside import add_folder  # here: our own methods need none of it

    add_folder(path, where)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and typing look the module up while it is being executed
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise MethodError(f"{path} cannot be loaded: {raised(error)}", where) from error
    return module


def _presented(method: Method, where: str) -> Method:
    """Refuse a method that is not ours if what it says of itself cannot stand in tables and in the store."""
    if is_ours(method):
        return method
    name = type(method).__name__
    checks = dict.fromkeys(("label", "name", "title", "reference", "unit"), _check_text)
    checks |= dict.fromkeys(("higher_is_better", "takes_nominal", "takes_numeric", "takes_missing"), _check_flag)
    try:
        for what, check in checks.items():
            with blamed(f"{name}: {what}"):
                if hasattr(method, what):  # a search has no unit
                    check(name, what, getattr(method, what))
        with blamed(f"{name}: identity()"):
            _check_identity(name, method.identity())
    except MethodError as error:
        raise MethodError(error.what, where) from error
    return method


def _check_flag(name: str, what: str, found: Any) -> None:
    if not isinstance(found, bool):
        raise MethodError(f"{name}: {what} must be true or false, found {show(found)}")


def _check_text(name: str, what: str, found: Any) -> None:
    if not isinstance(found, str) or (what == "label" and not found.strip()):
        raise MethodError(f"{name}: {what} must be a text, found {show(found)}")
    if not is_one_line(" ".join(found.split()) if what == "reference" else found):
        raise MethodError(f"{name}: {what} must be a text in one line, found {show(found)}")


def _check_identity(name: str, found: Any) -> None:
    if not isinstance(found, dict):
        raise MethodError(f"{name}: identity() must return a dict, found {show(found)}")
    import json  # here: ours need none to rank a file

    json.dumps(found, sort_keys=True, default=repr)  # as keys and the store have it
    json.dumps(found, ensure_ascii=False, default=str).encode()
